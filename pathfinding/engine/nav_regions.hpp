// NavRegions: which nodes of a chunk column reach each other without leaving it, and what leads from one such region to others.
// Thread-safety: immutable to those who look, from any thread; shared by reference count.
// Invariants: a region is a connected component of the moves inside the chunk that have a counterpart the other way. So all its nodes reach
// each other, and what reaches one reaches all. Regions are numbered by their lowest node.
// Source: regions over walkable cells as in RimWorld's region system (Sylvester, "Reachability at last", 2013), with directed links for
// moves that lead one way only.
#pragma once

#include "pathfinding/engine/nav_chunk.hpp"
#include "pathfinding/engine/nav_passages.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace voxpath::pathfinding {

class NavRegions : public world::SharedCount {
 public:
  /// A move from a region to a node outside it.
  struct Exit {
    std::uint32_t region = 0;
    std::uint32_t node = 0;  // in the neighbour
    friend constexpr auto operator<=>(const Exit&, const Exit&) = default;
  };

  explicit NavRegions(world::Ref<const NavChunk> moves);

  [[nodiscard]] const world::Ref<const NavChunk>& moves() const { return moves_; }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  /// Precondition: the node exists.
  [[nodiscard]] std::uint32_t of(std::uint32_t node) const { return wide_.empty() ? narrow_[node] : wide_[node]; }
  /// The exits into a neighbour (numbered as in ExtraEdge; 4: into other regions of this chunk), by region and node.
  [[nodiscard]] std::span<const Exit> exits(std::uint32_t neighbour) const {
    return {exits_.data() + exits_begin_[neighbour], exits_.data() + exits_begin_[neighbour + 1]};
  }
  [[nodiscard]] std::span<const Exit> exits(std::uint32_t neighbour, std::uint32_t region) const;
  /// The regions from which a move would lead into a missing chunk; sorted.
  [[nodiscard]] const std::vector<std::uint32_t>& beside_missing() const { return beside_missing_; }
  /// How to get from region to region, worked out when it is first asked for. `prices` are those of the agent that the moves are of.
  [[nodiscard]] const NavPassages& passages(const EdgePrices& prices) const;
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  void join_nodes();
  void find_exits();

  world::Ref<const NavChunk> moves_;
  std::uint32_t count_ = 0;
  std::vector<std::uint16_t> narrow_;  // by node
  std::vector<std::uint32_t> wide_;    // instead, where a chunk has more regions than 16 bits number
  std::array<std::uint32_t, 10> exits_begin_{};
  std::vector<Exit> exits_;
  std::vector<std::uint32_t> beside_missing_;
  mutable world::Guarded<std::unique_ptr<const NavPassages>> passages_;  // once there, it stays
};

}  // namespace voxpath::pathfinding
