// The controller in simulated worlds: how it walks, when it asks again, and what it does when that does not help.
#include "tests/unit/mob/simulation.hpp"

#include <algorithm>
#include <numbers>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace voxpath::test {
namespace {

using mob::Cell;
using mob::Point;
using testing::Ge;

/// A mob that goes from A to B and back to A wavers.
int to_and_fro(const std::vector<Cell>& cells) {
  int count = 0;
  for (std::size_t i = 2; i < cells.size(); ++i) count += cells[i].x == cells[i - 2].x && cells[i].z == cells[i - 2].z;
  return count;
}

std::vector<Cell> ahead_of(const Actor& actor) {
  std::vector<Cell> cells;
  const mob::Route& route = actor.controller.route();
  for (std::size_t i = route.next(); i < route.size(); ++i) cells.push_back(route.point(i).cell);
  return cells;
}

TEST(MobController, WalksToATargetThatStandsStillAndAsksOnce) {
  WorldBuilder world;
  floor_of(world, 32);
  world.fill({10, 1, 0}, {10, 2, 20}, world.stone());
  Simulation sim(world, 2);
  Actor& actor = sim.add(zombie(), {2.5, 1, 2.5}, {20.5, 1, 2.5});
  ASSERT_TRUE(sim.arrives(actor, 400));
  EXPECT_EQ(actor.asks, 1);
  EXPECT_EQ(actor.bumps, 0);
  EXPECT_EQ(to_and_fro(actor.cells), 0);
  EXPECT_TRUE(actor.watches.empty()) << "who has arrived needs no watch";
}

TEST(MobController, ClimbsUpAndDownAsItsBodyCan) {
  WorldBuilder world;
  floor_of(world, 32);
  for (int x = 5; x < 15; ++x) world.fill({x, 1, 0}, {x, std::min(x - 4, 15 - x), 31}, world.stone());
  Simulation sim(world, 1);
  Actor& actor = sim.add(zombie(), {1.5, 1, 5.5}, {28.5, 1, 9.5});
  ASSERT_TRUE(sim.arrives(actor, 600));
  EXPECT_LE(actor.bumps, 10)
      << "a body that jumps late bumps now and then, but a route through blocks is bumped at for good";
  EXPECT_EQ(actor.asks, 1);
}

TEST(MobController, AsksAgainWhenItsPathBreaks) {
  WorldBuilder world;
  floor_of(world, 32);
  Simulation sim(world, 2);
  Actor& actor = sim.add(zombie(), {2.5, 1, 10.5}, {25.5, 1, 10.5});
  sim.run(20);
  ASSERT_EQ(actor.asks, 1);
  for (int z = 5; z <= 16; ++z) {
    sim.set({15, 1, z}, world.stone());
    sim.set({15, 2, z}, world.stone());
  }
  sim.run(1);
  EXPECT_EQ(actor.asks, 2) << "at once, though the cool-down is not over";
  ASSERT_TRUE(sim.arrives(actor, 400));
  EXPECT_EQ(actor.bumps, 0) << "it went round before it was there";
  EXPECT_LE(actor.watches.size(), 1u);
}

TEST(MobController, WithoutWatchesItFindsOutWhenItAsksFromAPlaceThatIsGone) {
  WorldBuilder world;
  floor_of(world, 32);
  Simulation sim(world, 2);
  auto settings = zombie();
  settings.watch = false;
  Actor& actor = sim.add(settings, {2.5, 1, 10.5}, {28.5, 1, 10.5});
  sim.run(30);
  actor.target.z = 28.5;  // it asks again, from a waypoint ahead
  sim.run(1);
  ASSERT_EQ(actor.questions.size(), 2u);
  ASSERT_TRUE(actor.questions[1].start().has_cell());
  const v1::BlockPos ahead = actor.questions[1].start().cell();
  world.fill({ahead.x(), 1, ahead.z()}, {ahead.x(), 4, ahead.z()}, world.stone());
  ASSERT_TRUE(sim.arrives(actor, 400));
  EXPECT_EQ(actor.answers[1].status(), v1::PathAnswer::START_INVALID);
  EXPECT_EQ(actor.bumps, 0) << "it did not run into what is there now";
}

TEST(MobController, EditsElsewhereAreNoReasonToAsk) {
  WorldBuilder world;
  floor_of(world, 32);
  Simulation sim(world, 2);
  Actor& actor = sim.add(zombie(), {2.5, 1, 10.5}, {25.5, 1, 10.5});
  ASSERT_TRUE(sim.arrives(actor, 400, [&] {
    if (sim.tick() % 3 == 0) sim.set({static_cast<int>(sim.tick() % 30), 1, 25}, world.stone());
  }));
  EXPECT_EQ(actor.asks, 1);
}

TEST(MobController, AsksAgainWhenTheTargetHasMovedMoreThanHalfOfWhatIsLeft) {
  WorldBuilder world;
  floor_of(world, 64);
  Simulation sim(world, 2);
  Actor& actor = sim.add(zombie(), {2.5, 1, 10.5}, {42.5, 1, 10.5});
  sim.run(30);
  actor.target.z = 25.5;  // 15 blocks; about 34 are left
  sim.run(20);
  EXPECT_EQ(actor.asks, 1) << "15 blocks are less than half of what is left";
  actor.target.z = 30.5;
  sim.run(2);
  EXPECT_EQ(actor.asks, 2);
  ASSERT_TRUE(sim.arrives(actor, 600));
}

TEST(MobController, CoolsDownBetweenQuestions) {
  WorldBuilder world;
  floor_of(world, 64);
  Simulation sim(world, 1);
  Actor& actor = sim.add(zombie(), {2.5, 1, 2.5}, {60.5, 1, 2.5});
  // The target jumps between two far places each tick.
  sim.run(200, [&] { actor.target.z = sim.tick() % 2 == 0 ? 2.5 : 60.5; });
  ASSERT_GT(actor.asks, 5);
  for (std::size_t i = 1; i < actor.ask_ticks.size(); ++i)
    EXPECT_GE(actor.ask_ticks[i] - actor.ask_ticks[i - 1], actor.controller.settings().cooldown_ticks);
}

TEST(MobController, ATargetThatHopsOnOneSpotNeverRestartsASearch) {
  WorldBuilder world;
  floor_of(world, 48);
  Simulation sim(world, 30);
  Actor& actor = sim.add(zombie(), {2.5, 1, 10.5}, {42.5, 1, 10.5});
  const auto hop = [&] {
    actor.target.y = 1 + 1.25 * std::abs(std::sin(static_cast<double>(sim.tick()) * std::numbers::pi / 12));
  };
  ASSERT_TRUE(sim.arrives(actor, 400, hop));
  EXPECT_EQ(actor.asks, 1);
  EXPECT_EQ(actor.answers.size(), 1u);
}

TEST(MobController, AnswersComeThoughTheTargetMovesEachTick) {
  for (const std::uint64_t latency : {1u, 3u, 8u}) {
    WorldBuilder world;
    floor_of(world, 64);
    Simulation sim(world, latency);
    Actor& actor = sim.add(zombie(), {5.5, 1, 5.5}, {50.5, 1, 5.5});
    const auto circle = [&] {
      const double angle = static_cast<double>(sim.tick()) * 0.02;
      actor.target = {32 + 25 * std::cos(angle), 1, 32 + 25 * std::sin(angle)};
    };
    sim.run(static_cast<int>(latency) + 3, circle);
    EXPECT_GT(mob::flat_distance(actor.at, {5.5, 1, 5.5}), 0.1) << "it walks, latency " << latency;
    const int waited = actor.waited;
    sim.run(300, circle);
    EXPECT_LE(actor.waited - waited, 3) << "and goes on walking while it asks, latency " << latency;
    EXPECT_GT(actor.asks, 2);
    EXPECT_EQ(static_cast<int>(actor.answers.size()), actor.asks - (actor.controller.asking() ? 1 : 0));
  }
}

TEST(MobController, KeepsWalkingTheOldPathAndNeverTurnsBackForTheNewOne) {
  for (const std::uint64_t latency : {1u, 5u, 15u, 40u}) {
    WorldBuilder world;
    floor_of(world, 100);
    Simulation sim(world, latency);
    auto settings = zombie();
    settings.replan_every_ticks = 5;
    Actor& actor = sim.add(settings, {2.5, 1, 50.5}, {95.5, 1, 50.5});
    sim.run(static_cast<int>(latency) + 2);
    double x = actor.at.x;
    int stood = 0;
    while (actor.at.x < 90 && sim.tick() < 1000) {
      sim.run(1, [&] { actor.target.z = 50.5 + (sim.tick() / 40 % 2 == 0 ? 4 : -4); });
      EXPECT_GE(actor.at.x, x - 1e-9) << "latency " << latency << " tick " << sim.tick();
      stood += actor.at.x == x && sim.tick() > latency + 3;
      x = actor.at.x;
    }
    EXPECT_GE(actor.at.x, 90) << latency;
    EXPECT_GT(actor.answers.size(), 5u);
    EXPECT_LE(stood, 2) << "latency " << latency;
  }
}

TEST(MobController, TenReplansOnAnUnchangedWorldGiveTheSameSuffix) {
  WorldBuilder world;
  floor_of(world, 64);
  for (int i = 0; i < 12; ++i)
    world.fill({10 + 4 * (i % 6), 1, 8 + 5 * (i / 3)}, {11 + 4 * (i % 6), 2, 10 + 5 * (i / 3)}, world.stone());
  Simulation sim(world, 3);
  auto settings = zombie();
  settings.replan_every_ticks = 8;
  Actor& actor = sim.add(settings, {2.5, 1, 4.5}, {50.5, 1, 37.5});
  sim.run(12);
  const std::vector<Cell> first = ahead_of(actor);
  ASSERT_GT(first.size(), 40u);
  while (actor.answers.size() < 12) {
    sim.run(1);
    const std::vector<Cell> now = ahead_of(actor);
    ASSERT_LE(now.size(), first.size());
    EXPECT_TRUE(std::equal(now.rbegin(), now.rend(), first.rbegin())) << "after " << actor.answers.size() << " answers";
  }
}

TEST(MobController, TenReplansWhileBlocksChangeElsewhereGiveTheSameSuffixToo) {
  WorldBuilder world;
  floor_of(world, 64);
  Simulation sim(world, 3);
  auto settings = zombie();
  settings.replan_every_ticks = 8;
  Actor& actor = sim.add(settings, {2.5, 1, 4.5}, {50.5, 1, 37.5});
  sim.run(12);
  const std::vector<Cell> first = ahead_of(actor);
  while (actor.answers.size() < 12) {
    sim.set({static_cast<int>(sim.tick() % 60), 1, 62}, world.stone());
    sim.run(1);
    const std::vector<Cell> now = ahead_of(actor);
    EXPECT_TRUE(now.size() <= first.size() && std::equal(now.rbegin(), now.rend(), first.rbegin()));
  }
}

TEST(MobController, WalksPartialPathsToTheGoalWithoutGoingToAndFro) {
  for (const std::uint32_t expansions : {30u, 60u, 200u, 1000u}) {
    WorldBuilder world;
    floor_of(world, 64);
    for (int i = 0; i < 6; ++i)
      world.fill({8 + 8 * i, 1, i % 2 == 0 ? 0 : 20}, {8 + 8 * i, 2, i % 2 == 0 ? 43 : 63}, world.stone());
    Simulation sim(world, 2);
    auto settings = zombie();
    settings.expansions = expansions;
    Actor& actor = sim.add(settings, {2.5, 1, 30.5}, {60.5, 1, 30.5});
    ASSERT_TRUE(sim.arrives(actor, 4000)) << expansions;
    EXPECT_EQ(to_and_fro(actor.cells), 0) << expansions;
    if (expansions < 500) {
      EXPECT_GT(std::count_if(actor.answers.begin(), actor.answers.end(),
                              [](const v1::PathAnswer& a) { return a.status() == v1::PathAnswer::PARTIAL; }),
                1)
          << "or this was no test of partial paths";
    }
  }
}

TEST(MobController, FollowsTheWayToAnUnreachableTargetToItsEndAndAsksAtGrowingIntervals) {
  WorldBuilder world;
  floor_of(world, 24);
  world.fill({28, 0, 0}, {31, 0, 23}, world.stone());  // beyond a gap
  world.known({-1, -1}, {2, 2});
  Simulation sim(world, 2);
  Actor& actor = sim.add(zombie(), {2.5, 1, 10.5}, {30.5, 1, 10.5});
  sim.run(1200);
  EXPECT_EQ(mob::cell_of(actor.at).x, 23) << "as near as it can get";
  EXPECT_EQ(actor.controller.status(), v1::PathAnswer::UNREACHABLE);
  EXPECT_EQ(to_and_fro(actor.cells), 0);
  ASSERT_GE(actor.ask_ticks.size(), 5u);
  std::vector<std::uint64_t> pauses;
  for (std::size_t i = 2; i < actor.ask_ticks.size(); ++i)
    pauses.push_back(actor.ask_ticks[i] - actor.ask_ticks[i - 1]);
  EXPECT_TRUE(std::is_sorted(pauses.begin(), pauses.end())) << testing::PrintToString(pauses);
  EXPECT_THAT(pauses.back(), Ge(actor.controller.settings().pause_max_ticks));
  EXPECT_LE(actor.asks, 12);
  // The target hops about on its island: still no flood of questions.
  const int before = actor.asks;
  sim.run(400, [&] { actor.target.z = 10.5 + static_cast<double>(sim.tick() % 5); });
  EXPECT_LE(actor.asks - before, 3);
  // Once there is a bridge, the next question finds it.
  for (int x = 24; x < 28; ++x) sim.set({x, 0, 10}, world.stone());
  EXPECT_TRUE(sim.arrives(actor, 600));
}

TEST(MobController, TargetsInTheAirOnAFenceAndBehindItAreTakenForTheGroundThere) {
  WorldBuilder world;
  floor_of(world, 32);
  const auto fence = world.state("minecraft:oak_fence", {.bottom = 0, .top = 24});
  for (int z = 5; z < 15; ++z) world.set({20, 1, z}, fence);
  Simulation sim(world, 2);
  Actor& below = sim.add(zombie(), {2.5, 1, 10.5}, {15.5, 9, 10.5});
  sim.run(250);
  EXPECT_EQ(mob::cell_of(below.at), (Cell{15, 1, 10})) << "right below who is in the air";
  EXPECT_EQ(below.asks, 1);
  Actor& behind = sim.add(zombie(), {2.5, 1, 8.5}, {21.3, 1, 10.5});
  ASSERT_TRUE(sim.arrives(behind, 300)) << "round the fence";
  EXPECT_EQ(behind.asks, 1);
  EXPECT_EQ(behind.bumps, 0);
  Actor& under = sim.add(zombie(), {2.5, 1, 8.5}, {20.5, 2.5, 10.5});
  sim.run(300);
  EXPECT_LE(mob::flat_distance(under.at, under.target), 2.0) << "as near as one gets to who stands on a fence";
  EXPECT_LE(under.asks, 8);
}

TEST(MobController, GoesOnFromWhereItWasKnockedTo) {
  WorldBuilder world;
  floor_of(world, 40);
  Simulation sim(world, 2);
  Actor& actor = sim.add(zombie(), {2.5, 1, 10.5}, {35.5, 1, 10.5});
  sim.run(40);
  actor.at = {actor.at.x - 3, 1, 13.2};
  ASSERT_TRUE(sim.arrives(actor, 400));
  EXPECT_EQ(actor.bumps, 0);
}

TEST(MobController, BeingStuckEscalatesAndASecondWayIsFound) {
  WorldBuilder world;
  floor_of(world, 32);
  world.fill({12, 1, 0}, {12, 2, 31}, world.stone());
  world.fill({12, 1, 10}, {12, 2, 10}, WorldBuilder::air());
  world.fill({12, 1, 28}, {12, 2, 28}, WorldBuilder::air());
  Simulation sim(world, 2);
  sim.ghost = [](Point p) { return p.x > 11.5 && p.x < 13 && p.z > 9.5 && p.z < 11.5; };
  Actor& actor = sim.add(zombie(), {2.5, 1, 10.5}, {25.5, 1, 10.5});
  ASSERT_TRUE(sim.arrives(actor, 1200));
  ASSERT_GE(actor.questions.size(), 3u);
  EXPECT_TRUE(actor.questions[0].priced_boxes().empty());
  EXPECT_TRUE(actor.questions[1].start().has_position()) << "first it asks from where it is";
  EXPECT_TRUE(actor.questions[1].priced_boxes().empty());
  EXPECT_EQ(actor.questions[2].priced_boxes_size(), 1) << "then it bars the place it cannot get into";
  EXPECT_EQ(actor.controller.stuck_level(), 0) << "and forgets about it once it is free";
}

TEST(MobController, WhoCannotMoveAtAllSaysSoAndAsksSeldom) {
  WorldBuilder world;
  floor_of(world, 32);
  Simulation sim(world, 2);
  Actor& actor = sim.add(zombie(), {10.5, 1, 10.5}, {25.5, 1, 10.5});
  sim.ghost = [](Point p) { return mob::distance(p, {10.5, 1, 10.5}) > 0.01; };
  sim.run(200);
  EXPECT_TRUE(actor.step.helpless);
  const int before = actor.asks;
  sim.run(1000);
  EXPECT_TRUE(actor.step.helpless);
  EXPECT_LE(actor.asks - before, 6);
  sim.ghost = {};
  EXPECT_TRUE(sim.arrives(actor, 600)) << "and goes on when it is free again";
  EXPECT_FALSE(actor.step.helpless);
}

TEST(MobController, ErrorsAreWaitedOutAsLongAsTheServerSays) {
  WorldBuilder world;
  floor_of(world, 32);
  Simulation sim(world, 1);
  v1::Error full;
  full.set_code(v1::Error::RESOURCE_EXHAUSTED);
  full.set_retry_after_ms(3000);
  sim.errors = {full};
  Actor& actor = sim.add(zombie(), {2.5, 1, 10.5}, {25.5, 1, 10.5});
  ASSERT_TRUE(sim.arrives(actor, 400));
  ASSERT_EQ(actor.ask_ticks.size(), 2u);
  EXPECT_GE(actor.ask_ticks[1] - actor.ask_ticks[0], 60u);
}

TEST(MobController, ALostConnectionLosesNothingButTime) {
  WorldBuilder world;
  floor_of(world, 32);
  Simulation sim(world, 5);
  Actor& actor = sim.add(zombie(), {2.5, 1, 10.5}, {25.5, 1, 10.5});
  sim.run(2);
  ASSERT_TRUE(actor.controller.asking());
  actor.controller.on_disconnected();
  EXPECT_FALSE(actor.controller.asking());
  v1::PathAnswer late;
  actor.controller.on_answer(1, late);
  EXPECT_TRUE(actor.controller.route().empty()) << "an answer from before is not taken";
  actor.watches.clear();
  EXPECT_TRUE(sim.arrives(actor, 400));
}

TEST(MobController, HoldsNoMoreWatchesThanItNeeds) {
  WorldBuilder world;
  floor_of(world, 64);
  Simulation sim(world, 3);
  auto settings = zombie();
  settings.replan_every_ticks = 7;
  Actor& actor = sim.add(settings, {2.5, 1, 2.5}, {60.5, 1, 30.5});
  std::size_t most = 0;
  sim.run(200, [&] {
    actor.target.z = 30.5 + static_cast<double>(sim.tick() % 20);
    most = std::max(most, actor.watches.size());
  });
  EXPECT_GE(most, 1u);
  EXPECT_LE(most, 4u) << "that of the piece being walked, of the next, and of an answer just come";
}

}  // namespace
}  // namespace voxpath::test
