// The grid searches of the study: what is exact is exact, and the study's numbers are what its paths say.
#include "server/lab/heap_heuristic.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace voxpath::server::lab {
namespace {

TEST(GridSearch, ChebyshevIsExactWithBothListsAndManhattanIsNeverCheaper) {
  for (std::uint32_t seed = 1; seed <= 30; ++seed) {
    RandomStream random(seed);
    const Grid grid = Grid::connected(30, 25, random);
    const double optimum = search_grid(grid, GridVariant::dijkstra).cost();
    for (const GridVariant v : kPublishedVariants) {
      const GridPath path = search_grid(grid, v);
      ASSERT_FALSE(path.cells.empty()) << name(v);
      EXPECT_EQ(path.cells.front(), grid.start());
      EXPECT_EQ(path.cells.back(), grid.goal());
      for (std::size_t i = 1; i < path.cells.size(); ++i) {
        const Cell a = path.cells[i - 1], b = path.cells[i];
        EXPECT_TRUE(grid.free(b) && std::abs(a.x - b.x) <= 1 && std::abs(a.y - b.y) <= 1 && !(a == b));
        EXPECT_TRUE(grid.free({a.x, b.y}) && grid.free({b.x, a.y})) << "no corner is cut";
      }
      if (v == GridVariant::chebyshev_list || v == GridVariant::chebyshev_heap) {
        EXPECT_NEAR(path.cost(), optimum, 1e-9) << name(v);
      } else {
        EXPECT_GE(path.cost(), optimum - 1e-9) << name(v);
      }
    }
  }
}

TEST(GridSearch, TheListDoesNotChangeWhatIsVisited) {
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    RandomStream random(seed);
    const Grid grid = Grid::connected(40, 20, random);
    EXPECT_EQ(search_grid(grid, GridVariant::chebyshev_list).cells,
              search_grid(grid, GridVariant::chebyshev_heap).cells);
    EXPECT_EQ(search_grid(grid, GridVariant::chebyshev_list).visited,
              search_grid(grid, GridVariant::chebyshev_heap).visited);
    EXPECT_EQ(search_grid(grid, GridVariant::manhattan_list).visited,
              search_grid(grid, GridVariant::manhattan_heap_sort).visited);
  }
}

TEST(GridSearch, CountsTurnsAndCosts) {
  const GridPath path{.cells = {{0, 0}, {1, 0}, {2, 1}, {3, 2}, {3, 3}}, .visited = 5};
  EXPECT_EQ(path.turns(), 2);
  EXPECT_NEAR(path.cost(), 2 + 2 * std::sqrt(2.0), 1e-12);
}

TEST(HeapHeuristicStudy, HasARowForEachSizeAndRateAndJudgesTheClaims) {
  const Study study = heap_heuristic_study({.sizes = {20, 40}, .percents = {10, 30}, .seeds = 5}, {});
  ASSERT_EQ(study.rows.size(), 4u);
  for (const StudyRow& row : study.rows) {
    EXPECT_EQ(row.cells[2].cheapest, row.seeds);
    EXPECT_EQ(row.cells[3].cheapest, row.seeds);
    EXPECT_LT(row.cells[4].over_optimum, 0.5) << "voxpath counts a diagonal as 14 to 10";
    EXPECT_GE(row.cells[0].over_optimum, 0);
    EXPECT_LE(row.cells[0].visited, row.cells[3].visited) << "Manhattan visits less";
  }
  const auto claims = judge(study);
  ASSERT_EQ(claims.size(), 4u);
  for (const Claim& c : claims) EXPECT_FALSE(c.claim.empty() || c.verdict.empty() || c.why.empty());
  EXPECT_TRUE(claims[0].verdict.starts_with("not measured")) << claims[0].verdict << ": it is of grids of 200 x 200";
}

TEST(HeapHeuristicStudy, SearchesExactlyHoweverLargeTheGridIs) {
  const Study study = heap_heuristic_study({.sizes = {200}, .percents = {20}, .seeds = 2}, {});
  EXPECT_LT(study.rows.at(0).cells.at(4).over_optimum, 0.1) << "what 14 to 10 comes to, and no way round";
  EXPECT_FALSE(judge(study)[0].verdict.starts_with("not measured"));
}

TEST(HeapHeuristicStudy, ShowsTheShapesOfOneGrid) {
  const PathShapes shapes = path_shapes(20, 20, 7);
  for (std::size_t v = 0; v < kStudyColumns; ++v) EXPECT_FALSE(shapes.paths.at(v).cells.empty()) << column_name(v);
}

}  // namespace
}  // namespace voxpath::server::lab
