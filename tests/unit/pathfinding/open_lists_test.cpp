// Open lists by name: the same nodes in the same order, so the same answer to the last waypoint.
#include "pathfinding/search.hpp"
#include "tests/support/world_builder.hpp"

#include <gtest/gtest.h>

namespace voxpath::pathfinding {
namespace {

/// Floor with walls strewn about by a fixed rule, a pool, and steps.
void rough(test::WorldBuilder& world, int seed) {
  world.fill({0, 0, 0}, {31, 0, 31}, world.stone());
  unsigned state = static_cast<unsigned>(seed);
  for (int x = 0; x < 32; ++x) {
    for (int z = 0; z < 32; ++z) {
      state = state * 1664525u + 1013904223u;
      if (state >> 29 == 0 && x + z > 2 && x + z < 60)
        world.fill({x, 1, z}, {x, 1 + static_cast<int>(state >> 28 & 1u), z}, world.stone());
    }
  }
}

TEST(OpenLists, AllNamedOnesGiveTheSameAnswer) {
  Search search;
  for (int seed = 1; seed <= 8; ++seed) {
    test::WorldBuilder world;
    rough(world, seed);
    for (const Heuristic heuristic : {Heuristic::octile, Heuristic::manhattan, Heuristic::chebyshev, Heuristic::zero}) {
      for (const bool priced : {false, true}) {
        Query query;
        query.start = world::BlockPos{0, 1, 0};
        query.goal = GoalPlaces{{world::BlockPos{31, 1, 31}}};
        query.heuristic = heuristic;
        if (priced) query.priced_boxes = {{.box = {{10, 0, 0}, {14, 9, 25}}, .price = 40}};
        std::vector<Answer> answers;
        for (const OpenListKind kind : {OpenListKind::bucket, OpenListKind::heap, OpenListKind::keyed_heap,
                                        OpenListKind::list, OpenListKind::heapsort}) {
          query.open_list = kind;
          ASSERT_TRUE(search.begin(world.snapshot(), query, {}));
          while (!search.advance(100)) {
          }
          answers.push_back(search.answer());
        }
        if (heuristic != Heuristic::manhattan) {
          EXPECT_EQ(answers[0].cost, answers[1].cost);
        }
        for (std::size_t i = 2; i < answers.size(); ++i) {
          EXPECT_EQ(answers[i].status, answers[1].status);
          EXPECT_EQ(answers[i].cost, answers[1].cost);
          EXPECT_EQ(answers[i].statistics.expanded, answers[1].statistics.expanded);
          ASSERT_EQ(answers[i].path.size(), answers[1].path.size());
          for (std::size_t k = 0; k < answers[i].path.size(); ++k)
            EXPECT_EQ(answers[i].path[k].cell, answers[1].path[k].cell);
        }
      }
    }
  }
}

TEST(OpenLists, BucketsAreForWalkers) {
  test::WorldBuilder world;
  Query query;
  query.goal = GoalPlaces{{world::BlockPos{3, 1, 3}}};
  query.open_list = OpenListKind::bucket;
  query.agent.mode = Mode::fly;
  const auto refused = search(world.snapshot(), query);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("open_list = bucket"), std::string::npos) << refused.error().message;
}

}  // namespace
}  // namespace voxpath::pathfinding
