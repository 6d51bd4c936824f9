// ChildDaemon: a voxpathd as a process of its own, on a free loopback port, for as long as this object lives.
// Thread-safety: one thread; a thread of its own reads what the process says.
// Invariant: the process has ended when the destructor is done.
// Usage: auto daemon = ChildDaemon::start("/proc/self/exe", {"serve", "--flat"}); connect to (*daemon)->port().
#pragma once

#include "world/result.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <sys/types.h>

namespace voxpath::server {

class ChildDaemon {
 public:
  /// Starts the program with these arguments and --port 0, and waits until it listens. Errors: failed_precondition, with what it said last.
  static world::Result<std::unique_ptr<ChildDaemon>> start(const std::string& program,
                                                           std::vector<std::string> arguments);
  ~ChildDaemon();
  ChildDaemon(const ChildDaemon&) = delete;
  ChildDaemon& operator=(const ChildDaemon&) = delete;

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] pid_t pid() const { return pid_; }
  /// Ends it in good order; its exit code, or minus the signal that ended it. Once.
  int end();
  /// What it said of a world that it could not load; empty: nothing so far.
  [[nodiscard]] std::string world_failure() const;

 private:
  ChildDaemon(pid_t pid, int output) : pid_(pid), output_(output) {}
  /// Whether it listens; else `said` is what it said last.
  bool wait_for_port(std::string& said);
  void listen_to(std::string text);

  pid_t pid_;
  bool ended_ = false;
  int output_;
  std::uint16_t port_ = 0;
  mutable std::mutex mutex_;
  std::string world_failure_;
  std::jthread drain_;  // or the process would wait for its output to be read
};

}  // namespace voxpath::server
