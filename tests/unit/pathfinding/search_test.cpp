// The search through its public interface: goals of every kind, leaps, prices, budgets, partial paths, validation, simplification.
#include "pathfinding/search.hpp"

#include "pathfinding/path.hpp"
#include "pathfinding/profiles.hpp"
#include "tests/support/world_builder.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

#include <gtest/gtest.h>

namespace voxpath::pathfinding {
namespace {

using test::WorldBuilder;
using world::BlockPos;
using world::Vec3;

Answer ask(const world::Ref<const world::Snapshot>& snapshot, const Query& query, Limits limits = {}) {
  auto answer = search(snapshot, query, limits);
  if (!answer) throw std::runtime_error(answer.error().message);
  return *std::move(answer);
}

Query walk(BlockPos from, BlockPos to) {
  Query q;
  q.start = from;
  q.goal = GoalPlaces{{to}};
  return q;
}

/// Ground of 64 x 64 at y = 0, with seeded pillars, steps and pits; mobs stand at y = 1 or 2. Walls 3 high around it.
world::Ref<const world::Snapshot> rough_ground(std::uint64_t seed) {
  WorldBuilder b({-16, 32});
  b.fill({-32, 0, -32}, {31, 0, 31}, b.stone());
  std::mt19937_64 random(seed);
  std::vector<world::Change> changes;
  for (int x = -32; x < 32; ++x) {
    for (int z = -32; z < 32; ++z) {
      const auto roll = random() % 100;
      if (roll < 12) changes.emplace_back(world::FillBox{{{x, 1, z}, {x, 2, z}}, b.stone()});
      if (roll >= 12 && roll < 24) changes.emplace_back(world::SetBlock{{x, 1, z}, b.stone()});
      if (roll >= 24 && roll < 28) changes.emplace_back(world::SetBlock{{x, 0, z}, world::kAirState});
    }
  }
  for (const BlockPos end : {BlockPos{-30, 1, -30}, BlockPos{29, 1, 29}}) {
    changes.emplace_back(world::FillBox{{{end.x - 1, 0, end.z - 1}, {end.x + 1, 0, end.z + 1}}, b.stone()});
    changes.emplace_back(world::FillBox{{{end.x - 1, 1, end.z - 1}, {end.x + 1, 3, end.z + 1}}, world::kAirState});
  }
  EXPECT_TRUE(b.world().apply(changes));
  return b.snapshot();
}

TEST(Goals, EachCostsWhatDijkstraSays) {
  const Goal goals[] = {
      GoalPlaces{{BlockPos{29, 1, 29}, BlockPos{-30, 1, 29}, BlockPos{10, 1, -25}}},
      GoalRadius{{20.5, 1, 20.5}, 4},
      GoalColumn{25, 13},
      GoalLevel{2},
      GoalNextTo{{15, 1, 15}},
      GoalFlee{{{-30.5, 1, -30.5}, {-20.5, 1, -25.5}}, 30},
      GoalSight{{10.5, 3.5, 10.5}, 12},  // above every pillar
  };
  Agent wide = *profile_agent("spider");
  Agent bat = *profile_agent("bat");
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    const auto snapshot = rough_ground(seed);
    for (const Agent& agent : {Agent{}, wide, bat, *profile_agent("player")}) {
      for (const Goal& goal : goals) {
        Query q;
        q.agent = agent;
        q.start = BlockPos{-30, 1, -30};
        q.goal = goal;
        q.algorithm = Algorithm::dijkstra;
        const Answer plain = ask(snapshot, q, {.expansions = kExpansionsMax});
        q.algorithm = Algorithm::astar;
        for (const Heuristic h : {Heuristic::octile, Heuristic::chebyshev, Heuristic::euclidean, Heuristic::zero}) {
          q.heuristic = h;
          const Answer guided = ask(snapshot, q, {.expansions = kExpansionsMax});
          ASSERT_EQ(guided.status, plain.status) << "seed " << seed << " goal " << goal.index();
          ASSERT_EQ(guided.cost, plain.cost)
              << "seed " << seed << " goal " << goal.index() << " heuristic " << static_cast<int>(h);
          ASSERT_TRUE(guided.exact);
        }
        if (agent.mode == Mode::walk && agent.footprint() == 1) {
          ASSERT_EQ(plain.status, AnswerStatus::found) << "goal " << goal.index();
        }
      }
    }
  }
}

TEST(Goals, TheNearestByCostWinsAndIsNamed) {
  WorldBuilder b;
  b.fill({0, 0, 0}, {30, 0, 10}, b.stone());
  b.fill({5, 1, 0}, {5, 2, 9}, b.stone());  // a wall: the near one is far to walk
  Query q = walk({4, 1, 0}, {});
  q.goal = GoalPlaces{{BlockPos{6, 1, 0}, BlockPos{0, 1, 9}}};
  const Answer a = ask(b.snapshot(), q);
  EXPECT_EQ(a.status, AnswerStatus::found);
  EXPECT_EQ(a.goal_index, 1u);
  EXPECT_EQ(a.path.back().cell, (BlockPos{0, 1, 9}));
}

TEST(Goals, AnEmptySetIsInvalidWhateverTheKind) {
  WorldBuilder b;
  b.fill({0, 0, 0}, {15, 0, 15}, b.stone());
  const Goal empty[] = {GoalRadius{{8, 40, 8}, 5},
                        GoalColumn{-5, 3},
                        GoalLevel{-1},
                        GoalLevel{1000},
                        GoalNextTo{{8, 20, 8}},
                        GoalSight{{8, 60, 8}, 10},
                        GoalPlaces{{BlockPos{100, 1, 100}}}};
  for (const Goal& goal : empty) {
    Query q = walk({4, 1, 4}, {});
    q.goal = goal;
    EXPECT_EQ(ask(b.snapshot(), q).status, AnswerStatus::goal_invalid) << goal.index();
  }
}

TEST(Goals, InSightMeansThroughNoBlock) {
  WorldBuilder b;
  b.fill({0, 0, 0}, {20, 0, 10}, b.stone());
  b.fill({10, 1, 0}, {10, 4, 8}, b.stone());
  Query q = walk({2, 1, 2}, {});
  q.goal = GoalSight{{14.5, 1.5, 2.5}, 16};
  const Answer a = ask(b.snapshot(), q);
  ASSERT_EQ(a.status, AnswerStatus::found);
  EXPECT_GE(a.path.back().cell.z, 8) << "from before the wall only its open end shows the point";
}

TEST(Leaps, CrossGapsWithinTheirMeasure) {
  WorldBuilder b({0, 32});
  const auto island = [&](int x0, int x1, int y) { b.fill({x0, y, 0}, {x1, y, 0}, b.stone()); };
  b.known({-1, -1}, {2, 1});
  island(0, 2, 10);
  island(5, 6, 10);   // two of gap, level
  island(8, 9, 11);   // one of gap, one up
  island(13, 14, 9);  // three of gap, two down
  for (int leap = 0; leap <= 3; ++leap) {
    Query q = walk({0, 11, 0}, {5, 11, 0});
    q.agent.leap = leap;
    EXPECT_EQ(ask(b.snapshot(), q).status, leap >= 2 ? AnswerStatus::found : AnswerStatus::unreachable) << leap;
    q = walk({8, 12, 0}, {13, 10, 0});
    q.agent.leap = leap;
    EXPECT_EQ(ask(b.snapshot(), q).status, leap >= 3 ? AnswerStatus::found : AnswerStatus::unreachable) << leap;
  }
  Query q = walk({0, 11, 0}, {8, 12, 0});
  q.agent.leap = 2;
  const Answer a = ask(b.snapshot(), q);
  ASSERT_EQ(a.status, AnswerStatus::found);
  // two steps, a leap of two (3 * 10 + 2 * 5), a step, a leap of one that ends higher (2 * 10 + 5 + 5)
  EXPECT_EQ(a.cost, 20 + 40 + 10 + 30);
  EXPECT_EQ(a.path.back().kind, MoveKind::leap);
  q.agent.jump_px = 15;
  EXPECT_EQ(ask(b.snapshot(), q).status, AnswerStatus::unreachable) << "whoever jumps less than a block does not leap";
}

TEST(Leaps, NeedHeadRoomAllTheWay) {
  for (const BlockPos lid : {BlockPos{2, 14, 0}, BlockPos{3, 14, 0}, BlockPos{4, 14, 0}, BlockPos{5, 14, 0}}) {
    WorldBuilder b({0, 32});
    b.known({-1, -1}, {1, 0});
    b.fill({0, 10, 0}, {2, 10, 0}, b.stone()).fill({5, 10, 0}, {6, 10, 0}, b.stone());
    Query q = walk({0, 11, 0}, {5, 11, 0});
    q.agent.leap = 2;
    ASSERT_EQ(ask(b.snapshot(), q).status, AnswerStatus::found);
    // 18 px of jump over a body of 32 px reach 50 px above the take-off's floor: into the cell three above it.
    b.set(lid, b.stone());
    EXPECT_EQ(ask(b.snapshot(), q).status, AnswerStatus::unreachable) << lid.x;
  }
}

TEST(Leaps, GoOverWaterNotThroughIt) {
  WorldBuilder b({0, 32});
  b.known({-1, -1}, {1, 0});
  b.fill({0, 9, 0}, {5, 9, 0}, b.stone())
      .fill({0, 10, 0}, {2, 10, 0}, b.stone())
      .fill({4, 10, 0}, {5, 10, 0}, b.stone());
  Query q = walk({0, 11, 0}, {4, 11, 0});
  q.agent.leap = 1;
  q.agent.cost_water = kForbidden;
  q.agent.cost_drop = kForbidden;
  const world::StateId water = b.state("minecraft:water", {.fluid = world::Fluid::water});
  b.set({3, 10, 0}, water);
  ASSERT_EQ(ask(b.snapshot(), q).status, AnswerStatus::found) << "its surface is lower than the feet";
  // Whoever stands at its edge is in it already, and swims.
  b.set({3, 11, 0}, water);
  EXPECT_EQ(ask(b.snapshot(), q).status, AnswerStatus::unreachable);
  q.agent.water = WaterMode::walk;
  EXPECT_EQ(ask(b.snapshot(), q).status, AnswerStatus::found);
}

TEST(Budget, ACutAnywhereLeavesAValidPartialPath) {
  const auto snapshot = rough_ground(7);
  Query q = walk({-30, 1, -30}, {29, 1, 29});
  const Answer whole = ask(snapshot, q);
  ASSERT_EQ(whole.status, AnswerStatus::found);
  for (std::uint32_t n = 1; n <= whole.statistics.expanded; n += 1 + n / 16) {
    const Answer a = ask(snapshot, q, {.expansions = n});
    ASSERT_EQ(a.statistics.expanded, n);
    ASSERT_TRUE(a.status == AnswerStatus::partial || n == whole.statistics.expanded);
    ASSERT_FALSE(a.path.empty());
    ASSERT_EQ(a.path.front().cell, (BlockPos{-30, 1, -30}));
    ASSERT_FALSE(validate(a.path, q.agent, *snapshot)) << n;
  }
}

TEST(Slices, DoNotChangeTheAnswer) {
  const auto snapshot = rough_ground(3);
  const Query q = walk({-30, 1, -30}, {29, 1, 29});
  const Answer whole = ask(snapshot, q);
  for (const std::uint32_t slice : {1u, 7u, 1000u}) {
    Search s;
    ASSERT_TRUE(s.begin(snapshot, q, {}));
    while (!s.advance(slice)) {
    }
    const Answer a = s.answer();
    EXPECT_EQ(a.cost, whole.cost);
    EXPECT_EQ(a.statistics.expanded, whole.statistics.expanded);
    ASSERT_EQ(a.path.size(), whole.path.size());
    for (std::size_t i = 0; i < a.path.size(); ++i) EXPECT_EQ(a.path[i].cell, whole.path[i].cell);
  }
}

TEST(Stop, EndsARunningSearch) {
  const auto snapshot = rough_ground(3);
  Search s;
  ASSERT_TRUE(s.begin(snapshot, walk({-30, 1, -30}, {29, 1, 29}), {}));
  EXPECT_FALSE(s.advance(10));
  s.stop(PartialReason::deadline);
  EXPECT_TRUE(s.done());
  EXPECT_EQ(s.answer().status, AnswerStatus::partial);
  EXPECT_EQ(s.answer().reason, PartialReason::deadline);
  ASSERT_TRUE(s.begin(snapshot, walk({-30, 1, -30}, {29, 1, 29}), {}));
  s.stop(PartialReason::none);
  EXPECT_EQ(s.answer().status, AnswerStatus::cancelled);
}

TEST(PricedBoxes, AreWalkedRoundOrPaid) {
  WorldBuilder b;
  b.known({-1, -1}, {2, 1});
  b.fill({0, 0, 0}, {20, 0, 10}, b.stone());
  Query q = walk({2, 1, 5}, {12, 1, 5});
  EXPECT_EQ(ask(b.snapshot(), q).cost, 100);
  q.priced_boxes = {{{{6, 0, 0}, {6, 5, 10}}, 7}};
  EXPECT_EQ(ask(b.snapshot(), q).cost, 107) << "across the whole street: paid";
  q.priced_boxes = {{{{6, 0, 4}, {6, 5, 6}}, 500}};
  EXPECT_EQ(ask(b.snapshot(), q).cost, 116) << "round it";
  q.priced_boxes = {{{{6, 0, 0}, {6, 5, 10}}, kForbidden}};
  EXPECT_EQ(ask(b.snapshot(), q).status, AnswerStatus::unreachable);
}

TEST(Simplify, KeepsTurnsAndNothingThatIsNotClear) {
  WorldBuilder b;
  b.fill({0, 0, 0}, {30, 0, 30}, b.stone());
  b.fill({10, 1, 0}, {10, 2, 20}, b.stone());
  Query q = walk({2, 1, 2}, {20, 1, 3});
  const Answer full = ask(b.snapshot(), q);
  q.simplify = Simplify::corners;
  const Answer corners = ask(b.snapshot(), q);
  q.simplify = Simplify::line_of_sight;
  const Answer sight = ask(b.snapshot(), q);
  EXPECT_EQ(corners.cost, full.cost);
  EXPECT_EQ(sight.cost, full.cost);
  EXPECT_LT(corners.path.size(), full.path.size());
  EXPECT_LT(sight.path.size(), corners.path.size());
  EXPECT_FALSE(validate(corners.path, q.agent, *b.snapshot()));
  EXPECT_FALSE(validate(sight.path, q.agent, *b.snapshot()));
  // A hole in the ground on a straight piece breaks it.
  const Vec3 a = sight.path[0].position;
  const Vec3 c = sight.path[1].position;
  b.set({static_cast<int>((a.x + c.x) / 2), 0, static_cast<int>((a.z + c.z) / 2)}, world::kAirState);
  const auto fault = validate(sight.path, q.agent, *b.snapshot());
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->index, 1u);
}

