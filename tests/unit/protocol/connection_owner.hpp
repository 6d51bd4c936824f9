// ConnectionOwner: plays the owner of a protocol::Connection in scripted conversations; and the frames that scripts are made of.
// Thread-safety: one test thread.
// Invariant: after each step it checks what must always hold: nothing after Close, no id submitted twice, the limits.
#pragma once

#include "protocol/connection.hpp"
#include "protocol/voxpath.pb.h"

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace voxpath::protocol {

using F = v1::ClientFrame;

inline std::string bytes_of(const F& frame) {
  std::string out;
  append_frame(frame, &out);
  return out;
}

inline F hello(std::string token = "") {
  F frame;
  frame.set_id(1);
  frame.mutable_hello()->set_magic("voxpath");
  frame.mutable_hello()->set_min_version(1);
  frame.mutable_hello()->set_max_version(1);
  frame.mutable_hello()->set_client_name("test");
  frame.mutable_hello()->set_token(std::move(token));
  return frame;
}
inline F list(std::uint32_t id) {
  F frame;
  frame.set_id(id);
  frame.mutable_list_worlds();
  return frame;
}
inline F ping(std::uint32_t id, std::uint64_t payload = 0) {
  F frame;
  frame.set_id(id);
  frame.mutable_ping()->set_payload(payload);
  return frame;
}
inline F cancel(std::uint32_t id, std::uint32_t target) {
  F frame;
  frame.set_id(id);
  frame.mutable_cancel()->set_request_id(target);
  return frame;
}
inline v1::ServerFrame worlds_answer(std::uint32_t id) {
  v1::ServerFrame frame;
  frame.set_id(id);
  frame.mutable_worlds();
  return frame;
}

/// Plays the owner of a Connection, keeps what came out of it, and checks what must hold after every step.
class ConnectionOwner {
 public:
  explicit ConnectionOwner(ConnectionLimits limits = {}, Connection::Admit admit = {})
      : connection({}, std::move(admit), limits, 0), limits_(limits) {}

  void receive(std::string_view bytes) {
    connection.receive(bytes, now_ms);
    carry_out();
  }
  void receive(const F& frame) { receive(bytes_of(frame)); }
  void greet() { receive(hello()); }
  bool answer(std::uint32_t id) {
    const bool was_in_flight = connection.answer(worlds_answer(id), now_ms);
    if (was_in_flight) ++answered[id];
    carry_out();
    return was_in_flight;
  }
  /// Lets time pass, ticking when asked to.
  void wait(std::int64_t ms) {
    const std::int64_t end = now_ms + ms;
    while (connection.next_tick_ms() <= end) {
      now_ms = connection.next_tick_ms();
      connection.tick(now_ms);
      carry_out();
    }
    now_ms = end;
  }
  void carry_out() {
    for (Action& action : connection.take_actions()) {
      EXPECT_FALSE(closed) << "an action after Close";
      if (auto* send = std::get_if<SendBytes>(&action)) {
        wire += send->bytes;
        unsent += send->bytes.size();
      } else if (auto* submit = std::get_if<Submit>(&action)) {
        EXPECT_TRUE(submitted.emplace(submit->frame->id(), *submit->frame).second) << "submitted twice";
      } else if (auto* given_up = std::get_if<CancelRequest>(&action)) {
        cancelled.push_back(given_up->id);
      } else if (auto* reading_now = std::get_if<SetReading>(&action)) {
        EXPECT_NE(reading, reading_now->on);
        reading = reading_now->on;
      } else if (auto* working_now = std::get_if<SetWorking>(&action)) {
        EXPECT_NE(working, working_now->on);
        working = working_now->on;
      } else {
        closed = std::get<Close>(std::move(action));
      }
    }
    EXPECT_EQ(unsent, connection.outbound_bytes());
    EXPECT_LE(connection.in_flight(), limits_.in_flight_max);
    if (!closed) {
      EXPECT_EQ(working, unsent <= limits_.outbound_pause_bytes);
    }
    EXPECT_EQ(connection.closed(), closed.has_value());
    if (closed) {
      EXPECT_EQ(connection.next_tick_ms(), std::numeric_limits<std::int64_t>::max());
    }
    if (auto_sent) all_sent();
  }
  void all_sent() {
    const std::size_t bytes = std::exchange(unsent, 0);
    if (bytes > 0) {
      connection.sent(bytes, now_ms);
      carry_out();
    }
  }
  /// Frames that came out, since the last call.
  std::vector<v1::ServerFrame> heard() {
    FrameDecoder decoder(kUploadSizeMaxBytes);
    decoder.feed(wire);
    std::vector<v1::ServerFrame> frames;
    while (true) {
      const auto next = decoder.next();
      const auto* frame = std::get_if<Frame>(&next);
      if (!frame) break;
      EXPECT_TRUE(frames.emplace_back().ParseFromString(std::string(frame->bytes)));
    }
    EXPECT_TRUE(decoder.pending().empty());
    wire.clear();
    return frames;
  }

  Connection connection;
  ConnectionLimits limits_;
  std::int64_t now_ms = 0;
  std::string wire;
  std::size_t unsent = 0;
  bool auto_sent = true;
  bool reading = true;
  bool working = true;
  std::map<std::uint32_t, F> submitted;
  std::map<std::uint32_t, int> answered;
  std::vector<std::uint32_t> cancelled;
  std::optional<Close> closed;
};

inline void expect_closed(ConnectionOwner& owner, ErrorKind kind) {
  ASSERT_TRUE(owner.closed);
  EXPECT_EQ(owner.closed->why.kind, kind) << owner.closed->why.message;
  if (!owner.closed->flush) return;
  const auto frames = owner.heard();
  ASSERT_FALSE(frames.empty());
  EXPECT_EQ(frames.back().id(), 0u);
  EXPECT_EQ(frames.back().goodbye().error().reason(), row_of(kind).label);
}

}  // namespace voxpath::protocol
