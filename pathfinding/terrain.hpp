// Terrain: one snapshot as one agent sees it: in which cells it can stand, swim or hang on a ladder, at which floor,
// and where its body fits.
// Thread-safety: one thread at a time (it remembers what it has worked out). Hold the snapshot as long as the Terrain
// looks at it.
// Invariants: at most one node in a cell (MOVEMENT.md, section 3); a node's number is stable until the next reset() and
// counts up from 0 in the order in which cells are first asked for, so that per-node data is a plain array.
#pragma once

#include "pathfinding/agent.hpp"
#include "pathfinding/answer.hpp"
#include "world/snapshot.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

namespace voxpath::pathfinding {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = 0xFFFFFFFFu;

/// A place where the agent can be.
struct Node {
  world::BlockPos cell;
  std::int32_t floor_px = 0;
  std::int32_t enter_price =
      0;  // water, near hazard, slow, open; kForbidden: never entered (but a search may start there)
  NodeKind kind = NodeKind::standing;
  world::StairFacing stair = world::StairFacing::none;  // all supporting blocks are stairs of this facing
  bool opens : 1 = false;                               // its body holds a closed door or gate that the agent opens
  bool in_doorway : 1 = false;                          // its body holds a door or gate, open or closed
  bool on_door : 1 = false;                             // a door or gate carries it
  bool in_climbable : 1 = false;                        // its cell is climbable
  std::uint8_t cell_bottom = 0;                         // see Terrain::Cell
};

class Terrain {
 public:
  /// What a cell holds for the agent's footprint.
  struct Cell {
    NodeId node = kNoNode;
    /// Bottom of the lowest extent among the footprint's columns in this very cell, px above the cell's base; kNoExtent
    /// for none.
    std::uint8_t bottom = kNoExtent;
  };
  static constexpr std::uint8_t kNoExtent = 31;

  Terrain();
  ~Terrain();
  Terrain(const Terrain&) = delete;
  Terrain& operator=(const Terrain&) = delete;

  void reset(const world::Snapshot& snapshot, const Agent& agent);

  [[nodiscard]] const Agent& agent() const { return agent_; }
  [[nodiscard]] const world::Snapshot& snapshot() const { return *snapshot_; }

  /// The cell whose footprint has its lowest corner in (x, z). In a missing chunk: no node, no extent.
  Cell cell(std::int32_t x, std::int32_t y, std::int32_t z) {
    Page& p = page(world::floor_div16(x), world::floor_div16(y), world::floor_div16(z));
    const auto index = static_cast<std::size_t>(world::Section::index(x, y, z));
    const auto slice = static_cast<std::uint16_t>(1u << (y & 15));
    if ((p.cleared & slice) == 0) [[unlikely]] {
      std::fill_n(p.cells.begin() + static_cast<std::ptrdiff_t>(index & ~std::size_t{255}), 256, 0u);
      p.cleared |= slice;
    }
    const std::uint32_t stored = p.cells[index];
    if (stored == 0) return remember(p, x, y, z);
    if (stored < kFirstNode) return {kNoNode, static_cast<std::uint8_t>(stored - 1)};
    return {stored - kFirstNode, nodes_[stored - kFirstNode].cell_bottom};
  }
  [[nodiscard]] const Node& node(NodeId id) const { return nodes_[id]; }
  [[nodiscard]] std::size_t node_count() const { return nodes_.size(); }

  /// The first missing chunk among those of the footprint at (x, z), if any. `y` only says which section is best looked
  /// at: any will do.
  std::optional<world::ChunkPos> missing(std::int32_t x, std::int32_t y, std::int32_t z) {
    const Page& near = page(world::floor_div16(x), world::floor_div16(y), world::floor_div16(z));
    if (near.missing) return world::ChunkPos{world::floor_div16(x), world::floor_div16(z)};
    if (world::mod16(x) + footprint_ <= 16 && world::mod16(z) + footprint_ <= 16) return std::nullopt;
    return missing_across_border(x, y, z);
  }
  /// Whether an extent of the footprint's columns intersects the open interval (low_px, high_px).
  bool blocked(std::int32_t x, std::int32_t z, std::int32_t low_px, std::int32_t high_px);
  /// Whether a door or gate (open or closed) or a hazard lies in the footprint's cells of [low_px, high_px).
  bool bars_diagonal(std::int32_t x, std::int32_t z, std::int32_t low_px, std::int32_t high_px);
  /// The block's traits; air above and below the world and in missing chunks (ask missing() to tell).
  const world::Traits& traits(std::int32_t x, std::int32_t y, std::int32_t z) {
    const Page& p = page(world::floor_div16(x), world::floor_div16(y), world::floor_div16(z));
    return p.section ? p.section->traits(world::Section::index(x, y, z)) : kAir;
  }
  /// Any extent of the footprint that contains this height: bottom <= height_px < top.
  bool inside_extent(std::int32_t x, std::int32_t z, double height_px);

