#include "pathfinding/engine/long_search.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>

namespace voxpath::pathfinding {

using world::BlockPos;

namespace {

std::int32_t blocks_between(BlockPos a, BlockPos b) {
  return static_cast<std::int32_t>(std::max(std::abs(std::int64_t{a.x} - b.x), std::abs(std::int64_t{a.z} - b.z)));
}

}  // namespace

void LongSearch::begin(world::Ref<const world::Snapshot> snapshot, const Query& query, const Limits& limits) {
  exact_.begin(std::move(snapshot), query, limits);
  expansions_max_ = limits.expansions;
  exact_first_ = kExactFirst;
  phase_ = Phase::exact;
  may_divide_ = !query.exact && query.weight == 1 && query.algorithm == Algorithm::astar &&
                query.heuristic == Heuristic::octile && limits.expansions > kExactFirst;
  path_.clear();
  costs_.clear();
  expanded_ = generated_ = 0;
}

bool LongSearch::advance(std::uint32_t expansions) {
  while (!done() && !too_dear() && expansions > 0) {
    switch (phase_) {
      case Phase::exact: {
        if (!may_divide_) return exact_.advance(expansions);
        const std::uint32_t before = exact_.expanded();
        if (before >= exact_first_) {
          begin_route();
          break;
        }
        const std::uint32_t slice = std::min(expansions, exact_first_ - before);
        exact_.advance(slice);
        expansions -= slice;
        break;
      }
      case Phase::route:
        step_route(expansions);
        break;
      case Phase::legs:
        step_leg(expansions);
        break;
      case Phase::put_together:
      case Phase::stopped:
        break;
    }
  }
  return done();
}

/// The exact search has become a long one.
void LongSearch::begin_route() {
  const auto prices = exact_.distance_prices();
  const bool near = !prices || blocks_between(exact_.start_cell(), prices->at) < kFarBlocks;
  if (near && exact_first_ < kExactFirstNear) {
    exact_first_ = kExactFirstNear;
    may_divide_ = prices && expansions_max_ > exact_first_;
    return;
  }
  may_divide_ = false;  // once
  if (!prices || exact_.metric() != Metric::cost || exact_.proved_unreachable()) return;
  const auto store = NavStore::of(*snapshot());
  auto agent_class = store->agent_class(query().agent);
  if (agent_class != class_) {
    class_ = std::move(agent_class);
    route_.forget();
  }
  reader_.reset(*snapshot(), *class_);
  route_.begin(reader_, edge_prices(query().agent), *prices, exact_.start_cell(), prices->at);
  phase_ = Phase::route;
}

void LongSearch::step_route(std::uint32_t& expansions) {
  const std::uint64_t before = route_.work();
  const std::uint64_t left = (expansions_max_ - exact_first_) / kRegionPrice + 1 - before;
  const auto regions =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(std::max<std::uint32_t>(1, expansions / kRegionPrice), left));
  const bool over = route_.advance(regions);
  const auto spent = static_cast<std::uint32_t>(route_.work() - before) * kRegionPrice;
  expansions -= std::min(expansions, std::max(spent, 1u));
  if (!over && route_.work() - before < left) return;
  cells_ = over ? route_.cells() : std::vector<BlockPos>();
  if (cells_.empty()) {
    phase_ = Phase::exact;
    return;
  }
  if (!leg_) leg_.emplace();
  leg_query_ = query();
  leg_query_.simplify = Simplify::none;
  leg_query_.best_effort = false;
  leg_query_.start = exact_.start_cell();
  headed_ = 0;
  phase_ = Phase::legs;
  begin_leg();
}

void LongSearch::begin_leg() {
  const BlockPos from = std::get<BlockPos>(leg_query_.start);
  // Measured along the way, which may go round what lies between.
  BlockPos heading = headed_ == 0 ? from : cells_[headed_ - 1];
  std::int64_t blocks = blocks_between(from, heading);
  while (headed_ < cells_.size() && blocks < kLegBlocks) {
    blocks += blocks_between(heading, cells_[headed_]);
    heading = cells_[headed_++];
  }
  leg_query_.goal = GoalPlaces{{heading}};
  const std::uint32_t legs_max = (expansions_max_ - exact_first_) / 2;
  if (expanded_ >= legs_max) {
    give_up_dividing();
    return;
  }
  leg_->begin(snapshot(), leg_query_, {.expansions = legs_max - expanded_});
}