TEST(Validate, NamesTheFirstWaypointThatIsCut) {
  WorldBuilder b;
  b.fill({0, 0, 0}, {20, 0, 0}, b.stone());
  const Query q = walk({0, 1, 0}, {15, 1, 0});
  const Answer a = ask(b.snapshot(), q);
  EXPECT_FALSE(validate(a.path, q.agent, *b.snapshot()));
  const world::SectionPos there = world::section_of({9, 2, 0});
  EXPECT_TRUE(std::find(a.sections.begin(), a.sections.end(), there) != a.sections.end());
  b.set({9, 2, 0}, b.stone());
  const auto fault = validate(a.path, q.agent, *b.snapshot());
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->index, 9u);
  EXPECT_EQ(fault->obstacle, Obstacle::no_room);
  EXPECT_EQ(fault->at, (BlockPos{9, 2, 0}));
}

TEST(Blockers, TellWhichRuleStopsTheMob) {
  WorldBuilder b;
  b.known({-1, -1}, {2, 1});
  b.fill({0, 0, 0}, {20, 0, 0}, b.stone());
  b.fill({10, 1, 0}, {10, 2, 0}, b.stone());  // 32 px: higher than a jump
  const Answer a = ask(b.snapshot(), walk({9, 1, 0}, {11, 1, 0}));
  ASSERT_EQ(a.status, AnswerStatus::unreachable);
  const auto named = [&](bool near_goal, Obstacle o) {
    return std::any_of(a.blockers.begin(), a.blockers.end(),
                       [&](const Blocker& x) { return x.near_goal == near_goal && x.obstacle == o; });
  };
  EXPECT_TRUE(named(false, Obstacle::too_high));
  EXPECT_FALSE(a.blockers.empty());
}

