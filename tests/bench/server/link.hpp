// Link: a client that keeps a number of requests in flight on one connection, and takes the time of each.
// Thread-safety: one thread at a time. Errors are thrown: a benchmark has nothing better to do.
// Usage: Link link(port); auto times = link.run(count, in_flight, [](std::uint32_t i) { return request number i; });
#pragma once

#include "protocol/frame.hpp"
#include "protocol/voxpath.pb.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace voxpath::bench {

/// Latencies in microseconds, sorted, and how long all of it took.
struct Times {
  std::vector<double> latencies_us;
  double seconds = 0;
  [[nodiscard]] double at(double quantile) const;
  [[nodiscard]] double per_second() const { return static_cast<double>(latencies_us.size()) / seconds; }
};

class Link {
 public:
  /// `greet`: says Hello first and waits for the Welcome.
  explicit Link(std::uint16_t port, bool greet = true);

  using Make = std::function<v1::ClientFrame(std::uint32_t)>;
  using See = std::function<void(const std::string& answer)>;
  /// Frames are made beforehand, under ids of their own. `see` is given the bytes of each answer, if there is one.
  Times run(std::uint32_t count, std::uint32_t in_flight, const Make& make, const See& see = {});

 private:
  void send(const std::string& bytes);
  [[nodiscard]] std::string next_frame();

  boost::asio::io_context io_;
  boost::asio::ip::tcp::socket socket_{io_};
  protocol::FrameDecoder decoder_;
  std::vector<char> buffer_ = std::vector<char>(65'536);
  std::uint32_t last_id_ = 1;
};

/// The id that every frame of the protocol begins with.
[[nodiscard]] std::uint32_t id_of(std::string_view frame);

}  // namespace voxpath::bench
