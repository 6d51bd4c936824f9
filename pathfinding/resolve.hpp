// Resolving: which node a place means, as a start and as a goal (MOVEMENT.md, section 6).
// Thread-safety: as Terrain.
#pragma once

#include "pathfinding/query.hpp"
#include "pathfinding/terrain.hpp"

namespace voxpath::pathfinding {

struct Resolved {
  NodeId node = kNoNode;
  ResolvedBy rule = ResolvedBy::nothing;
  [[nodiscard]] explicit operator bool() const { return node != kNoNode; }
};

Resolved resolve_start(Terrain& terrain, const Place& place);
Resolved resolve_goal(Terrain& terrain, const Place& place);

}  // namespace voxpath::pathfinding
