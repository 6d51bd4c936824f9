// for_each_move: all moves that an agent can make from a node (MOVEMENT.md, section 4), each with its price without
// entering.
// Thread-safety: as Terrain.
// Usage: for_each_move(terrain, from, [&](NodeId to, MoveKind kind, std::int64_t price) {...}, [&](ChunkPos missing)
// {...});
// Invariant: the order is fixed: the directions of kDirections, in each from the highest landing to the lowest; then
// climbs.
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
inline constexpr std::int32_t kLeapRisePx = 16;   // the least jump of whoever leaps
inline constexpr std::int32_t kLeapUpGapMax = 2;  // cells of gap over which a leap may end higher

/// Emits the moves of one node. `Emit` is called as emit(NodeId to, MoveKind, std::int64_t price), `Missing` as
/// missing(ChunkPos).
template <class Emit, class Missing>
class MoveGenerator {
 public:
  MoveGenerator(Terrain& terrain, NodeId from, Emit& emit, Missing& missing)
      : terrain_(terrain), agent_(terrain.agent()), from_(terrain.node(from)), emit_(emit), missing_(missing) {}

  void all() {
    if (agent_.mode == Mode::walk) {
      on_foot();
    } else {
      afloat();
    }
  }

 private:
  void on_foot() {
    const std::int32_t x = from_.cell.x;
    const std::int32_t z = from_.cell.z;
    for (const Direction& d : kCardinals) {
      if (const auto chunk = terrain_.missing(x + d.dx, from_.cell.y, z + d.dz)) {
        missing_(*chunk);
        continue;
      }
      if (from_.kind != NodeKind::climb && agent_.cost_cardinal != kForbidden) {
        cardinal(d);
        if (agent_.leap > 0) leaps(d);
      }
      if (agent_.climb && agent_.cost_climb != kForbidden) climb_sideways(d);
    }
    if (agent_.corners != Corners::never && agent_.cost_diagonal != kForbidden) {
      for (const Direction& d : kDiagonals) {
        if (const auto chunk = terrain_.missing(x + d.dx, from_.cell.y, z + d.dz)) {
          missing_(*chunk);
        } else if (from_.kind != NodeKind::climb && !from_.in_doorway) {
          diagonal(d);
        }
      }
    }
    if (agent_.climb && agent_.cost_climb != kForbidden) climb_upright();
  }

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

  /// Straight over 1 .. leap cells of gap, from standing to standing. The body may be anywhere between the lower floor and the height of
  /// its jump above the take-off.
  void leaps(const Direction& d) {
    if (from_.kind != NodeKind::standing || from_.in_doorway || agent_.jump_px < kLeapRisePx ||
        agent_.cost_leap == kForbidden)
      return;
    const std::int32_t apex_px = from_.floor_px + agent_.jump_px + agent_.height_px;
    if (terrain_.blocked(from_.cell.x, from_.cell.z, from_.floor_px + agent_.height_px, apex_px)) return;
    for (std::int32_t gap = 1; gap <= agent_.leap; ++gap) {
      const std::int32_t over_x = from_.cell.x + d.dx * gap;
      const std::int32_t over_z = from_.cell.z + d.dz * gap;
      if (terrain_.missing(over_x, from_.cell.y, over_z) || terrain_.blocked(over_x, over_z, from_.floor_px, apex_px))
        return;
      if (const auto chunk = terrain_.missing(over_x + d.dx, from_.cell.y, over_z + d.dz)) {
        missing_(*chunk);
        return;
      }
      leap_over(d, gap, apex_px);
    }
  }

  void leap_over(const Direction& d, std::int32_t gap, std::int32_t apex_px) {
    const std::int32_t x = from_.cell.x + d.dx * (gap + 1);
    const std::int32_t z = from_.cell.z + d.dz * (gap + 1);
    const std::int32_t up_px = gap <= kLeapUpGapMax ? std::max(agent_.step_px, agent_.jump_px) : agent_.step_px;
    const std::int32_t down_px = std::max(agent_.step_px, agent_.max_drop_px);
    const std::int32_t last = std::max(cell_of_px(from_.floor_px - down_px), terrain_.snapshot().heights().min_y);
    for (std::int32_t y = cell_of_px(from_.floor_px + up_px); y >= last; --y) {
      const Terrain::Cell cell = terrain_.cell(x, y, z);
      if (cell.node != kNoNode) leap_to(cell.node, d, gap, apex_px, up_px, down_px);
      if (cell.bottom != Terrain::kNoExtent && y * 16 + cell.bottom < from_.floor_px + agent_.height_px) break;
    }
  }

