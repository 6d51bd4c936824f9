#include "server/checks/scenario_check.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace voxpath::server {

using pathfinding::Answer;
using pathfinding::AnswerStatus;
using pathfinding::Waypoint;
using world::BlockPos;

namespace {

pathfinding::Place to_place(const ScenarioPlace& place) {
  if (place.exact) return place.at;
  return world::cell_of(place.at);
}

std::string text(BlockPos p) { return fmt::format("({},{},{})", p.x, p.y, p.z); }

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

bool visits(const Answer& answer, BlockPos cell) {
  return std::any_of(answer.path.begin(), answer.path.end(), [&](const Waypoint& w) { return w.cell == cell; });
}

std::string check_path(const ScenarioExpectation& expect, const Answer& answer) {
  if (expect.cost && answer.cost != *expect.cost) return fmt::format("cost {}, expected {}", answer.cost, *expect.cost);
  if (expect.cost_max && answer.cost > *expect.cost_max)
    return fmt::format("cost {}, at most {} expected", answer.cost, *expect.cost_max);
  if (expect.moves && answer.moves() != static_cast<std::size_t>(*expect.moves)) {
    return fmt::format("{} moves, expected {}", answer.moves(), *expect.moves);
  }
  if (expect.end && (answer.path.empty() || answer.path.back().cell != *expect.end)) {
    return fmt::format("ends in {}, expected {}", answer.path.empty() ? "nothing" : text(answer.path.back().cell),
                       text(*expect.end));
  }
  for (const BlockPos p : expect.visits) {
    if (!visits(answer, p)) return fmt::format("does not visit {}", text(p));
  }
  for (const BlockPos p : expect.avoids) {
    if (visits(answer, p)) return fmt::format("visits {}", text(p));
  }
  for (const ScenarioAction& a : expect.actions) {
    const bool there = std::any_of(answer.path.begin(), answer.path.end(),
                                   [&](const Waypoint& w) { return w.cell == a.at && name(w.action) == a.action; });
    if (!there) return fmt::format("no {} at {}", a.action, text(a.at));
  }
  if (!expect.kinds.empty()) {
    std::vector<std::string> kinds;
    for (std::size_t i = 1; i < answer.path.size(); ++i) kinds.emplace_back(name(answer.path[i].kind));
    if (kinds != expect.kinds)
      return fmt::format("kinds {}, expected {}", fmt::join(kinds, ","), fmt::join(expect.kinds, ","));
  }
  return {};
}

std::string check_query(const Scenario& scenario, const ScenarioQuery& asked, pathfinding::Search& search) {
  const ScenarioExpectation& expect = asked.expect;
  const bool refused_expected = expect.status == ScenarioStatus::bad_request;
  const auto query = to_query(asked);
  if (!query) return refused_expected ? std::string() : "refused: " + query.error().message;
  if (const auto begun = search.begin(scenario.world->snapshot(), query->first, query->second); !begun) {
    return refused_expected ? std::string() : "refused: " + begun.error().message;
  }
  while (!search.advance(pathfinding::kExpansionsMax)) {
  }
  const Answer answer = search.answer();
  if (lower(name(answer.status)) != name(expect.status)) {
    return fmt::format("{} (cost {}, {} moves), expected {}", lower(name(answer.status)), answer.cost, answer.moves(),
                       name(expect.status));
  }
  if (!expect.reason.empty() && name(answer.reason) != expect.reason) {
    return fmt::format("reason {}, expected {}", name(answer.reason), expect.reason);
  }
  return check_path(expect, answer);
}

}  // namespace

world::Result<std::pair<pathfinding::Query, pathfinding::Limits>> to_query(const ScenarioQuery& asked) {
  pathfinding::Query query;
  pathfinding::Limits limits;
  for (const ScenarioField& f : asked.fields) {
    if (auto s = set_field(query.agent, f.name, f.value); !s) return s.error();
  }
  for (const auto& [name, place] : {std::pair{"start", asked.start}, std::pair{"goal", asked.goal}}) {
    if (!place.exact || world::is_place(place.at)) continue;
    return world::Error{world::ErrorCode::invalid_argument,
                        fmt::format("{} = ({}, {}, {}): every axis must be finite and within {}", name, place.at.x,
                                    place.at.y, place.at.z, world::kCoordinateMax)};
  }
  query.start = to_place(asked.start);
  query.goal = pathfinding::GoalPlaces{{to_place(asked.goal)}};
  if (asked.limit)
    limits.expansions =
        static_cast<std::uint32_t>(std::clamp<std::int64_t>(*asked.limit, 0, pathfinding::kExpansionsMax + 1));
  return std::pair{query, limits};
}

CheckReport check_scenario(const Scenario& scenario, pathfinding::Search& search) {
  CheckReport report;
  for (const ScenarioQuery& q : scenario.queries) {
    report.note(fmt::format("line {}: {}", q.line, q.text), check_query(scenario, q, search));
  }
  return report;
}

}  // namespace voxpath::server
