// WebSocket: one client that speaks JSON frames in both directions: the conversation of the binary protocol, each frame the
// text of one message. So a browser has all of it, events included.
// Thread-safety: everything runs on the door's thread. Lifetime: keeps itself alive until the socket is closed; `on_closed`
// is then called once.
// Invariant: a text is at most as long as the largest frame; what waits for the client is bounded by protocol::Connection.
#pragma once

#include "server/http/http_peer.hpp"
#include "server/http/http_reader.hpp"
#include "server/http/json_client.hpp"

#include <deque>
#include <functional>
#include <memory>
#include <string>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>

namespace voxpath::server {

class WebSocket : public HttpPeer, public std::enable_shared_from_this<WebSocket> {
 public:
  using Socket = boost::asio::ip::tcp::socket;

  WebSocket(Socket socket, const HttpServices& services, std::function<void()> on_closed);

  /// `request`: the one that asked for a WebSocket.
  void start(const HttpRequest& request);
  void drain() override { client_->drain(); }
  void renew_access() override { client_->renew_access(); }
  void refuse(protocol::Failure why) override { client_->refuse(std::move(why)); }

 private:
  using Code = boost::system::error_code;
  struct Outgoing {
    std::string text;
    std::size_t bytes;  // as the connection counts them
  };

  void begin();
  void read();
  void on_text(std::string_view text);
  void write();
  void watch_time();
  void end(const protocol::Failure& why, bool flush);
  void say_goodbye();
  void close();

  boost::beast::websocket::stream<Socket> stream_;
  boost::asio::steady_timer timer_;
  const HttpServices& services_;
  const std::function<void()> on_closed_;
  std::shared_ptr<JsonClient> client_;
  std::string token_;  // that the request had
  boost::beast::flat_buffer buffer_;
  std::deque<Outgoing> to_send_;
  std::int64_t timer_set_for_ms_ = -1;
  bool reading_ = true;  // wanted
  bool read_pending_ = false, write_pending_ = false;
  bool open_ = false;   // accepted
  bool ended_ = false;  // nothing more is said but what waits
  bool closed_ = false;
};

}  // namespace voxpath::server
