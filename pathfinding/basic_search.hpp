// BasicSearch: the search itself, for authors who bring a pricing policy. Everybody else uses Search (search.hpp).
// Thread-safety: one thread at a time; a search owns its memory and reuses it, so keep one per worker.
// Invariants: the same question to the same world version gives the same answer, however it is sliced; nothing is allocated per expansion
// (memory grows by doubling and is kept).
// Sources: A*: Hart, Nilsson, Raphael, "A Formal Basis for the Heuristic Determination of Minimum Cost Paths" (1968), section II. Nodes are
// closed for good when they are expanded, which is exact for consistent estimates.
#pragma once

#include "pathfinding/answer.hpp"
#include "pathfinding/best_effort.hpp"
#include "pathfinding/blockers.hpp"
#include "pathfinding/estimate.hpp"
#include "pathfinding/goal_set.hpp"
#include "pathfinding/moves.hpp"
#include "pathfinding/open_list.hpp"
#include "pathfinding/path.hpp"
#include "pathfinding/pricing.hpp"
#include "pathfinding/query.hpp"
#include "pathfinding/resolve.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace voxpath::pathfinding {

/// A node that the search has met, for those who want to see what it did.
struct MetNode {
  world::BlockPos cell;
  std::int64_t actual = 0, estimated = 0;  // cost from the start; estimate to the goal
  bool expanded = false;
};

template <Pricing P, class Open = OpenList>
class BasicSearch {
 public:
  /// Starts anew; what went before is dropped. Errors: those of validate(query, limits). Holds the snapshot until the next begin() or reset().
  world::Status begin(world::Ref<const world::Snapshot> snapshot, const Query& query, const Limits& limits,
                      P pricing = {});
  /// Expands at most `expansions` nodes. Returns whether the search is over.
  bool advance(std::uint32_t expansions);
  /// Ends a running search from outside: `deadline` makes it partial, `none` cancelled.
  void stop(PartialReason reason) {
    if (!done_) finish(reason == PartialReason::none ? AnswerStatus::cancelled : AnswerStatus::partial, reason);
  }
  [[nodiscard]] bool done() const { return done_; }
  /// Precondition: done().
  [[nodiscard]] Answer answer();
  /// All nodes that were met, in that order. Precondition: done(), and no reset() since.
  [[nodiscard]] std::vector<MetNode> met() const;
  /// Lets go of the snapshot; keeps the memory.
  void reset() {
    snapshot_.reset();
    done_ = true;
  }
  [[nodiscard]] std::size_t memory_bytes() const {
    return terrain_.memory_bytes() + open_.memory_bytes() + labels_.capacity() * sizeof(Label);
  }

 private:
  struct Label {
    std::int64_t cost = std::numeric_limits<std::int64_t>::max();
    NodeId parent = kNoNode;
    MoveKind kind = MoveKind::start;
    bool closed = false;
  };

  void finish(AnswerStatus how, PartialReason why = PartialReason::none) {
    done_ = true;
    status_ = how;
    reason_ = why;
  }
  Label& label(NodeId id) {
    if (id >= labels_.size()) labels_.resize(terrain_.node_count());
    return labels_[id];
  }
  void relax(NodeId from, NodeId to, MoveKind kind, std::int64_t price);
  void expand(NodeId id);
  void give_up(AnswerStatus how, PartialReason why);
  void note_missing(world::ChunkPos chunk) {
    if (missing_.size() < kMissingChunksMax && std::find(missing_.begin(), missing_.end(), chunk) == missing_.end())
      missing_.push_back(chunk);
  }
  [[nodiscard]] std::vector<Waypoint> path_to(NodeId end) const;

  world::Ref<const world::Snapshot> snapshot_;
  Terrain terrain_;
  Open open_;
  std::vector<Label> labels_;  // by node
  GoalSet goals_;
  std::optional<Estimate> estimate_;   // what guides the search
  std::optional<Estimate> remaining_;  // what judges partial paths: always octile
  BestEffort best_effort_;
  P pricing_;
  Query query_;
  Metric metric_ = Metric::cost;
  std::uint32_t expansions_max_ = 0;

  bool done_ = true;
  AnswerStatus status_ = AnswerStatus::cancelled;
  PartialReason reason_ = PartialReason::none;
  std::vector<world::ChunkPos> missing_;
  Resolved start_;
  NodeId end_ = kNoNode;
  Statistics statistics_;
};

template <Pricing P, class Open>
world::Status BasicSearch<P, Open>::begin(world::Ref<const world::Snapshot> snapshot, const Query& query,
                                          const Limits& limits, P pricing) {
  if (auto s = validate(query, limits); !s) return s;
  terrain_.reset(*snapshot, query.agent);
  snapshot_ = std::move(snapshot);
  query_ = query;
  pricing_ = std::move(pricing);
  open_.clear();
  labels_.clear();
  missing_.clear();
  end_ = kNoNode;
  estimate_.reset();
  statistics_ = {};
  statistics_.world_version = snapshot_->version();
  expansions_max_ = limits.expansions;
  metric_ = query.algorithm == Algorithm::bfs ? Metric::moves : query.agent.metric;
  done_ = false;

  goals_.reset(terrain_, query.goal);
  start_ = resolve_start(terrain_, query.start);
  if (!start_) {
    note_missing_at(terrain_, query.start, missing_);
    finish(AnswerStatus::start_invalid);
    return world::ok_status();
  }
  const world::BlockPos start_cell = terrain_.node(start_.node).cell;
  label(start_.node).cost = 0;
  best_effort_.reset(start_.node, start_cell);
  if (goals_.empty_at_once()) {
    if (const auto* places = std::get_if<GoalPlaces>(&query.goal)) {
      for (const Place& place : places->places) note_missing_at(terrain_, place, missing_);
    }
    finish(AnswerStatus::goal_invalid);
    return world::ok_status();
  }
  const Heuristic heuristic = query.algorithm == Algorithm::astar ? query.heuristic : Heuristic::zero;
  estimate_.emplace(query.agent, metric_, heuristic, goals_.target(terrain_));
  remaining_.emplace(query.agent, metric_, Heuristic::octile, goals_.target(terrain_));
  open_.push(start_.node, 0, (*estimate_)(start_cell));
  return world::ok_status();
}

