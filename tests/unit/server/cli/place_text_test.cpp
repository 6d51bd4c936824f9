// Places as people write them on the command line.
#include "server/cli/place_text.hpp"

#include <gtest/gtest.h>

namespace voxpath::server {
namespace {

using pathfinding::Place;
using world::BlockPos;
using world::Vec3;

TEST(PlaceText, WholeNumbersAreACell) {
  for (const auto& [text, cell] : {std::pair{"12,64,-7", BlockPos{12, 64, -7}},
                                   {"-1,-64,0", BlockPos{-1, -64, 0}},
                                   {"30000000,0,-30000000", BlockPos{30'000'000, 0, -30'000'000}}}) {
    const auto place = parse_place("--from", text);
    ASSERT_TRUE(place) << text << ": " << place.error().message;
    EXPECT_EQ(*place, Place(cell)) << text;
    EXPECT_EQ(to_text(*place), text);
  }
}

TEST(PlaceText, ADecimalPointMakesAPosition) {
  for (const auto& [text, at] : {std::pair{"-3.5,64,-3.5", Vec3{-3.5, 64, -3.5}},
                                 {"1,2,3.", Vec3{1, 2, 3}},
                                 {"-.5,.25,0", Vec3{-0.5, 0.25, 0}}}) {
    const auto place = parse_place("--from", text);
    ASSERT_TRUE(place) << text << ": " << place.error().message;
    EXPECT_EQ(*place, Place(at)) << text;
  }
  EXPECT_EQ(to_text(Place(Vec3{-3.5, 64, 0.0625})), "-3.5,64.0,0.0625");
}

TEST(PlaceText, APositionIsCellByFloor) {
  EXPECT_EQ(cell_of(Place(Vec3{-0.5, 63.99, -16.0})), (BlockPos{-1, 63, -16}));
  EXPECT_EQ(position_of(Place(BlockPos{-1, 63, 2})), (Vec3{-0.5, 63, 2.5}));
}

class BadPlace : public testing::TestWithParam<const char*> {};
TEST_P(BadPlace, IsRefusedByName) {
  const auto place = parse_place("--from", GetParam());
  ASSERT_FALSE(place);
  EXPECT_EQ(place.error().code, world::ErrorCode::invalid_argument);
  EXPECT_TRUE(place.error().message.starts_with("--from = \"")) << place.error().message;
}
INSTANTIATE_TEST_SUITE_P(PlaceText, BadPlace,
                         testing::Values("", ",", ",,", "1,2", "1,2,", "1,2,3,4", "1,2,3,", "a,b,c", "1,2,x", "1, 2,3",
                                         " 1,2,3", "1,2,3 ", "nan,0,0", "0,inf,0", "0,0,-inf", "1e9,0,0",
                                         "30000001,0,0", "0,-30000000.1,0", "1e400,0,0", "15e-1,0,0", "0x1,2,3",
                                         "+1,2,3", "1;2;3", "--1,2,3", "\xff,\x01,2"));

TEST(PlaceText, BoxesTakeCornersInAnyOrder) {
  const auto box = parse_box("--box", "3,64,-3..-3,60,3");
  ASSERT_TRUE(box) << box.error().message;
  EXPECT_EQ(*box, (world::Box{{-3, 60, -3}, {3, 64, 3}}));
  for (const char* text :
       {"", "1,2,3", "1,2,3..", "..1,2,3", "1,2,3...4,5,6", "1.5,2,3..4,5,6", "1,2,3..4,5,6..7,8,9"}) {
    EXPECT_FALSE(parse_box("--box", text)) << text;
  }
}

TEST(PlaceText, HeightsAreBlocks) {
  EXPECT_EQ(blocks_text(1024), "64");
  EXPECT_EQ(blocks_text(1033), "64.5625");
  EXPECT_EQ(blocks_text(-8), "-0.5");
}

}  // namespace
}  // namespace voxpath::server
