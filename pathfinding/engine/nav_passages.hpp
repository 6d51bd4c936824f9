// NavPassages: how to get through a chunk column: some of the moves that lead out of each of its regions, and what it costs to get to them.
// Thread-safety: all members from any thread; the lock is held for a look into a table only.
// Invariants: costs are exact within the chunk: a path that leaves it and comes back may cost less. Passages stand for all moves out of a
// region: of those side by side along a border, at about one height and one price, the one in the middle.
// Source: entrances and distances between them as in Botea, Müller, Schaeffer, "Near Optimal Hierarchical Path-Finding" (2004), section 3.
#pragma once

#include "pathfinding/engine/bucket_queue.hpp"
#include "pathfinding/engine/nav_builder.hpp"
#include "pathfinding/engine/nav_chunk.hpp"
#include "world/guarded.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

namespace voxpath::pathfinding {

class NavRegions;

class NavPassages {
 public:
  static constexpr std::uint32_t kNever = 0xFFFFFFFFu;

  struct Passage {
    std::uint32_t region = 0;
    std::uint32_t from = 0;
    std::uint32_t to = 0;        // in the neighbour
    std::uint32_t price = 0;     // without what the node asks for that is entered, where `enters_priced`
    std::uint8_t neighbour = 4;  // as ExtraEdge's
    bool enters_priced = false;
  };
  /// What a search through a chunk needs; to be kept from one to the next.
  struct Scratch {
    std::vector<std::uint32_t> cost;  // by node
    BucketQueue open;
  };

  NavPassages(const NavRegions& regions, const EdgePrices& prices);

  /// Those out of a region.
  [[nodiscard]] std::span<const Passage> of(std::uint32_t region) const {
    return {passages_.data() + begin_[region], passages_.data() + begin_[region + 1]};
  }
  /// For each passage of the node's region what the way to it costs from there. Kept for the nodes that passages lead to.
  [[nodiscard]] const std::uint32_t* costs_from(std::uint32_t node, Scratch& scratch) const;
  /// The same for any node, not kept.
  void costs_from(std::uint32_t node, Scratch& scratch, std::vector<std::uint32_t>& costs) const;
  /// The cost of the way to another node of the region.
  [[nodiscard]] std::uint32_t cost_between(std::uint32_t from, std::uint32_t to, Scratch& scratch) const;
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  using Row = std::unique_ptr<const std::uint32_t[]>;

  void find_passages();
  template <class Enough>
  void spread(std::uint32_t node, Scratch& scratch, const Enough& enough) const;

  const NavRegions& regions_;
  const EdgePrices prices_;
  std::vector<Passage> passages_;                                               // by region
  std::vector<std::uint32_t> begin_;                                            // by region, one more at the end
  mutable world::Guarded<boost::unordered_flat_map<std::uint32_t, Row>> rows_;  // by node
};

}  // namespace voxpath::pathfinding
