// NavBuilder: works out NavNodes and NavChunks.
// Thread-safety: one thread at a time; keep one per worker, it reuses its memory.
// Invariants: what it builds is what Terrain and for_each_move say. Where only plain air and plain cubes are near, it
// reads the same off bits, for agents whose rules then come down to whole blocks (see `whole_blocks`); everything else
// it asks them.
#pragma once

#include "pathfinding/engine/block_columns.hpp"
#include "pathfinding/engine/chunk_changes.hpp"
#include "pathfinding/engine/nav_chunk.hpp"
#include "pathfinding/moves.hpp"
#include "pathfinding/terrain.hpp"

#include <array>
#include <vector>

namespace voxpath::pathfinding {

/// The prices that go with EdgeType, [type][direction], without that of the node itself; extras carry their own.
using EdgePrices = std::array<std::array<std::int32_t, 8>, 8>;
EdgePrices edge_prices(const Agent& agent);
MoveKind move_kind(EdgeType type, std::size_t direction);

class NavBuilder {
 public:
  /// From here on, builds for this agent in this snapshot, which must live until the next begin().
  void begin(const world::Snapshot& snapshot, const Agent& agent);

  /// How far a block's change is felt: by nodes, which look beside their footprint for what hurts only, and by moves.
  static ChunkChanges::Reach nodes_reach(const Agent& agent) { return {agent.footprint() - 1, agent.footprint()}; }
  static ChunkChanges::Reach moves_reach(const Agent& agent) {
    return {agent.footprint() + agent.leap, 2 * agent.footprint() + agent.leap};
  }
  ChunkChanges& changes() { return changes_; }

  /// The nodes of a chunk. What is `old` is taken over but for the columns in `fresh`; nullptr: there is nothing old.
  /// Precondition: the chunk is not missing.
  world::Ref<const NavNodes> nodes(world::ChunkPos pos, const Neighbourhood& chunks, const NavNodes* old,
                                   const Columns& fresh);
  /// Likewise its moves. `around` are the nodes of the chunk and its neighbours; nullptr where a chunk is missing.
  world::Ref<const NavChunk> moves(const std::array<world::Ref<const NavNodes>, 9>& around, const Neighbourhood& chunks,
                                   const NavChunk* old, const Columns& fresh);

 private:
  struct Window;
  using Around = std::array<world::Ref<const NavNodes>, 9>;

  Terrain& terrain();
  void load(const Neighbourhood& chunks, const Columns& wanted);
  void column_nodes(NavNodes& into, std::int32_t x, std::int32_t z, std::vector<NodeInfo>& column);
  static std::uint32_t price_class(NavNodes& nodes, std::int32_t enter_price);
  [[nodiscard]] std::uint64_t candidates(std::int32_t x, std::int32_t z, std::int32_t t, std::uint64_t& odd_near) const;
  std::uint64_t word_of(const Around& around, std::uint32_t node);
  bool plain_moves(const Around& around, std::uint32_t node);
  void asked_moves(const Around& around, std::uint32_t node);
  void add(const Around& around, std::int32_t dx, std::int32_t dz, std::uint32_t node, std::int32_t y, EdgeType type,
           MoveKind kind, std::int64_t price);
  void add_missing(std::uint32_t node, std::int32_t dx, std::int32_t dz);
  void mark_extras(const Around& around, std::uint32_t node);
  void put_extras(const NavChunk* old, const Columns& fresh, NavChunk& into);

  const world::Snapshot* snapshot_ = nullptr;
  Agent agent_;
  EdgePrices prices_{};
  bool whole_blocks_ = false;
  bool forbids_ = false;        // a price of entering may forbid it
  std::int32_t body_ = 2;       // blocks that the body is high, rounded up
  std::int32_t drop_ = 3;       // whole blocks that it drops at most
  std::int32_t reach_ = 3;      // blocks below the feet in which the lowest floor may lie that a move leads to
  bool terrain_ready_ = false;  // reset() for this snapshot and agent
  Terrain terrain_;
  BlockColumns blocks_;
  ChunkChanges changes_;
  Neighbourhood loaded_;  // whose columns are in blocks_
  Columns loaded_columns_;

  std::uint64_t bytes_ = 0;            // the edge word of the node at work
  std::vector<ExtraEdge> own_extras_;  // and its extras

  // Of the chunk at work.
  struct ExtrasEnd {
    std::uint32_t node, end;
  };
  std::vector<std::uint8_t> columns_;    // that are worked out
  std::vector<ExtraEdge> fresh_extras_;  // of their nodes, one after the other
  std::vector<ExtrasEnd> fresh_ends_;    // where those of a node end; nodes without are left out
};

}  // namespace voxpath::pathfinding
