// SectionCounts: how many sections of a world have blocks, counted anew at most once in a while.
// Thread-safety: one thread at a time.
// Invariant: counting looks at every chunk, some milliseconds for ten thousand, so that a world whose version changes
// all the time is counted at most every kCountEveryMs; what is told meanwhile is the last count.
#pragma once

#include "world/snapshot.hpp"

#include <cstdint>
#include <map>
#include <set>

namespace voxpath::server {

class SectionCounts {
 public:
  static constexpr std::int64_t kCountEveryMs = 60'000;

  /// `world`: its WorldHost::number.
  [[nodiscard]] std::size_t of(std::uint64_t world, const world::Snapshot& snapshot, std::int64_t now_ms);
  /// Forgets all others.
  void keep(const std::set<std::uint64_t>& worlds);

 private:
  struct Count {
    std::uint64_t version = 0;
    std::int64_t counted_ms = 0;
    std::size_t sections = 0;
  };
  std::map<std::uint64_t, Count> counts_;
};

}  // namespace voxpath::server
