// Cost tables: what a search estimated, what it found things to cost, and both together, for each cell of a layer.
// Thread-safety: a pure function.
#pragma once

#include "pathfinding/query.hpp"
#include "world/result.hpp"
#include "world/snapshot.hpp"

#include <optional>
#include <string>

namespace voxpath::server {

inline constexpr int kCostTableSideMax = 24;  // columns and rows of one table

/// Searches by the plain planner, which looks at every node that the search of MOVEMENT.md does. `layer`: y of the cells that are shown;
/// nullopt: where the start is. Errors: those of the query; not_found where nothing was met on the layer.
world::Result<std::string> cost_tables(world::Ref<const world::Snapshot> snapshot, const pathfinding::Query& query,
                                       const pathfinding::Limits& limits, std::optional<int> layer);

}  // namespace voxpath::server
