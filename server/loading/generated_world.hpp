// Generated worlds by name, for trying things without a Minecraft world: "terrain:7", "maze:7", "flat".
// Thread-safety: a free function.
#pragma once

#include "world/result.hpp"
#include "world/world.hpp"

#include <memory>
#include <string_view>

namespace voxpath::server {

inline constexpr int kGeneratedRadiusChunks = 8;  // from the origin to each side: 256 x 256 blocks

/// Whether the text names a generated world rather than a folder or a file.
bool names_generated_world(std::string_view text);
/// Whether it also has a seed that is a whole number, where one is needed. Errors: invalid_argument, with what is allowed.
world::Status check_generated_world(std::string_view text);
/// 256 x 256 blocks around the origin. Errors: those of check_generated_world() and of World::validate().
world::Result<std::unique_ptr<world::World>> generated_world(std::string_view text, world::Heights heights);

}  // namespace voxpath::server
