// Drawings of paths and heights, held against drawings that were checked by eye.
#include "server/cli/ascii_map.hpp"

#include "server/scenario/scenario_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace voxpath::server {
namespace {

using world::BlockPos;

/// Straight and diagonal steps through these cells; one block up is a jump, one down a drop.
std::vector<pathfinding::Waypoint> path_through(const std::vector<BlockPos>& corners) {
  using pathfinding::MoveKind;
  std::vector<pathfinding::Waypoint> path;
  const auto sign = [](int v) { return v > 0 ? 1 : v < 0 ? -1 : 0; };
  for (const BlockPos corner : corners) {
    if (path.empty()) path.push_back({.cell = corner, .floor_px = corner.y * 16, .position = {}});
    while (path.back().cell != corner) {
      const BlockPos from = path.back().cell;
      const BlockPos to{from.x + sign(corner.x - from.x), from.y + sign(corner.y - from.y),
                        from.z + sign(corner.z - from.z)};
      const MoveKind kind = to.y > from.y ? MoveKind::jump : to.y < from.y ? MoveKind::drop : MoveKind::walk;
      path.push_back({.cell = to, .floor_px = to.y * 16, .kind = kind, .position = {}});
    }
  }
  return path;
}

/// All layers of the map in the world that the lines draw, as scenario files do.
std::vector<std::string> draw(const std::string& lines, const PathMap& map) {
  const auto table = world::BlockTable::for_version("1.20.4");
  const auto scenario =
      read_scenario("name: map\nagent: Z width=0.6\n" + lines + "query: Z 0,1,0 -> 0,1,0\nexpect: found\n", *table);
  if (!scenario) {
    ADD_FAILURE() << scenario.error().message;
    return {};
  }
  const auto snapshot = scenario->world->snapshot();
  std::vector<std::string> drawn;
  for (const MapLayer& layer : map_layers(map)) {
    const world::Box& w = layer.window;
    drawn.push_back(draw_layer(map, layer, [&](BlockPos p) {
                      EXPECT_TRUE(p.x >= w.min.x && p.x <= w.max.x && p.y >= w.min.y && p.y <= w.max.y &&
                                  p.z >= w.min.z && p.z <= w.max.z)
                          << "looked outside of the window";
                      return world::traits_at(*snapshot, p);
                    }).text);
  }
  return drawn;
}

TEST(AsciiMap, EveryKindOfGroundHasItsLetterAtNegativeCells) {
  const PathMap map{.path = path_through({{-12, 1, -9}, {-6, 1, -9}}), .found = true, .margin = 3};
  EXPECT_THAT(draw(R"(block: + minecraft:oak_log
fill: -20,0,-20 9,0,9 minecraft:stone
layer: y=1 z=-12 x=-12
#wl+C=D
dL^F_.!
.......
S.....G
end
fill: -12,2,-12 -12,2,-12 minecraft:stone
fill: -6,2,-12 -6,2,-12 D
fill: -12,0,-8 -9,0,-8 minecraft:air
fill: -8,0,-8 -8,0,-8 minecraft:magma_block
fill: -7,0,-8 -7,0,-8 minecraft:air
)",
                   map),
              testing::ElementsAre("y = 1, moves 0 to 6\n"
                                   "     x      -10\n"
                                   "            |\n"
                                   " z -12 ...#~%+!.D...\n"
                                   "   -11 ...dH!#..!...\n"
                                   "   -10 .............\n"
                                   "    -9 ...S*****G...\n"
                                   "    -8 ...    ! ....\n"
                                   "    -7 .............\n"
                                   "    -6 .............\n"));
}

TEST(AsciiMap, MissingChunksAreTold) {
  const PathMap map{.path = path_through({{14, 1, 0}, {15, 1, 0}}), .goal = {17, 1, 0}, .found = false, .margin = 2};
  EXPECT_THAT(draw("world: outside=missing\nfill: 0,0,-8 15,0,8 minecraft:stone\n", map),
              testing::ElementsAre("y = 1, moves 0 to 1\n"
                                   "    x 12\n"
                                   "      |\n"
                                   " z -2 ....??\n"
                                   "   -1 ....??\n"
                                   "    0 ..SE?G\n"
                                   "    1 ....??\n"
                                   "    2 ....??\n"));
}

TEST(AsciiMap, WideMobsAreDrawnWithTheirWholeFootprint) {
  PathMap map{.path = path_through({{0, 1, 0}, {0, 1, 2}, {4, 1, 2}, {4, 1, 0}}), .found = true, .margin = 1};
  map.agent.width_px = 23;
  EXPECT_THAT(draw("fill: -3,0,-3 8,0,8 minecraft:stone\nfill: 2,1,-3 3,3,1 minecraft:stone\n", map),
              testing::ElementsAre("y = 1, moves 0 to 8\n"
                                   "    x  0\n"
                                   "       |\n"
                                   " z -1 ...##...\n"
                                   "    0 .SS##GG.\n"
                                   "    1 .SS##GG.\n"
                                   "    2 .******.\n"
                                   "    3 .******.\n"
                                   "    4 ........\n"));
}

