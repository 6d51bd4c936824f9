// Other open lists: what textbooks and plugins have in place of OpenList (open_list.hpp), to be compared with it.
// Thread-safety: one thread at a time.
// Invariant: they take nodes in the same order as OpenList: least f, then lower estimate, then the node met first. So answers are equal.
#pragma once

#include "pathfinding/keyed_heap.hpp"
#include "pathfinding/terrain.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace voxpath::pathfinding {

/// A node with its rank; less is sooner.
struct OpenEntry {
  std::int64_t f, estimate;
  NodeId key;
  friend bool operator<(const OpenEntry& a, const OpenEntry& b) {
    if (a.f != b.f) return a.f < b.f;
    if (a.estimate != b.estimate) return a.estimate < b.estimate;
    return a.key < b.key;
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
    const NodeId node = least->key;
    *least = entries_.back();
    entries_.pop_back();
    return node;
  }

 private:
  std::vector<OpenEntry> entries_;
};

/// Sorted from end to end by heap sort at each step at which something was put in.
class HeapSortOpenList {
 public:
  void clear() {
    entries_.clear();
    sorted_ = true;
  }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t memory_bytes() const { return entries_.capacity() * sizeof(OpenEntry); }
  void push(NodeId node, std::int64_t cost, std::int64_t estimate) {
    entries_.push_back({cost + estimate, estimate, node});
    sorted_ = false;
  }
  NodeId pop() {
    if (!sorted_) {
      std::make_heap(entries_.begin(), entries_.end(), later);
      std::sort_heap(entries_.begin(), entries_.end(), later);
      sorted_ = true;
    }
    const NodeId node = entries_.back().key;  // the least is the last
    entries_.pop_back();
    return node;
  }

 private:
  static bool later(const OpenEntry& a, const OpenEntry& b) { return b < a; }

  std::vector<OpenEntry> entries_;
  bool sorted_ = true;
};

/// A binary heap with one entry a node, which moves when the node's cost falls.
class KeyedHeapOpenList {
 public:
  void clear() { heap_.clear(); }
  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] std::size_t memory_bytes() const { return heap_.memory_bytes(); }
  void push(NodeId node, std::int64_t cost, std::int64_t estimate) { heap_.put({cost + estimate, estimate, node}); }
  NodeId pop() { return heap_.take().key; }

 private:
  KeyedHeap<OpenEntry> heap_;
};

}  // namespace voxpath::pathfinding
