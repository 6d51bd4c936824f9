// LatencyHistogram: how often each latency occurred, to within 1 %, in a fixed amount of memory.
// Thread-safety: one thread at a time.
// Invariant: percentiles are never less than the value recorded, and at most 1/128 more.
// Source: the idea of HdrHistogram (Tene, 2012): buckets that double, each cut into equally many parts; and its correction of what a client
// that waits for answers leaves out (coordinated omission).
// Usage: h.record(us); h.record_with_interval(us, 1'000'000); h.percentile(99.9);
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace voxpath::server {

class LatencyHistogram {
 public:
  void record(std::uint64_t us);
  /// For a client that would have asked again each `interval_us` but waited instead: those it left out would have waited at least until
  /// the same answer, so us - interval, us - 2 interval, ... are recorded too. 0: as record().
  void record_with_interval(std::uint64_t us, std::uint64_t interval_us);
  void clear();

  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] std::uint64_t max_us() const { return max_; }
  [[nodiscard]] double mean_us() const;
  /// The least value that at least `percent` of all do not exceed; 0 when there is none. 0 < percent <= 100.
  [[nodiscard]] std::uint64_t percentile_us(double percent) const;
  /// {percent, value} at every bucket that holds something, for a curve.
  [[nodiscard]] std::vector<std::pair<double, double>> curve_us() const;

 private:
  static constexpr unsigned kPartBits = 7;
  static constexpr std::uint64_t kParts = 1u << kPartBits;  // of each doubling; below, each value has a bucket
  static constexpr unsigned kDoublings = 34;  // up to 2^41 us, 25 days; longer ones count as that, but for max_us()

  static std::size_t bucket_of(std::uint64_t us);
  static std::uint64_t highest_of(std::size_t bucket);

  std::array<std::uint64_t, kParts*(kDoublings + 1)> counts_{};
  std::uint64_t count_ = 0, max_ = 0, sum_ = 0;
};

}  // namespace voxpath::server
