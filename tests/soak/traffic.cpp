#include "tests/soak/traffic.hpp"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace voxpath::soak {

using std::chrono::steady_clock;

namespace {

constexpr int kConnections = 6;
constexpr int kUnderWayToSaturate = 24;  // of a connection; less than its quota
constexpr int kUnderWayMax = 512;        // of a connection, asked beyond what the server reads; then it is withheld
constexpr std::chrono::milliseconds kTick{5};
constexpr double kEditsPerSecond = 40;
constexpr std::uint64_t kGuestTicks = 400;  // from one world that comes and goes to the next
constexpr std::int32_t kLandBlocks = 110;   // from the middle; the generated land has 128
constexpr std::int32_t kNearBlocks = 12;
constexpr double kAboveLandBlocks = 200;  // starts and goals fall to the ground from there
constexpr std::uint64_t kMobs = 500;
constexpr int kHordeStarts = 32;
constexpr std::chrono::seconds kPatience{60};
const char* const kLand = "land";
const char* const kStored = "stored";

void set_place(v1::Place& place, double x, double y, double z) {
  v1::Position& at = *place.mutable_position();
  at.set_x(x), at.set_y(y), at.set_z(z);
}

void fill(v1::SetBlocks& request, v1::BlockPos low, v1::BlockPos high, const char* block) {
  v1::BlockChange& change = *request.add_changes();
  *change.mutable_box()->mutable_min() = std::move(low);
  *change.mutable_box()->mutable_max() = std::move(high);
  change.set_block(block);
}

v1::BlockPos cell(std::int32_t x, std::int32_t y, std::int32_t z) {
  v1::BlockPos at;
  at.set_x(x), at.set_y(y), at.set_z(z);
  return at;
}

}  // namespace

Traffic::Traffic(std::uint16_t port, std::uint32_t seed) : timer_(io_), random_(seed), last_tick_(steady_clock::now()) {
  for (int n = 0; n < kConnections; ++n) {
    client::ClientOptions options{.port = port, .client_name = "soak", .reconnect = false};
    options.on_disconnected = [this](const v1::Error& error) { lose(error); };
    options.on_path_invalidated = [this](const v1::PathInvalidated&) { ++counts_.invalidated; };
    connections_.push_back({std::make_unique<client::Client>(io_.get_executor(), std::move(options)), 0});
  }
  // A room without a door high above the land: what is in it cannot be reached.
  v1::SetBlocks room;
  room.set_world(kLand);
  fill(room, cell(0, 150, 0), cell(6, 156, 6), "minecraft:bedrock");
  fill(room, cell(1, 151, 1), cell(5, 155, 5), "minecraft:air");
  Connection& first = connections_.front();
  first.client->set_blocks(room, counted<v1::Committed>(first, [](const v1::Committed&) {}));
  thread_ = std::thread([this] {
    tick();
    io_.run();
  });
}

Traffic::~Traffic() {
  io_.stop();
  if (thread_.joinable()) thread_.join();
}

void Traffic::saturate() { rate_ = -1; }
void Traffic::offer(double per_second) { rate_ = per_second; }

bool Traffic::stop() {
  rate_ = 0;
  const auto end = steady_clock::now() + kPatience;
  const auto done = [this] { return counts_.answered + counts_.rejected + counts_.lost == counts_.asked; };
  while (!done() && steady_clock::now() < end) std::this_thread::sleep_for(kTick);
  return done();
}

std::string Traffic::first_loss() const {
  const std::lock_guard lock(mutex_);
  return first_loss_;
}

void Traffic::lose(const v1::Error& error) {
  const std::lock_guard lock(mutex_);
  if (first_loss_.empty()) first_loss_ = error.ShortDebugString();
}

std::int32_t Traffic::within(std::int32_t most) {
  return static_cast<std::int32_t>(random_() % static_cast<std::uint32_t>(2 * most + 1)) - most;
}

template <class T, class Then>
client::Handler<T> Traffic::counted(Connection& connection, Then then) {
  ++counts_.asked;
  ++connection.under_way;
  return [this, &connection, then](const client::Reply<T>& reply) {
    --connection.under_way;
    if (reply) {
      ++counts_.answered;
      then(*reply);
    } else if (reply.error().retry_after_ms() > 0) {
      ++counts_.rejected;
    } else {
      ++counts_.lost;
      lose(reply.error());
    }
  };
}

