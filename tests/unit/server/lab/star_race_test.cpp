// The star race: its search is exact, its tables say what it did, and a seed is a race.
#include "server/lab/star_race.hpp"

#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

namespace voxpath::server::lab {
namespace {

/// Fewest steps by breadth-first search, as the judge of search_star().
int fewest_steps(const Stage& stage, Cell from, Cell to) {
  Maze maze(kStageSize + 3);  // an odd size; the stage lies at (1, 1)
  for (int y = 0; y < kStageSize; ++y) {
    for (int x = 0; x < kStageSize; ++x) {
      if (stage.free({x, y})) maze.clear({x + 1, y + 1});
    }
  }
  Distances distances(maze);
  distances.from(to + Cell{1, 1});
  return distances.at(from + Cell{1, 1});
}

TEST(StarRace, SearchesAreExactAndTablesAddUp) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const StarRace race({.seed = seed, .blocked = static_cast<int>(seed % 31)});
    const Cell from = race.runners()[0];
    const StarSearch search = search_star(race.stage(), from, race.star());
    ASSERT_FALSE(search.path.empty()) << "every stage hangs together";
    EXPECT_EQ(static_cast<int>(search.path.size()) - 1, fewest_steps(race.stage(), from, race.star())) << seed;
    for (std::size_t i = 0; i < search.path.size(); ++i) {
      const std::size_t square = Stage::index(search.path[i]);
      EXPECT_EQ(search.actual[square], static_cast<int>(i));
      EXPECT_EQ(search.total[square], search.actual[square] + search.estimated[square]);
      EXPECT_LE(search.total[square], static_cast<int>(search.path.size()) - 1) << "an estimate is never too much";
    }
    EXPECT_EQ(search.estimated[Stage::index(race.star())], 0);
  }
}

TEST(StarRace, EstimatesAreRounded) {
  const StarSearch search = search_star(Stage(), {0, 0}, {2, 2});
  EXPECT_EQ(search.estimated[Stage::index({0, 0})], 3) << "2.83";
  EXPECT_EQ(search.estimated[Stage::index({1, 1})], 1) << "1.41";
  EXPECT_EQ(search.estimated[Stage::index({9, 9})], kUnvisited);
}

TEST(StarRace, AWallLeavesNoPathAndALimitEndsTheSearch) {
  Stage stage;
  for (int y = 0; y < kStageSize; ++y) stage.blocked[Stage::index({5, y})] = true;
  const StarSearch walled = search_star(stage, {0, 0}, {9, 9});
  EXPECT_TRUE(walled.path.empty());
  EXPECT_EQ(walled.looked_at, 50);
  EXPECT_TRUE(search_star(Stage(), {0, 0}, {9, 9}, 5).path.empty());
}

TEST(StarRace, EndsWithThreeStarsAndTheSameForTheSameSeed) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    StarRace race({.seed = seed}), again({.seed = seed});
    while (!race.over() && race.turns() < 1000) {
      race.turn();
      again.turn();
    }
    ASSERT_EQ(race.collected().size(), 3u) << seed;
    EXPECT_EQ(race.turns(), again.turns());
    for (const StarCollected& star : race.collected()) EXPECT_TRUE(race.stage().free(star.at));
  }
}

}  // namespace
}  // namespace voxpath::server::lab
