// BucketQueue: the nodes that a search has met and not expanded, least f first.
// Thread-safety: one thread at a time.
// Invariants: made for f that never falls below the greatest taken out, as with a consistent estimate; what is pushed below that waits in a
// heap of its own and comes first. Equal f: last in, first out, which goes deep and is the same everywhere. A node that is met again is put
// in again; the search skips what it has closed.
// Source: Dial, "Algorithm 360: Shortest-path forest with topological ordering" (1969), with a bitmap over the buckets; what lies more than
// kBuckets ahead waits in a binary heap.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace voxpath::pathfinding {

class BucketQueue {
 public:
  void clear() {
    for (std::size_t w = 0; w < kWords; ++w) {
      for (; occupied_[w] != 0; occupied_[w] &= occupied_[w] - 1)
        buckets_[w * 64 + static_cast<std::size_t>(std::countr_zero(occupied_[w]))].clear();
    }
    summary_ = 0;
    far_.clear();
    behind_.clear();
    now_ = 0;
  }
  [[nodiscard]] bool empty() const { return summary_ == 0 && far_.empty() && behind_.empty(); }
  /// The greatest f of all that was taken out.
  [[nodiscard]] std::uint64_t greatest() const { return now_; }
  [[nodiscard]] std::size_t memory_bytes() const {
    std::size_t bytes = (far_.capacity() + behind_.capacity()) * sizeof(far_[0]);
    for (const auto& b : buckets_) bytes += b.capacity() * sizeof(b[0]);
    return bytes;
  }

  void push(std::uint64_t f, std::uint32_t node) {
    if (f - now_ >= kBuckets) [[unlikely]] {  // below now_ too
      push_aside(f, node);
      return;
    }
    const std::size_t b = f & (kBuckets - 1);
    if (buckets_[b].empty()) {
      occupied_[b >> 6] |= std::uint64_t{1} << (b & 63);
      summary_ = static_cast<std::uint16_t>(summary_ | 1u << (b >> 6));
    }
    buckets_[b].push_back(node);
  }

  /// Precondition: !empty().
  std::uint32_t pop() {
    if (!behind_.empty()) [[unlikely]]
      return pop_from(behind_).second;
    if (summary_ == 0) return pop_far();
    const std::size_t from = now_ & (kBuckets - 1);
    std::size_t word = from >> 6;
    std::uint64_t bits = occupied_[word] >> (from & 63) << (from & 63);
    if (bits == 0) {
      const auto ahead = static_cast<std::uint32_t>(std::rotr(summary_, static_cast<int>(word + 1)));
      word = (word + 1 + static_cast<std::size_t>(std::countr_zero(ahead))) & (kWords - 1);
      bits = occupied_[word];
    }
    const std::size_t b = word << 6 | static_cast<std::size_t>(std::countr_zero(bits));
    const std::uint64_t f = now_ + ((b - from) & (kBuckets - 1));
    if (!far_.empty() && far_.front().first < f) [[unlikely]]
      return pop_far();
    now_ = f;
    const std::uint32_t node = buckets_[b].back();
    buckets_[b].pop_back();
    if (buckets_[b].empty()) {
      occupied_[word] &= ~(std::uint64_t{1} << (b & 63));
      if (occupied_[word] == 0) summary_ = static_cast<std::uint16_t>(summary_ & ~(1u << word));
    }
    return node;
  }

 private:
  using Entry = std::pair<std::uint64_t, std::uint32_t>;  // f, node
  static constexpr std::size_t kBuckets = 1024;
  static constexpr std::size_t kWords = kBuckets / 64;
  static_assert(kWords == 16, "summary_ has a bit a word");

  [[gnu::noinline]] void push_aside(std::uint64_t f, std::uint32_t node) {
    std::vector<Entry>& heap = f < now_ ? behind_ : far_;
    heap.emplace_back(f, node);
    std::push_heap(heap.begin(), heap.end(), std::greater<>());
  }
  std::uint32_t pop_far() {
    const Entry entry = pop_from(far_);
    now_ = entry.first;
    return entry.second;
  }
  static Entry pop_from(std::vector<Entry>& heap) {
    std::pop_heap(heap.begin(), heap.end(), std::greater<>());
    const Entry entry = heap.back();
    heap.pop_back();
    return entry;
  }

  std::array<std::vector<std::uint32_t>, kBuckets> buckets_;
  std::array<std::uint64_t, kWords> occupied_{};
  std::uint16_t summary_ = 0;
  std::uint64_t now_ = 0;
  std::vector<Entry> far_, behind_;  // heaps
};

}  // namespace voxpath::pathfinding
