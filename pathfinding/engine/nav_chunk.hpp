// NavChunk: the moves of one agent in one chunk column, worked out once: a byte for each direction of each node.
// Thread-safety: immutable; shared by reference count.
// Layout: the nodes of a column of blocks are numbered from the top: layer 0 is the highest. Layer l of all 256 columns
// is one plane; a node's index is l << 8 | z << 4 | x. Layer 0 of a surface chunk is its surface, so that a search over
// land stays in few cache lines.
// Invariants: exact for snapshots with the same blocks here and in the eight chunks around. Nodes and moves are those of
// Terrain and for_each_move.
// Source of the layout: layered grids with one byte of neighbour data a direction, after Recast's compact heightfield
// (rcCompactSpan).
#pragma once

#include "pathfinding/answer.hpp"
#include "world/snapshot.hpp"

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

namespace voxpath::pathfinding {

/// Directions 0..3 are kCardinals, 4..7 kDiagonals.
inline constexpr std::array<std::int32_t, 8> kStepX = {1, -1, 0, 0, 1, 1, -1, -1};
inline constexpr std::array<std::int32_t, 8> kStepZ = {0, 0, 1, -1, 1, -1, 1, -1};
constexpr std::size_t opposite(std::size_t direction) { return direction < 4 ? direction ^ 1u : 11 - direction; }

/// The chunk that is `which` of the nine around one: (x + 1) + 3 * (z + 1), so that 4 is the chunk itself.
constexpr world::ChunkPos neighbour(world::ChunkPos pos, std::uint32_t which) {
  return {pos.x + static_cast<std::int32_t>(which % 3) - 1, pos.z + static_cast<std::int32_t>(which / 3) - 1};
}

/// What leads in one direction: a byte of type | layer << 3, or 0 for nothing. All but `priced` and `extra` enter at no price of the node's
/// own and are charged by type and direction alone.
enum class EdgeType : std::uint8_t {
  extra,  // look among the node's extras; the byte is kExtraByte
  flat,   // between two nodes on plain cubes at one height
  level,  // walk or diagonal, with whatever rise a step takes
  jump,
  drop1,  // a drop of so many blocks
  drop2,
  drop3,
  priced,  // as level, into a node with a price of its own
};
inline constexpr std::uint8_t kExtraByte = 1u << 3;
inline constexpr std::uint32_t kEdgeLayerMax = 31;

/// A move that a byte cannot tell.
struct ExtraEdge {
  std::int64_t price = 0;  // with that of entering
  std::uint16_t layer = 0;
  std::uint8_t column = 0;     // z << 4 | x, in the neighbour
  std::uint8_t neighbour = 4;  // see neighbour()
  MoveKind kind = MoveKind::walk;
  bool missing = false;  // no move: the neighbour is a missing chunk
};

/// What a node is, in one word.
struct NodeInfo {
  std::uint32_t bits = 0;
  [[nodiscard]] bool exists() const { return (bits & 1u) != 0; }
  /// Stands on a plain cube, with nothing but plain air and cubes near.
  [[nodiscard]] bool plain() const { return (bits & 2u) != 0; }
  [[nodiscard]] bool opens() const { return (bits & 4u) != 0; }
  [[nodiscard]] NodeKind kind() const { return static_cast<NodeKind>(bits >> 3 & 3u); }
  /// Blocks above the lowest of the world, less kBelow.
  [[nodiscard]] std::int32_t height() const { return static_cast<std::int32_t>(bits >> 9 & 0x1FFFu) - kBelow; }
  [[nodiscard]] std::int32_t floor_px() const { return static_cast<std::int32_t>(bits >> 5 & 15u); }  // above the cell

  /// What entering costs, as a place in NavNodes::enter_prices.
  [[nodiscard]] std::uint32_t price_class() const { return bits >> 22; }

