#include "server/search_planner.hpp"

#include "protocol/limits.hpp"
#include "server/outcome.hpp"
#include "server/path_messages.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace voxpath::server {

using pathfinding::AnswerStatus;
using pathfinding::PartialReason;
using protocol::ErrorKind;
using protocol::Failure;

namespace {

// What the door lets through, the planner takes.
static_assert(protocol::kExpansionsMax == pathfinding::kExpansionsMax);
static_assert(protocol::kExpansionsDefault == pathfinding::kExpansionsDefault);
static_assert(protocol::kGoalPlacesMax == pathfinding::kGoalPlacesMax);
static_assert(protocol::kPricedBoxesMax == pathfinding::kPricedBoxesMax);
static_assert(protocol::kGoalRadiusMaxBlocks == pathfinding::kGoalRadiusMax);
static_assert(protocol::kFleeDistanceMaxBlocks == pathfinding::kFleeDistanceMax);
static_assert(protocol::kWeightMax == pathfinding::kWeightMax);

world::Vec3 position(const v1::Position& p) { return {p.x(), p.y(), p.z()}; }

/// Of messages with a cell or a position: Place, Goal.
template <class Message>
pathfinding::Place place_of(const Message& place) {
  if (place.has_cell()) return block_of(place.cell());
  return position(place.position());
}

pathfinding::Goal goal_of(const v1::Goal& goal) {
  pathfinding::GoalPlaces places;
  switch (goal.goal_case()) {
    case v1::Goal::kAnyOf:
      for (const v1::Place& place : goal.any_of().places()) places.places.push_back(place_of(place));
      return places;
    case v1::Goal::kRadius:
      return pathfinding::GoalRadius{position(goal.radius().centre()), goal.radius().radius()};
    case v1::Goal::kColumn:
      return pathfinding::GoalColumn{goal.column().x(), goal.column().z()};
    case v1::Goal::kLevel:
      return pathfinding::GoalLevel{goal.level()};
    case v1::Goal::kNextTo:
      return pathfinding::GoalNextTo{block_of(goal.next_to())};
    case v1::Goal::kFlee: {
      pathfinding::GoalFlee flee;
      for (const v1::Position& point : goal.flee().points()) flee.points.push_back(position(point));
      flee.distance = goal.flee().distance();
      return flee;
    }
    case v1::Goal::kSight:
      return pathfinding::GoalSight{position(goal.sight().point()), goal.sight().range()};
    case v1::Goal::kCell:
    case v1::Goal::kPosition:
    case v1::Goal::GOAL_NOT_SET:
      break;
  }
  places.places.push_back(place_of(goal));
  return places;
}

pathfinding::Simplify simplify_of(v1::FindPath::Simplify simplify) {
  switch (simplify) {
    case v1::FindPath::STRAIGHTS:
      return pathfinding::Simplify::corners;
    case v1::FindPath::IN_SIGHT:
      return pathfinding::Simplify::line_of_sight;
    default:
      return pathfinding::Simplify::none;
  }
}

pathfinding::Algorithm algorithm_of(v1::FindPath::Algorithm algorithm) {
  switch (algorithm) {
    case v1::FindPath::DIJKSTRA:
      return pathfinding::Algorithm::dijkstra;
    case v1::FindPath::BFS:
      return pathfinding::Algorithm::bfs;
    default:
      return pathfinding::Algorithm::astar;
  }
}

pathfinding::Heuristic heuristic_of(v1::FindPath::Heuristic heuristic) {
  switch (heuristic) {
    case v1::FindPath::ZERO:
      return pathfinding::Heuristic::zero;
    case v1::FindPath::MANHATTAN:
      return pathfinding::Heuristic::manhattan;
    case v1::FindPath::EUCLIDEAN:
      return pathfinding::Heuristic::euclidean;
    case v1::FindPath::CHEBYSHEV:
      return pathfinding::Heuristic::chebyshev;
    default:
      return pathfinding::Heuristic::octile;
  }
}

v1::PathAnswer::Status status_of(AnswerStatus status) {
  switch (status) {
    case AnswerStatus::found:
      return v1::PathAnswer::FOUND;
    case AnswerStatus::partial:
      return v1::PathAnswer::PARTIAL;
    case AnswerStatus::unreachable:
      return v1::PathAnswer::UNREACHABLE;
    case AnswerStatus::start_invalid:
      return v1::PathAnswer::START_INVALID;
    case AnswerStatus::goal_invalid:
      return v1::PathAnswer::GOAL_INVALID;
    case AnswerStatus::cancelled:
      return v1::PathAnswer::CANCELLED;
  }
  __builtin_unreachable();
}

v1::PathAnswer::Reason reason_of(PartialReason reason) {
  switch (reason) {
    case PartialReason::none:
      return v1::PathAnswer::NO_REASON;
    case PartialReason::budget:
      return v1::PathAnswer::BUDGET;
    case PartialReason::deadline:
      return v1::PathAnswer::DEADLINE;
    case PartialReason::missing_chunk:
      return v1::PathAnswer::MISSING_CHUNK;
  }
  __builtin_unreachable();
}

// Rules are in the same order here and on the wire; 0 is kept for "not said" there.
v1::PathAnswer::Rule rule_of(pathfinding::ResolvedBy rule) {
  static_assert(static_cast<int>(pathfinding::ResolvedBy::cell) == v1::PathAnswer::CELL);
  static_assert(static_cast<int>(pathfinding::ResolvedBy::water) == v1::PathAnswer::IN_WATER);
  static_assert(static_cast<int>(pathfinding::ResolvedBy::area) == v1::PathAnswer::AREA);
  return static_cast<v1::PathAnswer::Rule>(rule);
}

/// The profiles name fields from the agent on, whatever request it stands in.
std::variant<pathfinding::Agent, Failure> agent_of(const v1::Agent& agent, std::string_view request,
                                                   const AgentProfiles& profiles) {
  auto outcome = profiles.agent_of(agent);
  if (auto* refused = std::get_if<Failure>(&outcome)) refused->field = fmt::format("{}.{}", request, refused->field);
  return outcome;
}

}  // namespace

