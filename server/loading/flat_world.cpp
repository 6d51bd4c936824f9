#include "server/loading/flat_world.hpp"

#include <vector>

#include <fmt/format.h>

namespace voxpath::server {

world::Result<std::unique_ptr<world::World>> flat_world(world::Heights heights) {
  if (const auto status = world::World::validate(heights); !status) return status.error();
  if (heights.min_y >= kFlatTopBlocks || !heights.contains(kFlatTopBlocks)) {
    return world::Error{world::ErrorCode::out_of_range,
                        fmt::format("a flat world's surface is at y = {}, which {}..{} does not hold", kFlatTopBlocks,
                                    heights.min_y, heights.max_y())};
  }
  auto world = std::make_unique<world::World>(heights);
  const auto stone = world->states().intern("minecraft:stone", world::full_cube_traits());
  if (!stone) return stone.error();
  const auto section = world::make_ref<world::Section>(world::PaletteEntry{*stone, world::full_cube_traits()});
  std::vector<world::Change> changes;
  for (int x = -kFlatRadiusChunks; x < kFlatRadiusChunks; ++x) {
    for (int z = -kFlatRadiusChunks; z < kFlatRadiusChunks; ++z) {
      const auto chunk = world::make_ref<world::Chunk>(heights.min_y, heights.height);
      for (int y = world::floor_div16(heights.min_y); y < kFlatTopBlocks / world::kSectionSize; ++y)
        chunk->set_section(y, section);
      changes.emplace_back(world::PutChunk{{x, z}, chunk});
    }
  }
  if (const auto commit = world->apply(changes); !commit) return commit.error();
  return world;
}

}  // namespace voxpath::server