template <Pricing P, class Open>
bool BasicSearch<P, Open>::advance(std::uint32_t expansions) {
  while (!done_ && expansions > 0) {
    if (open_.empty()) {
      give_up(missing_.empty() ? AnswerStatus::unreachable : AnswerStatus::partial,
              missing_.empty() ? PartialReason::none : PartialReason::missing_chunk);
      break;
    }
    const NodeId id = open_.pop();
    if (labels_[id].closed) continue;
    if (goals_.contains(terrain_, id)) {
      end_ = id;
      finish(AnswerStatus::found);
      break;
    }
    if (statistics_.expanded == expansions_max_) {
      give_up(AnswerStatus::partial, PartialReason::budget);
      break;
    }
    expand(id);
    --expansions;
  }
  return done_;
}

/// Nothing was found: was there anything to find?
template <Pricing P, class Open>
void BasicSearch<P, Open>::give_up(AnswerStatus how, PartialReason why) {
  if (goals_.empty(terrain_)) {
    finish(AnswerStatus::goal_invalid);
  } else {
    finish(how, why);
  }
}

template <Pricing P, class Open>
void BasicSearch<P, Open>::relax(NodeId from, NodeId to, MoveKind kind, std::int64_t price) {
  const Node& node = terrain_.node(to);
  if (node.enter_price == kForbidden) return;
  Label& there = label(to);
  if (there.closed) return;
  // With prices it grows. NOLINTNEXTLINE(misc-const-correctness)
  std::int64_t step = metric_ == Metric::moves ? 1 : price + node.enter_price;
  if constexpr (P::kActive) {
    const std::int32_t extra = pricing_(node);
    if (extra == kForbidden) return;
    if (metric_ == Metric::cost) step += extra;
  }
  const std::int64_t cost = labels_[from].cost + step;
  if (cost >= there.cost) return;
  there.cost = cost;
  there.parent = from;
  there.kind = kind;
  open_.push(to, cost, (*estimate_)(node.cell));
  ++statistics_.generated;
}

template <Pricing P, class Open>
void BasicSearch<P, Open>::expand(NodeId id) {
  Label& here = label(id);
  here.closed = true;
  ++statistics_.expanded;
  const world::BlockPos cell = terrain_.node(id).cell;
  best_effort_.consider(id, cell, here.cost, (*remaining_)(cell));
  for_each_move(
      terrain_, id, [&](NodeId to, MoveKind kind, std::int64_t price) { relax(id, to, kind, price); },
      [&](world::ChunkPos chunk) { note_missing(chunk); });
}

template <Pricing P, class Open>
std::vector<Waypoint> BasicSearch<P, Open>::path_to(NodeId end) const {
  std::vector<Waypoint> path;
  for (NodeId id = end; id != kNoNode; id = labels_[id].parent) {
    const Node& node = terrain_.node(id);
    Waypoint w;
    w.cell = node.cell;
    w.floor_px = node.floor_px;
    w.node = node.kind;
    w.kind = labels_[id].kind;
    w.action = node.opens && w.kind != MoveKind::start ? Action::open : Action::none;
    w.position = centre_of(node, terrain_.agent().footprint());
    path.push_back(w);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

template <Pricing P, class Open>
std::vector<MetNode> BasicSearch<P, Open>::met() const {
  std::vector<MetNode> all;
  for (NodeId id = 0; id < labels_.size(); ++id) {
    const Label& l = labels_[id];
    if (l.cost == Label{}.cost) continue;
    const world::BlockPos cell = terrain_.node(id).cell;
    all.push_back(
        {.cell = cell, .actual = l.cost, .estimated = estimate_ ? (*estimate_)(cell) : 0, .expanded = l.closed});
  }
  return all;
}

template <Pricing P, class Open>
Answer BasicSearch<P, Open>::answer() {
  assert(done_);
  Answer a;
  a.status = status_;
  a.reason = reason_;
  a.missing_chunks = missing_;
  a.statistics = statistics_;
  a.statistics.unknown_blocks = terrain_.unknown_blocks();
  a.start_rule = start_.rule;
  a.exact = !estimate_ || estimate_->admissible();
  if (!start_) return a;
  const bool found = status_ == AnswerStatus::found;
  const NodeId end = found ? end_ : best_effort_.node();
  a.cost = labels_[end].cost;
  if (found && a.exact) a.lower_bound = a.cost;
  a.goal_index = found ? goals_.place_of(end) : 0;
  a.goal_rule = goals_.rule_of(end);
  a.path = path_to(end);
  a.move_count = a.path.size() - 1;
  a.sections = sections_of(a.path, query_.agent);
  if (status_ == AnswerStatus::unreachable) a.blockers = find_blockers(terrain_, start_.node, goals_.first_node());
  simplify(a.path, query_.simplify, terrain_, query_.priced_boxes);
  // A line of sight cuts the corners of the way that was found.
  if (query_.simplify == Simplify::line_of_sight) a.sections = sections_of(a.path, query_.agent);
  return a;
}

}  // namespace voxpath::pathfinding
