// Blockers: why a mob cannot go from one cell to the one beside it, in a word that its author can act on.
// Thread-safety: as Terrain.
#pragma once

#include "pathfinding/answer.hpp"
#include "pathfinding/terrain.hpp"

#include <optional>
#include <vector>

namespace voxpath::pathfinding {

/// Why no move leads from a node into the column beside it: the cell that stops it and the rule. Precondition: none does.
Blocker diagnose(Terrain& terrain, const Node& from, std::int32_t x, std::int32_t z);

/// For an unreachable goal: what stops the mob on the four sides of the goal (when it is a node) and of the start, at most kBlockersMax.
/// Costs a few dozen cells, whatever the world.
std::vector<Blocker> find_blockers(Terrain& terrain, NodeId start, NodeId goal);

}  // namespace voxpath::pathfinding
