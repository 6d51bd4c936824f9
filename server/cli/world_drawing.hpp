// Drawings of a world that may be here or at a server: fetches the blocks that a map needs, then draws it.
// Thread-safety: as WorldAccess.
#pragma once

#include "server/cli/ascii_map.hpp"
#include "server/cli/world_access.hpp"

#include <string>

namespace voxpath::server {

/// All layers of the path's map and the legend. Errors: those of WorldAccess::blocks().
world::Result<std::string> draw_path(const PathMap& map, WorldAccess& world);

/// The surfaces of a square of columns around a place, each looked for from its height downwards.
/// `radius`: 0 to kSurfaceRadiusMax.
inline constexpr int kSurfaceRadiusMax = 128;
world::Result<std::string> draw_surface(world::BlockPos centre, int radius, WorldAccess& world);

}  // namespace voxpath::server
