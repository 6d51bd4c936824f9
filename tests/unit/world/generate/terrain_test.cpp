#include "world/generate/terrain.hpp"

#include <cstdlib>
#include <map>
#include <string>

#include <gtest/gtest.h>

namespace voxpath::world {
namespace {

constexpr Heights kTall{.min_y = -64, .height = 384};

class Generated : public ::testing::Test {
 protected:
  using Maker = Ref<Chunk> (*)(std::uint64_t, ChunkPos, Heights, StateRegistry&, const BlockTable&);

  std::string blocks(Maker maker, std::uint64_t seed, ChunkPos pos, Heights heights) {
    const auto chunk = maker(seed, pos, heights, states_, table_);
    std::string all;
    for (int y = heights.min_y; y <= heights.max_y(); ++y) {
      for (int i = 0; i < 256; ++i) all += std::to_string(chunk->at(i & 15, y, i >> 4).state) + " ";
    }
    return all;
  }

  StateRegistry states_;
  BlockTable table_ = BlockTable::for_data_version(3700);
};

TEST_F(Generated, EqualSeedsGiveEqualBlocksAndOthersDoNot) {
  for (const Maker maker : {Maker{generate_terrain_chunk}, Maker{generate_maze_chunk}}) {
    const std::string once = blocks(maker, 5, {-3, 7}, kTall);
    blocks(maker, 6, {0, 0}, kTall);  // what else was made does not matter
    EXPECT_EQ(once, blocks(maker, 5, {-3, 7}, kTall));
    EXPECT_NE(once, blocks(maker, 6, {-3, 7}, kTall));
    EXPECT_NE(once, blocks(maker, 5, {-3, 8}, kTall));
  }
}

TEST_F(Generated, TheLandIsAsPlannedOnEveryMachine) {
  EXPECT_EQ(generated_sea_level(kTall), 62);
  std::int64_t sum = 0;
  for (int x = -300; x < 300; x += 7) {
    for (int z = -300; z < 300; z += 7) {
      const int ground = generated_ground(1, x, z, kTall);
      EXPECT_LE(std::abs(ground - generated_ground(1, x + 1, z, kTall)), 3);
      sum = sum * 31 % 1'000'003 + ground;
    }
  }
  EXPECT_EQ(sum, 950'120);
}

TEST_F(Generated, TerrainHasEverythingThatAWalkerMeets) {
  std::map<std::string, int> counts;
  for (int x = -8; x < 8; ++x) {
    for (int z = -8; z < 8; ++z) {
      const auto chunk = generate_terrain_chunk(1, {x, z}, kTall, states_, table_);
      for (int i = 0; i < 256; ++i) {
        for (int y = 40; y < 110; ++y) {
          const PaletteEntry& entry = chunk->at(i & 15, y, i >> 4);
          EXPECT_FALSE(entry.traits.unknown);
          const std::string& text = states_.at(entry.state).text;
          ++counts[text.substr(0, text.find('['))];
        }
      }
    }
  }
  for (const char* name :
       {"grass_block", "sand", "water", "oak_log", "oak_leaves", "stone_slab", "oak_fence", "dirt", "stone"}) {
    EXPECT_GT(counts[std::string("minecraft:") + name], 20) << name;
  }
}

TEST_F(Generated, FitsWorldsOfAnyHeight) {
  for (const Heights heights :
       {Heights{0, 16}, Heights{0, 32}, Heights{-64, 64}, Heights{-2048, 4096}, Heights{1024, 128}}) {
    for (const Maker maker : {Maker{generate_terrain_chunk}, Maker{generate_maze_chunk}}) {
      const auto chunk = maker(3, {0, 0}, heights, states_, table_);
      EXPECT_EQ(chunk->min_y(), heights.min_y);
      EXPECT_EQ(chunk->height(), heights.height);
      EXPECT_TRUE(chunk->at(8, heights.min_y, 8).traits.has_extent());
      EXPECT_FALSE(chunk->at(8, heights.max_y(), 8).traits.has_extent());
    }
  }
}

TEST_F(Generated, EveryMazeCellOpensWestOrNorth) {
  const int y = generated_sea_level(kTall) + 1;
  for (int c = -4; c < 4; ++c) {
    const auto chunk = generate_maze_chunk(9, {c, -c}, kTall, states_, table_);
    for (int cell = 0; cell < 16; ++cell) {
      const int x = cell % 4 * kMazeCell;
      const int z = cell / 4 * kMazeCell;
      const auto is_wall = [&](int wx, int wz) { return chunk->at(wx, y, wz).traits.has_extent(); };
      EXPECT_TRUE(is_wall(x, z));
      EXPECT_NE(is_wall(x, z + 1), is_wall(x + 1, z));
      EXPECT_FALSE(is_wall(x + 1, z + 1));
      EXPECT_TRUE(chunk->at(x + 1, y - 1, z + 1).traits.has_extent());
    }
  }
}

}  // namespace
}  // namespace voxpath::world
