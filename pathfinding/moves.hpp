// for_each_move: all moves that an agent can make from a node (MOVEMENT.md, section 4), each with its price without
// entering. Thread-safety: as Terrain. Usage: for_each_move(terrain, from, [&](NodeId to, MoveKind kind, std::int64_t
// price) {...}, [&](ChunkPos missing) {...}); Invariant: the order is fixed: the directions of kDirections, in each
// from the highest landing to the lowest; then climbs.
#pragma once

#include "pathfinding/terrain.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace voxpath::pathfinding {

struct Direction {
  std::int32_t dx, dz;
  world::StairFacing facing;  // a stair of this facing is entered from its low side
};
inline constexpr std::array<Direction, 4> kCardinals = {{{1, 0, world::StairFacing::east},
                                                         {-1, 0, world::StairFacing::west},
                                                         {0, 1, world::StairFacing::south},
                                                         {0, -1, world::StairFacing::north}}};
inline constexpr std::array<Direction, 4> kDiagonals = {{{1, 1, world::StairFacing::none},
                                                         {1, -1, world::StairFacing::none},
                                                         {-1, 1, world::StairFacing::none},
                                                         {-1, -1, world::StairFacing::none}}};

inline constexpr std::int32_t kStairRisePx = 16;
inline constexpr std::int32_t kClimbRisePx = 16;

/// Emits the moves of one node. `Emit` is called as emit(NodeId to, MoveKind, std::int64_t price), `Missing` as
/// missing(ChunkPos).
template <class Emit, class Missing>
class MoveGenerator {
 public:
  MoveGenerator(Terrain& terrain, NodeId from, Emit& emit, Missing& missing)
      : terrain_(terrain), agent_(terrain.agent()), from_(terrain.node(from)), emit_(emit), missing_(missing) {}

  void all() {
    const std::int32_t x = from_.cell.x;
    const std::int32_t z = from_.cell.z;
    for (const Direction& d : kCardinals) {
      if (const auto chunk = terrain_.missing(x + d.dx, from_.cell.y, z + d.dz)) {
        missing_(*chunk);
        continue;
      }
      if (from_.kind != NodeKind::climb && agent_.cost_cardinal != kForbidden) cardinal(d);
      if (agent_.climb && agent_.cost_climb != kForbidden) climb_sideways(d);
    }
    if (agent_.corners != Corners::never) {
      for (const Direction& d : kDiagonals) {
        if (const auto chunk = terrain_.missing(x + d.dx, from_.cell.y, z + d.dz)) {
          missing_(*chunk);
        } else if (from_.kind != NodeKind::climb && !from_.in_doorway && agent_.cost_diagonal != kForbidden) {
          diagonal(d);
        }
      }
    }
    if (agent_.climb && agent_.cost_climb != kForbidden) climb_upright();
  }

 private:
  [[nodiscard]] static std::int32_t cell_of_px(std::int32_t px) { return world::floor_div16(px); }

  /// The two bodies pass through both columns up to the head's highest place. Each node is free up to its own head
  /// already.
  [[nodiscard]] bool swept(const Node& to) {
    const std::int32_t rise = to.floor_px - from_.floor_px;
    if (rise > 0) {
      return !terrain_.blocked(from_.cell.x, from_.cell.z, from_.floor_px + agent_.height_px,
                               to.floor_px + agent_.height_px);
    }
    if (rise < 0) {
      return !terrain_.blocked(to.cell.x, to.cell.z, to.floor_px + agent_.height_px, from_.floor_px + agent_.height_px);
    }
    return true;
  }

  void cardinal(const Direction& d) {
    const std::int32_t x = from_.cell.x + d.dx;
    const std::int32_t z = from_.cell.z + d.dz;
    const std::int32_t up_px = std::max({agent_.step_px, agent_.jump_px, kStairRisePx});
    const std::int32_t down_px = std::max(agent_.step_px, agent_.max_drop_px);
    // A fall into water may be of any depth: there only an extent, or the void, ends the look down.
    const std::int32_t last = agent_.water == WaterMode::float_
                                  ? terrain_.snapshot().heights().min_y
                                  : std::max(cell_of_px(from_.floor_px - down_px), terrain_.snapshot().heights().min_y);
    const std::int32_t head_px = from_.floor_px + agent_.height_px;
    for (std::int32_t y = cell_of_px(from_.floor_px + up_px); y >= last; --y) {
      const Terrain::Cell cell = terrain_.cell(x, y, z);
      if (cell.node != kNoNode) cardinal_to(cell.node, d);
      // Whoever lands lower passes through everything between there and the head.
      if (cell.bottom != Terrain::kNoExtent && y * 16 + cell.bottom < head_px) break;
    }
  }

  void cardinal_to(NodeId id, const Direction& d) {
    const Node& to = terrain_.node(id);
    if (to.kind == NodeKind::climb) return;
    const std::int32_t rise = to.floor_px - from_.floor_px;
    MoveKind kind = MoveKind::walk;
    std::int64_t extra = 0;
    if (rise > agent_.step_px) {
      if (to.stair == d.facing && rise <= kStairRisePx) {
        kind = MoveKind::walk;
      } else if (rise <= agent_.jump_px && agent_.cost_jump != kForbidden) {
        kind = MoveKind::jump;
        extra = agent_.cost_jump;
      } else {
        return;
      }
    } else if (-rise > agent_.step_px) {
      if (-rise > agent_.max_drop_px && to.kind != NodeKind::swim) return;
      if (agent_.cost_drop == kForbidden) return;
      kind = MoveKind::drop;
      extra = std::int64_t{agent_.cost_drop} * -rise / 16;
    }
    if (swept(to)) emit_(id, kind, agent_.cost_cardinal + extra);
  }

