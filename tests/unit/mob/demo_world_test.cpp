// A demo world with hills, walls and a pond, in which a zombie with the profile "pocketmine" catches a player who flees.
#include "tests/unit/mob/simulation.hpp"

#include <gtest/gtest.h>

namespace voxpath::test {
namespace {

/// 40 x 40 blocks with a wall round it that nobody gets over.
void demo_world(WorldBuilder& world) {
  constexpr int size = 40;
  world.known({-1, -1}, {2, 2});
  floor_of(world, size);
  for (const int edge : {0, size - 1}) {
    world.fill({edge, 1, 0}, {edge, 4, size - 1}, world.stone());
    world.fill({0, 1, edge}, {size - 1, 4, edge}, world.stone());
  }
  for (int h = 1; h <= 4; ++h) world.fill({20 + h, h, 20 + h}, {36 - h, h, 36 - h}, world.stone());  // a hill in steps
  world.fill({8, 1, 4}, {8, 3, 20}, world.stone());
  world.fill({8, 1, 20}, {16, 3, 20}, world.stone());
  world.fill({24, 1, 4}, {24, 2, 14}, world.stone());
  const auto water = world.state("minecraft:water", {.fluid = world::Fluid::water});
  world.fill({28, 0, 6}, {32, 0, 10}, water);
}

mob::Settings runner(const char* profile, mob::Strategy strategy, double speed) {
  mob::Settings settings = zombie(strategy);
  settings.agent.set_profile(profile);
  settings.speed = speed;
  return settings;
}

TEST(DemoWorld, APocketmineZombieCatchesAFleeingPlayer) {
  WorldBuilder world;
  demo_world(world);
  Simulation sim(world, 2);
  auto hunter = runner("pocketmine", mob::Strategy::path, 0.25);
  hunter.expansions = 1000;  // the plugin's limit
  Actor& hunting = sim.add(hunter, {4.5, 1, 30.5}, {});
  Actor& fleeing = sim.add(runner("zombie", mob::Strategy::flee, 0.2), {12.5, 1, 12.5}, {});
  hunting.height = 2.0;
  int ticks = 0;
  double fled = 0;
  mob::Point before = fleeing.at;
  const auto look = [&] {
    hunting.target = fleeing.at;
    fleeing.target = hunting.at;
    fled += mob::distance(before, fleeing.at);
    before = fleeing.at;
  };
  look();
  for (; ticks < 4000 && !(hunting.step.arrived); ++ticks) sim.run(1, look);
  EXPECT_TRUE(hunting.step.arrived) << "at " << hunting.at.x << ',' << hunting.at.z << " after one at " << fleeing.at.x
                                    << ',' << fleeing.at.z;
  EXPECT_GT(fled, 20) << "the player did run";
  for (const v1::PathAnswer& answer : hunting.answers) EXPECT_LE(answer.expanded(), 1000u);
}

TEST(DemoWorld, AtTheLimitThePocketmineZombieGetsAPathAllTheSame) {
  WorldBuilder world;
  demo_world(world);
  Simulation sim(world, 1);
  auto settings = runner("pocketmine", mob::Strategy::path, 0.25);
  settings.expansions = 20;
  Actor& actor = sim.add(settings, {4.5, 1, 4.5}, {36.5, 1, 5.5});
  sim.run(20);
  ASSERT_FALSE(actor.answers.empty());
  EXPECT_EQ(actor.answers.front().status(), v1::PathAnswer::PARTIAL);
  EXPECT_GT(actor.answers.front().waypoints_size(), 1);
  EXPECT_TRUE(sim.arrives(actor, 4000)) << "one partial path after another";
}

}  // namespace
}  // namespace voxpath::test
