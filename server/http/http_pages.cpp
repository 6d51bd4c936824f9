#include "server/http/http_pages.hpp"

#include <chrono>
#include <utility>

#include <boost/asio/post.hpp>
#include <fmt/format.h>

namespace voxpath::server {

namespace asio = boost::asio;

namespace {

constexpr std::int64_t kUsPerMs = 1'000;

HttpAnswer report(bool good, std::string body) {
  return {good ? 200u : 503u, "text/plain; charset=utf-8", std::move(body)};
}

}  // namespace

void HttpPages::livez(Done done) {
  waiting_.push_back(std::move(done));
  if (waiting_.size() > 1) return;
  loop_turned_ = workers_turned_ = false;
  timer_.expires_after(std::chrono::milliseconds(services_.http.live_timeout_ms));
  timer_.async_wait([weak = weak_from_this(), check = ++check_](boost::system::error_code code) {
    const auto self = weak.lock();
    if (self && !code && self->check_ == check && !self->waiting_.empty()) self->finish();
  });
  ask_main_loop();
  ask_workers();
}

void HttpPages::ask_main_loop() {
  if (std::exchange(loop_asked_, true)) return;
  asio::post(services_.main_loop, [weak = weak_from_this(), executor = executor_] {
    asio::post(executor, [weak] {
      const auto self = weak.lock();
      if (!self) return;
      self->loop_asked_ = false;
      self->loop_turned_ = true;
      self->heard();
    });
  });
}

void HttpPages::ask_workers() {
  if (std::exchange(workers_asked_, true)) return;
  services_.pool.run([weak = weak_from_this(), executor = executor_] {
    asio::post(executor, [weak] {
      const auto self = weak.lock();
      if (!self) return;
      self->workers_asked_ = false;
      self->workers_turned_ = true;
      self->heard();
    });
    return true;
  });
}

void HttpPages::heard() {
  if (loop_turned_ && workers_turned_ && !waiting_.empty()) finish();
}

void HttpPages::finish() {
  timer_.cancel();
  const std::int64_t longest_ms = services_.pool.longest_turn_us() / kUsPerMs;
  const bool stuck = longest_ms > services_.http.live_timeout_ms;
  const auto limit = services_.http.live_timeout_ms;
  std::string body = loop_turned_ ? "main loop: ok\n" : fmt::format("main loop: has not turned for {} ms\n", limit);
  if (!workers_turned_) {
    body += fmt::format("workers: none was free for {} ms\n", limit);
  } else if (stuck) {
    body += fmt::format("workers: one has been at its turn for {} ms\n", longest_ms);
  } else {
    body += "workers: ok\n";
  }
  const HttpAnswer answer = report(loop_turned_ && workers_turned_ && !stuck, std::move(body));
  for (const Done& done : std::exchange(waiting_, {})) done(answer);
}

HttpAnswer HttpPages::readyz() const {
  bool good = true;
  std::string body;
  const auto line = [&](bool fine, std::string_view what, const std::string& why) {
    good = good && fine;
    body += fmt::format("{}: {}\n", what, fine ? "ok" : why);
  };
  line(!services_.draining, "serving", "the server is ending");
  const std::size_t failed = services_.worlds_failed;
  line(services_.worlds_awaited_no_more && !services_.worlds.loading() && failed == 0, "worlds",
       failed > 0 ? fmt::format("{} of the configuration could not be loaded; the log says why", failed)
                  : "some are being loaded");
  const std::size_t waiting = services_.pool.counts().queued;
  const std::size_t most = services_.jobs_queued_max;
  line(waiting * 100 < most * kShedPercent, "queue", fmt::format("{} of {} jobs wait", waiting, most));
  return report(good, std::move(body));
}

HttpAnswer HttpPages::statusz() const {
  const v1::ServerInfo info = services_.info();
  const WorkerPool::Counts jobs = services_.pool.counts();
  std::string body = fmt::format(
      "{} {}, protocol {}\nup {} s, {} workers{}\njobs: {} wait, {} run, {} answered ({} of them together with "
      "others)\n"
      "connections:",
      info.name(), info.version(), info.protocol_version(), info.uptime_ms() / 1'000, info.workers(),
      services_.draining ? ", ending" : "", jobs.queued, jobs.running, jobs.answered, jobs.shared);
  const DoorMetrics& doors = services_.router.metrics();
  for (std::size_t i = 0; i < kDoorNames.size(); ++i) {
    const auto& traffic = doors.of(static_cast<Door>(i));
    const std::uint64_t closed = traffic.closed.value();
    body += fmt::format(" {} {}", traffic.opened.value() - closed, kDoorNames[i]);
  }
  body += "\n\nworlds:\n";
  const v1::WorldList worlds = services_.worlds.list();
  for (const v1::WorldInfo& world : worlds.worlds()) {
    body += fmt::format("  {}: version {}, {} chunks, y {} to {}, game {}\n", protocol::printable(world.world()),
                        world.version(), world.chunks(), world.min_y(),
                        world.min_y() + static_cast<std::int64_t>(world.height()) - 1,
                        protocol::printable(world.game_version()));
  }
  if (services_.worlds.loading()) body += "  some are being loaded\n";
  return report(true, std::move(body));
}

HttpAnswer HttpPages::metrics() {
  return {200, "text/plain; version=0.0.4; charset=utf-8", metrics_.text(steady_now_ms())};
}

}  // namespace voxpath::server
