// Daemon: voxpathd without its main(): listens, holds the sessions, the worlds and the workers, and ends in good order.
// Thread-safety: start(), stop() and abort() from any thread; run() from one.
// Usage: Daemon d(config); if (auto s = d.start(); !s) ...; d.run();  and from elsewhere: d.stop();
// Invariant: run() returns after every request that was accepted has had its answer, or drain_timeout_ms after stop().
#pragma once

#include "server/config.hpp"
#include "server/http/http_server.hpp"
#include "server/jobs/worker_pool.hpp"
#include "server/request_router.hpp"
#include "server/session.hpp"
#include "server/worlds.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

namespace voxpath::server {

class Daemon {
 public:
  /// With another planner than the real one, for tests.
  explicit Daemon(Config config, PlannerFactory make_planner = {});
  ~Daemon();
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;

  /// Listens, and begins to load the configured worlds. Errors: the address cannot be used (which, and why).
  world::Status start();
  /// Serves until stop().
  void run();
  /// Accepts nothing more, answers what is in flight, then makes run() return; at the latest after drain_timeout_ms.
  void stop();
  /// Calls stop() at the first SIGTERM or SIGINT, and ends the process at the second.
  void stop_on_signals();

  /// The port it listens on, after start().
  [[nodiscard]] std::uint16_t port() const { return port_; }
  /// That of HTTP, where there is one.
  [[nodiscard]] std::uint16_t http_port() const { return http_.port(); }
  [[nodiscard]] v1::ServerInfo info() const;
  [[nodiscard]] Worlds& worlds() { return worlds_; }

 private:
  using tcp = boost::asio::ip::tcp;

  void accept();
  void welcome(tcp::socket socket);
  void refuse(tcp::socket socket);
  void on_closed(std::uint64_t session);
  void on_signal();
  void begin_stop();
  void give_up_waiting();
  void finish_if_idle();
  world::Status start_http();

  const Config config_;
  boost::asio::io_context io_;
  HttpServer http_;  // before the workers, whose answers come to its loop
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  boost::asio::strand<boost::asio::any_io_executor> strand_;  // of everything below but the router
  tcp::acceptor acceptor_;
  boost::asio::signal_set signals_;
  boost::asio::steady_timer drain_timer_;
  boost::asio::steady_timer accept_pause_;
  Worlds worlds_;
  WorkerPool pool_;
  RequestRouter router_;
  std::map<std::uint64_t, std::shared_ptr<Session>> sessions_;
  std::atomic<std::uint64_t> last_session_ = 0;
  std::atomic<bool> stopping_ = false;
  bool http_stopped_ = true;                    // or never started
  std::atomic<std::size_t> worlds_failed_ = 0;  // of the configured ones
  std::uint16_t port_ = 0;
  std::atomic<std::size_t> connections_ = 0;
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace voxpath::server
