// What the store refuses: each message names field, value and limit; nothing of a refused list is applied.
#include "store_model.hpp"
#include "world/world.hpp"

#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace voxpath::world {
namespace {

constexpr int kIntMin = std::numeric_limits<int>::min();
constexpr int kIntMax = std::numeric_limits<int>::max();
constexpr StateId kStone = 1;  // the first state that a test registers

struct Refused {
  std::string name;
  std::vector<Change> changes;
  ErrorCode code;
  std::string message;
};

Ref<Chunk> chunk_with(PaletteEntry entry) {
  auto chunk = air_chunk();
  chunk->set_section(-4, make_ref<Section>(entry));
  return chunk;
}

std::vector<Refused> refused_cases() {
  using E = ErrorCode;
  const PutChunk here{{0, 0}, air_chunk()};
  return {
      {"block above the world",
       {here, SetBlock{{0, 64, 0}, kStone}},
       E::out_of_range,
       "change 1: y = 64: the world has -64 to 63"},
      {"block below the world",
       {here, SetBlock{{0, -65, 0}, kStone}},
       E::out_of_range,
       "change 1: y = -65: the world has -64 to 63"},
      {"block state beyond the last",
       {here, SetBlock{{0, 0, 0}, 2}},
       E::out_of_range,
       "change 1: block state number 2: the world knows 0 to 1"},
      {"block in a missing chunk",
       {here, SetBlock{{-1, 0, 0}, kStone}},
       E::failed_precondition,
       "change 1: block (-1, 0, 0): chunk (-1, 0) is missing"},
      {"block in a chunk dropped before",
       {here, DropChunk{{0, 0}}, SetBlock{{1, 0, 0}, kStone}},
       E::failed_precondition,
       "change 2: block (1, 0, 0): chunk (0, 0) is missing"},
      {"block beyond the coordinates",
       {SetBlock{{30'000'000, 0, 0}, kStone}},
       E::out_of_range,
       "change 0: block (30000000, 0, 0): chunk x = 1875000: allowed are -1875000 to 1874999"},
      {"block at the end of the numbers",
       {SetBlock{{0, 0, kIntMin}, kStone}},
       E::out_of_range,
       "change 0: block (0, 0, -2147483648): chunk z = -134217728: allowed are -1875000 to 1874999"},
      {"box turned round in x",
       {here, FillBox{{{2, 0, 0}, {1, 0, 0}}, kStone}},
       E::invalid_argument,
       "change 1: box (2, 0, 0) to (1, 0, 0): the first corner must not exceed the second on any axis"},
      {"box turned round in y",
       {here, FillBox{{{0, 1, 0}, {1, 0, 0}}, kStone}},
       E::invalid_argument,
       "change 1: box (0, 1, 0) to (1, 0, 0): the first corner must not exceed the second on any axis"},
      {"box turned round in z",
       {here, FillBox{{{0, 0, 9}, {1, 0, 8}}, kStone}},
       E::invalid_argument,
       "change 1: box (0, 0, 9) to (1, 0, 8): the first corner must not exceed the second on any axis"},
      {"box reaching below",
       {here, FillBox{{{0, -65, 0}, {1, 0, 0}}, kStone}},
       E::out_of_range,
       "change 1: box min y = -65: the world has -64 to 63"},
      {"box reaching above",
       {here, FillBox{{{0, 0, 0}, {1, 64, 0}}, kStone}},
       E::out_of_range,
       "change 1: box max y = 64: the world has -64 to 63"},
      {"box of more blocks than allowed",
       {here, FillBox{{{0, 0, 0}, {4095, 0, 4096}}, kStone}},
       E::out_of_range,
       "change 1: box (0, 0, 0) to (4095, 0, 4096): more than the 16777216 blocks that are allowed"},
      {"box of all there is",
       {here, FillBox{{{kIntMin, -64, kIntMin}, {kIntMax, 63, kIntMax}}, kStone}},
       E::out_of_range,
       "change 1: box (-2147483648, -64, -2147483648) to (2147483647, 63, 2147483647): more than the 16777216 blocks "
       "that are allowed"},
      {"box with a state beyond the last",
       {here, FillBox{{{0, 0, 0}, {1, 0, 0}}, 99}},
       E::out_of_range,
       "change 1: block state number 99: the world knows 0 to 1"},
      {"box reaching into a missing chunk",
       {here, FillBox{{{0, 0, 0}, {16, 0, 0}}, kStone}},
       E::failed_precondition,
       "change 1: box (0, 0, 0) to (16, 0, 0): chunk (1, 0) is missing"},
      {"section above the world",
       {here, SetSection{{0, 4, 0}, nullptr}},
       E::out_of_range,
       "change 1: section y = 4: the world has -4 to 3"},
      {"section below the world",
       {here, SetSection{{0, -5, 0}, nullptr}},
       E::out_of_range,
       "change 1: section y = -5: the world has -4 to 3"},
      {"section of a missing chunk",
       {here, SetSection{{0, 0, -1}, nullptr}},
       E::failed_precondition,
       "change 1: section (0, 0, -1): chunk (0, -1) is missing"},
      {"section with a state beyond the last",
       {here, SetSection{{0, 0, 0}, make_ref<Section>(PaletteEntry{7, {}})}},
       E::out_of_range,
       "change 1: section (0, 0, 0): block state number 7: the world knows 0 to 1"},
      {"section with traits of another world",
       {here, SetSection{{0, 0, 0}, make_ref<Section>(PaletteEntry{1, {}})}},
       E::invalid_argument,
       "change 1: section (0, 0, 0): block state number 1 (minecraft:stone) has other traits than in this world"},
      {"chunk beyond x",
       {PutChunk{{kChunkCoordinateMax, 0}, air_chunk()}},
       E::out_of_range,
       "change 0: chunk x = 1875000: allowed are -1875000 to 1874999"},
      {"chunk beyond z",
       {PutChunk{{0, -kChunkCoordinateMax - 1}, air_chunk()}},
       E::out_of_range,
       "change 0: chunk z = -1875001: allowed are -1875000 to 1874999"},
      {"chunk without content", {PutChunk{{3, 4}, nullptr}}, E::invalid_argument, "change 0: chunk (3, 4): no content"},
      {"chunk of another min_y",
       {PutChunk{{3, 4}, make_ref<Chunk>(0, 128)}},
       E::invalid_argument,
       "change 0: chunk (3, 4): min_y 0 and height 128, the world has -64 and 128"},
      {"chunk of another height",
       {PutChunk{{3, 4}, make_ref<Chunk>(-64, 144)}},
       E::invalid_argument,
       "change 0: chunk (3, 4): min_y -64 and height 144, the world has -64 and 128"},
      {"chunk with a state beyond the last",
       {PutChunk{{3, 4}, chunk_with({5, {}})}},
       E::out_of_range,
       "change 0: chunk (3, 4), section -4: block state number 5: the world knows 0 to 1"},
      {"chunk with traits of another world",
       {PutChunk{{3, 4}, chunk_with({1, {}})}},
       E::invalid_argument,
       "change 0: chunk (3, 4), section -4: block state number 1 (minecraft:stone) has other traits than in this "
       "world"},
      {"drop beyond the coordinates",
       {DropChunk{{kIntMax, 0}}},
       E::out_of_range,
       "change 0: chunk x = 2147483647: allowed are -1875000 to 1874999"},
  };
}

class StoreRefuses : public ::testing::TestWithParam<Refused> {};

TEST_P(StoreRefuses, WithAMessageAndLeavesAllAsItWas) {
  const Refused& c = GetParam();
  World world(kTestHeights);
  const auto stone = state(world.states(), "stone");
  ASSERT_EQ(stone.state, kStone);
  must(world, {PutChunk{{9, 9}, chunk_with(stone)}});
  const auto before = world.snapshot();

  // Changes that would have been accepted stand before the refused one, and must not be seen either.
  std::vector<Change> changes = c.changes;
  const auto done = world.apply(changes);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, c.code);
  EXPECT_EQ(done.error().message, c.message);
  EXPECT_EQ(world.snapshot(), before) << "a new snapshot was published";

