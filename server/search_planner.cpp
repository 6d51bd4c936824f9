#include "server/search_planner.hpp"

#include "protocol/limits.hpp"

#include <algorithm>
#include <utility>

namespace voxpath::server {

using pathfinding::AnswerStatus;
using pathfinding::MoveKind;
using pathfinding::PartialReason;
using protocol::ErrorKind;
using protocol::Failure;

namespace {

/// Of messages with a cell or a position: Place, Goal.
template <class Message>
pathfinding::Place place_of(const Message& place) {
  if (place.has_cell()) return world::BlockPos{place.cell().x(), place.cell().y(), place.cell().z()};
  return world::Vec3{place.position().x(), place.position().y(), place.position().z()};
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

v1::Waypoint::Kind kind_of(MoveKind kind) {
  switch (kind) {
    case MoveKind::start:
      return v1::Waypoint::START;
    case MoveKind::walk:
      return v1::Waypoint::WALK;
    case MoveKind::diagonal:
      return v1::Waypoint::DIAGONAL;
    case MoveKind::jump:
      return v1::Waypoint::JUMP;
    case MoveKind::drop:
      return v1::Waypoint::DROP;
    case MoveKind::climb:
      return v1::Waypoint::CLIMB;
  }
  __builtin_unreachable();
}

void write_waypoint(const pathfinding::Waypoint& from, v1::Waypoint* to) {
  to->mutable_cell()->set_x(from.cell.x);
  to->mutable_cell()->set_y(from.cell.y);
  to->mutable_cell()->set_z(from.cell.z);
  to->mutable_position()->set_x(from.position.x);
  to->mutable_position()->set_y(from.position.y);
  to->mutable_position()->set_z(from.position.z);
  to->set_floor_px(from.floor_px);
  to->set_kind(kind_of(from.kind));
  if (from.action == pathfinding::Action::open) to->set_action(v1::Waypoint::OPEN);
}

}  // namespace

std::variant<pathfinding::Query, Failure> query_of(const v1::FindPath& request, const AgentProfiles& profiles) {
  pathfinding::Query query;
  auto agent = profiles.agent_of(request.agent());
  if (auto* refused = std::get_if<Failure>(&agent)) return std::move(*refused);
  query.agent = std::get<pathfinding::Agent>(agent);
  query.agent.metric = request.metric() == v1::FindPath::MOVES ? pathfinding::Metric::moves : pathfinding::Metric::cost;
  query.start = place_of(request.start());
  pathfinding::GoalPlaces goals;
  if (request.goal().has_any_of()) {
    for (const v1::Place& place : request.goal().any_of().places()) goals.places.push_back(place_of(place));
  } else {
    goals.places.push_back(place_of(request.goal()));
  }
  query.goal = std::move(goals);
  query.algorithm = algorithm_of(request.algorithm());
  query.heuristic = heuristic_of(request.heuristic());
  return query;
}

std::optional<Failure> SearchPlanner::begin(world::Ref<const world::Snapshot> snapshot, const v1::FindPath& request) {
  auto query = query_of(request, *profiles_);
  if (auto* refused = std::get_if<Failure>(&query)) return std::move(*refused);
  pathfinding::Limits limits;
  if (request.expansions_max() > 0) limits.expansions = request.expansions_max();
  const auto status = search_.begin(std::move(snapshot), std::get<pathfinding::Query>(query), limits);
  if (!status) return Failure{ErrorKind::field_invalid, status.error().message, "find_path", "", "see the message"};
  return std::nullopt;
}

void SearchPlanner::stop(Stop why) {
  search_.stop(why == Stop::deadline ? PartialReason::deadline : PartialReason::none);
}

void SearchPlanner::write(v1::PathAnswer* answer) {
  write_answer(search_.answer(), answer);
  search_.reset();
}

void write_answer(const pathfinding::Answer& answer, v1::PathAnswer* message) {
  message->set_status(status_of(answer.status));
  message->set_reason(reason_of(answer.reason));
  message->set_version(answer.statistics.world_version);
  message->set_cost(answer.cost);
  message->set_moves(static_cast<std::uint32_t>(answer.moves()));
  message->set_truncated(answer.path.size() > protocol::kWaypointsMax);
  message->set_inexact(!answer.exact);
  message->set_expanded(answer.statistics.expanded);
  message->set_generated(answer.statistics.generated);
  if (answer.status == AnswerStatus::found) message->set_goal_index(static_cast<std::uint32_t>(answer.goal_index));
  if (answer.missing_chunk) {
    message->mutable_missing_chunk()->set_x(answer.missing_chunk->x);
    message->mutable_missing_chunk()->set_z(answer.missing_chunk->z);
  }
  const std::size_t count = std::min(answer.path.size(), protocol::kWaypointsMax);
  message->mutable_waypoints()->Reserve(static_cast<int>(count));
  for (std::size_t i = 0; i < count; ++i) write_waypoint(answer.path[i], message->add_waypoints());
}

}  // namespace voxpath::server
