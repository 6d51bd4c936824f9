// RegionSearch: finds out whether a path leads to a goal by searching over regions, from the goals back and from the start ahead. It
// needs nothing but the regions of the chunks that it looks at, so it is as good right after an edit.
// Thread-safety: one thread at a time; it owns its memory and reuses it.
// Invariants: exact. Looking back costs as much as the region around the goals is large: a goal in a sealed room or on a pillar takes a
// region or two.
// Source: search from both ends: Pohl, "Bi-directional Search" (1971), on the regions' graph.
#pragma once

#include "pathfinding/engine/reach.hpp"
#include "pathfinding/engine/region_arena.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace voxpath::pathfinding {

class RegionSearch {
 public:
  /// Forgets the chunks of earlier searches; to be called when the kind of agent changes.
  void forget() { arena_.forget(); }
  /// The cells are those of nodes. The reader must stay as it is until the search is over.
  void begin(NavReader& reader, world::BlockPos start, std::span<const world::BlockPos> goals);
  [[nodiscard]] const Reach& reach() const { return reach_; }
  /// Regions that have been looked at, in both directions.
  [[nodiscard]] std::uint64_t work() const { return work_; }
  /// Looks at up to `regions` regions from which a goal can be reached, until it is known whether the start can.
  void look_back(std::uint32_t regions);
  /// Looks at up to `regions` regions that the start reaches, until all of reach() is known.
  void look_ahead(std::uint32_t regions);

 private:
  static constexpr std::uint8_t kAhead = 1, kBack = 2;  // marks: the start reaches it; it reaches a goal
  using Place = RegionArena::Place;
  struct Waiting {
    std::uint32_t distance = 0;  // chunks from the start
    std::uint32_t order = 0;
    Place place;
    friend bool operator<(const Waiting& a, const Waiting& b) {  // the nearest, of those the first, is the greatest
      return a.distance != b.distance ? a.distance > b.distance : a.order > b.order;
    }
  };

  /// Whether it was not marked so before.
  bool mark(Place place, std::uint8_t with);
  void mark_ahead(Place place);
  void mark_back(Place place);

  RegionArena arena_;
  std::vector<std::uint8_t> marks_;  // by the regions' numbers
  std::vector<Place> ahead_;   // the last is the next, so that the search runs straight for the rim of what is loaded
  std::vector<Waiting> back_;  // a heap: nearest to the start first, so that a start that can be reached is soon found
  std::uint32_t back_order_ = 0;
  world::ChunkPos start_chunk_;
  std::uint64_t work_ = 0;
  Reach reach_;
};

}  // namespace voxpath::pathfinding
