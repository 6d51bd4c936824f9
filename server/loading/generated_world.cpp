#include "server/loading/generated_world.hpp"

#include "server/loading/flat_world.hpp"
#include "world/blocks/error_text.hpp"
#include "world/generate/terrain.hpp"
#include "world/number.hpp"

#include <cstdint>
#include <vector>

#include <fmt/format.h>

namespace voxpath::server {

namespace {

constexpr std::string_view kFlat = "flat", kTerrain = "terrain:", kMaze = "maze:";

world::Result<std::uint64_t> seed_of(std::string_view text) {
  const std::string_view kind = text.starts_with(kMaze) ? kMaze : kTerrain;
  const std::string_view digits = text.substr(kind.size());
  if (const auto seed = world::number<std::uint64_t>(digits)) return *seed;
  return world::Error{
      world::ErrorCode::invalid_argument,
      fmt::format("world '{}': a seed of 0 to 18446744073709551615 is needed, such as {}7", world::quoted(text), kind)};
}

}  // namespace

bool names_generated_world(std::string_view text) {
  return text == kFlat || text.starts_with(kTerrain) || text.starts_with(kMaze);
}

world::Status check_generated_world(std::string_view text) {
  if (!names_generated_world(text)) {
    return world::Error{world::ErrorCode::invalid_argument,
                        fmt::format("world '{}': flat, terrain:SEED or maze:SEED is needed", world::quoted(text))};
  }
  if (text == kFlat) return world::ok_status();
  const auto seed = seed_of(text);
  if (!seed) return seed.error();
  return world::ok_status();
}

world::Result<std::unique_ptr<world::World>> generated_world(std::string_view text, world::Heights heights) {
  if (const auto status = check_generated_world(text); !status) return status.error();
  if (const auto status = world::World::validate(heights); !status) return status.error();
  if (text == kFlat) return flat_world(heights);
  const bool maze = text.starts_with(kMaze);
  const auto seed = seed_of(text);
  if (!seed) return seed.error();
  const auto table = world::BlockTable::for_version(world::BlockTable::versions().back());
  if (!table) return table.error();
  auto made = std::make_unique<world::World>(heights);
  std::vector<world::Change> changes;
  for (int z = -kGeneratedRadiusChunks; z < kGeneratedRadiusChunks; ++z) {
    for (int x = -kGeneratedRadiusChunks; x < kGeneratedRadiusChunks; ++x) {
      const auto generate = maze ? world::generate_maze_chunk : world::generate_terrain_chunk;
      changes.emplace_back(world::PutChunk{{x, z}, generate(*seed, {x, z}, heights, made->states(), *table)});
    }
  }
  if (const auto commit = made->apply(changes); !commit) return commit.error();
  return made;
}

}  // namespace voxpath::server
