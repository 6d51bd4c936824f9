// Counter and Histogram: what the server counts of itself while it works.
// Thread-safety: all members from any thread. What is read while others count is each number as it was at some moment,
// not all of one moment.
// Invariant: counting is a relaxed addition or two, never a lock.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace voxpath::server {

class Counter {
 public:
  void add(std::uint64_t n = 1) { value_.fetch_add(n, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_ = 0;
};

/// Of durations.
class Histogram {
 public:
  /// Upper bounds of the buckets, included; a last one has what is longer.
  static constexpr std::array<std::int64_t, 15> kBoundsUs{100,     250,     500,       1'000,     2'500,
                                                          5'000,   10'000,  25'000,    50'000,    100'000,
                                                          250'000, 500'000, 1'000'000, 2'500'000, 10'000'000};
  void observe_us(std::int64_t us) {
    std::size_t bucket = 0;
    while (bucket < kBoundsUs.size() && us > kBoundsUs[bucket]) ++bucket;
    counts_[bucket].add();
    sum_us_.add(us > 0 ? static_cast<std::uint64_t>(us) : 0);
  }
  /// How many were in the bucket alone; the last one is kBoundsUs.size().
  [[nodiscard]] std::uint64_t count(std::size_t bucket) const { return counts_[bucket].value(); }
  [[nodiscard]] std::uint64_t sum_us() const { return sum_us_.value(); }

 private:
  std::array<Counter, kBoundsUs.size() + 1> counts_;
  Counter sum_us_;
};

}  // namespace voxpath::server
