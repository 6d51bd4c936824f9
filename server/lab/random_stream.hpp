// RandomStream: mulberry32, the seeded random numbers of the published maze chase.
// Thread-safety: one thread.
// Invariant: a seed gives the same numbers everywhere. Source: Ettinger, "mulberry32" (2017), public domain.
#pragma once

#include <cstddef>
#include <cstdint>

namespace voxpath::server::lab {

class RandomStream {
 public:
  explicit RandomStream(std::uint32_t seed) : state_(seed) {}

  /// 0 <= number < 1.
  double next() {
    state_ += 0x6D2B79F5u;
    std::uint32_t t = (state_ ^ state_ >> 15) * (state_ | 1u);
    t ^= t + (t ^ t >> 7) * (t | 61u);
    return static_cast<double>(t ^ t >> 14) / 4294967296.0;
  }
  /// 0 <= number < count.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() * static_cast<double>(count)); }

 private:
  std::uint32_t state_;
};

}  // namespace voxpath::server::lab