TEST(MissingChunks, AreNamed) {
  WorldBuilder b;
  b.fill({0, 0, 0}, {15, 0, 15}, b.stone());
  b.fill({32, 0, 0}, {47, 0, 15}, b.stone());
  const Answer a = ask(b.snapshot(), walk({8, 1, 8}, {40, 1, 8}));
  EXPECT_EQ(a.status, AnswerStatus::partial);
  EXPECT_EQ(a.reason, PartialReason::missing_chunk);
  EXPECT_TRUE(std::find(a.missing_chunks.begin(), a.missing_chunks.end(), world::ChunkPos{1, 0}) !=
              a.missing_chunks.end());
}

TEST(Heuristics, ManhattanSaysThatItMayOverestimate) {
  const auto snapshot = rough_ground(5);
  Query q = walk({-30, 1, -30}, {29, 1, 29});
  q.heuristic = Heuristic::manhattan;
  EXPECT_FALSE(ask(snapshot, q).exact);
  q.agent.corners = Corners::never;
  const Answer manhattan = ask(snapshot, q);
  EXPECT_TRUE(manhattan.exact);
  q.algorithm = Algorithm::dijkstra;
  EXPECT_EQ(manhattan.cost, ask(snapshot, q).cost);
}

TEST(Heuristics, AQuestionKnowsNothingOfTheHeuristicBeforeIt) {
  const auto snapshot = rough_ground(5);
  Query q = walk({-30, 1, -30}, {29, 1, 29});
  q.agent.mode = Mode::fly;
  q.heuristic = Heuristic::manhattan;
  Search search;
  const auto asked_of_one = [&] {
    EXPECT_TRUE(search.begin(snapshot, q, {}).ok());
    while (!search.advance(kExpansionsMax)) {
    }
    return search.answer();
  };
  EXPECT_FALSE(asked_of_one().exact);
  q.heuristic = Heuristic::octile;
  q.start = BlockPos{1'000'000, 1, 0};
  const Answer nowhere = asked_of_one();
  EXPECT_EQ(nowhere.status, AnswerStatus::start_invalid);
  EXPECT_TRUE(nowhere.exact);
}

