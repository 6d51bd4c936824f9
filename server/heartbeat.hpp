// Heartbeat: tells the service manager's watchdog that voxpathd is alive, as long as it is.
// Thread-safety: one strand. Lifetime: after stop() nothing of it runs; what it gave to `elsewhere` may outlive it.
// Invariant: a beat means that the loop of sockets turned since the last one, and that one of the workers did: a server
// whose threads are stuck is silent, and is started again by the manager.
// Usage: Heartbeat heart(strand, service, [&](auto errand) { pool.run(errand); }); heart.start();
#pragma once

#include "server/service_notify.hpp"

#include <atomic>
#include <functional>
#include <memory>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

namespace voxpath::server {

class Heartbeat {
 public:
  using Elsewhere = std::function<void(std::function<void()>)>;

  /// `elsewhere`: runs something on a worker.
  Heartbeat(const boost::asio::any_io_executor& strand, ServiceNotify service, Elsewhere elsewhere)
      : service_(std::move(service)), elsewhere_(std::move(elsewhere)), timer_(strand) {}

  /// Nothing happens where the manager has no watchdog.
  void start();
  void stop();

 private:
  void beat();

  const ServiceNotify service_;
  const Elsewhere elsewhere_;
  boost::asio::steady_timer timer_;
  std::shared_ptr<std::atomic<bool>> came_back_ = std::make_shared<std::atomic<bool>>(true);
  bool stopped_ = false;
  bool stuck_ = false;
};

}  // namespace voxpath::server
