// Daemon: voxpathd without its main(): listens, holds the sessions, the worlds and the workers, and ends in good order.
// Thread-safety: start(), stop() and abort() from any thread; run() from one.
// Usage: Daemon d(config); if (auto s = d.start(); !s) ...; d.run();  and from elsewhere: d.stop();
// Invariant: run() returns after every request that was accepted has had its answer, or drain_timeout_ms after stop().
#pragma once

#include "server/access/access_control.hpp"
#include "server/config.hpp"
#include "server/heartbeat.hpp"
#include "server/http/http_server.hpp"
#include "server/jobs/worker_pool.hpp"
#include "server/listener.hpp"
#include "server/profile_book.hpp"
#include "server/request_router.hpp"
#include "server/service_notify.hpp"
#include "server/session.hpp"
#include "server/worlds.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

namespace voxpath::server {

class Daemon {
 public:
  using ReadConfig = std::function<world::Result<Config>()>;

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
  /// Calls stop() at the first SIGTERM or SIGINT, and ends the process at the second; reloads at SIGHUP.
  void obey_signals();
  /// What reload() reads. Before start().
  void reload_from(ReadConfig read) { read_config_ = std::move(read); }
  /// Who is told how it is. Before start().
  void report_to(ServiceNotify service);
  /// Reads the configuration again and takes over what can be changed in a running server; the log says what. One that is
  /// wrong changes nothing.
  void reload();

  /// The port it listens on, after start().
  [[nodiscard]] std::uint16_t port() const { return port_; }
  /// That of HTTP, where there is one.
  [[nodiscard]] std::uint16_t http_port() const { return http_.port(); }
  /// Whether it listens, has loaded or given up its configured worlds, and is not ending.
  [[nodiscard]] bool ready() const { return ready_ && !stopping_; }
  /// Whether it is ending.
  [[nodiscard]] bool draining() const { return stopping_; }
  [[nodiscard]] AccessControl& access() { return access_; }
  [[nodiscard]] v1::ServerInfo info() const;
  [[nodiscard]] Worlds& worlds() { return worlds_; }

 private:
  world::Status open(world::Result<std::unique_ptr<Listener>> listener);
  void welcome(Listener::Socket socket, Session::TlsContext tls);
  void on_closed(std::uint64_t session);
  void on_signal();
  void on_world();
  void become_ready();
  void read_again();
  void take_over(const Config& fresh);
  void begin_stop();
  void give_up_waiting();
  void finish_if_idle();
  world::Status start_http();

  Config config_;         // after start(): of the strand
  AccessControl access_;  // before io_: what is left there when it goes may hold admissions
  boost::asio::io_context io_;
  HttpServer http_;  // before the workers, whose answers come to its loop
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  boost::asio::strand<boost::asio::any_io_executor> strand_;  // of everything below but the router
  std::vector<std::unique_ptr<Listener>> listeners_;
  Session::TlsContext tls_;  // nullptr: TCP is plain
  boost::asio::signal_set signals_;
  boost::asio::steady_timer drain_timer_;
  Worlds worlds_;
  const std::shared_ptr<ProfileBook> profiles_;
  WorkerPool pool_;
  RequestRouter router_;
  ReadConfig read_config_;  // empty: there is no file
  ServiceNotify service_;
  std::unique_ptr<Heartbeat> heartbeat_;
  std::size_t worlds_awaited_ = 0;
  std::map<std::uint64_t, std::shared_ptr<Session>> sessions_;
  std::atomic<std::uint64_t> last_session_ = 0;
  std::atomic<bool> ready_ = false, stopping_ = false;
  bool http_stopped_ = true;                    // or never started
  std::atomic<std::size_t> worlds_failed_ = 0;  // of the configured ones
  std::uint16_t port_ = 0;
  std::atomic<std::size_t> connections_ = 0;
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

}  // namespace voxpath::server