  const std::vector<Change> good{SetBlock{{144, 0, 144}, kStone}};
  EXPECT_EQ(must(world, good).version, 2u) << "the refused list spent a version";
  EXPECT_EQ(world.snapshot()->chunks().size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Cases, StoreRefuses, ::testing::ValuesIn(refused_cases()), [](const auto& test) {
  std::string name = test.param.name;
  for (char& c : name) c = c == ' ' ? '_' : c;
  return name;
});

TEST(StoreLimits, HeightsAtTheirLimits) {
  struct Case {
    Heights heights;
    std::string message;  // empty: accepted
  };
  const std::string min_y_rule = ": a multiple of 16 from -2048 to 2048 is allowed";
  const std::string height_rule = ": a multiple of 16 from 16 to 4096 is allowed";
  const std::vector<Case> cases{
      {{0, 256}, ""},
      {{-64, 384}, ""},
      {{-2048, 4096}, ""},
      {{2048, 16}, ""},
      {{-2064, 256}, "min_y = -2064" + min_y_rule},
      {{2064, 256}, "min_y = 2064" + min_y_rule},
      {{-1, 256}, "min_y = -1" + min_y_rule},
      {{kIntMin, 256}, "min_y = -2147483648" + min_y_rule},
      {{0, 0}, "height = 0" + height_rule},
      {{0, -16}, "height = -16" + height_rule},
      {{0, 15}, "height = 15" + height_rule},
      {{0, 4112}, "height = 4112" + height_rule},
      {{0, kIntMax}, "height = 2147483647" + height_rule},
  };
  for (const auto& [heights, message] : cases) {
    const auto status = World::validate(heights);
    EXPECT_EQ(status ? "" : status.error().message, message);
    EXPECT_TRUE(status.ok() || status.error().code == ErrorCode::out_of_range);
  }
}

TEST(StoreLimits, OutermostChunksAndBlocksWork) {
  World world(kTestHeights);
  const auto stone = state(world.states(), "stone");
  const int far = 30'000'000;
  must(world, {PutChunk{{-kChunkCoordinateMax, kChunkCoordinateMax - 1}, air_chunk()},
               SetBlock{{-far, 63, far - 1}, stone.state}, SetBlock{{-far, -64, far - 1}, stone.state}});
  EXPECT_EQ(*world.snapshot()->block({-far, 63, far - 1}), stone);
  EXPECT_EQ(*world.snapshot()->block({-far, -64, far - 1}), stone);
  EXPECT_EQ(*world.snapshot()->block({-far, -63, far - 1}), PaletteEntry{});
}

TEST(StoreLimits, BoxVolumeAtItsLimit) {
  World world({.min_y = 0, .height = 4096});
  const auto stone = state(world.states(), "stone");
  std::vector<Change> changes;
  for (int x = 0; x < 4; ++x) {
    for (int z = 0; z < 4; ++z) changes.push_back(PutChunk{{x, z}, air_chunk(world.heights())});
  }
  changes.push_back(FillBox{{{0, 0, 0}, {63, 4095, 63}}, stone.state});  // just 2^24 blocks
  EXPECT_EQ(must(world, changes).touched.size(), 16u * 256u);
  EXPECT_EQ(*world.snapshot()->block({63, 4095, 63}), stone);
}

TEST(StoreLimits, BoxExceedsIsRightForEverySize) {
  const Box all{{kIntMin, kIntMin, kIntMin}, {kIntMax, kIntMax, kIntMax}};
  EXPECT_TRUE(all.exceeds(kFillVolumeMax));
  const Box box{{0, 0, 0}, {9, 9, 9}};
  EXPECT_TRUE(box.exceeds(999));
  EXPECT_FALSE(box.exceeds(1000));
  EXPECT_FALSE((Box{{5, 5, 5}, {5, 5, 5}}.exceeds(1)));
}

TEST(StoreLimits, ManyChangesOfManyChunksAreCheckedInPassableTime) {
  // Looking through all earlier changes for each one would take minutes here.
  World world({.min_y = 0, .height = 16});
  const auto stone = state(world.states(), "stone");
  const auto chunk = air_chunk(world.heights());
  std::vector<Change> changes;
  for (int i = 0; i < 60'000; ++i) changes.push_back(PutChunk{{i, 0}, chunk});
  for (int i = 0; i < 60'000; ++i) changes.push_back(SetBlock{{i * 16, 0, 0}, stone.state});
  EXPECT_EQ(must(world, changes).touched.size(), 60'000u);
}

}  // namespace
}  // namespace voxpath::world
