// OpenList: the nodes that a search has met and not expanded, least f first.
// Thread-safety: one thread at a time.
// Invariant: ties go to the lower estimate, then to the node met first, so that the order is total and the same
// everywhere. A node that is met again at a lower cost is put in again; the search skips what it has closed.
#pragma once

#include "pathfinding/terrain.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace voxpath::pathfinding {

class OpenList {
 public:
  void clear() { entries_.clear(); }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t memory_bytes() const { return entries_.capacity() * sizeof(Entry); }

  void push(NodeId node, std::int64_t cost, std::int64_t estimate) {
    constexpr std::int64_t kEstimateMax = 0xFFFFFFFF;
    const auto tie = static_cast<std::uint64_t>(std::min(estimate, kEstimateMax));
    entries_.push_back({cost + estimate, tie << 32 | node});
    std::push_heap(entries_.begin(), entries_.end(), later);
  }
  NodeId pop() {
    std::pop_heap(entries_.begin(), entries_.end(), later);
    const auto node = static_cast<NodeId>(entries_.back().order & 0xFFFFFFFFu);
    entries_.pop_back();
    return node;
  }

 private:
  struct Entry {
    std::int64_t f;
    std::uint64_t order;
  };
  static bool later(const Entry& a, const Entry& b) { return a.f != b.f ? a.f > b.f : a.order > b.order; }

  std::vector<Entry> entries_;
};

}  // namespace voxpath::pathfinding
