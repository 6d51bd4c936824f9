// Long ways over generated land, and searches that need not find the least cost: what they find is a path, and costs no more than they say.
#include "tests/property/answer_fields.hpp"
#include "tests/property/random_cases.hpp"
#include "world/generate/terrain.hpp"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace voxpath::judge {
namespace {

using pathfinding::AnswerStatus;
using world::BlockPos;

constexpr world::Heights kHeights{.min_y = -64, .height = 384};
constexpr std::uint64_t kSeed = 7;
constexpr int kChunksX = 24, kChunksZ = 14;
constexpr std::uint64_t kWorlds = 150;
constexpr double kAnyWeight = 1'000;
#ifdef VOXPATH_SANITIZED
constexpr int kQuestions = 1;  // a mob
#else
constexpr int kQuestions = 6;
#endif

using Mob = std::vector<std::pair<const char*, const char*>>;
const std::vector<Mob> kMobs = {
    {},
    {{"width", "1.4"}, {"height", "0.9"}},
    {{"width", "1.4"}, {"height", "2.7"}},
    {{"climb", "true"}, {"open_doors", "true"}, {"open_gates", "true"}, {"water", "avoid"}},
    {{"corners", "never"}, {"leap", "1"}, {"cost_water", "0"}},
};

struct Land {
  world::World world{kHeights};
  Land() {
    const auto table = world::BlockTable::for_version(world::BlockTable::versions().back());
    std::vector<world::Change> changes;
    for (int x = 0; x < kChunksX; ++x) {
      for (int z = 0; z < kChunksZ; ++z) {
        changes.emplace_back(
            world::PutChunk{{x, z}, world::generate_terrain_chunk(kSeed, {x, z}, kHeights, world.states(), *table)});
      }
    }
    EXPECT_TRUE(world.apply(changes).ok());
  }
  [[nodiscard]] static pathfinding::Query question(Random& random, const pathfinding::Agent& agent) {
    const auto place = [&](int from, int to) {
      const int x = random.between(from, to);
      const int z = random.between(8, 16 * kChunksZ - 8);
      return BlockPos{x, world::generated_ground(kSeed, x, z, kHeights) + 1, z};
    };
    pathfinding::Query query;
    query.agent = agent;
    query.start = place(8, 60);
    query.goal = pathfinding::GoalPlaces{{place(16 * kChunksX - 60, 16 * kChunksX - 8)}};
    return query;
  }
};

/// What is wrong with an answer that need not cost the least; the empty text when nothing is.
std::string objection(const pathfinding::Answer& answer, const pathfinding::Answer& least, double weight,
                      Ground& ground, std::span<const PricedBox> boxes) {
  if (answer.status != least.status || answer.reason != least.reason) return "another status";
  if (answer.path.empty()) return least.path.empty() ? "" : "no path";
  const PathVerdict verdict = check_path(ground, claims(answer.path), boxes);
  if (!verdict.ok()) return fmt::format("waypoint {}: {}", verdict.first_wrong, verdict.why);
  if (verdict.cost != answer.cost) return fmt::format("the path costs {}", verdict.cost);
  std::set<BlockPos> cells;
  for (const pathfinding::Waypoint& w : answer.path) {
    if (!cells.insert(w.cell).second) return "it comes to a cell twice";
  }
  if (answer.status != AnswerStatus::found) return "";
  const bool same_place = answer.goal_rule != pathfinding::ResolvedBy::area && answer.goal_index == least.goal_index;
  if (same_place && answer.path.back().cell != least.path.back().cell) return "it ends elsewhere";
  if (answer.cost < least.cost) return "it costs less than the least";
  if (answer.lower_bound > least.cost) return "its bound is above the least cost";
  if (answer.exact && answer.cost != least.cost) return "it is said to be exact";
  if (static_cast<double>(answer.cost) > weight * static_cast<double>(answer.lower_bound) && weight < kAnyWeight)
    return "it may cost more than allowed";
  return "";
}

TEST(LongSearch, PutsTogetherPathsThatReplay) {
  const Land land;
  const auto snapshot = land.world.snapshot();
  const SnapshotWorld view(snapshot);
  Random random(5);
  pathfinding::Search search;
  int divided = 0;
  double over_least = 0;
  for (const Mob& mob : kMobs) {
    pathfinding::Agent agent;
    JudgeAgent judged;
    for (const auto& [field, value] : mob) {
      ASSERT_TRUE(pathfinding::set_field(agent, field, value));
      ASSERT_EQ(set_field(judged, field, value), std::nullopt);
    }
    Ground ground(view, judged);
    for (int i = 0; i < kQuestions; ++i) {
      pathfinding::Query query = Land::question(random, agent);
      const pathfinding::Answer answer = ask(search, snapshot, query);
      const std::string whole = all_fields(answer);
      // The least limit at which a way is divided, those at which the rough way or the legs may not be ended, and none.
      for (const std::uint32_t budget : {2'049u, 3'000u, 4'000u, 8'000u, pathfinding::kExpansionsMax}) {
        const std::string in_one = all_fields(ask(search, snapshot, query, budget));
        for (const int longest : {7, 900}) {
          begin(search, snapshot, query, budget);
          while (!search.advance(static_cast<std::uint32_t>(random.between(1, longest)))) {
          }
          ASSERT_EQ(all_fields(search.answer()), in_one) << "limit " << budget << ", in slices up to " << longest;
        }
      }
      query.exact = true;
      const pathfinding::Answer least = ask(search, snapshot, query);
      const std::string wrong = objection(answer, least, kAnyWeight, ground, {});
      ASSERT_TRUE(wrong.empty()) << describe(judged) << ", question " << i << ": " << wrong << "\n"
                                 << whole << all_fields(least);
      if (least.status != AnswerStatus::found || answer.exact) continue;
      ++divided;
      over_least += static_cast<double>(answer.cost) / static_cast<double>(least.cost);
    }
  }
  ASSERT_GE(divided, kQuestions) << "too few long ways to tell";
  EXPECT_LE(over_least / divided, 1.05);
}

std::string weigh(const RandomCase& drawn) {
  const PreparedCase prepared(drawn);
  Ground ground(prepared.view, drawn.agent);
  pathfinding::Search search;
  for (std::size_t i = 0; i < prepared.queries.size(); ++i) {
    pathfinding::Query query = prepared.queries[i];
    if (query.heuristic == pathfinding::Heuristic::manhattan) query.heuristic = pathfinding::Heuristic::octile;
    query.exact = true;
    const pathfinding::Answer least = ask(search, prepared.snapshot, query);
    if (least.status == AnswerStatus::found && least.lower_bound != least.cost)
      return fmt::format("{} is bounded by {}", said(least), least.lower_bound);
    for (const double weight : {1.1, 1.5, 13.0 / 3, 10.0}) {
      query.weight = weight;
      const pathfinding::Answer answer = ask(search, prepared.snapshot, query);
      const std::string wrong = objection(answer, least, weight, ground, prepared.questions[i].boxes);
      if (!wrong.empty()) return fmt::format("weight {}: {}\n{}\nleast: {}", weight, wrong, said(answer), said(least));
    }
  }
  return "";
}

TEST(LongSearch, AWeightBoundsTheCost) { for_all_cases(kWorlds, weigh); }

}  // namespace
}  // namespace voxpath::judge