void LongSearch::step_leg(std::uint32_t& expansions) {
  const std::uint32_t before = leg_->expanded();
  const bool over = leg_->advance(expansions);
  expansions -= std::min(expansions, std::max(leg_->expanded() - std::min(before, leg_->expanded()), 1u));
  if (!over && !leg_->too_dear()) return;
  expanded_ += leg_->expanded();
  if (leg_->too_dear() || !leg_->found()) {
    give_up_dividing();
    return;
  }
  generated_ += leg_->generated();
  const bool last = headed_ == cells_.size();
  // Where a leg is heading to is not where one has to go: the last part of it is left away, so that no corner comes from there.
  const NavSearch::Part part = leg_->path_without(last ? 0 : leg_->moves() / kDroppedPart);
  const std::size_t from = path_.empty() ? 0 : 1;
  const std::int64_t before_it = costs_.empty() ? 0 : costs_.back();
  for (std::size_t i = from; i < part.path.size(); ++i) {
    path_.push_back(part.path[i]);
    costs_.push_back(before_it + part.costs[i]);
  }
  if (last) {
    cut_loops();
    phase_ = Phase::put_together;
    return;
  }
  leg_query_.start = path_.back().cell;
  begin_leg();
}

/// A leg may come back to where an earlier one was: what lies between is left out.
void LongSearch::cut_loops() {
  boost::unordered_flat_map<std::array<std::int32_t, 3>, std::size_t> at;
  const auto key = [](const Waypoint& w) { return std::array{w.cell.x, w.cell.y, w.cell.z}; };
  std::size_t kept = 0;
  std::int64_t cut = 0;
  for (std::size_t i = 0; i < path_.size(); ++i) {
    const std::int64_t cost = costs_[i] - cut;
    const auto [found, fresh] = at.try_emplace(key(path_[i]), kept);
    if (!fresh) {
      const std::size_t first = found->second;
      for (std::size_t k = first + 1; k < kept; ++k) at.erase(key(path_[k]));
      cut += cost - costs_[first];
      kept = first + 1;
      continue;
    }
    path_[kept] = path_[i];
    costs_[kept++] = cost;
  }
  path_.resize(kept);
  costs_.resize(kept);
}

/// A box forbids where the legs would have gone, or they take too long. The exact search still has all of its limit, so that nothing is left
/// unfound for their sake.
void LongSearch::give_up_dividing() {
  path_.clear();
  costs_.clear();
  phase_ = Phase::exact;
}

void LongSearch::stop(PartialReason reason) {
  if (done()) return;
  if (path_.empty()) {
    phase_ = Phase::exact;
    exact_.stop(reason);
  } else {
    phase_ = Phase::stopped;
    stopped_by_ = reason;
  }
}

void LongSearch::reset() {
  exact_.reset();
  if (leg_) leg_->reset();
}

Answer LongSearch::answer() {
  if (phase_ == Phase::exact) {
    Answer a = exact_.answer();
    a.statistics.expanded += expanded_;
    a.statistics.generated += generated_;
    return a;
  }
  const bool whole = phase_ == Phase::put_together;
  const AnswerStatus status = whole                                ? AnswerStatus::found
                              : stopped_by_ == PartialReason::none ? AnswerStatus::cancelled
                                                                   : AnswerStatus::partial;
  Answer a = exact_.answer_along(std::move(path_), costs_.back(), status, whole ? PartialReason::none : stopped_by_);
  a.statistics.expanded += expanded_;
  a.statistics.generated += generated_;
  a.exact = a.cost == a.lower_bound && whole;
  return a;
}

std::size_t LongSearch::memory_bytes() const { return exact_.memory_bytes() + (leg_ ? leg_->memory_bytes() : 0); }

}  // namespace voxpath::pathfinding