TEST(Prices, HugeOnesStayExact) {
  const auto snapshot = rough_ground(6);
  Query q = walk({-30, 1, -30}, {29, 1, 29});
  q.agent.cost_cardinal = kPriceMax;
  q.agent.cost_diagonal = kPriceMax;
  q.agent.cost_jump = kPriceMax;
  const Answer a = ask(snapshot, q);
  q.algorithm = Algorithm::dijkstra;
  ASSERT_EQ(a.status, AnswerStatus::found);
  EXPECT_EQ(a.cost, ask(snapshot, q).cost);
  EXPECT_GE(a.cost, std::int64_t{59} * kPriceMax);
}

TEST(Prices, PathsDearerThanALabelHoldsStayExactHoweverTheyAreSliced) {
  WorldBuilder b;
  b.known({0, 0}, {70, 0}).fill({0, 0, 0}, {1100, 0, 0}, b.stone());
  Query q;
  q.agent.cost_cardinal = kPriceMax;
  q.start = BlockPos{0, 1, 0};
  q.goal = GoalPlaces{{BlockPos{1100, 1, 0}}};
  const auto whole = search(b.snapshot(), q);
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->status, AnswerStatus::found);
  EXPECT_EQ(whole->cost, std::int64_t{1100} * kPriceMax);
  Search sliced;
  ASSERT_TRUE(sliced.begin(b.snapshot(), q, {}));
  while (!sliced.advance(7)) {
  }
  EXPECT_EQ(sliced.answer().cost, whole->cost);
}

