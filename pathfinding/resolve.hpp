// Resolving: which node a place means, as a start and as a goal (MOVEMENT.md, section 6).
// Thread-safety: as Terrain.
#pragma once

#include "pathfinding/query.hpp"
#include "pathfinding/terrain.hpp"

namespace voxpath::pathfinding {

/// Which rule of MOVEMENT.md, section 6, turned the place into the node.
enum class ResolvedBy : std::uint8_t {
  nothing,
  cell,
  feet,
  leaning,
  falling,
  water,
  above_solid,
  beside_solid,
  above_beside_solid
};
std::string_view name(ResolvedBy rule);

struct Resolved {
  NodeId node = kNoNode;
  ResolvedBy rule = ResolvedBy::nothing;
  [[nodiscard]] explicit operator bool() const { return node != kNoNode; }
};

Resolved resolve_start(Terrain& terrain, const Place& place);
Resolved resolve_goal(Terrain& terrain, const Place& place);

}  // namespace voxpath::pathfinding
