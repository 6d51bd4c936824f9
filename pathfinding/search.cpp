#include "pathfinding/search.hpp"

#include "pathfinding/estimate.hpp"
#include "pathfinding/moves.hpp"
#include "pathfinding/open_list.hpp"
#include "pathfinding/resolve.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace voxpath::pathfinding {

using world::ErrorCode;
using world::Status;

namespace {

constexpr std::int64_t kInfinite = std::numeric_limits<std::int64_t>::max();

/// The end of a partial path. The node of least estimate alone parks mobs behind walls; so several trade-offs between
/// estimate and cost are followed, and the most goal-minded one whose node lies a fair way from the start is taken.
/// After the idea of Baritone's AbstractNodeCostSearch (COEFFICIENTS, MIN_DIST_PATH).
class BestEffort {
 public:
  void reset(NodeId start, world::BlockPos start_cell) {
    start_cell_ = start_cell;
    best_.fill({kInfinite, start, start_cell});
  }
  void consider(NodeId node, world::BlockPos cell, std::int64_t cost, std::int64_t estimate) {
    for (std::size_t i = 0; i < kWeights.size(); ++i) {
      const std::int64_t score = kWeights[i] * estimate + 2 * cost;
      if (score < best_[i].score) best_[i] = {score, node, cell};
    }
  }
  [[nodiscard]] NodeId node() const {
    for (const Best& b : best_) {
      const std::int64_t dx = std::int64_t{b.cell.x} - start_cell_.x;
      const std::int64_t dy = std::int64_t{b.cell.y} - start_cell_.y;
      const std::int64_t dz = std::int64_t{b.cell.z} - start_cell_.z;
      if (dx * dx + dy * dy + dz * dz > kFairWay * kFairWay) return b.node;
    }
    return best_.back().node;
  }

 private:
  static constexpr std::array<std::int64_t, 7> kWeights = {3, 4, 5, 6, 8, 10, 20};  // twice 1.5, 2, 2.5, 3, 4, 5, 10
  static constexpr std::int64_t kFairWay = 5;                                       // blocks
  struct Best {
    std::int64_t score;
    NodeId node;
    world::BlockPos cell;
  };
  std::array<Best, kWeights.size()> best_{};
  world::BlockPos start_cell_;
};

struct Label {
  std::int64_t cost = kInfinite;
  NodeId parent = kNoNode;
  MoveKind kind = MoveKind::start;
  bool closed = false;
};

Status check_place(const std::string& field, const Place& place) {
  world::Vec3 p;
  if (const auto* cell = std::get_if<world::BlockPos>(&place)) {
    p = {static_cast<double>(cell->x), static_cast<double>(cell->y), static_cast<double>(cell->z)};
  } else {
    p = std::get<world::Vec3>(place);
  }
  for (const auto& [axis, value] : {std::pair{"x", p.x}, std::pair{"y", p.y}, std::pair{"z", p.z}}) {
    if (!(std::abs(value) <= world::kCoordinateMax)) {
      return world::Error{ErrorCode::invalid_argument, fmt::format("{}.{} = {}: a finite number within {} is needed",
                                                                   field, axis, value, world::kCoordinateMax)};
    }
  }
  return world::ok_status();
}

}  // namespace

Status validate(const Query& query, const Limits& limits) {
  if (auto s = validate(query.agent); !s) return s;
  if (auto s = check_place("start", query.start); !s) return s;
  const auto& places = std::get<GoalPlaces>(query.goal).places;
  if (places.empty() || places.size() > kGoalPlacesMax) {
    return world::Error{ErrorCode::invalid_argument,
                        fmt::format("goal: {} places, 1 to {} are allowed", places.size(), kGoalPlacesMax)};
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (auto s = check_place(places.size() == 1 ? "goal" : fmt::format("goal[{}]", i), places[i]); !s) return s;
  }
  if (limits.expansions < 1 || limits.expansions > kExpansionsMax) {
    return world::Error{ErrorCode::invalid_argument,
                        fmt::format("limits.expansions = {}: 1 to {} is allowed", limits.expansions, kExpansionsMax)};
  }
  return world::ok_status();
}

