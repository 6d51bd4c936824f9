// Strategies: each does what its name says, and the same again with the same seed.
#include "tests/unit/mob/simulation.hpp"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

namespace voxpath::test {
namespace {

using mob::Point;
using mob::Strategy;

TEST(MobStrategy, GoesByName) {
  for (const std::string_view each : mob::kStrategyNames) {
    const auto strategy = mob::strategy_named(each);
    ASSERT_TRUE(strategy) << each;
    EXPECT_EQ(mob::name(*strategy), each);
  }
  EXPECT_FALSE(mob::strategy_named("Path"));
}

/// A bag of walls, open to the west, between mob and target.
void bag(WorldBuilder& world) {
  floor_of(world, 32);
  world.fill({14, 1, 6}, {14, 2, 14}, world.stone());
  world.fill({6, 1, 6}, {14, 2, 6}, world.stone());
  world.fill({6, 1, 14}, {14, 2, 14}, world.stone());
}

TEST(MobStrategy, GreedyRunsIntoTheBagThatPathLeaves) {
  WorldBuilder world;
  bag(world);
  Simulation sim(world, 1);
  Actor& greedy = sim.add(zombie(Strategy::greedy), {10.5, 1, 10.5}, {20.5, 1, 10.5});
  Actor& path = sim.add(zombie(), {10.5, 1, 10.5}, {20.5, 1, 10.5});
  sim.run(400);
  EXPECT_EQ(greedy.asks, 0);
  EXPECT_FALSE(greedy.step.arrived);
  EXPECT_EQ(mob::cell_of(greedy.at).x, 13);
  EXPECT_TRUE(path.step.arrived);
}

/// Ticks until the mob has the target, which goes straight on.
int caught_after(Strategy strategy) {
  WorldBuilder world;
  floor_of(world, 128);
  Simulation sim(world, 2);
  auto settings = zombie(strategy);
  settings.speed = 0.22;
  Actor& actor = sim.add(settings, {64.5, 1, 10.5}, {20.5, 1, 40.5});
  for (int i = 0; i < 600; ++i) {
    sim.run(1, [&] { actor.target.x += 0.15; });
    if (actor.step.arrived) return i;
  }
  return 600;
}

TEST(MobStrategy, InterceptIsThereSoonerThanWhoRunsAfter) {
  const int intercept = caught_after(Strategy::intercept), path = caught_after(Strategy::path);
  EXPECT_LT(intercept, path * 9 / 10) << path;
}

TEST(MobStrategy, APackThatSurroundsComesFromAllSides) {
  WorldBuilder world;
  floor_of(world, 48);
  Simulation sim(world, 2);
  std::vector<Actor*> pack, crowd;
  for (std::uint32_t i = 0; i < 4; ++i) {
    auto settings = zombie(Strategy::surround);
    settings.pack_index = i;
    pack.push_back(&sim.add(settings, {8.5, 1, 20.5 + i}, {30.5, 1, 22.5}));
    crowd.push_back(&sim.add(zombie(), {8.5, 1, 20.5 + i}, {30.5, 1, 22.5}));
  }
  sim.run(600);
  const auto sides = [](const std::vector<Actor*>& mobs) {
    std::set<std::string> all;
    for (const Actor* m : mobs) {
      EXPECT_TRUE(m->step.arrived);
      const int dx = mob::cell_of(m->at).x - 30, dz = mob::cell_of(m->at).z - 22;
      const int k = std::max(std::abs(dx), std::abs(dz));  // the ring; its corners belong to one side each
      all.insert(dx == k && dz > -k ? "east" : dz == k ? "south" : dx == -k ? "west" : "north");
    }
    return all.size();
  };
  EXPECT_EQ(sides(pack), 4u);
  EXPECT_LE(sides(crowd), 2u) << "who takes the shortest path comes from where it was";
}

TEST(MobStrategy, FleeEndsFarEnoughAway) {
  WorldBuilder world;
  floor_of(world, 96);
  Simulation sim(world, 2);
  Actor& actor = sim.add(zombie(Strategy::flee), {40.5, 1, 40.5}, {43.5, 1, 40.5});
  ASSERT_TRUE(sim.arrives(actor, 400));
  EXPECT_GE(mob::flat_distance(actor.at, actor.target), mob::kFleeBlocks - 0.5);
  actor.target = {actor.at.x + 4, 1, actor.at.z};
  actor.step = {};
  EXPECT_TRUE(sim.arrives(actor, 400)) << "and runs again when it is followed";
}

std::vector<mob::Cell> wander(std::uint64_t seed) {
  WorldBuilder world;
  floor_of(world, 64);
  Simulation sim(world, 2);
  auto settings = zombie(Strategy::random);
  settings.seed = seed;
  Actor& actor = sim.add(settings, {32.5, 1, 32.5}, {0, 1, 0});
  sim.run(600);
  EXPECT_GT(actor.asks, 5);
  return actor.cells;
}

TEST(MobStrategy, RandomWalksAreSeeded) {
  const auto walk = wander(7);
  EXPECT_GT(walk.size(), 30u);
  EXPECT_EQ(walk, wander(7));
  EXPECT_NE(walk, wander(8));
}

}  // namespace
}  // namespace voxpath::test
