#include "tests/end_to_end/daemon_fixture.hpp"

#include <array>
#include <stdexcept>

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <spdlog/spdlog.h>

namespace voxpath::test {

namespace {

constexpr std::chrono::minutes kPatience{1};

class EndlessPlanner : public server::Planner {
 public:
  explicit EndlessPlanner(std::function<void()> on_begin = {}) : on_begin_(std::move(on_begin)) {}
  std::optional<protocol::Failure> begin(world::Ref<const world::Snapshot> snapshot, const v1::FindPath&) override {
    version_ = snapshot->version();
    snapshot_ = std::move(snapshot);
    if (on_begin_) on_begin_();
    return std::nullopt;
  }
  bool advance(std::uint32_t) override {
    std::this_thread::yield();
    return false;
  }
  void stop(Stop why) override { why_ = why; }
  void write(v1::PathAnswer* answer, server::FoundPath*) override {
    answer->set_version(version_);
    answer->set_status(why_ == Stop::cancelled ? v1::PathAnswer::CANCELLED : v1::PathAnswer::PARTIAL);
    if (why_ == Stop::deadline) answer->set_reason(v1::PathAnswer::DEADLINE);
  }
  void reset() override {}
  std::optional<protocol::Failure> begin_check(world::Ref<const world::Snapshot> snapshot,
                                               const v1::ValidatePath&) override {
    version_ = snapshot->version();
    return std::nullopt;
  }
  bool advance_check(std::uint32_t) override { return advance(0); }
  void end_check(v1::PathVerdict* verdict) override { verdict->set_version(version_); }
  std::optional<protocol::Failure> begin_horde(world::Ref<const world::Snapshot> snapshot,
                                               const server::HordeRequest& request, HordeOptions) override {
    version_ = snapshot->version();
    unanswered_ = static_cast<std::size_t>(request.starts.size());
    stopped_ = false;
    return std::nullopt;
  }
  bool advance_horde(std::uint32_t) override { return advance(0); }
  void stop_horde(Stop why) override {
    stop(why);
    stopped_ = true;
  }
  std::vector<HordeAnswer> take_answers() override {
    std::vector<HordeAnswer> answers(stopped_ ? std::exchange(unanswered_, 0) : 0);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      answers[i].start = i;
      EndlessPlanner::write(&answers[i].answer, nullptr);
    }
    return answers;
  }
  [[nodiscard]] bool one_by_one() const override { return true; }
  [[nodiscard]] std::size_t shared() const override { return 0; }
  [[nodiscard]] std::uint64_t expanded() const override { return 0; }

 protected:
  [[nodiscard]] world::Ref<const world::Snapshot> snapshot() const { return snapshot_; }

 private:
  const std::function<void()> on_begin_;
  world::Ref<const world::Snapshot> snapshot_;
  std::uint64_t version_ = 0;
  Stop why_ = Stop::cancelled;
  std::size_t unanswered_ = 0;
  bool stopped_ = false;
};

class LongPathPlanner : public EndlessPlanner {
 public:
  bool advance(std::uint32_t) override { return true; }
  void write(v1::PathAnswer* answer, server::FoundPath* found) override {
    answer->set_status(v1::PathAnswer::FOUND);
    for (std::size_t i = 0; i < protocol::kWaypointsMax; ++i) {
      v1::Waypoint& waypoint = *answer->add_waypoints();
      waypoint.mutable_cell()->set_x(static_cast<std::int32_t>(i));
      waypoint.mutable_position()->set_x(static_cast<double>(i) + 0.5);
    }
    if (found == nullptr) return;
    found->path.waypoints.resize(protocol::kWaypointsMax);
    found->searched = snapshot();
  }
};

}  // namespace

server::PlannerFactory long_path_planner() {
  return [] { return std::make_unique<LongPathPlanner>(); };
}

server::Config test_config() {
  server::Config config;
  config.port = 0;
  config.workers = 2;
  server::WorldConfig flat;
  flat.name = "flat";
  flat.generate = "flat";
  config.worlds.push_back(flat);
  return config;
}

server::Config http_config() {
  server::Config config = test_config();
  config.http.port = 0;
  return config;
}

RunningDaemon::RunningDaemon(server::Config config, server::PlannerFactory make_planner)
    : daemon_(std::move(config), std::move(make_planner)) {
  spdlog::set_level(spdlog::level::off);
  if (const auto status = daemon_.start(); !status) throw std::runtime_error(status.error().message);
  runner_ = std::thread([this] { daemon_.run(); });
  if (!eventually([this] { return daemon_.ready() && !daemon_.worlds().loading(); }))
    throw std::runtime_error("the worlds were not loaded");
}

RunningDaemon::~RunningDaemon() {
  daemon_.stop();
  join();
}

void RunningDaemon::join() {
  if (runner_.joinable()) runner_.join();
}

server::PlannerFactory endless_planner(std::function<void()> on_begin) {
  return [on_begin = std::move(on_begin)] { return std::make_unique<EndlessPlanner>(on_begin); };
}

bool eventually(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

RawSocket::RawSocket(std::uint16_t port) : socket_(io_) {
  socket_.connect({boost::asio::ip::address_v4::loopback(), port});
}

void RawSocket::send(std::string_view bytes) {
  boost::system::error_code ignored;  // the server may have closed: what it said is read all the same
  boost::asio::write(socket_, boost::asio::buffer(bytes), ignored);
}

void RawSocket::send(const v1::ClientFrame& frame) {
  std::string bytes;
  protocol::append_frame(frame, &bytes);
  send(bytes);
}

void RawSocket::greet(const std::string& token) {
  v1::ClientFrame frame;
  frame.set_id(1);
  frame.mutable_hello()->set_magic(protocol::kMagic);
  frame.mutable_hello()->set_min_version(1);
  frame.mutable_hello()->set_max_version(1);
  frame.mutable_hello()->set_token(token);
  send(frame);
}

std::optional<v1::ServerFrame> RawSocket::next_frame() {
  while (true) {
    const auto next = decoder_.next();
    if (const auto* frame = std::get_if<protocol::Frame>(&next)) {
      v1::ServerFrame message;
      if (!message.ParseFromArray(frame->bytes.data(), static_cast<int>(frame->bytes.size())))
        throw std::runtime_error("no ServerFrame");
      return message;
    }
    if (const auto* failure = std::get_if<protocol::Failure>(&next)) throw std::runtime_error(failure->message);
    std::array<char, 65'536> buffer;
    boost::system::error_code code;
    const std::size_t count = socket_.read_some(boost::asio::buffer(buffer), code);
    if (code) return std::nullopt;
    decoder_.feed({buffer.data(), count});
  }
}

std::string RawSocket::rest() {
  std::string all;
  std::array<char, 65'536> buffer;
  boost::system::error_code code;
  while (true) {
    const std::size_t count = socket_.read_some(boost::asio::buffer(buffer), code);
    if (code) return all;
    all.append(buffer.data(), count);
  }
}

void RawSocket::close() {
  boost::system::error_code ignored;
  socket_.close(ignored);
}

v1::FindPath flat_path(int from_x, int to_x) {
  v1::FindPath request;
  request.set_world("flat");
  request.mutable_start()->mutable_cell()->set_x(from_x);
  request.mutable_start()->mutable_cell()->set_y(64);
  request.mutable_goal()->mutable_cell()->set_x(to_x);
  request.mutable_goal()->mutable_cell()->set_y(64);
  return request;
}

}  // namespace voxpath::test
