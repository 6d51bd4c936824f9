#include "server/cli/generated_world.hpp"

#include "server/loading/flat_world.hpp"
#include "world/blocks/error_text.hpp"
#include "world/generate/terrain.hpp"

#include <charconv>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

namespace voxpath::server {

namespace {

constexpr std::string_view kFlat = "flat", kTerrain = "terrain:", kMaze = "maze:";
constexpr world::Heights kHeights{.min_y = -64, .height = 384};

}  // namespace

bool names_generated_world(std::string_view text) {
  return text == kFlat || text.starts_with(kTerrain) || text.starts_with(kMaze);
}

world::Result<std::unique_ptr<world::World>> generated_world(std::string_view text) {
  if (text == kFlat) return flat_world(kHeights);
  const bool maze = text.starts_with(kMaze);
  const std::string_view digits = text.substr((maze ? kMaze : kTerrain).size());
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), seed);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    return world::Error{world::ErrorCode::invalid_argument,
                        fmt::format("--world = {}: a seed of 0 to 18446744073709551615 is needed, such as {}7",
                                    world::quoted(text), maze ? kMaze : kTerrain)};
  }
  const auto table = world::BlockTable::for_version(world::BlockTable::versions().back());
  if (!table) return table.error();
  auto made = std::make_unique<world::World>(kHeights);
  std::vector<world::Change> changes;
  for (int z = -kGeneratedRadiusChunks; z < kGeneratedRadiusChunks; ++z) {
    for (int x = -kGeneratedRadiusChunks; x < kGeneratedRadiusChunks; ++x) {
      const auto generate = maze ? world::generate_maze_chunk : world::generate_terrain_chunk;
      changes.emplace_back(world::PutChunk{{x, z}, generate(seed, {x, z}, kHeights, made->states(), *table)});
    }
  }
  if (const auto commit = made->apply(changes); !commit) return commit.error();
  return made;
}

}  // namespace voxpath::server
