#include "tests/soak/memory_verdict.hpp"

#include <algorithm>

namespace voxpath::soak {

MemoryVerdict judge(const std::vector<MemorySample>& samples) {
  const double end = samples.back().seconds;
  double n = 0, t = 0, m = 0, tt = 0, tm = 0, second = 0, last = 0;
  for (const MemorySample& sample : samples) {
    const double at = sample.seconds, bytes = static_cast<double>(sample.rss_bytes);
    if (at < end / 6) continue;
    n += 1, t += at, m += bytes, tt += at * at, tm += at * bytes;
    if (at >= end * 2 / 3) {
      last = std::max(last, bytes);
    } else if (at >= end / 3) {
      second = std::max(second, bytes);
    }
  }
  const double spread = n * tt - t * t;
  MemoryVerdict verdict;
  verdict.growth_bytes = spread > 0 ? (n * tm - t * m) / spread * end * 5 / 6 : 0;
  verdict.peak_growth_bytes = last - second;
  verdict.bound_bytes = std::max(kGrowthMaxBytes, kGrowthMaxShare * second);
  verdict.flat = verdict.growth_bytes <= verdict.bound_bytes && verdict.peak_growth_bytes <= verdict.bound_bytes;
  return verdict;
}

}  // namespace voxpath::soak
