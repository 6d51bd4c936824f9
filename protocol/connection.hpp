// Connection: the server's side of one conversation, as a state machine: bytes, answers and the time go in, actions
// come out.
// Thread-safety: one thread at a time; the owner (a session with a socket, a test with a script) carries the actions
// out in order.
// Usage: c.receive(bytes, now_ms); for (Action& a : c.take_actions()) carry_out(a); and at c.next_tick_ms():
// c.tick(now_ms).
// Invariants: each Submit is answered exactly once by the owner calling answer(), unless Close came first; whatever
// happens, at most one Close is given, and no Submit after it. No more than `in_flight_max` requests are out, and their
// answers may come to no more than `answers_expected_max_bytes`: the request that would make it more is held, and nothing
// read behind it. While more
// than `outbound_pause_bytes` wait unsent, no request is read and no job is to be begun, so that only the answers that
// are being worked on come on top of that. Only who reads nothing for a time is closed for what it leaves unread.
#pragma once

#include "protocol/errors.hpp"
#include "protocol/frame.hpp"
#include "protocol/limits.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

namespace voxpath::v1 {
class ClientFrame;
class Hello;
class ServerFrame;
class Welcome;
}  // namespace voxpath::v1

namespace voxpath::protocol {

struct ConnectionLimits {
  std::size_t in_flight_max = kInFlightMax;
  std::size_t outbound_max_bytes = kOutboundMaxBytes;
  std::size_t outbound_pause_bytes = kOutboundPauseBytes;
  std::size_t answers_expected_max_bytes = kAnswersExpectedMaxBytes;
  std::int64_t handshake_timeout_ms = kHandshakeTimeoutMs;
  std::int64_t idle_timeout_ms = kIdleTimeoutMs;
  std::int64_t unread_timeout_ms = kUnreadTimeoutMs;
  std::int64_t unread_full_timeout_ms = kUnreadFullTimeoutMs;
};

/// Puts these bytes on the wire; report them by sent() when they have gone.
struct SendBytes {
  std::string bytes;
  std::optional<ErrorKind> refused = {};  // where it answers a request with an error
};
/// Acts on this request; it has passed validate().
struct Submit {
  std::unique_ptr<v1::ClientFrame> frame;
};
/// Gives up the request with this id, which is in flight.
struct CancelRequest {
  std::uint32_t id;
};
/// From now on reads from the socket, or does not.
struct SetReading {
  bool on;
};
/// From now on begins the jobs of this connection that wait for a worker, or does not.
struct SetWorking {
  bool on;
};
/// Ends: cancels what is in flight and closes the socket, after what is to be sent has gone if `flush`.
struct Close {
  Failure why;
  bool flush;
};
using Action = std::variant<SendBytes, Submit, CancelRequest, SetReading, SetWorking, Close>;

class Connection {
 public:
  /// Why this Hello's client may not come in; nullopt: it may.
  using Admit = std::function<std::optional<Failure>(const v1::Hello&)>;
  /// `welcome` is the answer to Hello; its limits are filled in here. `admit`: asked once, of a valid Hello; empty: all
  /// may come.
  Connection(v1::Welcome welcome, Admit admit, ConnectionLimits limits, std::int64_t now_ms);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void receive(std::string_view bytes, std::int64_t now_ms);
  /// The answer to a Submit; its id says to which. One to find_paths may be longer than a frame: it goes out in parts.
  /// Ignored after Close. Returns whether the id was in flight.
  bool answer(v1::ServerFrame frame, std::int64_t now_ms);
  /// An event, which answers no request: its id is 0. Ignored before Hello and after Close.
  void tell(const v1::ServerFrame& event, std::int64_t now_ms);
  void sent(std::size_t bytes, std::int64_t now_ms);
  void tick(std::int64_t now_ms);
  /// The client is gone: gives Close without flush.
  void peer_closed();
  /// Reads no further request, and says Goodbye when those in flight have been answered.
  void drain(std::int64_t now_ms);
  /// Says Goodbye now.
  void refuse(Failure why);

  [[nodiscard]] std::vector<Action> take_actions();
  /// When tick() is to be called next; INT64_MAX: not at all.
  [[nodiscard]] std::int64_t next_tick_ms() const;

  [[nodiscard]] bool closed() const { return state_ == State::closed; }
  [[nodiscard]] bool welcomed() const { return state_ == State::open; }
  [[nodiscard]] std::size_t in_flight() const { return in_flight_.size(); }
  [[nodiscard]] std::size_t outbound_bytes() const { return outbound_bytes_; }
  /// What Hello said, for logs.
  [[nodiscard]] const std::string& client_name() const { return client_name_; }

 private:
  enum class State { awaiting_hello, open, closed };

  void read_frames(std::int64_t now_ms);
  void on_frame(std::string_view bytes, std::int64_t now_ms);
  void on_hello(const v1::Hello& hello, std::uint32_t id, std::int64_t now_ms);
  void on_request(std::unique_ptr<v1::ClientFrame> frame, std::size_t size, std::int64_t now_ms);
  /// Puts the request in flight, or holds it until its answer has room.
  void submit(std::unique_ptr<v1::ClientFrame> frame);
  bool refuse_other_protocol();
  void send(const v1::ServerFrame& frame, std::int64_t now_ms);
  void send_error(std::uint32_t id, const Failure& failure, std::int64_t now_ms);
  void close(Failure why, bool flush);
  void update_reading(std::int64_t now_ms);
  void update_working();
  /// For one more request.
  [[nodiscard]] bool has_room() const;
  [[nodiscard]] bool may_read() const;
  /// How long the client may go on without reading; kNever: nothing waits for it.
  [[nodiscard]] std::int64_t unread_until_ms() const;

  const std::unique_ptr<v1::Welcome> welcome_;
  const Admit admit_;
  const ConnectionLimits limits_;
  FrameDecoder decoder_;
  State state_ = State::awaiting_hello;
  bool reading_ = true;
  bool working_ = true;
  bool draining_ = false;
  bool ping_sent_ = false;
  std::int64_t last_heard_ms_;
  std::int64_t last_read_ms_ = 0;  // when the client last read something of what waited, or nothing waited
  std::size_t outbound_bytes_ = 0;
  std::unordered_map<std::uint32_t, std::size_t> in_flight_;  // with the bytes that the answer may come to
  std::size_t answers_expected_bytes_ = 0;                    // of all in flight
  std::unique_ptr<v1::ClientFrame> held_;                     // read, and waits for room for its answer
  std::string client_name_;
  std::vector<Action> actions_;
};

/// What else might speak here: "HTTP", "Minecraft", "TLS" by a connection's first bytes, or empty.
[[nodiscard]] std::string_view other_protocol(std::string_view first_bytes);

}  // namespace voxpath::protocol
