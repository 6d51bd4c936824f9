#include "server/mobs/latency_histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace voxpath::server {

std::size_t LatencyHistogram::bucket_of(std::uint64_t us) {
  if (us < kParts) return static_cast<std::size_t>(us);
  const auto doubling =
      static_cast<unsigned>(std::bit_width(us)) - kPartBits;  // 1 .. : how far the leading bits are from the parts'
  const unsigned within = std::min(doubling, kDoublings);
  const std::uint64_t part = doubling > kDoublings ? kParts - 1 : (us >> (doubling - 1)) - kParts;
  return static_cast<std::size_t>(within * kParts + part);
}

std::uint64_t LatencyHistogram::highest_of(std::size_t bucket) {
  const std::uint64_t doubling = bucket / kParts, part = bucket % kParts;
  if (doubling == 0) return part;
  return ((kParts + part + 1) << (doubling - 1)) - 1;
}

void LatencyHistogram::record(std::uint64_t us) {
  ++counts_[bucket_of(us)];
  ++count_;
  sum_ += us;
  max_ = std::max(max_, us);
}

void LatencyHistogram::record_with_interval(std::uint64_t us, std::uint64_t interval_us) {
  record(us);
  if (interval_us == 0) return;
  while (us > interval_us) {
    us -= interval_us;
    record(us);
  }
}

void LatencyHistogram::clear() { *this = LatencyHistogram(); }

double LatencyHistogram::mean_us() const {
  return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_);
}

std::uint64_t LatencyHistogram::percentile_us(double percent) const {
  if (count_ == 0) return 0;
  const double exact = percent / 100 * static_cast<double>(count_);
  const auto rank = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(exact - 1e-9)));
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    seen += counts_[i];
    if (seen >= rank) return std::min(highest_of(i), max_);
  }
  return max_;
}

std::vector<std::pair<double, double>> LatencyHistogram::curve_us() const {
  std::vector<std::pair<double, double>> curve;
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] == 0) continue;
    seen += counts_[i];
    curve.emplace_back(100.0 * static_cast<double>(seen) / static_cast<double>(count_),
                       static_cast<double>(std::min(highest_of(i), max_)));
  }
  return curve;
}

}  // namespace voxpath::server
