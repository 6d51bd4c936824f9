// What holds of the search that many mobs share, on random worlds: each gets what a search of its own would have found.
#include "pathfinding/engine/nav_field.hpp"
#include "pathfinding/horde_search.hpp"
#include "tests/property/answer_fields.hpp"
#include "tests/property/random_cases.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace voxpath::judge {
namespace {

using pathfinding::AnswerStatus;
using pathfinding::GoalPlaces;
using pathfinding::NavField;

constexpr std::uint64_t kWorlds = 400;

/// Nodes all over the world and outside it, besides the starts of the case.
std::vector<pathfinding::Place> starts_of(const PreparedCase& prepared, Random& random) {
  std::vector<pathfinding::Place> starts;
  for (const pathfinding::Query& query : prepared.queries) starts.push_back(query.start);
  const world::BlockPos around = world::cell_of(std::visit(
      [](const auto& place) {
        return world::Vec3{static_cast<double>(place.x), static_cast<double>(place.y), static_cast<double>(place.z)};
      },
      starts.front()));
  for (int i = 0; i < 24; ++i) {
    starts.emplace_back(world::BlockPos{around.x + random.between(-7, 7), around.y + random.between(-3, 3),
                                        around.z + random.between(-7, 7)});
  }
  return starts;
}

/// What is wrong with a shared answer beside that of a search of its own; empty when nothing is.
std::string objection(const pathfinding::Answer& shared, const pathfinding::Answer& own, const Query& asked,
                      Ground& ground) {
  if (own.status != AnswerStatus::found) return "a search of its own finds no path";
  if (own.exact && shared.cost != own.cost) return "another cost";
  if (shared.path.front().cell != own.path.front().cell) return "another start";
  const PathVerdict verdict = check_path(ground, claims(shared.path), asked.boxes);
  if (!verdict.ok()) return fmt::format("waypoint {}: {}", verdict.first_wrong, verdict.why);
  return verdict.cost == shared.cost ? "" : fmt::format("the path costs {}", verdict.cost);
}

std::string field_beside_searches(const RandomCase& drawn) {
  const PreparedCase prepared(drawn);
  Ground ground(prepared.view, drawn.agent);
  Random random(drawn.seed);
  pathfinding::Search search;
  NavField field;
  const auto starts = starts_of(prepared, random);
  for (std::size_t i = 0; i < prepared.queries.size(); ++i) {
    pathfinding::Query query = prepared.queries[i];
    if (!std::holds_alternative<GoalPlaces>(query.goal) || query.agent.mode != pathfinding::Mode::walk) continue;
    query.simplify = pathfinding::Simplify::none;
    field.begin(prepared.snapshot, query);
    for (const pathfinding::Place& start : starts) {
      query.start = start;
      const pathfinding::Answer own = ask(search, prepared.snapshot, query);
      const pathfinding::NavPlace place = field.start(start);
      if ((place.node == pathfinding::NavArena::kNowhere) != (own.status == AnswerStatus::start_invalid))
        return fmt::format("query {}: the start is a node for one alone\n{}", i, said(own));
      if (place.node == pathfinding::NavArena::kNowhere) continue;
      while (field.way_from(place.node) == NavField::Way::open) field.advance(place.node, 7);
      if (field.way_from(place.node) == NavField::Way::none) {
        if (own.status == AnswerStatus::found) return fmt::format("query {}: no way\n{}", i, said(own));
        continue;
      }
      const pathfinding::Answer shared = field.answer(place);
      const std::string wrong = objection(shared, own, prepared.questions[i], ground);
      if (!wrong.empty()) return fmt::format("query {}: {}\n{}\nits own: {}", i, wrong, said(shared), said(own));
    }
  }
  return "";
}

TEST(HordeProperties, AFieldCostsWhatEachSearchCosts) { for_all_cases(kWorlds, field_beside_searches); }

std::string horde_beside_searches(const RandomCase& drawn) {
  const PreparedCase prepared(drawn);
  Random random(drawn.seed);
  pathfinding::Search search;
  pathfinding::HordeSearch horde;
  const auto starts = starts_of(prepared, random);
  for (std::size_t i = 0; i < prepared.queries.size(); ++i) {
    pathfinding::Query query = prepared.queries[i];
    std::vector<std::string> whole;
    for (const std::uint32_t slice : {1'000'000u, 3u}) {
      if (auto begun = horde.begin(prepared.snapshot, query, starts, {pathfinding::kExpansionsMax}); !begun)
        return begun.error().message;
      while (!horde.advance(slice)) {
      }
      const auto answers = horde.answers();
      if (answers.size() != starts.size()) return "not an answer for each";
      for (std::size_t m = 0; m < starts.size(); ++m) {
        if (slice == 3u) {
          if (all_fields(answers[m]) != whole[m]) return fmt::format("query {}, mob {}: slices matter", i, m);
          continue;
        }
        whole.push_back(all_fields(answers[m]));
        query.start = starts[m];
        const pathfinding::Answer own = ask(search, prepared.snapshot, query);
        if (answers[m].status != own.status || answers[m].reason != own.reason ||
            (own.exact && answers[m].cost != own.cost))
          return fmt::format("query {}, mob {}:\n{}\nits own: {}", i, m, said(answers[m]), said(own));
      }
    }
  }
  return "";
}

TEST(HordeProperties, EachMobGetsTheAnswerOfItsOwnSearch) { for_all_cases(kWorlds / 4, horde_beside_searches); }

}  // namespace
}  // namespace voxpath::judge