void Traffic::tick() {
  const auto now = steady_clock::now();
  const double passed = std::chrono::duration<double>(now - last_tick_).count();
  last_tick_ = now;
  const double rate = rate_;
  if (rate != 0) {
    for (edits_owed_ += passed * kEditsPerSecond; edits_owed_ >= 1; --edits_owed_)
      edit(connections_[random_() % connections_.size()]);
    if (++ticks_ % kGuestTicks == 0) visit_guest_world(connections_[random_() % connections_.size()]);
  }
  if (rate < 0) {
    for (Connection& connection : connections_)
      while (connection.under_way < kUnderWayToSaturate) ask(connection);
  } else if (rate > 0) {
    for (owed_ += passed * rate; owed_ >= 1; --owed_) {
      Connection& connection = connections_[random_() % connections_.size()];
      if (connection.under_way < kUnderWayMax) {
        ask(connection);
      } else {
        ++counts_.withheld;
      }
    }
  }
  timer_.expires_after(rate < 0 ? std::chrono::milliseconds(1) : kTick);
  timer_.async_wait([this](const boost::system::error_code& code) {
    if (!code) tick();
  });
}

v1::FindPath Traffic::some_path() {
  v1::FindPath request;
  request.set_world(kLand);
  const double x = within(kLandBlocks - kNearBlocks), z = within(kLandBlocks - kNearBlocks);
  set_place(*request.mutable_start(), x, kAboveLandBlocks, z);
  v1::Position& goal = *request.mutable_goal()->mutable_position();
  goal.set_x(x + within(kNearBlocks)), goal.set_y(kAboveLandBlocks), goal.set_z(z + within(kNearBlocks));
  return request;
}

void Traffic::ask(Connection& connection) {
  const auto kind = random_() % 1'000;
  if (kind < 3) return ask_horde(connection);
  v1::FindPath request = some_path();
  if (kind < 30) {
    v1::Position& goal = *request.mutable_goal()->mutable_position();
    goal.set_x(within(kLandBlocks)), goal.set_z(within(kLandBlocks));
  } else if (kind < 60) {
    *request.mutable_goal()->mutable_cell() = cell(3, 151, 3);
  } else if (kind < 120) {
    request.set_watch(true);
    request.set_mob(++mobs_ % kMobs + 1);  // a newer path ends the watch of the older
  } else if (kind < 140) {
    request.set_world(kStored);
    set_place(*request.mutable_start(), within(kNearBlocks), 64, within(kNearBlocks));
    v1::Position& goal = *request.mutable_goal()->mutable_position();
    goal.set_x(within(kNearBlocks)), goal.set_y(64), goal.set_z(within(kNearBlocks));
  }
  ask_path(connection, std::move(request), kind >= 980);
}

void Traffic::ask_path(Connection& connection, v1::FindPath request, bool cancel) {
  const auto id = connection.client->find_path(
      std::move(request), counted<v1::PathAnswer>(connection, [this](const v1::PathAnswer& answer) {
        if (answer.status() == v1::PathAnswer::FOUND) ++counts_.found;
        if (answer.status() == v1::PathAnswer::UNREACHABLE) ++counts_.unreachable;
        if (answer.status() == v1::PathAnswer::CANCELLED) ++counts_.cancelled;
      }));
  if (cancel) connection.client->cancel(id);
}

void Traffic::ask_horde(Connection& connection) {
  v1::FindPaths request;
  request.set_world(kLand);
  *request.mutable_goal() = some_path().goal();
  for (int n = 0; n < kHordeStarts; ++n) {
    const v1::Position& goal = request.goal().position();
    set_place(*request.add_starts(), goal.x() + within(kNearBlocks), kAboveLandBlocks, goal.z() + within(kNearBlocks));
  }
  connection.client->find_paths(
      request, counted<v1::PathsAnswer>(connection, [this](const v1::PathsAnswer&) { ++counts_.hordes; }));
}

void Traffic::edit(Connection& connection) {
  const bool stored = random_() % 2 == 0;
  const std::int32_t x = within(10) * 10, z = within(10) * 10;
  v1::SetBlocks request;
  request.set_world(stored ? kStored : kLand);
  const char* const block = random_() % 2 == 0 ? "minecraft:stone" : "minecraft:air";
  fill(request, cell(x, 60, z), cell(x + 2, 100, z + 2), block);
  connection.client->set_blocks(request,
                                counted<v1::Committed>(connection, [this](const v1::Committed&) { ++counts_.edits; }));
}

void Traffic::visit_guest_world(Connection& connection) {
  v1::OpenWorld open;
  open.set_world(fmt::format("guest-{}", ++guests_));
  open.set_min_y(0), open.set_height(64);
  v1::CloseWorld close;
  close.set_world(open.world());
  connection.client->open_world(
      open, counted<v1::WorldInfo>(connection, [this, &connection, close](const v1::WorldInfo&) {
        v1::PutChunk chunk;
        chunk.set_world(close.world());
        chunk.add_palette("minecraft:stone");
        chunk.add_sections()->add_blocks(0);
        connection.client->put_chunk(chunk, counted<v1::Committed>(connection, [](const v1::Committed&) {}));
        connection.client->close_world(close,
                                       counted<v1::Done>(connection, [this](const v1::Done&) { ++counts_.worlds; }));
      }));
}

}  // namespace voxpath::soak