TEST(AsciiMap, APathOverItselfGoesOnInTheNextLayer) {
  const PathMap map{.path = path_through({{0, 1, 0}, {3, 1, 0}, {3, 4, 3}, {1, 4, 1}, {1, 4, 0}, {0, 4, 0}}),
                    .found = true,
                    .margin = 0};
  EXPECT_THAT(draw(R"(fill: 0,0,0 3,0,3 minecraft:stone
fill: 3,1,1 3,1,1 minecraft:stone
fill: 3,1,2 3,2,2 minecraft:stone
fill: 0,3,0 2,3,3 minecraft:stone
fill: 3,1,3 3,3,3 minecraft:stone
)",
                   map),
              testing::ElementsAre("y = 1..4, moves 0 to 8\n"
                                   "   x 0\n"
                                   "     |\n"
                                   " z 0 S***\n"
                                   "   1 .>.^\n"
                                   "   2 ..*^\n"
                                   "   3 ..+^\n",
                                   "y = 4, moves 8 to 10\n"
                                   "   x 0\n"
                                   "     |\n"
                                   " z 0 G*\n"
                                   "   1 .<\n"));
}

TEST(AsciiMap, AnInvalidStartIsDrawnWithItsSurroundings) {
  const PathMap map{.path = {}, .start = {2, 1, 2}, .goal = {4, 1, 4}, .margin = 2};
  EXPECT_THAT(draw("fill: 0,0,0 4,0,4 minecraft:stone\nfill: 1,1,1 3,4,3 minecraft:stone\n", map),
              testing::ElementsAre("y = 1\n"
                                   "   x 0\n"
                                   "     |\n"
                                   " z 0 .....\n"
                                   "   1 .###.\n"
                                   "   2 .#S#.\n"
                                   "   3 .###.\n"
                                   "   4 ....G\n"));
}

TEST(AsciiMap, LongPathsArePiecesOfAtMostTheLargestSide) {
  PathMap map;
  map.margin = 3;
  for (int x = 0; x < 1000; ++x) map.path.push_back({.cell = {x, 64, x / 10}, .floor_px = 1024, .position = {}});
  const auto layers = map_layers(map);
  std::size_t next = 0;
  for (const MapLayer& layer : layers) {
    EXPECT_EQ(layer.first, next);
    EXPECT_GT(layer.last, layer.first);
    EXPECT_LE(layer.window.max.x - layer.window.min.x + 1, kMapSideMax);
    EXPECT_LE(layer.window.max.z - layer.window.min.z + 1, kMapSideMax);
    next = layer.last;
  }
  EXPECT_EQ(next, 999u);
}

TEST(AsciiMap, AFallDeeperThanADrawingIsStillPartOfOne) {
  PathMap map;
  for (const int y : {200, 200, 20, 20}) {
    const auto i = static_cast<int>(map.path.size());
    map.path.push_back({.cell = {i, y, 0}, .floor_px = y * 16, .position = {}});
  }
  const auto layers = map_layers(map);
  EXPECT_EQ(layers.front().first, 0u);
  EXPECT_EQ(layers.back().last, 3u);
  for (std::size_t i = 1; i < layers.size(); ++i) EXPECT_EQ(layers[i].first, layers[i - 1].last);
}

TEST(AsciiMap, ALadderEndsALayer) {
  PathMap map;
  for (const world::BlockPos cell :
       {world::BlockPos{0, 1, 0}, {1, 1, 0}, {1, 2, 0}, {1, 3, 0}, {1, 4, 0}, {1, 5, 0}, {2, 5, 0}, {3, 5, 0}}) {
    map.path.push_back({.cell = cell, .floor_px = cell.y * 16, .position = {}});
  }
  const auto layers = map_layers(map);
  ASSERT_EQ(layers.size(), 2u);
  EXPECT_EQ(layers[0].last, 5u);
  EXPECT_EQ(layers[1].first, 5u);
}

TEST(AsciiMap, TheLegendNamesWhatOccursAndNothingElse) {
  EXPECT_EQ(map_legend({'S', '*', 'G', '~'}), "S start   G goal   * path   ~ water\n");
  EXPECT_THAT(map_legend({' '}), testing::HasSubstr("blank"));
}

TEST(AsciiMap, HeightsCountFromTheLowest) {
  using Kind = HeightCell::Kind;
  EXPECT_EQ(draw_heights(-1, -1, 3,
                         {{Kind::dry, 1024},
                          {Kind::dry, 1040},
                          {Kind::dry, 1039},
                          {Kind::water, 1024},
                          {Kind::lava, 1024},
                          {Kind::pit, 0},
                          {Kind::missing, 0},
                          {Kind::dry, 1056},
                          {Kind::dry, 1024}}),
            "    x  0\n"
            "       |\n"
            " z -1 010\n"
            "    0 ~%\n"
            "    1 ?20\n"
            "0 is y = 64, 1 is 65, ... 2 is 66   ~ water   % lava   ? missing chunk   blank: no ground\n");
  const std::string steep = draw_heights(0, 0, 2, {{Kind::dry, 0}, {Kind::dry, 16 * 100}});
  EXPECT_THAT(steep, testing::HasSubstr("each digit and letter 3 blocks more"));
  EXPECT_THAT(draw_heights(0, 0, 1, {{Kind::missing, 0}}), testing::HasSubstr("?"));
}

}  // namespace
}  // namespace voxpath::server