  static constexpr std::int32_t kBelow = 16;
  static constexpr std::size_t kPriceClassesMax = 1024;
  static NodeInfo of(bool plain, bool opens, NodeKind kind, std::int32_t height, std::int32_t px,
                     std::uint32_t price_class = 0) {
    return {1u | (plain ? 2u : 0u) | (opens ? 4u : 0u) | static_cast<std::uint32_t>(kind) << 3 |
            static_cast<std::uint32_t>(px) << 5 | static_cast<std::uint32_t>(height + kBelow) << 9 | price_class << 22};
  }
  friend bool operator==(NodeInfo, NodeInfo) = default;
};

/// The chunk in the middle and those around, as neighbours are numbered; nullptr where one is missing.
using Neighbourhood = std::array<world::Ref<const world::Chunk>, 9>;
Neighbourhood neighbourhood(const world::Snapshot& snapshot, world::ChunkPos pos);
bool shows(const world::Snapshot& snapshot, world::ChunkPos pos, const Neighbourhood& seen);

/// Columns of a chunk, z << 4 | x.
using Columns = std::bitset<256>;

/// The nodes alone: the neighbours' moves need them.
struct NavNodes : world::SharedCount {
  world::ChunkPos pos;
  std::int32_t min_y = 0;
  std::uint32_t layers = 0;
  std::uint32_t unknown_blocks = 0;  // in the chunk
  std::vector<NodeInfo> info;        // layers * 256
  std::vector<std::int32_t> enter_prices = {0};

  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;
  /// The layer of the node in this cell, or kNone.
  [[nodiscard]] std::uint32_t layer_at(std::uint32_t column, std::int32_t y) const {
    for (std::uint32_t l = 0; l < layers; ++l) {
      const NodeInfo node = info[l << 8 | column];
      if (!node.exists()) break;
      const std::int32_t height = node.height() + min_y;
      if (height <= y) return height == y ? l : kNone;
    }
    return kNone;
  }
  /// The node in this cell of the chunk, or kNone.
  [[nodiscard]] std::uint32_t node_at(world::BlockPos cell) const {
    const auto column = static_cast<std::uint32_t>((cell.z & 15) << 4 | (cell.x & 15));
    const std::uint32_t layer = layer_at(column, cell.y);
    return layer == kNone ? kNone : layer << 8 | column;
  }
  /// Not forbidden: no move leads to such a node. Exact for nodes to which a `priced` move leads; they are why it is kept.
  [[nodiscard]] std::int32_t enter_price(std::uint32_t node) const { return enter_prices[info[node].price_class()]; }
  [[nodiscard]] world::BlockPos cell(std::uint32_t node) const {
    return {pos.x * 16 + static_cast<std::int32_t>(node & 15u), info[node].height() + min_y,
            pos.z * 16 + static_cast<std::int32_t>(node >> 4 & 15u)};
  }
};

/// An extra seen from where it leads: `target` is neighbour << 24 | node, both as in the extra.
struct ExtraSource {
  std::uint32_t target = 0;
  std::uint32_t source = 0;  // the node that has the extra
  std::int64_t price = 0;
  friend constexpr auto operator<=>(const ExtraSource&, const ExtraSource&) = default;
};

struct NavChunk : world::SharedCount {
  world::Ref<const NavNodes> nodes;
  std::vector<std::uint64_t> edges;         // a byte a direction; layers * 256
  std::vector<std::uint32_t> extras_begin;  // by node, one more at the end; empty: no extras at all
  std::vector<ExtraEdge> extras;
  std::vector<ExtraSource> sources;  // of all extras that are moves; sorted

  [[nodiscard]] const ExtraEdge* extras_from(std::uint32_t node) const {
    return extras.empty() ? nullptr : extras.data() + extras_begin[node];
  }
  [[nodiscard]] const ExtraEdge* extras_to(std::uint32_t node) const {
    return extras.empty() ? nullptr : extras.data() + extras_begin[node + 1];
  }
  [[nodiscard]] std::size_t memory_bytes() const;
};

}  // namespace voxpath::pathfinding
