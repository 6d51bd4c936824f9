#include "protocol/connection.hpp"

#include "protocol/answer_parts.hpp"
#include "protocol/checks.hpp"
#include "protocol/validate.hpp"
#include "protocol/voxpath.pb.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>

#include <fmt/format.h>

namespace voxpath::protocol {
namespace {

bool is_upload(const v1::ClientFrame& frame) { return frame.has_put_chunk() || frame.has_set_palette(); }

constexpr std::size_t kPathBytes = std::size_t{48} << 10;  // of an answer to find_path, as a rule
constexpr std::size_t kWaypointBytes = 60;                 // at most
constexpr std::size_t kPathRestBytes = 1'024;              // of an answer without its waypoints, at most
constexpr std::size_t kPathsBytes = kHordeWaypointsMax * kWaypointBytes + kStartsMax * kPathRestBytes;
static_assert(kInFlightMax * kPathBytes <= kAnswersExpectedMaxBytes, "paths alone never wait for this limit");
static_assert(kPathsBytes <= kAnswersExpectedMaxBytes, "the longest answer has room when nothing else is in flight");
static_assert(kAnswersExpectedMaxBytes + kFrameSizeMaxBytes + kOutboundPauseBytes <= kOutboundMaxBytes,
              "a find_path may come to a frame, too");

/// How long the answer may well become: no more are worked on at once than what may wait for a client.
std::size_t expected_answer_bytes(const v1::ClientFrame& frame) {
  constexpr std::size_t kBlockBytes = 64;  // a number, and its share of the palette
  if (frame.has_find_path()) return kPathBytes;
  if (frame.has_find_paths()) {
    return std::min(kPathsBytes, static_cast<std::size_t>(frame.find_paths().starts_size()) * kPathBytes);
  }
  if (!frame.has_query_blocks()) return 0;
  const v1::QueryBlocks& query = frame.query_blocks();
  const double blocks = query.has_box() ? volume(query.box()) : query.at_size();
  return std::min(kFrameSizeMaxBytes, static_cast<std::size_t>(blocks) * kBlockBytes);
}

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
constexpr std::string_view kHttpAnswer =
    "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nConnection: close\r\nContent-Length: 118\r\n\r\n"
    "This port speaks voxpath's binary protocol, and not HTTP. HTTP has a port of its own, where voxpathd has "
    "--http-port.\n";

v1::Limits limits_message(const ConnectionLimits& limits) {
  v1::Limits message;
  message.set_frame_size_max_bytes(kFrameSizeMaxBytes);
  message.set_upload_size_max_bytes(kUploadSizeMaxBytes);
  message.set_in_flight_max(static_cast<std::uint32_t>(limits.in_flight_max));
  message.set_outbound_max_bytes(static_cast<std::uint32_t>(limits.outbound_max_bytes));
  message.set_idle_timeout_ms(static_cast<std::uint32_t>(limits.idle_timeout_ms));
  message.set_expansions_max(kExpansionsMax);
  message.set_expansions_default(kExpansionsDefault);
  message.set_waypoints_max(kWaypointsMax);
  message.set_query_blocks_max(kQueryBlocksMax);
  message.set_changes_max(kChangesMax);
  message.set_starts_max(kStartsMax);
  message.set_horde_waypoints_max(kHordeWaypointsMax);
  return message;
}

}  // namespace

std::string_view other_protocol(std::string_view first) {
  constexpr std::array<std::string_view, 7> kMethods{"GET ",    "POST ",    "HEAD ",   "PUT ",
                                                     "DELETE ", "OPTIONS ", "CONNECT "};
  for (const std::string_view method : kMethods) {
    if (first.substr(0, method.size()) == method) return "HTTP";
  }
  // A message of ours never begins with the tag 0 that is the packet number of Minecraft's handshake, nor with TLS's
  // version byte 3.
  if (first.size() >= 2 && first[0] == '\x16' && first[1] == '\x03') return "TLS";
  if (first.size() >= 3 && first.substr(0, 3) == "\xfe\x01\xfa") return "Minecraft";
  if (first.size() >= 2 && static_cast<unsigned char>(first[0]) < 0x80 && first[0] != 0 && first[1] == 0)
    return "Minecraft";
  return {};
}

Connection::Connection(v1::Welcome welcome, Admit admit, ConnectionLimits limits, std::int64_t now_ms)
    : welcome_(std::make_unique<v1::Welcome>(std::move(welcome))),
      admit_(std::move(admit)),
      limits_(limits),
      decoder_(kHelloSizeMaxBytes),
      last_heard_ms_(now_ms),
      last_read_ms_(now_ms) {
  welcome_->set_version(kProtocolVersion);
  *welcome_->mutable_limits() = limits_message(limits_);
}

Connection::~Connection() = default;

std::vector<Action> Connection::take_actions() { return std::exchange(actions_, {}); }

void Connection::receive(std::string_view bytes, std::int64_t now_ms) {
  if (state_ == State::closed) return;
  if (state_ == State::open) {  // the handshake's clock runs from accept, however slowly its bytes drip in
    last_heard_ms_ = now_ms;
    ping_sent_ = false;
  }
  decoder_.feed(bytes);
  read_frames(now_ms);
}

void Connection::read_frames(std::int64_t now_ms) {
  if (held_ && has_room()) submit(std::move(held_));
  while (may_read()) {
    if (state_ == State::awaiting_hello && refuse_other_protocol()) return;
    const auto next = decoder_.next();
    if (std::holds_alternative<NeedMore>(next)) break;
    if (const auto* failure = std::get_if<Failure>(&next)) return close(*failure, true);
    on_frame(std::get<Frame>(next).bytes, now_ms);
  }
  update_reading(now_ms);
}

bool Connection::refuse_other_protocol() {
  const std::string_view name = other_protocol(decoder_.pending());
  if (name.empty()) return false;
  Failure why{ErrorKind::not_voxpath, fmt::format("{} is spoken on the port of voxpath's binary protocol", name),
              "hello.magic", printable(decoder_.pending().substr(0, 16)), kMagic};
  if (name == "HTTP") {
    outbound_bytes_ += kHttpAnswer.size();
    actions_.emplace_back(SendBytes{std::string(kHttpAnswer)});
  }
  state_ = State::closed;
  actions_.emplace_back(Close{std::move(why), true});
  return true;
}

void Connection::on_frame(std::string_view bytes, std::int64_t now_ms) {
  auto frame = std::make_unique<v1::ClientFrame>();
  if (!frame->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return close(
        {ErrorKind::frame_malformed, fmt::format("a frame of {} bytes is no ClientFrame", bytes.size()), "frame"},
        true);
  }
  if (state_ == State::awaiting_hello) {
    if (!frame->has_hello())
      return close({ErrorKind::hello_expected, "the first frame must be Hello", "request"}, true);
    on_hello(frame->hello(), frame->id(), now_ms);
    if (state_ == State::open) last_heard_ms_ = now_ms;
    return;
  }
  on_request(std::move(frame), bytes.size(), now_ms);
}

void Connection::on_hello(const v1::Hello& hello, std::uint32_t id, std::int64_t now_ms) {
  if (auto refused = validate(hello)) return close(std::move(*refused), true);
  if (admit_) {
    if (auto refused = admit_(hello)) return close(std::move(*refused), true);
  }
  client_name_ = printable(hello.client_name(), kClientNameMaxBytes);
  state_ = State::open;
  decoder_.set_size_max(kUploadSizeMaxBytes);
  v1::ServerFrame frame;
  frame.set_id(id);
  *frame.mutable_welcome() = *welcome_;
  send(frame, now_ms);
}

void Connection::on_request(std::unique_ptr<v1::ClientFrame> frame, std::size_t size, std::int64_t now_ms) {
  const std::uint32_t id = frame->id();
  if (id == 0 || in_flight_.contains(id)) {
    // An error under this id could be taken for the other request's answer, so that the only honest answer is to end.
    const char* what = id == 0 ? "0, which is kept for events" : "that of a request still in flight";
    return close({ErrorKind::request_id_invalid, fmt::format("a request's id is {}", what), "id", fmt::format("{}", id),
                  "another number"},
                 true);
  }
  if (size > kFrameSizeMaxBytes && !is_upload(*frame)) {
    return send_error(
        id,
        {ErrorKind::frame_too_big, fmt::format("a frame of {} bytes is over the limit of {}", size, kFrameSizeMaxBytes),
         "frame.length", fmt::format("{}", size), fmt::format("{} bytes", kFrameSizeMaxBytes)},
        now_ms);
  }
  if (const auto refused = validate(*frame)) return send_error(id, *refused, now_ms);
  v1::ServerFrame answer;
  answer.set_id(id);
  if (frame->has_ping()) {
    answer.mutable_pong()->set_payload(frame->ping().payload());
    return send(answer, now_ms);
  }
  if (frame->has_cancel()) {
    const std::uint32_t target = frame->cancel().request_id();
    answer.mutable_cancel()->set_in_flight(in_flight_.contains(target));
    if (answer.cancel().in_flight()) actions_.emplace_back(CancelRequest{target});
    return send(answer, now_ms);
  }
  submit(std::move(frame));
}

void Connection::submit(std::unique_ptr<v1::ClientFrame> frame) {
  const std::size_t expected = expected_answer_bytes(*frame);
  const std::size_t with_it = answers_expected_bytes_ + expected;
  if (answers_expected_bytes_ > 0 && with_it > limits_.answers_expected_max_bytes) {
    held_ = std::move(frame);
    return;
  }
  in_flight_.emplace(frame->id(), expected);
  answers_expected_bytes_ = with_it;
  actions_.emplace_back(Submit{std::move(frame)});
}

bool Connection::answer(v1::ServerFrame frame, std::int64_t now_ms) {
  const auto request = in_flight_.find(frame.id());
  if (state_ == State::closed || request == in_flight_.end()) return false;
  answers_expected_bytes_ -= request->second;
  in_flight_.erase(request);
  for (const v1::ServerFrame& part : parts_of(std::move(frame))) send(part, now_ms);
  if (draining_ && in_flight_.empty()) {
    close({ErrorKind::shutting_down, "the server is ending", {}, {}, {}, 1'000}, true);
  } else {
    read_frames(now_ms);  // frames that waited behind the limit
  }
  return true;
}

void Connection::tell(const v1::ServerFrame& event, std::int64_t now_ms) {
  assert(event.id() == 0);
  if (state_ != State::open) return;
  send(event, now_ms);
  update_reading(now_ms);  // events count as bytes that wait, too
}

void Connection::sent(std::size_t bytes, std::int64_t now_ms) {
  assert(bytes <= outbound_bytes_);
  outbound_bytes_ -= bytes;
  last_read_ms_ = now_ms;
  if (state_ == State::closed) return;
  update_working();
  read_frames(now_ms);
}

void Connection::tick(std::int64_t now_ms) {
  if (state_ == State::closed || now_ms < next_tick_ms()) return;
  if (state_ == State::awaiting_hello) {
    return close({ErrorKind::handshake_timeout, fmt::format("no Hello within {} ms", limits_.handshake_timeout_ms),
                  "hello", "nothing", fmt::format("{} ms", limits_.handshake_timeout_ms)},
                 true);
  }
  if (now_ms >= unread_until_ms()) {
    const std::int64_t unread_ms = now_ms - last_read_ms_;
    return close({ErrorKind::slow_consumer,
                  fmt::format("the client has read nothing for {} ms, and {} bytes wait", unread_ms, outbound_bytes_),
                  {},
                  fmt::format("{} ms", unread_ms),
                  fmt::format("{} ms, or {} ms with more than {} bytes", limits_.unread_timeout_ms,
                              limits_.unread_full_timeout_ms, limits_.outbound_max_bytes)},
                 false);
  }
  if (ping_sent_) {
    return close({ErrorKind::idle_timeout,
                  fmt::format("nothing was heard for {} ms, not even after a Ping", now_ms - last_heard_ms_),
                  {},
                  {},
                  fmt::format("{} ms twice", limits_.idle_timeout_ms)},
                 true);
  }
  ping_sent_ = true;
  v1::ServerFrame ping;
  ping.mutable_ping();
  send(ping, now_ms);
}

std::int64_t Connection::next_tick_ms() const {
  switch (state_) {
    case State::awaiting_hello:
      return last_heard_ms_ + limits_.handshake_timeout_ms;
    case State::open:
      if (!reading_) return unread_until_ms();  // who is not read cannot be heard
      return std::min(unread_until_ms(), last_heard_ms_ + limits_.idle_timeout_ms * (ping_sent_ ? 2 : 1));
    case State::closed:
      break;
  }
  return kNever;
}

std::int64_t Connection::unread_until_ms() const {
  if (outbound_bytes_ == 0) return kNever;
  const bool full = outbound_bytes_ > limits_.outbound_max_bytes;
  return last_read_ms_ + (full ? limits_.unread_full_timeout_ms : limits_.unread_timeout_ms);
}

void Connection::peer_closed() { close({ErrorKind::connection_lost, "the client closed the connection"}, false); }

void Connection::refuse(Failure why) { close(std::move(why), true); }

void Connection::drain(std::int64_t now_ms) {
  if (state_ == State::closed) return;
  draining_ = true;
  if (in_flight_.empty()) return close({ErrorKind::shutting_down, "the server is ending", {}, {}, {}, 1'000}, true);
  update_reading(now_ms);
}

void Connection::send(const v1::ServerFrame& frame, std::int64_t now_ms) {
  if (outbound_bytes_ == 0) last_read_ms_ = now_ms;
  SendBytes action;
  append_frame(frame, &action.bytes);
  if (frame.has_error()) {
    const ErrorRow* row = row_of(frame.error().reason());
    action.refused = row != nullptr ? row->kind : ErrorKind::internal;
  }
  outbound_bytes_ += action.bytes.size();
  actions_.emplace_back(std::move(action));
  update_working();
}

void Connection::send_error(std::uint32_t id, const Failure& failure, std::int64_t now_ms) {
  v1::ServerFrame frame;
  frame.set_id(id);
  write_error(failure, frame.mutable_error());
  send(frame, now_ms);
}

void Connection::close(Failure why, bool flush) {
  if (state_ == State::closed) return;
  state_ = State::closed;
  if (flush) {
    v1::ServerFrame goodbye;
    write_error(why, goodbye.mutable_goodbye()->mutable_error());
    SendBytes action;
    append_frame(goodbye, &action.bytes);
    outbound_bytes_ += action.bytes.size();
    actions_.emplace_back(std::move(action));
  }
  in_flight_.clear();
  actions_.emplace_back(Close{std::move(why), flush});
}

bool Connection::has_room() const {
  return state_ != State::closed && !draining_ && in_flight_.size() < limits_.in_flight_max &&
         outbound_bytes_ <= limits_.outbound_pause_bytes;
}

bool Connection::may_read() const { return has_room() && !held_; }

void Connection::update_working() {
  const bool on = outbound_bytes_ <= limits_.outbound_pause_bytes;
  if (on == working_) return;
  working_ = on;
  actions_.emplace_back(SetWorking{on});
}

void Connection::update_reading(std::int64_t now_ms) {
  if (state_ == State::closed || may_read() == reading_) return;
  reading_ = !reading_;
  last_heard_ms_ = now_ms;
  actions_.emplace_back(SetReading{reading_});
}

}  // namespace voxpath::protocol