  /// Blocks that no table names, among the cells worked out so far.
  [[nodiscard]] std::uint32_t unknown_blocks() const { return unknown_blocks_; }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  static constexpr world::Traits kAir{};

  /// A section of the world as the agent sees it.
  struct Page {
    std::uint64_t key = 0;
    const world::Section* section = nullptr;  // nullptr: air, or missing
    bool missing = false;
    std::uint16_t cleared = 0;  // a bit for each height whose `cells` were cleared for this search
    /// 0 not worked out; 1 .. 32 no node, and the lowest bottom plus 1; else the node's number plus 33.
    std::array<std::uint32_t, world::kSectionVolume> cells;
  };
  struct Body;
  struct Span {
    std::int32_t low, high;  // px, absolute; low >= high: no extent
    [[nodiscard]] bool any() const { return low < high; }
  };

  static std::uint64_t page_key(std::int32_t x, std::int32_t y, std::int32_t z) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(x) & 0x3FFFFFu) |
           static_cast<std::uint64_t>(static_cast<std::uint32_t>(z) & 0x3FFFFFu) << 22 |
           static_cast<std::uint64_t>(static_cast<std::uint32_t>(y) & 0xFFFFFu) << 44;
  }
  Page& page(std::int32_t section_x, std::int32_t section_y, std::int32_t section_z) {
    Page* recent =
        recent_[(static_cast<std::uint32_t>(section_x) & 7u) | (static_cast<std::uint32_t>(section_z) & 7u) << 3 |
                (static_cast<std::uint32_t>(section_y) & 7u) << 6];
    if (recent != nullptr && recent->key == page_key(section_x, section_y, section_z)) [[likely]]
      return *recent;
    return find_page(section_x, section_y, section_z);
  }
  Page& find_page(std::int32_t section_x, std::int32_t section_y, std::int32_t section_z);

  [[nodiscard]] Span extent(const world::Traits& t, std::int32_t y) const {
    const std::int32_t base = y * 16;
    if (t.door != world::Door::none) [[unlikely]] {
      const bool opened =
          (t.door == world::Door::wooden && agent_.open_doors) || (t.door == world::Door::gate && agent_.open_gates);
      if (!t.open && opened) return {0, 0};
      if (t.open && t.door != world::Door::gate && !agent_.pass_doors) return {base, base + 16};
    }
    return {base + t.bottom, base + t.top};
  }
  static constexpr std::uint32_t kFirstNode = 33;
  std::optional<world::ChunkPos> missing_across_border(std::int32_t x, std::int32_t y, std::int32_t z);
  Cell remember(Page& page, std::int32_t x, std::int32_t y, std::int32_t z);
  Cell work_out(std::int32_t x, std::int32_t y, std::int32_t z);
  std::uint8_t survey(std::int32_t x, std::int32_t y, std::int32_t z);
  int floors(std::int32_t x, std::int32_t y, std::int32_t z, std::array<std::int32_t, 64>& found);
  bool read_body(std::int32_t x, std::int32_t z, std::int32_t floor_px, Body& body);
  void read_supports(std::int32_t x, std::int32_t z, std::int32_t floor_px, Body& body);
  bool overhang_is_safe(std::int32_t x, std::int32_t z, std::int32_t floor_px);
  bool is_safe_below(std::int32_t x, std::int32_t z, std::int32_t floor_px);
  bool too_deep(std::int32_t x, std::int32_t z, std::int32_t floor_px);
  std::optional<Node> standing(std::int32_t x, std::int32_t y, std::int32_t z);
  std::optional<Node> swimming(std::int32_t x, std::int32_t y, std::int32_t z);
  std::optional<Node> climbing(std::int32_t x, std::int32_t y, std::int32_t z);
  std::optional<Node> afloat(std::int32_t x, std::int32_t y, std::int32_t z);
  std::optional<Node> finish(std::int32_t x, std::int32_t y, std::int32_t z, NodeKind kind, std::int32_t floor_px,
                             Body& body);
  bool near_hazard(std::int32_t x, std::int32_t y, std::int32_t z);

  const world::Snapshot* snapshot_ = nullptr;
  Agent agent_;
  int footprint_ = 1;

  std::uint32_t unknown_blocks_ = 0;
  std::vector<Node> nodes_;
  std::vector<std::unique_ptr<Page>> pages_;  // the first pages_used_ belong to this reset(), the rest wait
  std::size_t pages_used_ = 0;
  boost::unordered_flat_map<std::uint64_t, Page*> page_of_;
  std::array<Page*, 512> recent_{};  // direct-mapped by the low bits of the section's place
};

}  // namespace voxpath::pathfinding
