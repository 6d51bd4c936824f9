#include "tests/simulation/simulated_client.hpp"

#include "protocol/frame.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include <fmt/format.h>

namespace voxpath::test {

using protocol::Action;

void require(bool holds, const std::string& what) {
  if (!holds) throw Violation(what);
}

SimulatedClient::SimulatedClient(std::uint64_t number, std::uint32_t share, protocol::ConnectionLimits limits,
                                 std::int64_t now_us)
    : id(number),
      weight(share),
      limits_(limits),
      connection_({}, {}, limits, now_us / 1'000),
      decoder_(protocol::kUploadSizeMaxBytes) {
  v1::ClientFrame hello;
  hello.mutable_hello()->set_magic(protocol::kMagic);
  hello.mutable_hello()->set_min_version(1);
  hello.mutable_hello()->set_max_version(1);
  ask(std::move(hello), now_us);
}

std::uint32_t SimulatedClient::ask(v1::ClientFrame request, std::int64_t now_us) {
  request.set_id(++last_id_);
  protocol::append_frame(request, &to_server_);
  if (request.has_cancel()) {
    const auto target = asked_.find(request.cancel().request_id());
    if (target != asked_.end()) target->second.cancelled = true;
  }
  if (request.find_path().mob() != 0) newest_of_mob_[request.find_path().mob()] = last_id_;
  if (request.find_paths().horde() != 0) newest_of_mob_[request.find_paths().horde()] = last_id_;
  asked_.emplace(last_id_, Asked{std::move(request), version_seen_, now_us});
  return last_id_;
}

void SimulatedClient::deliver_to_server(std::size_t bytes, std::int64_t now_us) {
  connection_.receive(to_server_.substr(0, bytes), now_us / 1'000);
  to_server_.erase(0, bytes);
}

void SimulatedClient::deliver_to_client(std::size_t bytes, std::int64_t now_us) {
  connection_.sent(bytes, now_us / 1'000);
  decoder_.feed(to_client_.substr(0, bytes));
  to_client_.erase(0, bytes);
  while (true) {
    const auto next = decoder_.next();
    const auto* frame = std::get_if<protocol::Frame>(&next);
    require(frame != nullptr || std::holds_alternative<protocol::NeedMore>(next), "the server's bytes are no frames");
    if (frame == nullptr) return;
    v1::ServerFrame message;
    require(message.ParseFromString(std::string(frame->bytes)), "a frame of the server is no ServerFrame");
    on_frame(message, now_us);
  }
}

std::vector<Action> SimulatedClient::take_actions() {
  std::vector<Action> others;
  for (Action& action : connection_.take_actions()) {
    require(!closed, "an action after Close");
    if (auto* send = std::get_if<protocol::SendBytes>(&action)) {
      to_client_ += send->bytes;
      continue;
    }
    if (const auto* reading = std::get_if<protocol::SetReading>(&action)) reading_ = reading->on;
    if (std::holds_alternative<protocol::Close>(action)) closed = true;
    others.push_back(std::move(action));
  }
  return others;
}

void SimulatedClient::answer(const v1::ServerFrame& frame, std::int64_t now_us) {
  const bool in_flight = connection_.answer(frame, now_us / 1'000);
  require(in_flight || closed, fmt::format("request {} of {} is answered twice", frame.id(), id));
}

void SimulatedClient::drop() { connection_.peer_closed(); }

void SimulatedClient::tick(std::int64_t now_us) { connection_.tick(now_us / 1'000); }

std::int64_t SimulatedClient::due_us() const {
  const std::int64_t due_ms = connection_.next_tick_ms();
  return due_ms > std::numeric_limits<std::int64_t>::max() / 1'000 ? due_ms : due_ms * 1'000;
}

void SimulatedClient::check_limits() const {
  require(connection_.in_flight() <= limits_.in_flight_max, "more requests in flight than may be");
  constexpr std::size_t kAnswerBytes = 400;  // none is longer here
  require(closed || connection_.outbound_bytes() <= limits_.outbound_pause_bytes + limits_.in_flight_max * kAnswerBytes,
          fmt::format("{} bytes wait unsent", connection_.outbound_bytes()));
  require(closed || connection_.outbound_bytes() == to_client_.size(), "bytes unsent are miscounted");
}

void SimulatedClient::see(const Asked& asked, std::uint64_t version) {
  require(version >= asked.version_seen,
          fmt::format("version {} in an answer to one who had seen {} when asking", version, asked.version_seen));
  version_seen_ = std::max(version_seen_, version);
}

void SimulatedClient::on_frame(const v1::ServerFrame& frame, std::int64_t now_us) {
  const auto found = asked_.find(frame.id());
  require(found != asked_.end(), fmt::format("client {} has an answer {} that it does not wait for", id, frame.id()));
  const Asked asked = std::move(found->second);
  asked_.erase(found);
  using Request = v1::ClientFrame;
  using Answer = v1::ServerFrame;
  if (frame.has_error()) return on_error(asked, frame.error(), now_us);
  const auto fits = [&](Request::RequestCase request, Answer::AnswerCase answer) {
    return asked.request.request_case() == request && frame.answer_case() == answer;
  };
  if (fits(Request::kFindPath, Answer::kPath)) return on_path(asked, frame.path(), now_us);
  if (fits(Request::kFindPaths, Answer::kPaths)) return on_paths(asked, frame.paths(), now_us);
  if (fits(Request::kDropChunk, Answer::kCommitted)) return see(asked, frame.committed().version());
  if (fits(Request::kValidatePath, Answer::kPathVerdict)) {
    require(frame.path_verdict().status() == v1::PathVerdict::VALID || asked.cancelled, "given up without being asked");
    if (frame.path_verdict().version() != 0) see(asked, frame.path_verdict().version());
    return;
  }
  require(fits(Request::kHello, Answer::kWelcome) || fits(Request::kCancel, Answer::kCancel) ||
              fits(Request::kPing, Answer::kPong),
          fmt::format("an answer of kind {} to a request of kind {}", static_cast<int>(frame.answer_case()),
                      static_cast<int>(asked.request.request_case())));
}

void SimulatedClient::on_path(const Asked& asked, const v1::PathAnswer& answer, std::int64_t now_us) {
  const v1::FindPath& request = asked.request.find_path();
  if (answer.version() != 0) see(asked, answer.version());
  switch (answer.status()) {
    case v1::PathAnswer::FOUND:
      require(answer.expanded() == request.expansions_max() && answer.cost() == request.start().cell().x(),
              fmt::format("the answer to {} is another question's", asked.request.id()));
      break;
    case v1::PathAnswer::CANCELLED:
      if (answer.reason() == v1::PathAnswer::SUPERSEDED) {
        require(request.mob() != 0 && newest_of_mob_[request.mob()] > asked.request.id(), "superseded by nothing");
      } else {
        require(asked.cancelled, "cancelled without being asked");
      }
      break;
    case v1::PathAnswer::PARTIAL:
      require(answer.reason() == v1::PathAnswer::DEADLINE && request.deadline_ms() != 0 &&
                  now_us >= asked.at_us + std::int64_t{request.deadline_ms()} * 1'000,
              "cut short before its deadline");
      break;
    default:
      require(false, fmt::format("an answer of status {}", static_cast<int>(answer.status())));
  }
}

/// Each as if it had been asked alone.
void SimulatedClient::on_paths(const Asked& asked, const v1::PathsAnswer& answer, std::int64_t now_us) {
  const v1::FindPaths& request = asked.request.find_paths();
  require(!answer.more() && answer.paths_size() == request.starts_size(), "not an answer for each start");
  Asked alone = asked;
  v1::FindPath& path = *alone.request.mutable_find_path();
  path.set_expansions_max(request.expansions_max());
  path.set_deadline_ms(request.deadline_ms());
  path.set_mob(request.horde());
  for (int i = 0; i < answer.paths_size(); ++i) {
    *path.mutable_start() = request.starts(i);
    on_path(alone, answer.paths(i), now_us);
  }
}

void SimulatedClient::on_error(const Asked& asked, const v1::Error& error, std::int64_t now_us) {
  const bool path = asked.request.has_find_path() || asked.request.has_find_paths();
  const bool job = path || asked.request.has_validate_path();
  if (error.reason() == "deadline_passed") {
    const v1::ClientFrame& request = asked.request;
    const std::int64_t deadline_ms =
        request.has_find_path() ? request.find_path().deadline_ms() : request.find_paths().deadline_ms();
    require(path && deadline_ms != 0 && now_us >= asked.at_us + deadline_ms * 1'000, "refused before its deadline");
    return;
  }
  require(job && (error.reason() == "queue_full" || error.reason() == "quota_full"),
          fmt::format("an error that nobody may get here: {}", error.ShortDebugString()));
  require(error.retry_after_ms() > 0, "full, and not said when to come again");
}

}  // namespace voxpath::test
