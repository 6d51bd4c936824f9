#include "protocol/path_requests.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

namespace voxpath::protocol {
namespace {

/// A refusal of a part, as that of the request that it stands in.
Verdict within(std::string_view request, Verdict refused) {
  if (!refused) return refused;
  refused->message = fmt::format("{}.{}", request, refused->message);  // which begins with the field
  refused->field = fmt::format("{}.{}", request, refused->field);
  return refused;
}

Verdict check_prices(const v1::Agent& agent) {
  const auto price = [](bool present, const char* field, std::int32_t value) -> Verdict {
    return present ? check_range(field, value, -1, kCostMax) : std::nullopt;
  };
  if (auto refused = price(agent.has_cost_cardinal(), "agent.cost_cardinal", agent.cost_cardinal())) return refused;
  if (auto refused = price(agent.has_cost_diagonal(), "agent.cost_diagonal", agent.cost_diagonal())) return refused;
  if (auto refused = price(agent.has_cost_climb(), "agent.cost_climb", agent.cost_climb())) return refused;
  if (auto refused = price(agent.has_cost_jump(), "agent.cost_jump", agent.cost_jump())) return refused;
  if (auto refused = price(agent.has_cost_drop(), "agent.cost_drop", agent.cost_drop())) return refused;
  if (auto refused = price(agent.has_cost_water(), "agent.cost_water", agent.cost_water())) return refused;
  if (auto refused = price(agent.has_cost_near_hazard(), "agent.cost_near_hazard", agent.cost_near_hazard()))
    return refused;
  if (auto refused = price(agent.has_cost_slow(), "agent.cost_slow", agent.cost_slow())) return refused;
  if (auto refused = price(agent.has_cost_open(), "agent.cost_open", agent.cost_open())) return refused;
  if (auto refused = price(agent.has_cost_leap(), "agent.cost_leap", agent.cost_leap())) return refused;
  return price(agent.has_cost_space_diagonal(), "agent.cost_space_diagonal", agent.cost_space_diagonal());
}

Verdict check(const v1::Agent& agent) {
  if (auto refused = check_name("agent.profile", agent.profile(), kProfileNameMaxBytes, true)) return refused;
  const auto length = [](bool present, const char* field, double value) -> Verdict {
    return present ? check_number(field, value, 0, kAgentLengthMaxBlocks, "blocks") : std::nullopt;
  };
  if (auto refused = length(agent.has_width(), "agent.width", agent.width())) return refused;
  if (auto refused = length(agent.has_height(), "agent.height", agent.height())) return refused;
  if (auto refused = length(agent.has_step(), "agent.step", agent.step())) return refused;
  if (auto refused = length(agent.has_jump(), "agent.jump", agent.jump())) return refused;
  if (auto refused = length(agent.has_max_drop(), "agent.max_drop", agent.max_drop())) return refused;
  if (auto refused = check_enum("agent.corners", agent.corners(), v1::Agent::Corners_IsValid(agent.corners())))
    return refused;
  if (auto refused = check_enum("agent.water", agent.water(), v1::Agent::Water_IsValid(agent.water()))) return refused;
  if (auto refused = check_count("agent.immune", static_cast<std::size_t>(agent.immune_size()), kImmuneMax))
    return refused;
  for (const int hazard : agent.immune()) {
    if (auto refused = check_enum("agent.immune", hazard, v1::Agent::Hazard_IsValid(hazard))) return refused;
  }
  if (auto refused = check_enum("agent.mode", agent.mode(), v1::Agent::Mode_IsValid(agent.mode()))) return refused;
  if (auto refused = check_range("agent.leap", agent.leap(), 0, kLeapMaxCells, "cells")) return refused;
  return check_prices(agent);
}

/// Of messages with a cell or a position: Place, Goal.
template <class Message>
Verdict check_place(const std::string& field, const Message& place) {
  if (place.has_cell()) return check_block(field + ".cell", true, place.cell());
  return check_position(field + ".position", place.has_position(), place.position());
}

Verdict check(const v1::AnyOf& any_of) {
  const auto& places = any_of.places();
  if (places.empty()) return missing("goal.any_of.places");
  const auto count = static_cast<std::size_t>(places.size());
  if (auto refused = check_count("goal.any_of.places", count, kGoalPlacesMax)) return refused;
  for (int i = 0; i < places.size(); ++i) {
    if (auto refused = check_place(fmt::format("goal.any_of.places[{}]", i), places[i])) return refused;
  }
  return std::nullopt;
}

Verdict check(const v1::Flee& flee) {
  const auto& points = flee.points();
  if (points.empty()) return missing("goal.flee.points");
  const auto count = static_cast<std::size_t>(points.size());
  if (auto refused = check_count("goal.flee.points", count, kGoalPlacesMax)) return refused;
  for (int i = 0; i < points.size(); ++i) {
    if (auto refused = check_position(fmt::format("goal.flee.points[{}]", i), true, points[i])) return refused;
  }
  return check_number("goal.flee.distance", flee.distance(), 0, kFleeDistanceMaxBlocks, "blocks");
}

Verdict check(const v1::Goal& goal) {
  constexpr std::int32_t kMax = kCoordinateMaxBlocks;
  switch (goal.goal_case()) {
    case v1::Goal::kAnyOf:
      return check(goal.any_of());
    case v1::Goal::kRadius:
      if (auto refused = check_position("goal.radius.centre", goal.radius().has_centre(), goal.radius().centre()))
        return refused;
      return check_number("goal.radius.radius", goal.radius().radius(), 0, kGoalRadiusMaxBlocks, "blocks");
    case v1::Goal::kColumn:
      if (auto refused = check_range("goal.column.x", goal.column().x(), -kMax, kMax, "blocks")) return refused;
      return check_range("goal.column.z", goal.column().z(), -kMax, kMax, "blocks");
    case v1::Goal::kLevel:
      return check_range("goal.level", goal.level(), -kMax, kMax, "blocks");
    case v1::Goal::kNextTo:
      return check_block("goal.next_to", true, goal.next_to());
    case v1::Goal::kFlee:
      return check(goal.flee());
    case v1::Goal::kSight:
      if (auto refused = check_position("goal.sight.point", goal.sight().has_point(), goal.sight().point()))
        return refused;
      return check_number("goal.sight.range", goal.sight().range(), 0, kGoalRadiusMaxBlocks, "blocks");
    case v1::Goal::kCell:
    case v1::Goal::kPosition:
    case v1::Goal::GOAL_NOT_SET:
      break;
  }
  return check_place("goal", goal);
}

using PricedBoxes = google::protobuf::RepeatedPtrField<v1::PricedBox>;

Verdict check_priced_boxes(const PricedBoxes& boxes) {
  const auto count = static_cast<std::size_t>(boxes.size());
  if (auto refused = check_count("priced_boxes", count, kPricedBoxesMax)) return refused;
  for (int i = 0; i < boxes.size(); ++i) {
    const v1::PricedBox& priced = boxes[i];
    const std::string field = fmt::format("priced_boxes[{}]", i);
    if (!priced.has_box()) return missing(field + ".box");
    if (auto refused = check_box(field + ".box", priced.box(), std::numeric_limits<std::int64_t>::max()))
      return refused;
    if (auto refused = check_range(field + ".price", priced.price(), -1, kCostMax)) return refused;
  }
  return std::nullopt;
}

// What FindPath and FindPaths have alike. Fields are named from the request on.

template <class Request>
Verdict check_who(const Request& request) {
  if (auto refused = check_name("world", request.world(), kWorldNameMaxBytes)) return refused;
  return check(request.agent());
}

template <class Request>
Verdict check_how(const Request& request) {
  if (auto refused = check(request.goal())) return refused;
  if (auto refused = check_priced_boxes(request.priced_boxes())) return refused;
  if (auto refused = check_enum("simplify", request.simplify(), v1::FindPath::Simplify_IsValid(request.simplify())))
    return refused;
  const int algorithm = request.algorithm();
  if (auto refused = check_enum("algorithm", algorithm, v1::FindPath::Algorithm_IsValid(algorithm))) return refused;
  const int heuristic = request.heuristic();
  if (auto refused = check_enum("heuristic", heuristic, v1::FindPath::Heuristic_IsValid(heuristic))) return refused;
  if (auto refused = check_enum("metric", request.metric(), v1::FindPath::Metric_IsValid(request.metric())))
    return refused;
  if (request.weight() != 0) {
    if (auto refused = check_number("weight", request.weight(), 1, kWeightMax, "times the least cost")) return refused;
  }
  if (auto refused = check_range("expansions_max", request.expansions_max(), 0, kExpansionsMax, "expansions"))
    return refused;
  if (auto refused = check_range("deadline_ms", request.deadline_ms(), 0, kDeadlineMaxMs, "ms")) return refused;
  return check_range("priority", request.priority(), -kPriorityMax, kPriorityMax);
}

/// Passed without making the words of a refusal: nearly all places are.
bool plainly_fine(const v1::Place& place) {
  if (place.has_cell()) return is_block(place.cell());
  const auto fits = [](double v) { return std::abs(v) <= kCoordinateMaxBlocks; };  // NaN does not
  const v1::Position& p = place.position();
  return place.has_position() && fits(p.x()) && fits(p.y()) && fits(p.z());
}

Verdict check_starts(const google::protobuf::RepeatedPtrField<v1::Place>& starts) {
  if (starts.empty()) return missing("starts");
  if (auto refused = check_count("starts", static_cast<std::size_t>(starts.size()), kStartsMax)) return refused;
  for (int i = 0; i < starts.size(); ++i) {
    if (!plainly_fine(starts[i])) return check_place(fmt::format("starts[{}]", i), starts[i]);
  }
  return std::nullopt;
}

Verdict check_waypoint(const v1::Waypoint& waypoint) {
  if (auto refused = check_block("cell", waypoint.has_cell(), waypoint.cell())) return refused;
  constexpr std::int32_t kMaxPx = kCoordinateMaxBlocks * 16;
  if (auto refused = check_range("floor_px", waypoint.floor_px(), -kMaxPx, kMaxPx, "px")) return refused;
  const auto known = [](int value, bool valid) { return value != 0 && valid; };
  const int kind = waypoint.kind();
  if (auto refused = check_enum("kind", kind, known(kind, v1::Waypoint::Kind_IsValid(kind)))) return refused;
  const int medium = waypoint.medium();
  if (auto refused = check_enum("medium", medium, known(medium, v1::Waypoint::Medium_IsValid(medium)))) return refused;
  return check_enum("action", waypoint.action(), v1::Waypoint::Action_IsValid(waypoint.action()));
}

/// Steps along the longest axis. Precondition: both passed check_block().
std::int64_t steps_between(const v1::BlockPos& a, const v1::BlockPos& b) {
  return std::max({std::abs(a.x() - b.x()), std::abs(a.y() - b.y()), std::abs(a.z() - b.z())});
}

}  // namespace

Verdict check_request(const v1::FindPath& request) {
  if (auto refused = check_who(request)) return within("find_path", std::move(refused));
  if (!plainly_fine(request.start())) {
    if (auto refused = check_place("start", request.start())) return within("find_path", std::move(refused));
  }
  return within("find_path", check_how(request));
}

Verdict check_request(const v1::FindPaths& request) {
  if (auto refused = check_who(request)) return within("find_paths", std::move(refused));
  if (auto refused = check_starts(request.starts())) return within("find_paths", std::move(refused));
  return within("find_paths", check_how(request));
}

Verdict check_request(const v1::ValidatePath& request) {
  if (auto refused = check_name("validate_path.world", request.world(), kWorldNameMaxBytes)) return refused;
  if (auto refused = within("validate_path", check(request.agent()))) return refused;
  if (auto refused = check_range("validate_path.deadline_ms", request.deadline_ms(), 0, kDeadlineMaxMs, "ms"))
    return refused;
  if (request.waypoints().empty()) return missing("validate_path.waypoints");
  const auto count = static_cast<std::size_t>(request.waypoints_size());
  if (auto refused = check_count("validate_path.waypoints", count, kWaypointsMax)) return refused;
  std::int64_t length = 0;
  for (int i = 0; i < request.waypoints_size(); ++i) {
    if (auto refused = check_waypoint(request.waypoints(i)))
      return within(fmt::format("validate_path.waypoints[{}]", i), std::move(refused));
    if (i > 0) length += steps_between(request.waypoints(i - 1).cell(), request.waypoints(i).cell());
  }
  if (length <= kPathLengthMaxBlocks) return std::nullopt;
  return out_of_range("validate_path.waypoints", fmt::format("{} blocks long in all", length),
                      fmt::format("{} blocks", kPathLengthMaxBlocks));
}

}  // namespace voxpath::protocol
