#include "pathfinding/engine/nav_places.hpp"

#include "pathfinding/resolve.hpp"

#include <algorithm>

namespace voxpath::pathfinding {

using world::BlockPos;

namespace {

using Resolve = Resolved (*)(Terrain&, const Place&);

NavPlace find(NavArena& arena, const TerrainOf& terrain, const Place& place, Resolve resolve) {
  if (const auto* at = std::get_if<BlockPos>(&place)) {
    const NavArena::Id node = arena.id_at(*at);
    if (node != NavArena::kNowhere) return {node, ResolvedBy::cell};
  }
  const Resolved r = resolve(terrain(), place);
  return {r ? arena.id_at(terrain().node(r.node).cell) : NavArena::kNowhere, r.rule};
}

}  // namespace

NavPlace nav_start(NavArena& arena, const TerrainOf& terrain, const Place& place) {
  return find(arena, terrain, place, resolve_start);
}

void nav_goals(NavArena& arena, const TerrainOf& terrain, const GoalPlaces& places, NavGoals& into) {
  into.nodes.clear();
  into.index.clear();
  into.rule.clear();
  for (std::size_t i = 0; i < places.places.size(); ++i) {
    const NavPlace goal = find(arena, terrain, places.places[i], resolve_goal);
    if (goal.node == NavArena::kNowhere) continue;
    if (std::find(into.nodes.begin(), into.nodes.end(), goal.node) != into.nodes.end()) continue;
    into.nodes.push_back(goal.node);
    into.index.push_back(i);
    into.rule.push_back(goal.rule);
  }
}

Waypoint waypoint_at(const NavArena& arena, NavArena::Id id, double half_footprint) {
  const NavArena::Slot& slot = arena.slot_of(id);
  const NavNodes& nodes = *slot.nav->nodes;
  const NodeInfo node = nodes.info[id - slot.base];
  Waypoint w;
  w.cell = nodes.cell(id - slot.base);
  w.floor_px = w.cell.y * 16 + node.floor_px();
  w.node = node.kind();
  w.action = node.opens() ? Action::open : Action::none;
  w.position = {w.cell.x + half_footprint, w.floor_px / double{world::kPixelsPerBlock}, w.cell.z + half_footprint};
  return w;
}

}  // namespace voxpath::pathfinding
