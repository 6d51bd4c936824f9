#include "server/metrics/section_counts.hpp"

#include "server/loading/flat_world.hpp"
#include "world/world.hpp"

#include <gtest/gtest.h>

namespace voxpath::server {
namespace {

world::Ref<world::Chunk> chunk_with(int sections) {
  auto chunk = world::make_ref<world::Chunk>(0, 64);
  for (int y = 0; y < sections; ++y) chunk->set_section(y, world::make_ref<world::Section>(world::PaletteEntry{1, {}}));
  return chunk;
}

TEST(SectionCounts, AreOfTheNewestVersionOrOfTheLastMinute) {
  world::World world({0, 64});
  ASSERT_TRUE(world.states().intern("minecraft:stone", {}));
  ASSERT_TRUE(world.apply(
      std::vector<world::Change>{world::PutChunk{{0, 0}, chunk_with(2)}, world::PutChunk{{5, 5}, chunk_with(1)}}));
  SectionCounts counts;
  EXPECT_EQ(counts.of(7, *world.snapshot(), 0), 3u);
  ASSERT_TRUE(world.apply(std::vector<world::Change>{world::DropChunk{{0, 0}}}));
  EXPECT_EQ(counts.of(7, *world.snapshot(), SectionCounts::kCountEveryMs - 1), 3u);
  EXPECT_EQ(counts.of(7, *world.snapshot(), SectionCounts::kCountEveryMs), 1u);
  EXPECT_EQ(counts.of(8, *world.snapshot(), 1), 1u) << "another world is counted at once";
  counts.keep({8});
  ASSERT_TRUE(world.apply(std::vector<world::Change>{world::PutChunk{{1, 1}, chunk_with(4)}}));
  EXPECT_EQ(counts.of(7, *world.snapshot(), SectionCounts::kCountEveryMs + 1), 5u) << "it was forgotten";
}

}  // namespace
}  // namespace voxpath::server
