#include "server/heartbeat.hpp"

#include <utility>

#include <spdlog/spdlog.h>

namespace voxpath::server {

namespace {

constexpr int kBeatsPerPeriod = 3;  // one that is late must not end the process

}  // namespace

void Heartbeat::start() {
  if (!service_.watchdog() || stopped_) return;
  beat();
}

void Heartbeat::stop() {
  stopped_ = true;
  timer_.cancel();
}

void Heartbeat::beat() {
  if (came_back_->exchange(false)) {
    service_.send("WATCHDOG=1");
    stuck_ = false;
    elsewhere_([came_back = came_back_] { *came_back = true; });
  } else if (!std::exchange(stuck_, true)) {
    spdlog::error("event=workers_stuck why=\"none of them took up work since the last beat\"");
  }
  timer_.expires_after(*service_.watchdog() / kBeatsPerPeriod);
  timer_.async_wait([this](boost::system::error_code code) {
    if (!code && !stopped_) beat();
  });
}

}  // namespace voxpath::server