TEST(Prices, ADearWayThatNoLabelHoldsIsNoWayRoundACheapOne) {
  // The goal costs a little over a label's limit; moves that cost more than it lie open long before it is reached.
  WorldBuilder b;
  b.known({0, 0}, {70, 0}).fill({0, 0, 0}, {1100, 0, 2}, b.stone());
  Query q = walk({0, 1, 0}, {1100, 1, 2});
  q.agent.cost_cardinal = 900'000;
  q.agent.cost_diagonal = 900'000;
  q.priced_boxes = {{{{500, 0, 0}, {900, 3, 0}}, kPriceMax}, {{{500, 0, 2}, {900, 3, 2}}, kPriceMax}};
  EXPECT_EQ(ask(b.snapshot(), q).cost, std::int64_t{1100} * 900'000);
}

TEST(Query, ErrorsNameFieldValueAndLimit) {
  WorldBuilder b;
  const auto refused = [&](const Query& q, const char* part, Limits limits = {}) {
    const auto a = search(b.snapshot(), q, limits);
    ASSERT_FALSE(a) << part;
    EXPECT_NE(a.error().message.find(part), std::string::npos) << a.error().message;
  };
  Query q = walk({0, 1, 0}, {1, 1, 0});
  refused(q, "limits.expansions = 0", {.expansions = 0});
  refused(q, "limits.expansions = 1000001", {.expansions = 1'000'001});
  q.agent.cost_jump = -2;
  refused(q, "agent.cost_jump = -2");
  q = walk({0, 1, 0}, {1, 1, 0});
  q.agent.climb = true;
  q.agent.width_px = 17;
  q.agent.width_blocks = 1.05;
  refused(q, "agent.climb");
  q = walk({0, 1, 0}, {1, 1, 0});
  q.start = Vec3{std::nan(""), 0, 0};
  refused(q, "start.x = nan");
  q = walk({0, 1, 0}, {1, 1, 0});
  q.goal = GoalPlaces{};
  refused(q, "goal.places: 0 given");
  q.goal = GoalRadius{{0, 0, 0}, 65};
  refused(q, "goal.radius = 65");
  q.goal = GoalFlee{{{0, 0, 0}}, -1};
  refused(q, "goal.distance = -1");
  q = walk({0, 1, 0}, {1, 1, 0});
  q.priced_boxes = {{{{1, 0, 0}, {0, 0, 0}}, 3}};
  refused(q, "priced_boxes[0].box");
}

TEST(Profiles, AllAreValidAndTheZombieIsTheDefault) {
  for (const Profile& p : profiles()) EXPECT_TRUE(validate(p.agent)) << p.name;
  EXPECT_EQ(*profile_agent("zombie"), Agent{});
  const auto wrong = profile_agent("zombi");
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("zombie"), std::string::npos);
}