  void diagonal(const Direction& d) {
    const std::int32_t x = from_.cell.x + d.dx;
    const std::int32_t z = from_.cell.z + d.dz;
    for (std::int32_t y = cell_of_px(from_.floor_px + agent_.step_px); y >= cell_of_px(from_.floor_px - agent_.step_px);
         --y) {
      const Terrain::Cell cell = terrain_.cell(x, y, z);
      if (cell.node == kNoNode) continue;
      const Node to = terrain_.node(cell.node);  // a copy: looking at the sides may add nodes
      if (std::abs(to.floor_px - from_.floor_px) > agent_.step_px) continue;
      if (to.kind == NodeKind::climb || to.in_doorway || (to.kind == NodeKind::swim) != (from_.kind == NodeKind::swim))
        continue;
      if (sides_allow(d, std::max(from_.floor_px, to.floor_px)) && swept(to))
        emit_(cell.node, MoveKind::diagonal, agent_.cost_diagonal);
    }
  }

  [[nodiscard]] bool sides_allow(const Direction& d, std::int32_t low_px) {
    const Side first = side(from_.cell.x + d.dx, from_.cell.z, low_px);
    if (first == Side::barred) return false;
    const Side second = side(from_.cell.x, from_.cell.z + d.dz, low_px);
    if (second == Side::barred) return false;
    const int free = (first == Side::free ? 1 : 0) + (second == Side::free ? 1 : 0);
    return free >= (agent_.corners == Corners::strict ? 2 : 1);
  }

  /// One footprint beside a diagonal: free, blocked by an extent (which a loose agent bears on one side), or barred for
  /// everybody.
  enum class Side : std::uint8_t { free, blocked, barred };
  [[nodiscard]] Side side(std::int32_t x, std::int32_t z, std::int32_t low_px) {
    const std::int32_t top_px = low_px + agent_.height_px;
    if (terrain_.missing(x, from_.cell.y, z)) return Side::barred;
    // The usual case: a node at this very floor has a free body, and nothing that hurts in it or under it.
    if (agent_.footprint() == 1 && !agent_.climb) {
      const NodeId id = terrain_.cell(x, cell_of_px(low_px), z).node;
      if (id != kNoNode) {
        const Node& node = terrain_.node(id);
        if (node.kind == NodeKind::standing && node.floor_px == low_px && !node.in_doorway) return Side::free;
      }
    }
    if (terrain_.bars_diagonal(x, z, low_px - 1, top_px)) return Side::barred;
    if (agent_.climb && climb_node_in(x, z, low_px - 1, top_px)) return Side::barred;
    return terrain_.blocked(x, z, low_px, top_px) ? Side::blocked : Side::free;
  }

  [[nodiscard]] bool climb_node_in(std::int32_t x, std::int32_t z, std::int32_t low_px, std::int32_t high_px) {
    for (std::int32_t y = cell_of_px(low_px); y <= cell_of_px(high_px - 1); ++y) {
      const NodeId id = terrain_.cell(x, y, z).node;
      if (id != kNoNode && terrain_.node(id).kind == NodeKind::climb) return true;
    }
    return false;
  }

  void climb_sideways(const Direction& d) {
    const std::int32_t x = from_.cell.x + d.dx;
    const std::int32_t z = from_.cell.z + d.dz;
    for (std::int32_t y = cell_of_px(from_.floor_px + kClimbRisePx); y >= cell_of_px(from_.floor_px - kClimbRisePx);
         --y) {
      const NodeId id = terrain_.cell(x, y, z).node;
      if (id == kNoNode) continue;
      const Node& to = terrain_.node(id);
      if (from_.kind != NodeKind::climb && to.kind != NodeKind::climb) continue;
      if (std::abs(to.floor_px - from_.floor_px) <= kClimbRisePx && swept(to))
        emit_(id, MoveKind::climb, agent_.cost_climb);
    }
  }

  void climb_upright() {
    for (const std::int32_t dy : {1, -1}) {
      const NodeId id = terrain_.cell(from_.cell.x, from_.cell.y + dy, from_.cell.z).node;
      if (id == kNoNode) continue;
      const Node& to = terrain_.node(id);
      const bool linked =
          (from_.kind == NodeKind::climb && holds_climber(to)) || (to.kind == NodeKind::climb && holds_climber(from_));
      if (linked) emit_(id, MoveKind::climb, agent_.cost_climb);
    }
  }
  [[nodiscard]] static bool holds_climber(const Node& node) {
    return node.kind != NodeKind::standing || node.in_climbable;
  }

  Terrain& terrain_;
  const Agent& agent_;
  Node from_;  // a copy: the terrain's nodes move as new ones are found
  Emit& emit_;
  Missing& missing_;
};

template <class Emit, class Missing>
void for_each_move(Terrain& terrain, NodeId from, Emit&& emit, Missing&& missing) {
  MoveGenerator<std::remove_reference_t<Emit>, std::remove_reference_t<Missing>>(terrain, from, emit, missing).all();
}

}  // namespace voxpath::pathfinding
