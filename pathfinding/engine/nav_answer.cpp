// NavSearch's answers: the path that the labels tell, the best place to wait, what blocks the way.
#include "pathfinding/best_effort.hpp"
#include "pathfinding/engine/nav_search.hpp"
#include "pathfinding/path.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace voxpath::pathfinding {

using world::BlockPos;

std::vector<Waypoint> NavSearch::path_to(Id end) const {
  std::size_t length = 1;
  for (Id id = end; id != start_; id = arena_.label(id).from >> 6) ++length;
  std::vector<Waypoint> path(length);
  const double half = query_.agent.footprint() / 2.0;
  Id id = end;
  for (std::size_t i = length; i-- > 0;) {
    Waypoint& w = path[i];
    w = waypoint_at(arena_, id, half);
    if (i == 0) {
      w.action = Action::none;
      break;
    }
    const Id parent = arena_.label(id).from >> 6;
    std::int64_t price = (arena_.label(id).cost >> 1) - (arena_.label(parent).cost >> 1);
    if (rules_.metric == Metric::cost && !rules_.boxes.boxes.empty()) price -= rules_.boxes.at(w.cell);
    w.kind = kind_of_move(arena_, rules_, parent, id, arena_.label(id), price);
    id = parent;
  }
  return path;
}

/// Where a partial path should end: see BestEffort. All nodes that were expanded are looked at.
NavSearch::Id NavSearch::best_effort() const {
  BestEffort best;
  best.reset(start_, arena_.cell(start_));
  if (!estimate_) return start_;
  const Estimate distance = octile_estimate();
  for (Id id = 0; id < arena_.size(); ++id) {
    const std::uint32_t cost = arena_.label(id).cost;
    if (!arena_.label(id).closed()) continue;
    const BlockPos at = arena_.cell(id);
    best.consider(id, at, cost >> 1, distance(at));
  }
  return best.node();
}

Answer NavSearch::answer_without_path() const {
  Answer a;
  a.missing_chunks = missing_;
  a.statistics = statistics_;
  a.statistics.unknown_blocks = arena_.unknown_blocks();
  a.start_rule = start_rule_;
  if (start_ == kNowhere) return a;
  a.goal_rule = !goal_is_places_ ? ResolvedBy::area : goal_.nodes.empty() ? ResolvedBy::nothing : goal_.rule.front();
  return a;
}

/// What the search has shown that every path costs. All that it has taken out was f <= weight * the least cost, and that of the goal is
/// its cost.
std::int64_t NavSearch::lower_bound() const {
  if (!estimate_ || !estimate_->admissible()) return 0;
  const auto greatest = static_cast<double>(open_.greatest());
  const double weight = octile_.applies && query_.heuristic == Heuristic::octile ? query_.weight : 1;
  return static_cast<std::int64_t>(std::ceil(greatest / weight));
}

std::size_t NavSearch::moves() const {
  std::size_t moves = 0;
  for (Id id = end_; id != start_; id = arena_.label(id).from >> 6) ++moves;
  return moves;
}

NavSearch::Part NavSearch::path_without(std::size_t last_moves) const {
  Id end = end_;
  for (; last_moves > 0; --last_moves) end = arena_.label(end).from >> 6;
  Part part{path_to(end), {}};
  part.costs.resize(part.path.size());
  for (std::size_t i = part.path.size(); i-- > 0; end = arena_.label(end).from >> 6)
    part.costs[i] = arena_.label(end).cost >> 1;
  return part;
}

std::optional<Estimate::Parts> NavSearch::distance_prices() const {
  return single_goal_ != kNowhere ? octile_estimate().parts() : std::nullopt;
}

Answer NavSearch::answer() {
  assert(done_);
  Answer a = answer_without_path();
  a.status = status_;
  a.reason = reason_;
  a.exact = (!estimate_ || estimate_->admissible()) && query_.weight == 1;
  if (start_ == kNowhere) return a;
  const bool found = status_ == AnswerStatus::found;
  const Id end = found ? end_ : best_effort();
  a.cost = end == start_ ? 0 : arena_.label(end).cost >> 1;
  if (found && goal_is_places_) {
    const auto which = std::find(goal_.nodes.begin(), goal_.nodes.end(), end) - goal_.nodes.begin();
    a.goal_index = goal_.index[static_cast<std::size_t>(which)];
    a.goal_rule = goal_.rule[static_cast<std::size_t>(which)];
  }
  if (found || (status_ == AnswerStatus::partial && reason_ != PartialReason::missing_chunk))
    a.lower_bound = lower_bound();
  a.exact |= found && a.cost == a.lower_bound;
  a.path = path_to(end);
  complete(a);
  return a;
}

Answer NavSearch::answer_along(std::vector<Waypoint> path, std::int64_t cost, AnswerStatus status,
                               PartialReason reason) {
  Answer a = answer_without_path();
  a.status = status;
  a.reason = reason;
  a.cost = cost;
  a.lower_bound = lower_bound();
  a.path = std::move(path);
  if (status == AnswerStatus::found) a.goal_index = goal_.index.front();
  complete(a);
  return a;
}

/// All that follows from the path.
void NavSearch::complete(Answer& a) {
  a.move_count = a.path.size() - 1;
  a.sections = sections_of(a.path, query_.agent);
  if (a.status == AnswerStatus::unreachable) {
    const BlockPos from = arena_.cell(start_);
    const NodeId start = terrain().cell(from.x, from.y, from.z).node;
    NodeId goal = kNoNode;
    if (goal_is_places_) {
      const BlockPos to = arena_.cell(goal_.nodes.front());
      goal = terrain_.cell(to.x, to.y, to.z).node;
    }
    a.blockers = find_blockers(terrain_, start, goal);
  }
  if (query_.simplify != Simplify::none) simplify(a.path, query_.simplify, terrain(), query_.priced_boxes);
  // A line of sight cuts the corners of the way that was found.
  if (query_.simplify == Simplify::line_of_sight) a.sections = sections_of(a.path, query_.agent);
}

}  // namespace voxpath::pathfinding