  void leap_to(NodeId id, const Direction& d, std::int32_t gap, std::int32_t apex_px, std::int32_t up_px,
               std::int32_t down_px) {
    const Node to = terrain_.node(id);  // a copy: looking for climb nodes may add nodes
    const std::int32_t rise = to.floor_px - from_.floor_px;
    if (to.kind != NodeKind::standing || to.in_doorway || rise > up_px || -rise > down_px) return;
    std::int64_t price = std::int64_t{agent_.cost_cardinal} * (gap + 1) + std::int64_t{agent_.cost_leap} * gap;
    if (rise > agent_.step_px) {
      if (agent_.cost_jump == kForbidden) return;
      price += agent_.cost_jump;
    } else if (-rise > agent_.step_px) {
      if (agent_.cost_drop == kForbidden) return;
      price += std::int64_t{agent_.cost_drop} * -rise / 16;
    }
    if (terrain_.blocked(to.cell.x, to.cell.z, to.floor_px + agent_.height_px, apex_px)) return;
    const std::int32_t low_px = std::min(from_.floor_px, to.floor_px);
    for (std::int32_t i = 1; i <= gap; ++i) {
      const std::int32_t x = from_.cell.x + d.dx * i;
      const std::int32_t z = from_.cell.z + d.dz * i;
      if (terrain_.blocked(x, z, low_px, apex_px) || terrain_.bars_diagonal(x, z, low_px, apex_px)) return;
      if (agent_.climb && climb_node_in(x, z, low_px, apex_px)) return;
      if (agent_.water != WaterMode::walk && water_in(x, z, low_px, apex_px)) return;
    }
    emit_(id, MoveKind::leap, price);
  }

  [[nodiscard]] bool water_in(std::int32_t x, std::int32_t z, std::int32_t low_px, std::int32_t high_px) {
    const int n = agent_.footprint();
    for (std::int32_t y = cell_of_px(low_px); y <= cell_of_px(high_px - 1); ++y) {
      for (int i = 0; i < n * n; ++i) {
        if (terrain_.traits(x + i % n, y, z + i / n).fluid == world::Fluid::water) return true;
      }
    }
    return false;
  }

  /// Flyers and swimmers: to the 6, 18 or 26 cells around, as the corner rule says.
  void afloat() {
    const int axes_max = agent_.corners == Corners::never ? 1 : agent_.corners == Corners::loose ? 2 : 3;
    const bool aslant = (axes_max >= 2 && agent_.cost_diagonal != kForbidden) ||
                        (axes_max == 3 && agent_.cost_space_diagonal != kForbidden);
    for (std::int32_t dx = -1; dx <= 1; ++dx) {
      for (std::int32_t dz = -1; dz <= 1; ++dz) {
        if (dx != 0 && dz != 0 && !aslant) continue;
        if (const auto chunk = terrain_.missing(from_.cell.x + dx, from_.cell.y, from_.cell.z + dz)) {
          missing_(*chunk);
          continue;
        }
        for (std::int32_t dy = -1; dy <= 1; ++dy) {
          const int axes = std::abs(dx) + std::abs(dy) + std::abs(dz);
          if (axes >= 1 && axes <= axes_max) float_to({dx, dy, dz}, axes);
        }
      }
    }
  }

  void float_to(world::BlockPos step, int axes) {
    const std::int32_t price = axes == 1   ? agent_.cost_cardinal
                               : axes == 2 ? agent_.cost_diagonal
                                           : agent_.cost_space_diagonal;
    if (price == kForbidden) return;
    const NodeId id = terrain_.cell(from_.cell.x + step.x, from_.cell.y + step.y, from_.cell.z + step.z).node;
    if (id == kNoNode) return;
    if (axes > 1 && (from_.in_doorway || terrain_.node(id).in_doorway || !corners_allow(step, axes))) return;
    emit_(id, agent_.mode == Mode::fly ? MoveKind::fly : MoveKind::swim, price);
  }

  /// The bodies at the other corners of the move's box: for a strict agent all of them must be free, which leaves the whole box free; for
  /// a loose one, with two axes only, one of the two.
  [[nodiscard]] bool corners_allow(world::BlockPos step, int axes) {
    int free = 0;
    int corners = 0;
    for (int part = 1; part < 7; ++part) {
      const world::BlockPos by = {(part & 1) != 0 ? step.x : 0, (part & 2) != 0 ? step.y : 0,
                                  (part & 4) != 0 ? step.z : 0};
      const int moved = std::abs(by.x) + std::abs(by.y) + std::abs(by.z);
      const int asked = (part & 1) + (part >> 1 & 1) + (part >> 2 & 1);
      if (moved != asked || moved == axes) continue;  // the axis does not move, or this is the end itself
      ++corners;
      const world::BlockPos at = {from_.cell.x + by.x, from_.cell.y + by.y, from_.cell.z + by.z};
      if (terrain_.missing(at.x, at.y, at.z)) return false;
      const NodeId id = terrain_.cell(at.x, at.y, at.z).node;
      if (id != kNoNode) {
        if (terrain_.node(id).in_doorway) return false;
        ++free;
      } else if (agent_.corners == Corners::strict ||
                 terrain_.bars_diagonal(at.x, at.z, at.y * 16, at.y * 16 + agent_.height_px)) {
        return false;
      }
    }
    return free >= (agent_.corners == Corners::strict ? corners : 1);
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
    // Also where there is a node: it may stand above what hurts in its own cell, as on a fence with a campfire on it.
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
      if (linked && swept(to)) emit_(id, MoveKind::climb, agent_.cost_climb);
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
