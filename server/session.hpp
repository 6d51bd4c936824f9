// Session: one client's socket, of whatever kind, plain or in TLS. Carries out what its protocol::Connection says; decides
// nothing itself but whether the TLS handshake was one.
// Thread-safety: everything runs on its strand; start(), drain(), refuse() and renew_access() may be called from any
// thread.
// Lifetime: keeps itself alive until the socket is closed; `on_closed` is then called once, on the strand.
#pragma once

#include "protocol/clients/cpp/stream.hpp"
#include "protocol/connection.hpp"
#include "server/access/access_control.hpp"
#include "server/outbox.hpp"
#include "server/request_router.hpp"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>

namespace voxpath::server {

class Session : public std::enable_shared_from_this<Session> {
 public:
  using Socket = client::Stream::Socket;
  using TlsContext = std::shared_ptr<boost::asio::ssl::context>;
  /// `tls`: nullptr for a plain connection. `router` and `access` outlive the session.
  Session(Socket socket, TlsContext tls, std::uint64_t id, RequestRouter& router, AccessControl& access,
          v1::Welcome welcome, protocol::ConnectionLimits limits, std::function<void(std::uint64_t)> on_closed);

  void start();
  /// Answers what is in flight, then closes.
  void drain();
  /// Says why and closes.
  void refuse(protocol::Failure why);
  /// The tokens have changed: from now on the connection has what its own grants now, or is closed.
  void renew_access();

 private:
  using Code = boost::system::error_code;

  void carry_out();
  void look_for_tls();
  void shake_hands(std::size_t read_already);
  void on_handshake(Code code);
  std::optional<protocol::Failure> admit(const v1::Hello& hello);
  void submit(std::unique_ptr<v1::ClientFrame> frame);
  void take_outbox();
  void read();
  void write();
  void watch_time();
  void end(const protocol::Close& close);
  void close_after(std::int64_t ms);
  void linger();
  void close_socket();

  client::Stream stream_;
  const TlsContext tls_;
  boost::asio::strand<boost::asio::any_io_executor> strand_;
  boost::asio::steady_timer timer_;
  RequestRouter& router_;
  AccessControl& access_;
  Client client_;
  std::optional<AccessControl::Admission> admission_;  // from Hello on
  protocol::Connection connection_;
  std::shared_ptr<Outbox> outbox_;  // from start() on
  const std::function<void(std::uint64_t)> on_closed_;
  std::array<char, 65'536> buffer_;
  std::string to_send_, sending_;
  std::size_t sent_ = 0;  // of sending_
  std::int64_t timer_set_for_ms_ = -1;
  bool ready_ = false;         // plain, or the handshake is done
  bool mute_ = false;          // the handshake failed: nothing that we say would be understood
  bool reading_ = true;        // wanted
  bool read_pending_ = false;  // under way
  bool write_pending_ = false;
  bool client_closed_ = false;    // in good order
  bool draining_ = false;         // the server is ending
  bool idle_at_the_end_ = false;  // nothing was in flight when the server began to end
  bool ended_ = false;            // the connection gave Close
  bool flushing_ = false;         // what is to be sent still goes out
  bool lingering_ = false;        // all has gone out; the client closes next
};

}  // namespace voxpath::server
