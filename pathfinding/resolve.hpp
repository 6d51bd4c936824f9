// Resolving: which node a place means, as a start and as a goal (MOVEMENT.md, section 6).
// Thread-safety: as Terrain.
#pragma once

#include "pathfinding/query.hpp"
#include "pathfinding/terrain.hpp"

#include <vector>

namespace voxpath::pathfinding {

struct Resolved {
  NodeId node = kNoNode;
  ResolvedBy rule = ResolvedBy::nothing;
  [[nodiscard]] explicit operator bool() const { return node != kNoNode; }
};

Resolved resolve_start(Terrain& terrain, const Place& place);
Resolved resolve_goal(Terrain& terrain, const Place& place);

/// For a place that resolves to nothing: notes the missing chunk that its footprint reaches into, if there is one.
void note_missing_at(Terrain& terrain, const Place& place, std::vector<world::ChunkPos>& missing);

}  // namespace voxpath::pathfinding
