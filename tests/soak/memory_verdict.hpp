// MemoryVerdict: whether a process' memory stayed flat, from samples of it over time.
// Thread-safety: pure functions.
// Invariant: the first sixth of the time is warm-up and not looked at. Flat: neither the line of least squares over the rest
// rises by more than the bound, nor is the peak of the last third above that of the second third by more than it.
#pragma once

#include <cstdint>
#include <vector>

namespace voxpath::soak {

/// The greater of the two: a heap's own coming and going is of this size, and a leak of one byte a request soon is not.
inline constexpr double kGrowthMaxShare = 0.05;
inline constexpr double kGrowthMaxBytes = 8.0 * 1024 * 1024;

struct MemorySample {
  double seconds = 0;
  std::uint64_t rss_bytes = 0;
};

struct MemoryVerdict {
  double growth_bytes = 0;       // by the line of least squares, from the warm-up's end to the end
  double peak_growth_bytes = 0;  // peak of the last third less that of the second
  double bound_bytes = 0;
  bool flat = false;
};

/// Precondition: at least six samples, in the order of time.
[[nodiscard]] MemoryVerdict judge(const std::vector<MemorySample>& samples);

}  // namespace voxpath::soak
