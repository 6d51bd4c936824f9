// What holds of every search on random worlds: it may be cut anywhere and sliced in any way, and who can do more never pays more.
#include "pathfinding/engine/nav_store.hpp"
#include "tests/property/answer_fields.hpp"
#include "tests/property/random_cases.hpp"
#include "tests/support/world_builder.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace voxpath::judge {
namespace {

using pathfinding::AnswerStatus;

constexpr std::uint64_t kWorlds = 150;

/// The empty text when the path of `cut`, whose search was to end after `budget` expansions, is a valid piece.
std::string cut_objection(const pathfinding::Answer& cut, const pathfinding::Answer& whole, const Query& asked,
                          std::uint32_t budget, Ground& ground) {
  // Which search answers may depend on the budget, and each breaks ties in its own way: a cut one may find the goal earlier than the whole.
  const bool is_cut = cut.status == AnswerStatus::partial && cut.reason == pathfinding::PartialReason::budget;
  if (is_cut && cut.statistics.expanded != budget) return "it was cut before its budget was used up";
  if (!is_cut && (cut.status != whole.status || cut.reason != whole.reason)) return "another status";
  if (cut.status == AnswerStatus::found && cut.cost != whole.cost) return "another cost";
  if (cut.statistics.expanded > budget) return "more was expanded than allowed";
  if (cut.path.empty()) return whole.path.empty() ? "" : "no path, not even the start";
  const PathVerdict verdict = check_path(ground, claims(cut.path), asked.boxes);
  if (!verdict.ok()) return fmt::format("waypoint {}: {}", verdict.first_wrong, verdict.why);
  return verdict.cost == cut.cost ? "" : fmt::format("the path costs {}", verdict.cost);
}

std::string cut_everywhere(const RandomCase& drawn) {
  const PreparedCase prepared(drawn);
  Ground ground(prepared.view, drawn.agent);
  pathfinding::Search search;
  for (std::size_t i = 0; i < prepared.queries.size(); ++i) {
    const pathfinding::Answer whole = ask(search, prepared.snapshot, prepared.queries[i]);
    // Every budget where it is cheap, and growing steps from there.
    for (std::uint32_t budget = 1; budget <= whole.statistics.expanded + 20; budget += 1 + budget / 24) {
      const pathfinding::Answer cut = ask(search, prepared.snapshot, prepared.queries[i], budget);
      const std::string wrong = cut_objection(cut, whole, prepared.questions[i], budget, ground);
      if (!wrong.empty()) return fmt::format("budget {}: {}\n{}\nwhole: {}", budget, wrong, said(cut), said(whole));
    }
  }
  return "";
}

TEST(SearchProperties, ABudgetThatEndsAnywhereLeavesAValidPath) { for_all_cases(kWorlds, cut_everywhere); }

std::string slice_anyhow(const RandomCase& drawn) {
  const PreparedCase prepared(drawn);
  pathfinding::Search search;
  Random random(drawn.seed);
  for (const pathfinding::Query& query : prepared.queries) {
    const std::string whole = all_fields(ask(search, prepared.snapshot, query));
    for (const int longest : {1, 2, 7, 100}) {
      begin(search, prepared.snapshot, query);
      while (!search.advance(static_cast<std::uint32_t>(random.between(1, longest)))) {
      }
      const std::string sliced = all_fields(search.answer());
      if (sliced != whole) return fmt::format("in slices up to {}:\n{}\nin one:\n{}", longest, sliced, whole);
    }
  }
  return "";
}

TEST(SearchProperties, SlicesOfAnySizeGiveTheSameAnswer) { for_all_cases(kWorlds, slice_anyhow); }

void know_all_regions(const world::Snapshot& snapshot, const pathfinding::Agent& agent) {
  constexpr std::uint64_t kPlenty = 1'000'000'000;
  const auto nav_class = pathfinding::NavStore::of(snapshot)->agent_class(agent);
  pathfinding::NavReader reader;
  reader.reset(snapshot, *nav_class);
  nav_class->index().with([&](pathfinding::RegionIndex& index) { index.pay(reader, kPlenty); });
}

std::string know_regions_or_not(const RandomCase& drawn) {
  const PreparedCase known(drawn);
  pathfinding::Search search;
  for (std::size_t i = 0; i < known.queries.size(); ++i) {
    if (known.queries[i].agent.mode != pathfinding::Mode::walk) continue;
    know_all_regions(*known.snapshot, known.queries[i].agent);
    const PreparedCase fresh(drawn);
    for (const std::uint32_t budget : {1'000'000u, 20u}) {
      const std::string with = all_fields(ask(search, known.snapshot, known.queries[i], budget));
      const std::string without = all_fields(ask(search, fresh.snapshot, fresh.queries[i], budget));
      if (with != without) return fmt::format("budget {}:\n{}\nwithout:\n{}", budget, with, without);
    }
  }
  return "";
}

TEST(SearchProperties, WhatIsKnownOfRegionsChangesNoAnswer) { for_all_cases(kWorlds, know_regions_or_not); }

/// A strip so long that at the greatest price its end costs more than a label holds, with a sealed room there.
void dear_strip(test::WorldBuilder& b) {
  b.known({-1, -1}, {75, 1}).fill({0, 0, 0}, {1190, 0, 4}, b.stone());
  b.fill({1100, 1, 0}, {1110, 3, 4}, b.stone()).fill({1102, 1, 2}, {1104, 2, 2}, world::kAirState);
}

TEST(SearchProperties, WhatIsKnownOfRegionsChangesNoAnswerDearerThanALabelHolds) {
  const world::BlockPos sealed{1103, 1, 2};
  const world::BlockPos open{1090, 1, 2};
  for (const world::BlockPos goal : {sealed, open}) {
    for (const std::uint32_t budget : {300u, 4'000u, 100'000u}) {
      pathfinding::Query query;
      query.start = world::BlockPos{0, 1, 2};
      query.goal = pathfinding::GoalPlaces{{goal}};
      query.agent.cost_cardinal = pathfinding::kPriceMax;
      query.agent.cost_diagonal = pathfinding::kPriceMax;
      test::WorldBuilder known;
      test::WorldBuilder fresh;
      dear_strip(known);
      dear_strip(fresh);
      know_all_regions(*known.snapshot(), query.agent);
      pathfinding::Search search;
      const pathfinding::Answer with = ask(search, known.snapshot(), query, budget);
      const pathfinding::Answer without = ask(search, fresh.snapshot(), query, budget);
      EXPECT_EQ(all_fields(with), all_fields(without)) << "goal " << goal.x << ", budget " << budget;
      const AnswerStatus expected = goal == sealed     ? AnswerStatus::unreachable
                                    : budget >= 10'000 ? AnswerStatus::found
                                                       : AnswerStatus::partial;
      EXPECT_EQ(with.status, expected) << "goal " << goal.x << ", budget " << budget;
    }
  }
}

/// Abilities by which the contract only adds moves or makes them cheaper. Others take something away as well: who opens a door no longer
/// stands on it, a climber's ladder bars the diagonals beside it, and a higher jump needs more room over a gap.
std::vector<std::pair<std::string, std::function<void(pathfinding::Query&)>>> more_able(
    const pathfinding::Query& query) {
  using pathfinding::Agent;
  std::vector<std::pair<std::string, std::function<void(pathfinding::Query&)>>> list;
  const auto add = [&](std::string what, std::function<void(pathfinding::Query&)> change) {
    list.emplace_back(std::move(what), std::move(change));
  };
  const bool walks = query.agent.mode == pathfinding::Mode::walk;
  if (query.agent.leap < pathfinding::kLeapMax) add("leap", [](auto& q) { ++q.agent.leap; });
  if (query.agent.leap == 0 && walks) add("jump", [](auto& q) { q.agent.jump_px += 7; });
  // How far from its floor a body may hang over depends on max_drop: one column hangs over nothing.
  if (query.agent.footprint() == 1) add("max_drop", [](auto& q) { q.agent.max_drop_px += 16; });
  if (walks) add("step", [](auto& q) { q.agent.step_px += 5; });
  if (query.agent.corners == pathfinding::Corners::never)
    add("diagonals", [](auto& q) { q.agent.corners = pathfinding::Corners::strict; });
  if (query.agent.corners == pathfinding::Corners::strict && walks)
    add("loose corners", [](auto& q) { q.agent.corners = pathfinding::Corners::loose; });
  if (!query.priced_boxes.empty()) add("no box", [](auto& q) { q.priced_boxes.pop_back(); });
  for (std::int32_t Agent::* price :
       {&Agent::cost_cardinal, &Agent::cost_diagonal, &Agent::cost_space_diagonal, &Agent::cost_climb,
        &Agent::cost_jump, &Agent::cost_drop, &Agent::cost_leap, &Agent::cost_water, &Agent::cost_near_hazard,
        &Agent::cost_slow, &Agent::cost_open}) {
    add("a lower price", [price](auto& q) { q.agent.*price = std::max(0, q.agent.*price / 2); });
  }
  return list;
}

/// The query with its start and its places resolved to the cells of their nodes, so that what is asked stays the same.
std::optional<pathfinding::Query> pinned(const pathfinding::Query& query, const Query& asked, Ground& ground) {
  const std::optional<Node> start = resolve_start(ground, asked.start);
  if (!start) return std::nullopt;
  pathfinding::Query q = query;
  q.start = world::BlockPos{start->x, start->y, start->z};
  if (!std::holds_alternative<pathfinding::GoalPlaces>(q.goal)) return q;
  pathfinding::GoalPlaces places;
  GoalSet goals(ground, asked.goal);
  for (const std::optional<Node>& goal : goals.resolved()) {
    if (goal) places.places.emplace_back(world::BlockPos{goal->x, goal->y, goal->z});
  }
  if (places.places.empty()) return std::nullopt;
  q.goal = places;
  return q;
}

std::string more_never_costs_more(const RandomCase& drawn) {
  const PreparedCase prepared(drawn);
  Ground ground(prepared.view, drawn.agent);
  pathfinding::Search search;
  for (std::size_t i = 0; i < prepared.queries.size(); ++i) {
    const auto query = pinned(prepared.queries[i], prepared.questions[i], ground);
    if (!query) continue;
    const pathfinding::Answer less = ask(search, prepared.snapshot, *query);
    if (less.status != AnswerStatus::found) continue;
    for (const auto& [what, change] : more_able(*query)) {
      pathfinding::Query able = *query;
      change(able);
      const pathfinding::Answer more = ask(search, prepared.snapshot, able);
      if (more.status == AnswerStatus::found && more.cost <= less.cost) continue;
      return fmt::format("{} makes it dearer\n{}\n{}", what, said(less), said(more));
    }
  }
  return "";
}

TEST(SearchProperties, WhoCanDoMoreNeverPaysMore) { for_all_cases(4 * kWorlds, more_never_costs_more); }

}  // namespace
}  // namespace voxpath::judge
