// The same question in a mirrored, turned or shifted world has the same cost, and a mob that can do more never pays more.
#include "pathfinding/search.hpp"
#include "tests/support/world_builder.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

#include <gtest/gtest.h>

namespace voxpath::pathfinding {
namespace {

using world::BlockPos;

/// One of the eight ways to lay the x-z plane onto itself, then a shift.
struct Layout {
  int way;
  BlockPos shift;
  [[nodiscard]] BlockPos operator()(BlockPos p) const {
    if ((way & 1) != 0) p.x = -p.x;
    if ((way & 2) != 0) p.z = -p.z;
    if ((way & 4) != 0) std::swap(p.x, p.z);
    return {p.x + shift.x, p.y + shift.y, p.z + shift.z};
  }
};

struct Placed {
  BlockPos at;
  world::Traits traits;
};

std::vector<Placed> random_land(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const world::Traits stone = world::full_cube_traits();
  world::Traits slab = stone;
  slab.top = 8;
  world::Traits fence = stone;
  fence.top = 24;
  world::Traits water;
  water.fluid = world::Fluid::water;
  world::Traits fire;
  fire.hazard = world::Hazard::fire;
  world::Traits slow = stone;
  slow.top = 14;
  slow.slow = true;
  world::Traits ladder;
  ladder.climbable = true;
  const world::Traits kinds[] = {stone, stone, stone, slab, fence, water, fire, slow, ladder};
  std::vector<Placed> land;
  for (int x = -10; x <= 10; ++x) {
    for (int z = -10; z <= 10; ++z) {
      if (random() % 12 != 0) land.push_back({{x, 16, z}, random() % 10 == 0 ? water : stone});
      for (int y = 17; y <= 19; ++y) {
        if (random() % 5 == 0) land.push_back({{x, y, z}, kinds[random() % std::size(kinds)]});
      }
    }
  }
  return land;
}

world::Ref<const world::Snapshot> build(const std::vector<Placed>& land, const Layout& layout) {
  test::WorldBuilder b({-64, 384});
  b.known({-8, -8}, {8, 8});
  std::vector<world::Change> changes;
  for (const Placed& p : land) {
    const std::string name = "test:" + std::to_string(p.traits.top) + std::to_string(static_cast<int>(p.traits.fluid)) +
                             std::to_string(static_cast<int>(p.traits.hazard));
    changes.emplace_back(world::SetBlock{layout(p.at), b.state(name, p.traits)});
  }
  EXPECT_TRUE(b.world().apply(changes));
  return b.snapshot();
}

Answer ask(const world::Ref<const world::Snapshot>& snapshot, const Query& query) {
  auto answer = search(snapshot, query, {});
  if (!answer) throw std::runtime_error(answer.error().message);
  return *std::move(answer);
}

/// Places as cells are corners of footprints, which mirrors do not keep: so one column wide.
std::vector<Agent> agents() {
  Agent zombie;
  Agent small;
  small.height_px = 15;
  small.jump_px = 24;
  Agent climber;
  climber.climb = true;
  climber.corners = Corners::loose;
  Agent leaper;
  leaper.leap = 3;
  leaper.corners = Corners::never;
  Agent bat;
  bat.mode = Mode::fly;
  bat.height_px = 15;
  return {zombie, small, climber, leaper, bat};
}

TEST(Symmetry, EightLayoutsAndShiftsCostTheSame) {
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const auto land = random_land(seed);
    const Layout plain{0, {}};
    const auto original = build(land, plain);
    std::mt19937_64 random(seed);
    std::vector<std::pair<BlockPos, BlockPos>> questions;
    for (int i = 0; i < 6; ++i) {
      const auto place = [&] {
        return BlockPos{static_cast<int>(random() % 21) - 10, 17, static_cast<int>(random() % 21) - 10};
      };
      questions.emplace_back(place(), place());
    }
    for (int way = 0; way < 8; ++way) {
      const Layout layout{way, {way * 7 - 40, way % 3 * 48 - 64, -way * 5}};
      const auto moved = build(land, layout);
      for (const Agent& agent : agents()) {
        for (const auto& [from, to] : questions) {
          Query q;
          q.agent = agent;
          q.start = from;
          q.goal = GoalPlaces{{to}};
          const Answer a = ask(original, q);
          q.start = layout(from);
          q.goal = GoalPlaces{{layout(to)}};
          const Answer b = ask(moved, q);
          if (a.start_rule != ResolvedBy::cell || a.goal_rule != ResolvedBy::cell)
            continue;  // other rules prefer smaller x, then z
          ASSERT_EQ(a.status, b.status) << "seed " << seed << " way " << way;
          if (a.status != AnswerStatus::found) continue;
          ASSERT_EQ(a.cost, b.cost) << "seed " << seed << " way " << way;
          ++found;
        }
      }
    }
  }
  EXPECT_GT(found, 500) << "the worlds must ask something";
}

TEST(Monotony, MoreAbilitiesNeverCostMore) {
  void (*const abilities[])(Agent&) = {[](Agent& a) { a.jump_px += 16; },
                                       [](Agent& a) { a.max_drop_px += 32; },
                                       [](Agent& a) { a.climb = true; },
                                       [](Agent& a) { a.leap = 2; },
                                       [](Agent& a) { a.immune = 1 << static_cast<int>(world::Hazard::fire); },
                                       [](Agent& a) { a.cost_water = 0; },
                                       [](Agent& a) { a.height_px = 16; },
                                       [](Agent& a) { a.cost_diagonal = 13; }};
  int found = 0;
  for (std::uint64_t seed = 20; seed < 40; ++seed) {
    const auto snapshot = build(random_land(seed), {0, {}});
    Query q;
    q.start = BlockPos{-8, 17, -8};
    q.goal = GoalPlaces{{BlockPos{8, 17, 8}}};
    const Answer less = ask(snapshot, q);
    if (less.status != AnswerStatus::found || less.start_rule != ResolvedBy::cell || less.goal_rule != ResolvedBy::cell)
      continue;
    ++found;
    for (std::size_t i = 0; i < std::size(abilities); ++i) {
      Query more = q;
      abilities[i](more.agent);
      const Answer a = ask(snapshot, more);
      // A climber's ladders close corners that were open to it: that one may cost more (MOVEMENT.md, section 4).
      if (more.agent.climb) continue;
      ASSERT_EQ(a.status, AnswerStatus::found) << "seed " << seed << " ability " << i;
      EXPECT_LE(a.cost, less.cost) << "seed " << seed << " ability " << i;
    }
  }
  EXPECT_GT(found, 4);
}

}  // namespace
}  // namespace voxpath::pathfinding
