// Other open lists: what textbooks and plugins have in place of OpenList (open_list.hpp), to be compared with it.
// Thread-safety: one thread at a time.
// Invariant: they take nodes in the same order as OpenList: least f, then lower estimate, then the node met first. So answers are equal.
#pragma once

#include "pathfinding/terrain.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace voxpath::pathfinding {

/// A node with its rank; less is sooner.
struct OpenEntry {
  std::int64_t f, estimate;
  NodeId node;
  friend bool operator<(const OpenEntry& a, const OpenEntry& b) {
    if (a.f != b.f) return a.f < b.f;
    if (a.estimate != b.estimate) return a.estimate < b.estimate;
    return a.node < b.node;
  }
};

/// Looked through from end to end for the least.
class UnsortedOpenList {
 public:
  void clear() { entries_.clear(); }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t memory_bytes() const { return entries_.capacity() * sizeof(OpenEntry); }
  void push(NodeId node, std::int64_t cost, std::int64_t estimate) {
    entries_.push_back({cost + estimate, estimate, node});
  }
  NodeId pop() {
    const auto least = std::min_element(entries_.begin(), entries_.end());
    const NodeId node = least->node;
    *least = entries_.back();
    entries_.pop_back();
    return node;
  }

 private:
  std::vector<OpenEntry> entries_;
};

/// A binary heap that knows where each node is, and moves it when its cost falls.
class KeyedHeapOpenList {
 public:
  void clear() {
    entries_.clear();
    place_.clear();
  }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t memory_bytes() const {
    return entries_.capacity() * sizeof(OpenEntry) + place_.capacity() * sizeof(std::uint32_t);
  }
  void push(NodeId node, std::int64_t cost, std::int64_t estimate) {
    if (node >= place_.size()) place_.resize(std::max<std::size_t>(node + std::size_t{1}, place_.size() * 2), kNowhere);
    std::uint32_t& place = place_[node];
    if (place == kNowhere) {
      place = static_cast<std::uint32_t>(entries_.size());
      entries_.push_back({});
    }
    entries_[place] = {cost + estimate, estimate, node};
    rise(place);
  }
  NodeId pop() {
    const NodeId node = entries_.front().node;
    place_[node] = kNowhere;
    const OpenEntry last = entries_.back();
    entries_.pop_back();
    if (!entries_.empty()) {
      entries_.front() = last;
      place_[last.node] = 0;
      sink();
    }
    return node;
  }

 private:
  static constexpr std::uint32_t kNowhere = 0xFFFFFFFFu;

  void rise(std::size_t i) {
    for (; i > 0 && entries_[i] < entries_[(i - 1) / 2]; i = (i - 1) / 2) swap(i, (i - 1) / 2);
  }
  void sink() {
    std::size_t i = 0;
    for (std::size_t child = 1; child < entries_.size(); child = 2 * i + 1) {
      if (child + 1 < entries_.size() && entries_[child + 1] < entries_[child]) ++child;
      if (!(entries_[child] < entries_[i])) return;
      swap(i, child);
      i = child;
    }
  }
  void swap(std::size_t a, std::size_t b) {
    std::swap(entries_[a], entries_[b]);
    place_[entries_[a].node] = static_cast<std::uint32_t>(a);
    place_[entries_[b].node] = static_cast<std::uint32_t>(b);
  }

  std::vector<OpenEntry> entries_;
  std::vector<std::uint32_t> place_;  // by node
};

}  // namespace voxpath::pathfinding
