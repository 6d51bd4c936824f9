// flat_world: a world to try things on: stone up to y = 63, so that mobs stand at y = 64, around the origin.
// Thread-safety: a free function.
#pragma once

#include "world/result.hpp"
#include "world/world.hpp"

#include <memory>

namespace voxpath::server {

inline constexpr int kFlatRadiusChunks = 8;  // from the origin to each side: 256 x 256 blocks
inline constexpr int kFlatTopBlocks = 64;    // y of the surface

/// Errors: those of World::validate(); out_of_range where the heights leave no room for the surface.
world::Result<std::unique_ptr<world::World>> flat_world(world::Heights heights);

}  // namespace voxpath::server
