// RegionRoute: a rough way from a start to a goal, from region to region: where it enters each of them. It says where to search, not what
// to do.
// Thread-safety: one thread at a time; it owns its memory and reuses it.
// Invariants: the way exists. It is the cheapest through the passages of the regions, or at most kWeight times dearer; others may be cheaper.
// Sources: Botea, Müller, Schaeffer, "Near Optimal Hierarchical Path-Finding" (2004), section 3, with regions in place of clusters, and of
// the entrances from one region to another only the one that leads on best (ENGINE.md, A long way).
#pragma once

#include "pathfinding/engine/nav_passages.hpp"
#include "pathfinding/engine/region_arena.hpp"
#include "pathfinding/estimate.hpp"

#include <cstdint>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

namespace voxpath::pathfinding {

class RegionRoute {
 public:
  /// Forgets the chunks of earlier searches; to be called when the kind of agent changes.
  void forget() { arena_.forget(); }
  /// The cells are those of nodes; `distance` is what the distance to the goal costs. The reader must stay as it is until the search is over.
  void begin(NavReader& reader, const EdgePrices& prices, const Estimate::Parts& distance, world::BlockPos start,
             world::BlockPos goal);
  /// Looks at up to `regions` more. Returns whether it is over.
  bool advance(std::uint32_t regions);
  /// Where the way enters each region, in order, then the goal; empty: there is no way, or it is not over.
  [[nodiscard]] std::vector<world::BlockPos> cells() const;
  /// Regions that have been looked at, once for each way of entering them.
  [[nodiscard]] std::uint64_t work() const { return work_; }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;
  static constexpr double kWeight = 1.25;

  /// A node through which a region is entered.
  struct Label {
    std::uint64_t cost = 0;
    std::uint32_t slot = 0;
    std::uint32_t node = 0;
    std::uint32_t parent = kNone;
    bool closed = false;
  };
  struct Waiting {
    std::uint64_t f = 0;
    std::uint32_t order = 0;
    std::uint32_t label = 0;
    friend bool operator<(const Waiting& a, const Waiting& b) {  // least f, of those the last, is the greatest
      return a.f != b.f ? a.f > b.f : a.order < b.order;
    }
  };
  /// The passage to another region that leads on best.
  struct Best {
    std::uint32_t slot = 0, region = 0, node = 0;
    std::uint64_t cost = 0, f = 0;
  };

  void expand(std::uint32_t label);
  void relax(std::uint32_t slot, std::uint32_t node, std::uint64_t cost, std::uint32_t parent);
  [[nodiscard]] std::uint64_t estimate(world::BlockPos cell) const;
  [[nodiscard]] world::BlockPos cell(std::uint32_t slot, std::uint32_t node) const {
    return arena_.slot(slot).regions->moves()->nodes->cell(node);
  }

  RegionArena arena_;
  EdgePrices prices_{};
  world::BlockPos goal_;
  std::uint64_t far_ = 0, near_ = 0;  // weighted
  RegionArena::Place goal_place_;
  std::uint32_t goal_node_ = 0;
  std::vector<Label> labels_;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> label_of_;  // by slot << 32 | node
  std::vector<Waiting> open_;                                         // a heap
  std::vector<Best> best_;
  std::vector<std::uint32_t> costs_;
  NavPassages::Scratch scratch_;
  std::uint32_t order_ = 0;
  std::uint64_t work_ = 0;
  std::uint32_t goal_label_ = kNone;
  bool found_ = false, over_ = true;
};

}  // namespace voxpath::pathfinding