struct Search::State {
  world::Ref<const world::Snapshot> snapshot;
  Terrain terrain;
  OpenList open;
  std::vector<Label> labels;  // by node
  std::vector<std::pair<NodeId, std::size_t>> goals;
  std::optional<Estimate> estimate;   // what guides the search
  std::optional<Estimate> remaining;  // what judges partial paths: always octile
  BestEffort best_effort;
  Metric metric = Metric::cost;
  std::uint32_t expansions_max = 0;

  bool done = true;
  AnswerStatus status = AnswerStatus::cancelled;
  PartialReason reason = PartialReason::none;
  std::optional<world::ChunkPos> missing;
  NodeId end = kNoNode;
  std::size_t goal_index = 0;
  bool exact = true;
  Statistics statistics;

  void finish(AnswerStatus how, PartialReason why = PartialReason::none) {
    done = true;
    status = how;
    reason = why;
  }
  Label& label(NodeId id) {
    if (id >= labels.size()) labels.resize(terrain.node_count());
    return labels[id];
  }
  void relax(NodeId from, NodeId to, MoveKind kind, std::int64_t price);
  void expand(NodeId id);
  void run_out();
  [[nodiscard]] std::optional<std::size_t> goal_of(NodeId id) const {
    for (const auto& [node, index] : goals) {
      if (node == id) return index;
    }
    return std::nullopt;
  }
};

void Search::State::relax(NodeId from, NodeId to, MoveKind kind, std::int64_t price) {
  const Node& node = terrain.node(to);
  if (node.enter_price == kForbidden) return;
  Label& there = label(to);
  if (there.closed) return;
  const std::int64_t cost = labels[from].cost + (metric == Metric::moves ? 1 : price + node.enter_price);
  if (cost >= there.cost) return;
  there.cost = cost;
  there.parent = from;
  there.kind = kind;
  open.push(to, cost, (*estimate)(node.cell));
  ++statistics.generated;
}

void Search::State::expand(NodeId id) {
  label(id).closed = true;
  ++statistics.expanded;
  best_effort.consider(id, terrain.node(id).cell, labels[id].cost, (*remaining)(terrain.node(id).cell));
  for_each_move(
      terrain, id, [&](NodeId to, MoveKind kind, std::int64_t price) { relax(id, to, kind, price); },
      [&](world::ChunkPos chunk) {
        if (!missing) missing = chunk;
      });
}

void Search::State::run_out() {
  if (missing) {
    finish(AnswerStatus::partial, PartialReason::missing_chunk);
  } else {
    finish(AnswerStatus::unreachable);
  }
}

Search::Search() : state_(std::make_unique<State>()) {}
Search::~Search() = default;
Search::Search(Search&&) noexcept = default;
Search& Search::operator=(Search&&) noexcept = default;

