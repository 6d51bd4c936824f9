#include "server/daemon.hpp"

#include "server/access/tls.hpp"
#include "server/reload.hpp"
#include "server/search_planner.hpp"
#include "server/serve.hpp"
#include "server/version.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/post.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

namespace voxpath::server {

namespace asio = boost::asio;
using protocol::ErrorKind;

namespace {

unsigned worker_count(const Config& config) {
  return config.workers > 0 ? config.workers : std::clamp(std::thread::hardware_concurrency(), 1u, kWorkersMax);
}

SchedulerLimits scheduler_limits(const Config& config) {
  return {.waiting_max = config.jobs_queued_max,
          .waiting_per_connection_max = config.jobs_per_connection_max,
          .workers = worker_count(config),
          .kept_max = config.searches_kept_max,
          .riders_min = config.share_searches ? kRidersMin : 0};
}

PlannerFactory real_planner(std::shared_ptr<const ProfileBook> profiles) {
  return [profiles = std::move(profiles)] { return std::make_unique<SearchPlanner>(profiles); };
}

}  // namespace

Daemon::Daemon(Config config, PlannerFactory make_planner)
    : config_(std::move(config)),
      access_(config_.access.tokens, config_.access.without_tokens()),
      work_(io_.get_executor()),
      strand_(asio::make_strand(asio::any_io_executor(io_.get_executor()))),
      signals_(strand_),
      drain_timer_(strand_),
      worlds_(io_.get_executor(), config_.worlds, config_.chunks_max, config_.worlds_folder, config_.store),
      profiles_(std::make_shared<ProfileBook>(config_.profiles)),
      pool_(scheduler_limits(config_), config_.answers_kept_max_mib << 20,
            make_planner ? make_planner : real_planner(profiles_)),
      router_(io_.get_executor(), worlds_, pool_, [this] { return info(); }, config_.share_searches) {}

Daemon::~Daemon() = default;

world::Status Daemon::start() {
  const AccessConfig& access = config_.access;
  if (access.tls.on()) {
    auto context = make_tls_context(access.tls);
    if (!context) return context.error();
    tls_ = *std::move(context);
  }
  if (config_.address != kNoAddress) {
    auto listener = Listener::tcp(strand_, io_.get_executor(), config_.address, config_.port);
    if (listener) port_ = (*listener)->port();
    if (auto status = open(std::move(listener)); !status) return status;
    spdlog::info("event=listening address={} port={} tls={} workers={} version={}", config_.address, port_,
                 tls_ ? (access.tls.asks_clients() ? "mutual" : "on") : "off", pool_.workers(), kVersion);
    if (!tls_ && !is_loopback(config_.address))
      spdlog::warn("event=unencrypted address={} why=\"tokens and blocks can be read on the way: set tls.certificate\"",
                   config_.address);
  }
  if (!access.unix_socket.empty()) {
    auto status = open(Listener::unix_domain(strand_, io_.get_executor(), access.unix_socket, access.unix_socket_mode));
    if (!status) return status;
    spdlog::info("event=listening path=\"{}\" mode={:04o} workers={} version={}",
                 protocol::printable(access.unix_socket.string(), 200), access.unix_socket_mode, pool_.workers(),
                 kVersion);
  }
  if (auto status = start_http(); !status) return status;
  const auto& worlds = config_.worlds;
  worlds_awaited_ = static_cast<std::size_t>(
      std::count_if(worlds.begin(), worlds.end(), [](const WorldConfig& world) { return world.load; }));
  asio::post(strand_, [this, all_there = worlds_awaited_ == 0] {
    if (all_there) become_ready();
  });
  worlds_.open_configured([this](const std::string& name, const protocol::Failure* failure) {
    if (failure) {
      ++worlds_failed_;
      spdlog::error("event=configured_world_failed world={} why=\"{}\"", name,
                    protocol::printable(failure->message, 300));
    }
    asio::post(strand_, [this] { on_world(); });
  });
  return world::ok_status();
}

world::Status Daemon::start_http() {
  if (!config_.http.port) return world::ok_status();
  http_stopped_ = false;
  return http_.start({.http = config_.http,
                      .jobs_queued_max = config_.jobs_queued_max,
                      .access = access_,
                      .router = router_,
                      .worlds = worlds_,
                      .pool = pool_,
                      .info = [this] { return info(); },
                      .next_client = [this] { return ++last_session_; },
                      .main_loop = io_.get_executor(),
                      .draining = stopping_,
                      .worlds_awaited_no_more = ready_,
                      .worlds_failed = worlds_failed_});
}

void Daemon::on_world() {
  if (--worlds_awaited_ == 0) become_ready();
}

void Daemon::become_ready() {
  if (stopping_) return;
  ready_ = true;
  spdlog::info("event=ready worlds={}", worlds_.size());
  service_.send(fmt::format("READY=1\nSTATUS={} worlds are open", worlds_.size()));
  if (heartbeat_) heartbeat_->start();
}

void Daemon::report_to(ServiceNotify service) {
  service_ = std::move(service);
  heartbeat_ = std::make_unique<Heartbeat>(strand_, service_, [this](std::function<void()> errand) {
    pool_.run([errand = std::move(errand)] {
      errand();
      return true;
    });
  });
}

void Daemon::reload() {
  asio::post(strand_, [this] { read_again(); });
}

void Daemon::read_again() {
  if (stopping_) return;
  if (!read_config_) return spdlog::warn("event=reload_refused why=\"there is no configuration file\"");
  service_.send(fmt::format("RELOADING=1\nMONOTONIC_USEC={}", steady_now_us()));
  const auto fresh = read_config_();
  if (fresh) {
    take_over(*fresh);
  } else {
    spdlog::error("event=reload_failed why=\"{}; everything stays as it is\"",
                  protocol::printable(fresh.error().message, 500));
  }
  if (ready_) service_.send("READY=1");
}

void Daemon::take_over(const Config& fresh) {
  const ReloadReport report = compare(config_, fresh);
  Config next = config_;
  server::take_over(fresh, next);
  Session::TlsContext tls = tls_;
  world::Status status = check_exposure(next);  // of the addresses that it goes on listening on
  if (status && next.access.tls.on()) {
    auto context = make_tls_context(next.access.tls);
    if (context) {
      tls = *std::move(context);
    } else {
      status = context.error();
    }
  }
  if (!status) {
    return spdlog::error("event=reload_failed why=\"{}; everything stays as it is\"",
                         protocol::printable(status.error().message, 500));
  }
  const bool profiles_differ = next.profiles != config_.profiles;
  const bool log_level_differs = next.log_level != config_.log_level;
  config_ = std::move(next);
  tls_ = std::move(tls);
  access_.replace(config_.access.tokens, config_.access.without_tokens());
  for (const auto& [id, session] : sessions_) session->renew_access();
  if (http_.started()) http_.renew_access();
  if (profiles_differ) {
    profiles_->replace(config_.profiles);
    pool_.forget_answers();  // after that: what was begun before is then forgotten, too
  }
  if (log_level_differs) spdlog::set_level(spdlog::level::from_str(config_.log_level));
  spdlog::info("event=reloaded changed=\"{}\" needs_restart=\"{}\"", fmt::join(report.changed, " "),
               fmt::join(report.needs_restart, " "));
}

void Daemon::run() {
  std::vector<std::thread> others;
  for (unsigned i = 1; i < config_.io_threads; ++i) others.emplace_back([this] { io_.run(); });
  if (http_.started()) others.emplace_back([this] { http_.run(); });
  io_.run();
  for (std::thread& thread : others) thread.join();
  worlds_.finish_saving();
  spdlog::info("event=stopped");
}

void Daemon::stop() {
  asio::post(strand_, [this] { begin_stop(); });
}

void Daemon::obey_signals() {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) signals_.add(signal);
  on_signal();
}

