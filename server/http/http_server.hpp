// HttpServer: the HTTP door: a port and a thread of its own, so that reading and writing JSON never holds up the binary
// protocol. It answers /v1/METHOD with what ClientFrame's requests say, WebSockets at /v1/socket, and pages about the server.
// Thread-safety: all members from any thread; run() from one. Lifetime: it outlives the workers, whose answers come to its
// loop; what start() was given outlives run().
// Usage: HttpServer http; http.start(services); std::thread t([&] { http.run(); }); ... http.stop(done);
#pragma once

#include "server/http/http_pages.hpp"
#include "server/http/http_peer.hpp"
#include "server/http/http_services.hpp"
#include "world/result.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

namespace voxpath::server {

class HttpServer {
 public:
  HttpServer();
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// Listens. Errors: the address cannot be used (which, and why).
  world::Status start(HttpServices services);
  /// Serves until stop() has ended the last connection.
  void run() { io_.run(); }
  /// Accepts nothing more, answers what is in flight, then calls `done` on its own thread. Once, and after start().
  void stop(std::function<void()> done);
  /// The tokens have changed.
  void renew_access();
  /// After stop(): waits no longer for what is in flight.
  void give_up_waiting();

  [[nodiscard]] bool started() const { return services_.has_value(); }
  /// After start().
  [[nodiscard]] std::uint16_t port() const { return port_; }

 private:
  using tcp = boost::asio::ip::tcp;

  void accept();
  void welcome(tcp::socket socket);
  void closed(std::uint64_t id);
  void finish_if_idle();

  boost::asio::io_context io_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  tcp::acceptor acceptor_;
  boost::asio::steady_timer accept_pause_;
  std::optional<HttpServices> services_;
  std::shared_ptr<HttpPages> pages_;
  std::map<std::uint64_t, std::shared_ptr<HttpPeer>> peers_;
  std::uint64_t last_peer_ = 0;
  std::uint16_t port_ = 0;
  std::function<void()> stopped_;  // set: it is ending
};

}  // namespace voxpath::server
