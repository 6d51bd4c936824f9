// NavPlaces: how a query's places become nodes of a search over NavChunks, and its nodes waypoints.
// Thread-safety: as the arena.
#pragma once

#include "pathfinding/engine/nav_arena.hpp"
#include "pathfinding/query.hpp"
#include "pathfinding/terrain.hpp"

#include <functional>
#include <vector>

namespace voxpath::pathfinding {

/// Gives the rules' view of the snapshot when a place is not simply the cell of a node. Made when it is first needed.
using TerrainOf = std::function<Terrain&()>;

struct NavPlace {
  NavArena::Id node = NavArena::kNowhere;
  ResolvedBy rule = ResolvedBy::nothing;
};
NavPlace nav_start(NavArena& arena, const TerrainOf& terrain, const Place& place);

/// Those of a query's places that are nodes; each node once.
struct NavGoals {
  std::vector<NavArena::Id> nodes;
  std::vector<std::size_t> index;  // of the place in the query
  std::vector<ResolvedBy> rule;
};
void nav_goals(NavArena& arena, const TerrainOf& terrain, const GoalPlaces& places, NavGoals& into);

/// Without the kind of the move that leads there.
Waypoint waypoint_at(const NavArena& arena, NavArena::Id node, double half_footprint);

}  // namespace voxpath::pathfinding
