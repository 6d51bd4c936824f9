// KeyedHeap: a binary heap that knows where the entry of each key is, and moves it when a better one comes for the same key.
// Thread-safety: one thread at a time.
// Usage: Entry has a member `key` (0, 1, 2 ...: places are kept in an array) and operator<; put() what is new or has become less, take() the
// least.
// Source: Williams, "Algorithm 232: Heapsort" (1964), with the decrease-key of Dijkstra's algorithm on heaps (Johnson, 1977).
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace voxpath::pathfinding {

template <class Entry>
class KeyedHeap {
 public:
  void clear() {
    entries_.clear();
    place_.clear();
  }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t memory_bytes() const {
    return entries_.capacity() * sizeof(Entry) + place_.capacity() * sizeof(place_[0]);
  }
  /// Precondition: the entry of the key that is there, if any, is not less.
  void put(const Entry& entry) {
    if (entry.key >= place_.size()) place_.resize(std::max(std::size_t{entry.key} + 1, place_.size() * 2), kNowhere);
    std::uint32_t& place = place_[entry.key];
    if (place == kNowhere) {
      place = static_cast<std::uint32_t>(entries_.size());
      entries_.push_back(entry);
    } else {
      entries_[place] = entry;
    }
    rise(place);
  }
  /// Precondition: !empty().
  Entry take() {
    const Entry least = entries_.front();
    place_[least.key] = kNowhere;
    const Entry last = entries_.back();
    entries_.pop_back();
    if (!entries_.empty()) {
      entries_.front() = last;
      place_[last.key] = 0;
      sink();
    }
    return least;
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
    place_[entries_[a].key] = static_cast<std::uint32_t>(a);
    place_[entries_[b].key] = static_cast<std::uint32_t>(b);
  }

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> place_;  // by key
};

}  // namespace voxpath::pathfinding