TEST(Search, NamesTheChunksThatAnInvalidStartOrGoalLiesIn) {
  WorldBuilder b;
  b.fill({0, 0, 0}, {15, 0, 15}, b.stone());
  const BlockPos inside{3, 1, 3}, outside{-40, 1, 100};
  const std::vector<world::ChunkPos> there{{-3, 6}};
  for (const Mode mode : {Mode::walk, Mode::fly}) {  // each has a search of its own
    Query q;
    q.agent.mode = mode;
    q.start = outside;
    q.goal = GoalPlaces{{inside}};
    auto answer = search(b.snapshot(), q);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, AnswerStatus::start_invalid);
    EXPECT_EQ(answer->missing_chunks, there);
    q.start = inside;
    q.goal = GoalPlaces{{outside, BlockPos{-41, 1, 101}}};
    answer = search(b.snapshot(), q);
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, AnswerStatus::goal_invalid);
    EXPECT_EQ(answer->missing_chunks, there) << "once";
  }
  Query known;
  known.start = BlockPos{3, -300, 3};
  known.goal = GoalPlaces{{inside}};
  const auto answer = search(b.snapshot(), known);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, AnswerStatus::start_invalid);
  EXPECT_TRUE(answer->missing_chunks.empty()) << "all is known there";
}

}  // namespace
}  // namespace voxpath::pathfinding
