// RunningDaemon: a voxpathd inside the test's process, on a free loopback port; RawSocket: a client that says whatever bytes it likes.
// Thread-safety: one test thread; the daemon has threads of its own, which end with it.
// Usage: RunningDaemon daemon; client::BlockingClient client({.port = daemon.port()});
#pragma once

#include "protocol/clients/cpp/blocking_client.hpp"
#include "protocol/frame.hpp"
#include "protocol/limits.hpp"
#include "server/daemon.hpp"

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace voxpath::test {

/// Loopback, any free port, two workers, and the world "flat", whose surface is y = 64.
server::Config test_config();
/// The same, and HTTP on any free port.
server::Config http_config();

class RunningDaemon {
 public:
  explicit RunningDaemon(server::Config config = test_config(), server::PlannerFactory make_planner = {});
  /// Stops it and waits for that.
  ~RunningDaemon();
  RunningDaemon(const RunningDaemon&) = delete;
  RunningDaemon& operator=(const RunningDaemon&) = delete;

  [[nodiscard]] std::uint16_t port() const { return daemon_.port(); }
  [[nodiscard]] server::Daemon& operator*() { return daemon_; }
  server::Daemon* operator->() { return &daemon_; }
  /// Waits until run() has returned.
  void join();

 private:
  server::Daemon daemon_;
  std::thread runner_;
};

/// A planner that searches until it is stopped, and then says what the real one would.
/// `on_begin` is called on the worker when a path's search begins.
server::PlannerFactory endless_planner(std::function<void()> on_begin = {});

/// A planner that finds at once, whatever is asked, as long a path as an answer may hold.
server::PlannerFactory long_path_planner();

/// Asks again and again, as fast as it can, until it is true or a minute has passed.
bool eventually(const std::function<bool()>& condition);

class RawSocket {
 public:
  explicit RawSocket(std::uint16_t port);
  void send(std::string_view bytes);
  void send(const v1::ClientFrame& frame);
  void greet(const std::string& token = "");
  /// The next frame; none: the server closed.
  std::optional<v1::ServerFrame> next_frame();
  /// Everything up to the end.
  std::string rest();
  void close();

 private:
  boost::asio::io_context io_;
  boost::asio::ip::tcp::socket socket_;
  protocol::FrameDecoder decoder_{protocol::kUploadSizeMaxBytes};
};

/// A request for a path in "flat" along x at z = 0.
v1::FindPath flat_path(int from_x, int to_x);

}  // namespace voxpath::test