std::variant<pathfinding::Query, Failure> query_of(const v1::FindPath& request, const AgentProfiles& profiles) {
  pathfinding::Query query;
  auto agent = agent_of(request.agent(), "find_path", profiles);
  if (auto* refused = std::get_if<Failure>(&agent)) return std::move(*refused);
  query.agent = std::get<pathfinding::Agent>(agent);
  query.agent.metric = request.metric() == v1::FindPath::MOVES ? pathfinding::Metric::moves : pathfinding::Metric::cost;
  query.start = place_of(request.start());
  query.goal = goal_of(request.goal());
  for (const v1::PricedBox& priced : request.priced_boxes()) {
    query.priced_boxes.push_back({{block_of(priced.box().min()), block_of(priced.box().max())}, priced.price()});
  }
  query.simplify = simplify_of(request.simplify());
  query.best_effort = !request.proof_only();
  query.exact = request.exact();
  if (request.weight() != 0) query.weight = request.weight();
  query.algorithm = algorithm_of(request.algorithm());
  query.heuristic = heuristic_of(request.heuristic());
  return query;
}

std::optional<Failure> SearchPlanner::begin(world::Ref<const world::Snapshot> snapshot, const v1::FindPath& request) {
  auto query = query_of(request, *profiles_->now());
  if (auto* refused = std::get_if<Failure>(&query)) return std::move(*refused);
  with_sections_ = request.with_sections();
  agent_ = std::get<pathfinding::Query>(query).agent;
  snapshot_ = snapshot;
  pathfinding::Limits limits;
  if (request.expansions_max() > 0) limits.expansions = request.expansions_max();
  const auto status = search_.begin(std::move(snapshot), std::get<pathfinding::Query>(query), limits);
  if (!status) {
    snapshot_.reset();
    return failure_of(status.error(), "find_path");
  }
  return std::nullopt;
}

void SearchPlanner::stop(Stop why) {
  search_.stop(why == Stop::deadline ? PartialReason::deadline : PartialReason::none);
}

void SearchPlanner::write(v1::PathAnswer* answer, FoundPath* found) {
  write(search_.answer(), protocol::kWaypointsMax, answer, found);
  reset();
}

void SearchPlanner::write(pathfinding::Answer planned, std::size_t most, v1::PathAnswer* answer,
                          FoundPath* found) const {
  write_answer(planned, answer, most);
  if (with_sections_) {
    for (const world::SectionPos section : planned.sections) {
      v1::SectionPos* out = answer->add_sections();
      out->set_x(section.x);
      out->set_y(section.y);
      out->set_z(section.z);
    }
  }
  if (found == nullptr) return;
  planned.path.resize(std::min(planned.path.size(), most));
  *found = {{std::move(planned.path), agent_, std::move(planned.sections)}, snapshot_};
}

void SearchPlanner::reset() {
  search_.reset();
  if (horde_) horde_->reset();
  check_.reset();
  path_ = {};
  snapshot_.reset();
}

