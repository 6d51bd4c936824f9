// Share: what a connection's token grants it of the workers.
// Thread-safety: plain value.
// Usage: Share share{.weight = 4};
#pragma once

#include <cstddef>
#include <cstdint>

namespace voxpath::server {

inline constexpr std::uint32_t kShareWeightMax = 100;

struct Share {
  std::uint32_t weight = 1;      // of their time, against the weights of the others that have jobs; to kShareWeightMax
  std::size_t jobs_waiting = 0;  // how many of its jobs may wait; 0: as many as anyone's
  friend bool operator==(const Share&, const Share&) = default;
};

}  // namespace voxpath::server
