#include "pathfinding/blockers.hpp"

#include "pathfinding/moves.hpp"

#include <algorithm>
#include <cstdlib>

namespace voxpath::pathfinding {

using world::BlockPos;

namespace {

/// How far up and down the column beside a node a floor is looked for, blocks.
constexpr std::int32_t kReach = 4;

/// The node of a column whose floor is nearest to a height.
NodeId nearest(Terrain& terrain, std::int32_t x, std::int32_t y, std::int32_t z, std::int32_t floor_px) {
  NodeId best = kNoNode;
  for (std::int32_t cy = y + kReach; cy >= y - kReach; --cy) {
    const NodeId id = terrain.cell(x, cy, z).node;
    if (id == kNoNode) continue;
    const auto off = [&](NodeId n) { return std::abs(terrain.node(n).floor_px - floor_px); };
    if (best == kNoNode || off(id) < off(best)) best = id;
  }
  return best;
}

bool leads_to(Terrain& terrain, NodeId from, NodeId to) {
  bool found = false;
  for_each_move(
      terrain, from,
      [&](NodeId id, MoveKind, std::int64_t) {
        found = found || (id == to && terrain.node(id).enter_price != kForbidden);
      },
      [](world::ChunkPos) {});
  return found;
}

bool leads_into(Terrain& terrain, NodeId from, std::int32_t x, std::int32_t z) {
  bool found = false;
  for_each_move(
      terrain, from,
      [&](NodeId id, MoveKind, std::int64_t) {
        const Node& to = terrain.node(id);
        found = found || (to.cell.x == x && to.cell.z == z && to.enter_price != kForbidden);
      },
      [](world::ChunkPos) {});
  return found;
}

/// What is wrong with a body at this floor in the column: the first cell that speaks against it.
std::optional<Blocker> body_fault(Terrain& terrain, BlockPos from, std::int32_t x, std::int32_t z,
                                  std::int32_t floor_px) {
  const Agent& agent = terrain.agent();
  const int n = agent.footprint();
  for (std::int32_t y = world::floor_div16(floor_px) - 1; y <= world::floor_div16(floor_px + agent.height_px - 1);
       ++y) {
    for (std::int32_t dx = 0; dx < n; ++dx) {
      for (std::int32_t dz = 0; dz < n; ++dz) {
        const world::Traits& t = terrain.traits(x + dx, y, z + dz);
        const BlockPos at{x + dx, y, z + dz};
        const bool in_body =
            t.has_extent() && y * 16 + t.top > floor_px && y * 16 + t.bottom < floor_px + agent.height_px;
        if (agent.hurt_by(t.hazard)) return Blocker{false, from, at, Obstacle::hazard};
        if (t.door != world::Door::none && in_body) return Blocker{false, from, at, Obstacle::door};
        if (in_body) return Blocker{false, from, at, Obstacle::no_room};
        if (t.fluid == world::Fluid::water && agent.water == WaterMode::avoid)
          return Blocker{false, from, at, Obstacle::water};
      }
    }
  }
  return std::nullopt;
}

}  // namespace

Blocker diagnose(Terrain& terrain, const Node& from_node, std::int32_t x, std::int32_t z) {
  const Node from = from_node;  // a copy: looking around may add nodes
  const Agent& agent = terrain.agent();
  Blocker b{false, from.cell, {x, from.cell.y, z}, Obstacle::no_floor};
  if (const auto chunk = terrain.missing(x, from.cell.y, z)) {
    b.obstacle = Obstacle::missing_chunk;
    return b;
  }
  if (const auto fault = body_fault(terrain, from.cell, x, z, from.floor_px)) {
    // What hangs over the feet is in the head's way; a wall that begins at the feet may have a floor on top.
    const world::Traits& t = terrain.traits(fault->at.x, fault->at.y, fault->at.z);
    const bool overhead = fault->at.y * 16 + t.bottom > from.floor_px + agent.step_px;
    if (fault->obstacle != Obstacle::no_room || overhead) return *fault;
  }
  const NodeId id = nearest(terrain, x, from.cell.y, z, from.floor_px);
  if (id != kNoNode) {
    const Node& to = terrain.node(id);
    const std::int32_t rise = to.floor_px - from.floor_px;
    b.at = to.cell;
    if (to.enter_price == kForbidden) {
      b.obstacle = Obstacle::forbidden;
    } else if (rise > std::max(agent.step_px, agent.jump_px)) {
      b.obstacle = Obstacle::too_high;
    } else if (-rise > std::max(agent.step_px, agent.max_drop_px)) {
      b.obstacle = Obstacle::too_deep;
    } else {
      b.obstacle = Obstacle::no_room;
    }
    return b;
  }
  if (const auto fault = body_fault(terrain, from.cell, x, z, from.floor_px)) return *fault;
  return b;
}

std::vector<Blocker> find_blockers(Terrain& terrain, NodeId start, NodeId goal) {
  std::vector<Blocker> found;
  if (goal != kNoNode) {
    const Node to = terrain.node(goal);
    for (const Direction& d : kCardinals) {
      const std::int32_t x = to.cell.x + d.dx;
      const std::int32_t z = to.cell.z + d.dz;
      const NodeId beside = nearest(terrain, x, to.cell.y, z, to.floor_px);
      if (beside == kNoNode) {
        Blocker b = diagnose(terrain, to, x, z);
        std::swap(b.from, b.at);
        b.near_goal = true;
        if (b.obstacle != Obstacle::no_floor) found.push_back(b);
      } else if (!leads_to(terrain, beside, goal)) {
        Blocker b = diagnose(terrain, terrain.node(beside), to.cell.x, to.cell.z);
        b.near_goal = true;
        found.push_back(b);
      }
    }
  }
  const Node from = terrain.node(start);
  for (const Direction& d : kCardinals) {
    const std::int32_t x = from.cell.x + d.dx;
    const std::int32_t z = from.cell.z + d.dz;
    if (!leads_into(terrain, start, x, z)) found.push_back(diagnose(terrain, from, x, z));
  }
  if (found.size() > kBlockersMax) found.resize(kBlockersMax);
  return found;
}

}  // namespace voxpath::pathfinding
