// NavSearch's answers: the path that the labels tell, the best place to wait, what blocks the way.
#include "pathfinding/best_effort.hpp"
#include "pathfinding/engine/nav_search.hpp"
#include "pathfinding/path.hpp"

#include <algorithm>
#include <cassert>

namespace voxpath::pathfinding {

using world::BlockPos;
using world::ChunkPos;

/// The kind of the move that the labels have taken.
MoveKind NavSearch::move_between(Id from, Id to) const {
  const Slot& slot = slot_of(from);
  const std::uint32_t node = from - slot.base;
  const BlockPos a = cell(from);
  const BlockPos b = cell(to);
  std::int64_t price = (labels_[to].cost >> 1) - (labels_[from].cost >> 1);
  if (metric_ == Metric::cost && !boxes_.boxes.empty()) {
    price -= boxes_.at(b);
  }
  for (std::size_t d = 0; d < 8; ++d) {
    const auto byte = static_cast<std::uint32_t>(slot.edges[node] >> (8 * d) & 0xFF);
    const auto type = static_cast<EdgeType>(byte & 7u);
    if (type == EdgeType::none || type == EdgeType::extra || prices_[byte & 7u][d] != price) continue;
    if (a.x + kStepX[d] == b.x && a.z + kStepZ[d] == b.z && byte >> 3 == (to - slot_of(to).base) >> 8)
      return move_kind(type, d);
  }
  for (const ExtraEdge* e = slot.nav->extras_from(node); e != slot.nav->extras_to(node); ++e) {
    if (e->missing || (metric_ == Metric::cost && e->price != price)) continue;
    const ChunkPos there = {slot.pos.x + e->neighbour % 3 - 1, slot.pos.z + e->neighbour / 3 - 1};
    if (there == slot_of(to).pos && (std::uint32_t{e->layer} << 8 | e->column) == to - slot_of(to).base) return e->kind;
  }
  assert(false);
  return MoveKind::walk;
}

std::vector<Waypoint> NavSearch::path_to(Id end) const {
  std::size_t length = 1;
  for (Id id = end; id != start_; id = labels_[id].from >> 6) ++length;
  std::vector<Waypoint> path(length);
  const double half = query_.agent.footprint() / 2.0;
  Id id = end;
  for (std::size_t i = length; i-- > 0;) {
    const NodeInfo node = info(id);
    Waypoint& w = path[i];
    w.cell = cell(id);
    w.floor_px = w.cell.y * 16 + node.floor_px();
    w.node = node.kind();
    w.position = {w.cell.x + half, w.floor_px / double{world::kPixelsPerBlock}, w.cell.z + half};
    if (i == 0) break;
    const Id parent = labels_[id].from >> 6;
    w.kind = move_between(parent, id);
    w.action = node.opens() ? Action::open : Action::none;
    id = parent;
  }
  return path;
}

/// Where a partial path should end: see BestEffort. All nodes that were expanded are looked at.
NavSearch::Id NavSearch::best_effort() const {
  BestEffort best;
  best.reset(start_, cell(start_));
  if (!estimate_) return start_;
  const Estimate distance = octile_estimate();
  for (Id id = 0; id < labels_used_; ++id) {
    const std::uint32_t cost = labels_[id].cost;
    if (cost == 0xFFFFFFFFu || (cost & 1u) == 0) continue;
    const BlockPos at = cell(id);
    best.consider(id, at, cost >> 1, distance(at));
  }
  return best.node();
}

Answer NavSearch::answer() {
  assert(done_);
  Answer a;
  a.status = status_;
  a.reason = reason_;
  a.missing_chunks = missing_;
  a.statistics = statistics_;
  a.start_rule = start_rule_;
  a.exact = !estimate_ || estimate_->admissible();
  if (start_ == kNowhere) return a;
  const bool found = status_ == AnswerStatus::found;
  const Id end = found ? end_ : best_effort();
  a.cost = end == start_ ? 0 : labels_[end].cost >> 1;
  if (goal_is_places_) {
    std::size_t which = 0;
    if (found) which = static_cast<std::size_t>(std::find(goal_ids_.begin(), goal_ids_.end(), end) - goal_ids_.begin());
    a.goal_index = found ? goal_index_[which] : 0;
    a.goal_rule = goal_rule_.empty() ? ResolvedBy::nothing : goal_rule_[which];
  } else {
    a.goal_rule = ResolvedBy::area;
  }
  a.path = path_to(end);
  a.move_count = a.path.size() - 1;
  a.sections = sections_of(a.path, query_.agent);
  if (status_ == AnswerStatus::unreachable) {
    const BlockPos from = cell(start_);
    const NodeId start = terrain().cell(from.x, from.y, from.z).node;
    NodeId goal = kNoNode;
    if (goal_is_places_) {
      const BlockPos to = cell(goal_ids_.front());
      goal = terrain_.cell(to.x, to.y, to.z).node;
    }
    a.blockers = find_blockers(terrain_, start, goal);
  }
  if (query_.simplify != Simplify::none) simplify(a.path, query_.simplify, terrain(), query_.priced_boxes);
  // A line of sight cuts the corners of the way that was found.
  if (query_.simplify == Simplify::line_of_sight) a.sections = sections_of(a.path, query_.agent);
  return a;
}

}  // namespace voxpath::pathfinding