std::optional<Failure> SearchPlanner::begin_horde(world::Ref<const world::Snapshot> snapshot,
                                                  const HordeRequest& request, HordeOptions options) {
  static_assert(protocol::kStartsMax <= pathfinding::kHordeMax);
  auto query = query_of(request.question, *profiles_->now());
  if (auto* refused = std::get_if<Failure>(&query)) return std::move(*refused);
  with_sections_ = request.question.with_sections();
  agent_ = std::get<pathfinding::Query>(query).agent;
  snapshot_ = snapshot;
  horde_options_ = options;
  pathfinding::Limits limits;
  if (request.question.expansions_max() > 0) limits.expansions = request.question.expansions_max();
  std::vector<pathfinding::Place> starts;
  starts.reserve(static_cast<std::size_t>(request.starts.size()));
  for (const v1::Place& start : request.starts) starts.push_back(place_of(start));
  if (!horde_) horde_.emplace();
  const auto status =
      horde_->begin(std::move(snapshot), std::get<pathfinding::Query>(query), std::move(starts), limits);
  if (!status) {
    snapshot_.reset();
    return failure_of(status.error(), "find_path");
  }
  return std::nullopt;
}

void SearchPlanner::stop_horde(Stop why) {
  horde_->stop(why == Stop::deadline ? PartialReason::deadline : PartialReason::none);
}

std::vector<Planner::HordeAnswer> SearchPlanner::take_answers() {
  std::vector<HordeAnswer> answers;
  for (auto& [start, planned] : horde_->take_answers()) {
    HordeAnswer& out = answers.emplace_back();
    out.start = start;
    write(std::move(planned), horde_options_.waypoints_max, &out.answer, horde_options_.found ? &out.found : nullptr);
  }
  return answers;
}

std::optional<Failure> SearchPlanner::begin_check(world::Ref<const world::Snapshot> snapshot,
                                                  const v1::ValidatePath& request) {
  auto agent = agent_of(request.agent(), "validate_path", *profiles_->now());
  if (auto* refused = std::get_if<Failure>(&agent)) return std::move(*refused);
  const auto& mob = std::get<pathfinding::Agent>(agent);
  path_.clear();
  path_.reserve(static_cast<std::size_t>(request.waypoints_size()));
  for (const v1::Waypoint& message : request.waypoints()) {
    pathfinding::Waypoint& waypoint = path_.emplace_back(waypoint_of(message));
    // Follows from the cell; what the client says of it is not trusted with the bounds of a loop.
    const double half = mob.footprint() / 2.0;
    waypoint.position = {waypoint.cell.x + half, waypoint.floor_px / double{world::kPixelsPerBlock},
                         waypoint.cell.z + half};
  }
  snapshot_ = std::move(snapshot);
  check_.emplace(path_, mob, *snapshot_);
  return std::nullopt;
}

void SearchPlanner::end_check(v1::PathVerdict* verdict) {
  const bool over = check_->advance(0);
  verdict->set_version(snapshot_->version());
  if (over) {
    const auto& fault = check_->fault();
    verdict->set_status(fault ? v1::PathVerdict::BROKEN : v1::PathVerdict::VALID);
    if (fault) write_fault(*fault, verdict->mutable_fault());
  }
  reset();
}

void write_answer(const pathfinding::Answer& answer, v1::PathAnswer* message, std::size_t waypoints_max) {
  message->set_status(status_of(answer.status));
  message->set_reason(reason_of(answer.reason));
  message->set_version(answer.statistics.world_version);
  message->set_cost(answer.cost);
  message->set_moves(static_cast<std::uint32_t>(answer.moves()));
  message->set_truncated(answer.path.size() > waypoints_max);
  message->set_inexact(!answer.exact);
  message->set_lower_bound(answer.lower_bound);
  message->set_expanded(answer.statistics.expanded);
  message->set_generated(answer.statistics.generated);
  if (answer.status == AnswerStatus::found) message->set_goal_index(static_cast<std::uint32_t>(answer.goal_index));
  message->set_start_rule(rule_of(answer.start_rule));
  message->set_goal_rule(rule_of(answer.goal_rule));
  message->set_unknown_blocks(answer.statistics.unknown_blocks);
  for (const world::ChunkPos chunk : answer.missing_chunks) {
    v1::ChunkPos* missing = message->add_missing_chunks();
    missing->set_x(chunk.x);
    missing->set_z(chunk.z);
  }
  for (const pathfinding::Blocker& blocker : answer.blockers) {
    v1::Blocker* out = message->add_blockers();
    out->set_near_goal(blocker.near_goal);
    write_block(blocker.from, out->mutable_from());
    write_block(blocker.at, out->mutable_at());
    out->set_obstacle(obstacle_of(blocker.obstacle));
  }
  const std::size_t count = std::min(answer.path.size(), waypoints_max);
  message->mutable_waypoints()->Reserve(static_cast<int>(count));
  for (std::size_t i = 0; i < count; ++i) write_waypoint(answer.path[i], message->add_waypoints());
}

}  // namespace voxpath::server