void Daemon::on_signal() {
  signals_.async_wait([this](boost::system::error_code code, int signal) {
    if (code) return;
    spdlog::info("event=signal signal={}", signal);
    if (signal == SIGHUP) {
      read_again();
      return on_signal();
    }
    if (stopping_) std::_Exit(kExitSecond);
    on_signal();  // before begin_stop(), which gives the waiting up when nothing is left to wait for
    begin_stop();
  });
}

world::Status Daemon::open(world::Result<std::unique_ptr<Listener>> listener) {
  if (!listener) return listener.error();
  listeners_.push_back(*std::move(listener));
  asio::post(strand_, [this, &door = *listeners_.back()] {
    if (stopping_) return;
    door.accept(
        [this, &door](Listener::Socket socket) { welcome(std::move(socket), door.is_path() ? nullptr : tls_); });
  });
  return world::ok_status();
}

void Daemon::welcome(Listener::Socket socket, Session::TlsContext tls) {
  const std::uint64_t id = ++last_session_;
  v1::Welcome welcome;
  *welcome.mutable_server() = info();
  auto session = std::make_shared<Session>(
      std::move(socket), std::move(tls), id, router_, access_, std::move(welcome),
      protocol::ConnectionLimits{.handshake_timeout_ms = config_.handshake_timeout_ms},
      [this](std::uint64_t closed) { asio::post(strand_, [this, closed] { on_closed(closed); }); });
  sessions_.emplace(id, session);
  connections_ = sessions_.size();
  session->start();
  if (sessions_.size() > config_.connections_max) {
    session->refuse({ErrorKind::connections_full,
                     fmt::format("{} connections are open", config_.connections_max),
                     {},
                     {},
                     fmt::format("{} connections", config_.connections_max),
                     1'000});
  }
}

void Daemon::on_closed(std::uint64_t session) {
  sessions_.erase(session);
  connections_ = sessions_.size();
  finish_if_idle();
}

void Daemon::begin_stop() {
  if (stopping_.exchange(true)) return;
  service_.send("STOPPING=1");
  spdlog::info("event=draining connections={}", sessions_.size());
  for (const auto& listener : listeners_) listener->close();
  for (const auto& [id, session] : sessions_) session->drain();
  if (http_.started()) {
    http_.stop([this] {
      asio::post(strand_, [this] {
        http_stopped_ = true;
        finish_if_idle();
      });
    });
  }
  drain_timer_.expires_after(std::chrono::milliseconds(config_.drain_timeout_ms));
  drain_timer_.async_wait([this](boost::system::error_code code) {
    if (!code) give_up_waiting();
  });
  finish_if_idle();
}

void Daemon::give_up_waiting() {
  spdlog::warn("event=drain_timeout connections={}", sessions_.size());
  pool_.cancel_all();  // their answers go out, and the sessions close after them
  for (const auto& [id, session] : sessions_)
    session->refuse({ErrorKind::shutting_down, "the server is ending", {}, {}, {}, 1'000});
  if (http_.started()) http_.give_up_waiting();
}

void Daemon::finish_if_idle() {
  if (!stopping_ || !sessions_.empty() || !http_stopped_) return;
  drain_timer_.cancel();
  signals_.cancel();
  if (heartbeat_) heartbeat_->stop();
  work_.reset();
}

v1::ServerInfo Daemon::info() const {
  v1::ServerInfo info;
  const WorkerPool::Counts counts = pool_.counts();
  info.set_name("voxpathd");
  info.set_version(std::string(kVersion));
  info.set_protocol_version(protocol::kProtocolVersion);
  info.set_uptime_ms(static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - started_).count()));
  info.set_workers(pool_.workers());
  info.set_connections(static_cast<std::uint32_t>(connections_));
  info.set_worlds(static_cast<std::uint32_t>(worlds_.size()));
  info.set_jobs_queued(static_cast<std::uint32_t>(counts.queued));
  info.set_jobs_running(static_cast<std::uint32_t>(counts.running));
  info.set_jobs_answered(counts.answered);
  info.set_jobs_shared(counts.shared);
  return info;
}

}  // namespace voxpath::server
