// ServiceNotify: tells the service manager how voxpathd is, by the protocol of sd_notify(3): one datagram a state.
// Thread-safety: all members from any thread.
// Invariants: without a manager nothing is sent; a manager that does not read holds nobody up.
// Usage: const auto service = ServiceNotify::from_environment(); service.send("READY=1");
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace voxpath::server {

class ServiceNotify {
 public:
  /// To nobody.
  ServiceNotify() = default;
  /// `socket`: a path, or "@name" of the abstract namespace. `watchdog`: how often the manager wants to hear; nullopt:
  /// not at all.
  explicit ServiceNotify(std::string socket, std::optional<std::chrono::microseconds> watchdog = std::nullopt)
      : socket_(std::move(socket)), watchdog_(watchdog) {}
  /// By NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID, which are taken away, so that no child has them.
  [[nodiscard]] static ServiceNotify from_environment();

  /// Lines of VARIABLE=value. Returns whether it was sent.
  bool send(std::string_view state) const;
  [[nodiscard]] std::optional<std::chrono::microseconds> watchdog() const { return watchdog_; }

 private:
  std::string socket_;  // empty: nobody
  std::optional<std::chrono::microseconds> watchdog_;
};

}  // namespace voxpath::server
