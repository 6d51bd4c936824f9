// The histogram beside sorted lists of the same values.
#include "server/mobs/latency_histogram.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace voxpath::server {
namespace {

TEST(LatencyHistogram, IsEmptyAtFirst) {
  const LatencyHistogram h;
  EXPECT_EQ(h.count(), 0u);
  EXPECT_EQ(h.percentile_us(99), 0u);
  EXPECT_EQ(h.mean_us(), 0);
  EXPECT_TRUE(h.curve_us().empty());
}

TEST(LatencyHistogram, PercentilesAreWithinOnePercentOfTheExactOnes) {
  std::mt19937_64 random(7);
  LatencyHistogram h;
  std::vector<std::uint64_t> all;
  for (int i = 0; i < 20'000; ++i) {
    // From single microseconds to minutes, evenly by order of magnitude.
    const std::uint64_t value = (random() % 1000 + 1) << (random() % 18);
    all.push_back(value);
    h.record(value);
  }
  std::sort(all.begin(), all.end());
  for (const double percent : {0.1, 1.0, 25.0, 50.0, 90.0, 99.0, 99.9, 99.99, 100.0}) {
    const auto rank = static_cast<std::size_t>(std::max(1.0, std::ceil(percent / 100 * 20'000 - 1e-9)));
    const std::uint64_t exact = all[rank - 1];
    EXPECT_GE(h.percentile_us(percent), exact) << percent;
    EXPECT_LE(h.percentile_us(percent), exact + exact / 128) << percent;
  }
  EXPECT_EQ(h.percentile_us(100), all.back());
  EXPECT_EQ(h.max_us(), all.back());
}

TEST(LatencyHistogram, EveryValueNearABucketsEdgeIsKept) {
  for (unsigned bit = 0; bit < 41; ++bit) {
    for (const std::uint64_t value :
         {(std::uint64_t{1} << bit) - 1, std::uint64_t{1} << bit, (std::uint64_t{1} << bit) + 1}) {
      LatencyHistogram h;
      h.record(value);
      EXPECT_EQ(h.percentile_us(50), value);
      EXPECT_EQ(h.count(), 1u);
    }
  }
}

TEST(LatencyHistogram, CountsWhatAWaitingClientLeavesOut) {
  // A client that asks each second got one answer after 10 s: nine questions were not asked, and would have waited 9 s, 8 s, ... 1 s.
  LatencyHistogram h;
  h.record_with_interval(10'000'000, 1'000'000);
  EXPECT_EQ(h.count(), 10u);
  EXPECT_NEAR(static_cast<double>(h.percentile_us(50)), 5e6, 5e6 / 100);
  LatencyHistogram fast;
  for (int i = 0; i < 99; ++i) fast.record_with_interval(1'000, 1'000'000);
  fast.record_with_interval(100'000'000, 1'000'000);
  EXPECT_GT(fast.percentile_us(60), 1'000'000u) << "one stall of 100 s is not one answer of 100";
}

}  // namespace
}  // namespace voxpath::server
