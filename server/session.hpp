// Session: one client's socket. Carries out what its protocol::Connection says; decides nothing itself.
// Thread-safety: everything runs on its strand; start(), drain() and refuse() may be called from any thread.
// Lifetime: keeps itself alive until the socket is closed; `on_closed` is then called once, on the strand.
#pragma once

#include "protocol/connection.hpp"
#include "server/request_router.hpp"

#include <array>
#include <functional>
#include <memory>
#include <string>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>

namespace voxpath::server {

class Session : public std::enable_shared_from_this<Session> {
 public:
  using Socket = boost::asio::ip::tcp::socket;
  /// `router` outlives the session.
  /// `shares`: what the tokens grant, in their order.
  Session(Socket socket, std::uint64_t id, RequestRouter& router, v1::Welcome welcome, std::vector<std::string> tokens,
          std::vector<Share> shares, std::function<void(std::uint64_t)> on_closed);

  void start();
  /// Answers what is in flight, then closes.
  void drain();
  /// Says why and closes.
  void refuse(protocol::Failure why);

 private:
  using Code = boost::system::error_code;

  void carry_out();
  void submit(std::unique_ptr<v1::ClientFrame> frame);
  void read();
  void write();
  void watch_time();
  void end(const protocol::Close& close);
  void linger();
  void close_socket();

  Socket socket_;
  boost::asio::strand<boost::asio::any_io_executor> strand_;
  boost::asio::steady_timer timer_;
  RequestRouter& router_;
  Client client_;
  protocol::Connection connection_;
  const std::vector<Share> shares_;
  const std::function<void(std::uint64_t)> on_closed_;
  std::array<char, 65'536> buffer_;
  std::string to_send_, sending_;
  std::size_t sent_ = 0;  // of sending_
  std::int64_t timer_set_for_ms_ = -1;
  bool reading_ = true;        // wanted
  bool read_pending_ = false;  // under way
  bool write_pending_ = false;
  bool client_closed_ = false;    // in good order
  bool idle_at_the_end_ = false;  // nothing was in flight when the server began to end
  bool ended_ = false;            // the connection gave Close
  bool flushing_ = false;         // what is to be sent still goes out
  bool lingering_ = false;        // all has gone out; the client closes next
};

}  // namespace voxpath::server
