// DoorMetrics: what sessions count of connections, bytes and refusals.
// Thread-safety: as Counter.
// Usage: metrics.of(Door::tcp).bytes_in.add(count);
#pragma once

#include "protocol/errors.hpp"
#include "server/metrics/counter.hpp"

#include <array>
#include <string_view>

namespace voxpath::server {

enum class Door : std::uint8_t { tcp, http, websocket };
inline constexpr std::array<std::string_view, 3> kDoorNames{"tcp", "http", "websocket"};

inline constexpr std::size_t kErrorKinds = static_cast<std::size_t>(protocol::ErrorKind::internal) + 1;

class DoorMetrics {
 public:
  struct Traffic {
    Counter bytes_in, bytes_out;
    Counter opened, closed;  // connections
  };
  [[nodiscard]] Traffic& of(Door door) { return traffic_[static_cast<std::size_t>(door)]; }
  [[nodiscard]] const Traffic& of(Door door) const { return traffic_[static_cast<std::size_t>(door)]; }

  /// A request that was answered with an error.
  void refused(protocol::ErrorKind kind) { refused_[static_cast<std::size_t>(kind)].add(); }
  [[nodiscard]] std::uint64_t refused_count(protocol::ErrorKind kind) const {
    return refused_[static_cast<std::size_t>(kind)].value();
  }
  /// Why a connection ended.
  void ended(protocol::ErrorKind kind) { ended_[static_cast<std::size_t>(kind)].add(); }
  [[nodiscard]] std::uint64_t ended_count(protocol::ErrorKind kind) const {
    return ended_[static_cast<std::size_t>(kind)].value();
  }

  Counter edits;  // of worlds, that were published

 private:
  std::array<Traffic, kDoorNames.size()> traffic_;
  std::array<Counter, kErrorKinds> refused_, ended_;
};

}  // namespace voxpath::server
