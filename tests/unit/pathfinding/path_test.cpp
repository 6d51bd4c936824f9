// Paths after they were found: how many moves they had, what they depend on, whether they still hold.
#include "pathfinding/path.hpp"

#include "pathfinding/profiles.hpp"
#include "pathfinding/search.hpp"
#include "tests/support/world_builder.hpp"

#include <algorithm>
#include <random>
#include <stdexcept>

#include <gtest/gtest.h>

namespace voxpath::pathfinding {
namespace {

using test::WorldBuilder;
using world::BlockPos;

Answer ask(const WorldBuilder& world, BlockPos from, BlockPos to, Simplify simplify, const Agent& agent = {}) {
  Query q;
  q.agent = agent;
  q.start = from;
  q.goal = GoalPlaces{{to}};
  q.simplify = simplify;
  auto answer = search(world.snapshot(), q);
  if (!answer) throw std::runtime_error(answer.error().message);
  return *std::move(answer);
}

TEST(MoveCount, IsTheWholePathsHoweverItIsSimplified) {
  WorldBuilder b;
  b.fill({0, 0, 0}, {40, 0, 40}, b.stone());
  for (const Simplify how : {Simplify::none, Simplify::corners, Simplify::line_of_sight}) {
    const Answer a = ask(b, {0, 1, 0}, {30, 1, 10}, how);
    EXPECT_EQ(a.moves(), 30u);
    EXPECT_EQ(how == Simplify::none, a.path.size() == 31) << a.path.size();
  }
  EXPECT_EQ(ask(b, {3, 1, 3}, {3, 1, 3}, Simplify::none).moves(), 0u);
  EXPECT_EQ(ask(b, {3, 200, 90}, {3, 1, 3}, Simplify::none).moves(), 0u) << "no start, no path";
}

TEST(Sections, HoldTheStraightPiecesThatTheWayItselfDoesNotTouch) {
  WorldBuilder b;
  b.fill({0, 0, 0}, {63, 0, 63}, b.stone());
  const BlockPos from{2, 1, 2};
  bool elsewhere = false;
  for (int dz = 5; dz < 60; dz += 5) {
    const BlockPos to{62, 1, 2 + dz};
    const Answer way = ask(b, from, to, Simplify::none);
    const Answer line = ask(b, from, to, Simplify::line_of_sight);
    ASSERT_EQ(line.path.size(), 2u) << "open ground: one straight piece";
    // A wall somewhere on the line. Wherever it stands, its section must be one that the path is said to depend on.
    for (int x = 4; x < 61; ++x) {
      const BlockPos at{x, 1, 2 + ((x - 2) * dz + 30) / 60};
      b.set(at, b.stone());
      EXPECT_TRUE(validate(line.path, Agent(), *b.snapshot())) << x << ", " << dz;
      b.set(at, WorldBuilder::air());
      const auto depends = [&](const Answer& a) {
        return std::binary_search(a.sections.begin(), a.sections.end(), world::section_of(at));
      };
      EXPECT_TRUE(depends(line)) << x << ", " << dz;
      elsewhere |= !depends(way);
    }
  }
  EXPECT_TRUE(elsewhere) << "the line leaves the way's own sections, else this test shows nothing";
}

TEST(Sections, EveryEditThatBreaksAPathLiesInThem) {
  std::mt19937 random(11);
  const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
  Agent leaper;
  leaper.leap = 3;
  int breaks = 0, broken_beside_the_way = 0;
  for (int round = 0; round < 12; ++round) {
    WorldBuilder b({-32, 64});
    b.fill({0, -1, 0}, {47, -1, 47}, b.stone());
    std::vector<world::Change> changes;
    for (int i = 0; i < 500; ++i) {  // pillars, steps and pits
      const int x = below(48), z = below(48), height = below(4) - 1;
      const BlockPos top{x, std::max(height - 1, -1), z};
      if (height < 0) {
        changes.emplace_back(world::SetBlock{top, world::kAirState});
      } else {
        changes.emplace_back(world::FillBox{{{x, -1, z}, top}, b.stone()});
      }
    }
    ASSERT_TRUE(b.world().apply(changes));
    for (const Agent& agent :
         {Agent(), leaper, *profile_agent("spider"), *profile_agent("bat"), *profile_agent("ravager")}) {
      const auto how = static_cast<Simplify>(round % 3);
      const Answer a = ask(b, {below(48), 3, below(48)}, {below(48), 3, below(48)}, how, agent);
      if (a.path.size() < 2 || validate(a.path, agent, *b.snapshot())) continue;
      for (int i = 0; i < 300; ++i) {
        const BlockPos near = a.path[static_cast<std::size_t>(below(static_cast<unsigned>(a.path.size())))].cell;
        const BlockPos at{near.x + below(9) - 4, near.y + below(9) - 5, near.z + below(9) - 4};
        const world::PaletteEntry* before = b.snapshot()->block(at);
        if (before == nullptr) continue;
        const world::StateId was = before->state;
        b.set(at, was == world::kAirState ? b.stone() : world::kAirState);
        if (validate(a.path, agent, *b.snapshot())) {
          ++breaks;
          ASSERT_TRUE(std::binary_search(a.sections.begin(), a.sections.end(), world::section_of(at)))
              << "round " << round << ", block " << at.x << ',' << at.y << ',' << at.z;
          broken_beside_the_way += at != near;
        }
        b.set(at, was);
      }
    }
  }
  EXPECT_GT(breaks, 300) << "else this shows little";
  EXPECT_GT(broken_beside_the_way, 100);
}

TEST(Validate, HoldsTheAgentsPricesThatForbid) {
  WorldBuilder b;
  b.fill({0, 0, 0}, {20, 0, 4}, b.stone());
  Agent careful;
  careful.cost_near_hazard = kForbidden;
  const Answer a = ask(b, {0, 1, 2}, {15, 1, 2}, Simplify::none, careful);
  ASSERT_EQ(a.status, AnswerStatus::found);
  world::Traits fire;
  fire.hazard = world::Hazard::fire;
  b.set({9, 1, 3}, b.state("minecraft:fire", fire));
  EXPECT_FALSE(validate(a.path, Agent(), *b.snapshot())) << "for others it only costs more";
  const auto fault = validate(a.path, careful, *b.snapshot());
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->index, 8u);
  EXPECT_EQ(fault->obstacle, Obstacle::forbidden);
}

TEST(PathCheck, SlicesOfAnySizeComeToTheSame) {
  WorldBuilder b;
  b.fill({0, 0, 0}, {120, 0, 40}, b.stone());
  b.fill({50, 1, 0}, {50, 3, 30}, b.stone());
  for (const Simplify how : {Simplify::none, Simplify::corners, Simplify::line_of_sight}) {
    const Answer a = ask(b, {0, 1, 0}, {110, 1, 3}, how);
    ASSERT_EQ(a.status, AnswerStatus::found);
    for (const bool broken : {false, true}) {
      const BlockPos last = a.path.back().cell;
      b.set({last.x, 1, last.z}, broken ? b.stone() : WorldBuilder::air());
      const auto snapshot = b.snapshot();
      const auto whole = validate(a.path, Agent(), *snapshot);
      EXPECT_EQ(whole.has_value(), broken);
      for (const std::uint32_t slice : {1u, 7u, 1000u}) {
        PathCheck check(a.path, Agent(), *snapshot);
        std::uint32_t slices = 1;
        while (!check.advance(slice)) ++slices;
        if (slice == 1 && how != Simplify::line_of_sight) {
          EXPECT_GE(slices, broken ? 50u : 110u) << "each move of the straight pieces is one";
        }
        ASSERT_EQ(check.fault().has_value(), broken);
        if (broken) {
          EXPECT_EQ(check.fault()->index, whole->index);
        }
      }
    }
    b.set({a.path.back().cell.x, 1, a.path.back().cell.z}, WorldBuilder::air());
  }
}

TEST(Validate, RefusesStraightPiecesLongerThanAnySimplifiedOne) {
  WorldBuilder b;
  b.fill({0, 0, 0}, {120, 0, 2}, b.stone());
  const Answer a = ask(b, {0, 1, 0}, {120, 1, 2}, Simplify::line_of_sight);
  ASSERT_EQ(a.status, AnswerStatus::found);
  EXPECT_GT(a.path.size(), 2u) << "sight is tried so far ahead and no farther";
  EXPECT_FALSE(validate(a.path, Agent(), *b.snapshot()));
  const std::vector<Waypoint> ends{a.path.front(), a.path.back()};
  const auto fault = validate(ends, Agent(), *b.snapshot());
  ASSERT_TRUE(fault) << "or anyone could make it look at as many columns as he likes";
  EXPECT_EQ(fault->index, 1u);
}

}  // namespace
}  // namespace voxpath::pathfinding
