#include "server/daemon.hpp"

#include "server/search_planner.hpp"
#include "server/serve.hpp"
#include "server/version.hpp"

#include <algorithm>
#include <cstdlib>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/post.hpp>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace voxpath::server {

namespace asio = boost::asio;
using protocol::ErrorKind;

namespace {

constexpr std::chrono::milliseconds kAcceptPause{
    100};  // after an accept failed, as it does without free file descriptors

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

PlannerFactory real_planner(const Config& config) {
  return [profiles = std::make_shared<const AgentProfiles>(config.profiles)] {
    return std::make_unique<SearchPlanner>(profiles);
  };
}

}  // namespace

Daemon::Daemon(Config config, PlannerFactory make_planner)
    : config_(std::move(config)),
      work_(io_.get_executor()),
      strand_(asio::make_strand(asio::any_io_executor(io_.get_executor()))),
      acceptor_(strand_),
      signals_(strand_),
      drain_timer_(strand_),
      accept_pause_(strand_),
      worlds_(io_.get_executor(), config_.worlds, config_.chunks_max, config_.store),
      pool_(scheduler_limits(config_), config_.answers_kept_max_mib << 20,
            make_planner ? make_planner : real_planner(config_)),
      router_(io_.get_executor(), worlds_, pool_, [this] { return info(); }, config_.share_searches) {}

Daemon::~Daemon() = default;

world::Status Daemon::start() {
  boost::system::error_code code;
  const auto address = asio::ip::make_address(config_.address, code);
  const tcp::endpoint endpoint(address, config_.port);
  if (!code) acceptor_.open(endpoint.protocol(), code);
  if (!code) acceptor_.set_option(tcp::acceptor::reuse_address(true), code);
  if (!code) acceptor_.bind(endpoint, code);
  if (!code) acceptor_.listen(asio::socket_base::max_listen_connections, code);
  if (code) {
    return world::Error{world::ErrorCode::failed_precondition,
                        fmt::format("cannot listen on {}:{}: {}", config_.address, config_.port, code.message())};
  }
  port_ = acceptor_.local_endpoint(code).port();
  spdlog::info("event=listening address={} port={} workers={} version={}", config_.address, port_, pool_.workers(),
               kVersion);
  asio::post(strand_, [this] { accept(); });
  worlds_.open_configured([](const std::string& name, const protocol::Failure* failure) {
    if (failure)
      spdlog::error("event=configured_world_failed world={} why=\"{}\"", name,
                    protocol::printable(failure->message, 300));
  });
  return world::ok_status();
}

void Daemon::run() {
  std::vector<std::thread> others;
  for (unsigned i = 1; i < config_.io_threads; ++i) others.emplace_back([this] { io_.run(); });
  io_.run();
  for (std::thread& thread : others) thread.join();
  worlds_.finish_saving();
  spdlog::info("event=stopped");
}

void Daemon::stop() {
  asio::post(strand_, [this] { begin_stop(); });
}

void Daemon::stop_on_signals() {
  signals_.add(SIGTERM);
  signals_.add(SIGINT);
  on_signal();
}

void Daemon::on_signal() {
  signals_.async_wait([this](boost::system::error_code code, int signal) {
    if (code) return;
    spdlog::info("event=signal signal={}", signal);
    if (stopping_) std::_Exit(kExitSecond);
    on_signal();  // before begin_stop(), which gives the waiting up when nothing is left to wait for
    begin_stop();
  });
}

void Daemon::accept() {
  acceptor_.async_accept(io_.get_executor(), [this](boost::system::error_code code, tcp::socket socket) {
    if (stopping_ || code == asio::error::operation_aborted) return;
    if (code) {
      spdlog::warn("event=accept_failed why=\"{}\"", code.message());
      accept_pause_.expires_after(kAcceptPause);
      return accept_pause_.async_wait([this](boost::system::error_code waited) {
        if (!waited && !stopping_) accept();
      });
    }
    welcome(std::move(socket));
    accept();
  });
}

void Daemon::welcome(tcp::socket socket) {
  const std::uint64_t id = ++last_session_;
  v1::Welcome welcome;
  *welcome.mutable_server() = info();
  auto session = std::make_shared<Session>(
      std::move(socket), id, router_, std::move(welcome), config_.tokens, config_.shares,
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
  if (std::exchange(stopping_, true)) return;
  spdlog::info("event=draining connections={}", sessions_.size());
  boost::system::error_code ignored;
  acceptor_.close(ignored);
  accept_pause_.cancel();
  for (const auto& [id, session] : sessions_) session->drain();
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
}

void Daemon::finish_if_idle() {
  if (!stopping_ || !sessions_.empty()) return;
  drain_timer_.cancel();
  signals_.cancel();
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
