#include "server/checks/scenario_check.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace voxpath::server {

using pathfinding::Answer;
using pathfinding::Waypoint;
using world::BlockPos;

namespace {

pathfinding::Place to_place(const ScenarioPlace& place) {
  if (place.exact) return place.at;
  return world::cell_of(place.at);
}

world::Error refused(std::string_view name, const ScenarioPlace& place) {
  return {world::ErrorCode::invalid_argument,
          fmt::format("{} = ({}, {}, {}): every axis must be finite and within {}", name, place.at.x, place.at.y,
                      place.at.z, world::kCoordinateMax)};
}

/// A cell is the middle of its floor.
world::Vec3 position_of(const ScenarioPlace& place) {
  return place.exact ? place.at : world::Vec3{place.at.x + 0.5, place.at.y, place.at.z + 0.5};
}

pathfinding::Goal to_goal(const ScenarioGoal& asked) {
  const ScenarioPlace& first = asked.places.front();
  switch (asked.kind) {
    case GoalKind::radius:
      return pathfinding::GoalRadius{position_of(first), asked.reach};
    case GoalKind::column:
      return pathfinding::GoalColumn{world::cell_of(first.at).x, world::cell_of(first.at).z};
    case GoalKind::level:
      return pathfinding::GoalLevel{world::cell_of(first.at).y};
    case GoalKind::next_to:
      return pathfinding::GoalNextTo{world::cell_of(first.at)};
    case GoalKind::sight:
      return pathfinding::GoalSight{position_of(first), asked.reach};
    case GoalKind::flee: {
      pathfinding::GoalFlee flee{{}, asked.reach};
      for (const ScenarioPlace& place : asked.places) flee.points.push_back(position_of(place));
      return flee;
    }
    case GoalKind::places:
      break;
  }
  pathfinding::GoalPlaces goal;
  for (const ScenarioPlace& place : asked.places) goal.places.push_back(to_place(place));
  return goal;
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
  query.exact = true;
  pathfinding::Limits limits;
  for (const ScenarioField& f : asked.fields) {
    if (auto s = set_field(query.agent, f.name, f.value); !s) return s.error();
  }
  if (!world::is_place(asked.start.at)) return refused("start", asked.start);
  for (const ScenarioPlace& place : asked.goal.places) {
    if (!world::is_place(place.at)) return refused("goal", place);
  }
  query.start = to_place(asked.start);
  query.goal = to_goal(asked.goal);
  for (const ScenarioBox& box : asked.boxes) query.priced_boxes.push_back({box.box, box.price});
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