Status Search::begin(world::Ref<const world::Snapshot> snapshot, const Query& query, const Limits& limits) {
  if (auto s = validate(query, limits); !s) return s;
  State& s = *state_;
  s.terrain.reset(*snapshot, query.agent);
  s.snapshot = std::move(snapshot);
  s.open.clear();
  s.labels.clear();
  s.goals.clear();
  s.missing.reset();
  s.end = kNoNode;
  s.goal_index = 0;
  s.statistics = {};
  s.statistics.world_version = s.snapshot->version();
  s.expansions_max = limits.expansions;
  s.metric = query.algorithm == Algorithm::bfs ? Metric::moves : query.agent.metric;
  s.done = false;

  const Resolved start = resolve_start(s.terrain, query.start);
  if (!start) {
    s.finish(AnswerStatus::start_invalid);
    return world::ok_status();
  }
  s.end = start.node;
  std::vector<world::BlockPos> cells;
  const auto& places = std::get<GoalPlaces>(query.goal).places;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Resolved goal = resolve_goal(s.terrain, places[i]);
    if (!goal || s.goal_of(goal.node)) continue;
    s.goals.emplace_back(goal.node, i);
    cells.push_back(s.terrain.node(goal.node).cell);
  }
  const world::BlockPos start_cell = s.terrain.node(start.node).cell;
  s.best_effort.reset(start.node, start_cell);
  s.label(start.node).cost = 0;
  if (s.goals.empty()) {
    s.finish(AnswerStatus::goal_invalid);
    return world::ok_status();
  }
  const Heuristic heuristic = query.algorithm == Algorithm::astar ? query.heuristic : Heuristic::zero;
  s.estimate.emplace(query.agent, s.metric, heuristic, cells);
  s.remaining.emplace(query.agent, s.metric, Heuristic::octile, std::move(cells));
  s.exact = s.estimate->admissible();
  s.open.push(start.node, 0, (*s.estimate)(start_cell));
  return world::ok_status();
}

bool Search::advance(std::uint32_t expansions) {
  State& s = *state_;
  while (!s.done && expansions > 0) {
    if (s.open.empty()) {
      s.run_out();
      break;
    }
    const NodeId id = s.open.pop();
    if (s.labels[id].closed) continue;
    if (const auto goal = s.goal_of(id)) {
      s.end = id;
      s.goal_index = *goal;
      s.finish(AnswerStatus::found);
      break;
    }
    if (s.statistics.expanded == s.expansions_max) {
      s.finish(AnswerStatus::partial, PartialReason::budget);
      break;
    }
    s.expand(id);
    --expansions;
  }
  return s.done;
}

void Search::stop(PartialReason reason) {
  if (state_->done) return;
  state_->finish(reason == PartialReason::none ? AnswerStatus::cancelled : AnswerStatus::partial, reason);
}

bool Search::done() const { return state_->done; }

Answer Search::answer() const {
  const State& s = *state_;
  assert(s.done);
  Answer a;
  a.status = s.status;
  a.reason = s.reason;
  a.missing_chunk = s.missing;
  a.goal_index = s.goal_index;
  a.exact = s.exact;
  a.statistics = s.statistics;
  if (s.end == kNoNode) return a;
  const bool searched = s.status != AnswerStatus::goal_invalid;
  const NodeId end = s.status == AnswerStatus::found || !searched ? s.end : s.best_effort.node();
  a.cost = s.labels[end].cost;
  const double half = s.terrain.agent().footprint() / 2.0;
  for (NodeId id = end; id != kNoNode; id = s.labels[id].parent) {
    const Node& node = s.terrain.node(id);
    const Label& label = s.labels[id];
    Waypoint w;
    w.cell = node.cell;
    w.floor_px = node.floor_px;
    w.node = node.kind;
    w.kind = label.kind;
    w.action = node.opens && label.kind != MoveKind::start ? Action::open : Action::none;
    w.position = {node.cell.x + half, node.floor_px / 16.0, node.cell.z + half};
    a.path.push_back(w);
  }
  std::reverse(a.path.begin(), a.path.end());
  return a;
}

void Search::reset() {
  state_->snapshot.reset();
  state_->done = true;
}

std::size_t Search::memory_bytes() const {
  return state_->terrain.memory_bytes() + state_->open.memory_bytes() + state_->labels.capacity() * sizeof(Label);
}

world::Result<Answer> search(world::Ref<const world::Snapshot> snapshot, const Query& query, const Limits& limits) {
  Search s;
  if (auto begun = s.begin(std::move(snapshot), query, limits); !begun) return begun.error();
  while (!s.advance(kExpansionsMax)) {
  }
  return s.answer();
}

}  // namespace voxpath::pathfinding
