#include "pathfinding/engine/nav_search.hpp"

#include "pathfinding/resolve.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace voxpath::pathfinding {

using world::BlockPos;
using world::ChunkPos;

namespace {

constexpr std::uint64_t kBytes = 0x0101010101010101;

/// Bit 8k of `v` to bit k of the result; the other bits of `v` are 0.
std::uint32_t gather(std::uint64_t v) { return static_cast<std::uint32_t>(v * 0x0102040810204080 >> 56); }
/// For each byte of types (0..7): is it not 0?
std::uint32_t not_zero_types(std::uint64_t types) { return gather((types + 7 * kBytes) >> 3 & kBytes); }
/// For each byte: is it not 0?
std::uint32_t not_zero(std::uint64_t bytes) {
  return gather(((((bytes & 0x7F * kBytes) + 0x7F * kBytes) | bytes) >> 7) & kBytes);
}

}  // namespace

void NavSearch::finish(AnswerStatus how, PartialReason why) {
  done_ = true;
  status_ = how;
  reason_ = why;
}

void NavSearch::stop(PartialReason reason) {
  if (!done_) finish(reason == PartialReason::none ? AnswerStatus::cancelled : AnswerStatus::partial, reason);
}

void NavSearch::reset() {
  snapshot_.reset();
  done_ = true;
}

std::size_t NavSearch::memory_bytes() const {
  return arena_.memory_bytes() + open_.memory_bytes() + terrain_.memory_bytes();
}

Terrain& NavSearch::terrain() {
  if (!terrain_ready_) {
    terrain_.reset(*snapshot_, query_.agent);
    terrain_ready_ = true;
  }
  return terrain_;
}

void NavSearch::prepare(const Query& query) {
  const std::shared_ptr<NavStore> store = NavStore::of(*snapshot_);
  std::shared_ptr<NavClass> agent_class = store->agent_class(query.agent);
  if (store != store_ || agent_class != class_) {
    store_ = store;
    class_ = std::move(agent_class);
    arena_.forget();
    regions_.forget();
  }
  reader_.reset(*snapshot_, *class_);
  arena_.begin(reader_);
  open_.clear();
  missing_.clear();
  goal_.nodes.clear();
  start_ = end_ = single_goal_ = kNowhere;
  start_rule_ = ResolvedBy::nothing;
  statistics_ = {};
  statistics_.world_version = snapshot_->version();
  terrain_ready_ = false;
  estimate_.reset();
  distance_.reset();
  done_ = too_dear_ = beyond_labels_ = false;
}

void NavSearch::begin(world::Ref<const world::Snapshot> snapshot, const Query& query, const Limits& limits) {
  snapshot_ = std::move(snapshot);
  query_ = query;
  prepare(query_);
  expansions_max_ = limits.expansions;
  rules_ = NavRules::of(query_);

  const NavPlace start = nav_start(arena_, [this]() -> Terrain& { return terrain(); }, query_.start);
  start_ = start.node;
  start_rule_ = start.rule;
  if (start_ == kNowhere) {
    note_missing_at(terrain(), query_.start, missing_);
    finish(AnswerStatus::start_invalid);
    return;
  }
  place_goals();
  if (goal_is_places_ && goal_.nodes.empty()) {
    for (const Place& place : std::get<GoalPlaces>(query_.goal).places) note_missing_at(terrain(), place, missing_);
    finish(AnswerStatus::goal_invalid);
    return;
  }
  launch();
  ask_regions();
}

void NavSearch::launch() {
  const BlockPos from = arena_.cell(start_);
  arena_.label(start_).cost = 0;
  arena_.label(start_).from = start_ << 6;
  open_.push(estimate(from.x, from.z), start_);
}

void NavSearch::place_goals() {
  const auto* places = std::get_if<GoalPlaces>(&query_.goal);
  goal_is_places_ = places != nullptr;
  Target target;
  if (goal_is_places_) {
    nav_goals(arena_, [this]() -> Terrain& { return terrain(); }, *places, goal_);
    TargetBoxes boxes;
    for (const Id id : goal_.nodes) boxes.boxes.push_back({arena_.cell(id), arena_.cell(id)});
    if (goal_.nodes.empty()) return;
    target = std::move(boxes);
  } else {
    goals_.reset(terrain(), query_.goal);
    target = goals_.target(terrain_);
  }
  if (goal_.nodes.size() == 1) single_goal_ = goal_.nodes.front();
  const Heuristic heuristic = query_.algorithm == Algorithm::astar ? query_.heuristic : Heuristic::zero;
  estimate_.emplace(query_.agent, rules_.metric, heuristic, std::move(target));
  if (!goal_is_places_) distance_ = octile_estimate();
  octile_ = {};
  if (const auto parts = estimate_->parts()) {
    // The two products are weighted each, rounded down: so the sum falls along a move by no more than `weight` times its price, on which
    // the bound of the cost rests.
    const double weight = heuristic == Heuristic::octile ? query_.weight : 1;
    const auto weighted = [weight](std::int64_t price) {
      const double rounded = std::floor(static_cast<double>(price) * weight);
      // The product itself may have been rounded up to a whole number.
      const bool too_much = std::fma(static_cast<double>(price), weight, -rounded) < 0;
      return static_cast<std::uint64_t>(rounded) - (too_much ? 1 : 0);
    };
    octile_ = {true, parts->at.x, parts->at.z, weighted(parts->far), weighted(parts->near)};
  }
}

inline std::uint64_t NavSearch::estimate(std::int32_t x, std::int32_t z) const {
  if (octile_.applies) [[likely]] {
    const auto dx = static_cast<std::uint32_t>(std::abs(x - octile_.x));
    const auto dz = static_cast<std::uint32_t>(std::abs(z - octile_.z));
    return octile_.far * std::max(dx, dz) + octile_.near * std::min(dx, dz);
  }
  return static_cast<std::uint64_t>((*estimate_)({x, 0, z}));
}

inline bool NavSearch::is_goal(Id id) {
  if (single_goal_ != kNowhere) [[likely]]
    return id == single_goal_;
  if (goal_is_places_) return std::find(goal_.nodes.begin(), goal_.nodes.end(), id) != goal_.nodes.end();
  const BlockPos at = arena_.cell(id);
  if ((*distance_)(at) > 0) return false;  // without looking at the world
  return goals_.contains(terrain(), terrain().cell(at.x, at.y, at.z).node);
}

template <bool kPriced>
inline void NavSearch::relax(Id to, std::uint64_t cost, std::uint32_t from, std::int32_t x, std::int32_t z) {
  if constexpr (kPriced) {
    const std::int32_t extra = rules_.boxes.at(arena_.cell(to));
    if (extra == kForbidden) return;
    if (rules_.metric == Metric::cost) cost += static_cast<std::uint64_t>(extra);
  }
  if (cost > NavArena::kCostMax) [[unlikely]] {
    beyond_labels_ = true;
    return;
  }
  Label& label = arena_.label(to);
  const auto improved = static_cast<std::uint32_t>(cost << 1);
  if ((improved | 1u) >= label.cost) return;
  // Only with an estimate that is not consistent, or weighted. What was reached from there has its cost from the dearer way.
  if (label.closed()) return;
  label.cost = improved;
  label.from = from;
  open_.push(cost + estimate(x, z), to);
  ++statistics_.generated;
}

template <bool kPriced>
void NavSearch::expand(Id id) {
  const std::uint32_t slot_index = arena_.slot_index_of(id);
  Label& label = arena_.label(id);
  const std::uint32_t cost = label.cost >> 1;
  const std::uint32_t from = label.from;
  label.cost |= 1u;
  ++statistics_.expanded;
  const Slot& slot = arena_.slot(slot_index);  // until a neighbour is asked for
  const Id base = slot.base;
  const std::uint64_t edges = slot.edges[id - base];
  const std::int32_t base_x = slot.pos.x * 16;
  const std::int32_t base_z = slot.pos.z * 16;
  const std::uint64_t types = edges & 7 * kBytes;
  const std::uint32_t flat = ~not_zero_types(types ^ kBytes) & 0xFFu;
  const Pruning& pruning = *rules_.pruning;
  std::uint32_t looked_at = not_zero(edges) & ~(pruning.pruned[from & 15u][from >> 4 & 3u] & flat);
  const std::uint32_t column = id & 255u;
  const auto x = static_cast<std::int32_t>(column & 15u);
  const auto z = static_cast<std::int32_t>(column >> 4);
  // A node that no direction takes out of the chunk, which is most of them, needs no look at where it leads.
  const bool inside =
      ((static_cast<std::uint32_t>(x) + 1) & 15u) > 1 && ((static_cast<std::uint32_t>(z) + 1) & 15u) > 1;
  bool extras = false;
  for (; looked_at != 0; looked_at &= looked_at - 1) {
    const auto d = static_cast<std::size_t>(std::countr_zero(looked_at));
    const auto byte = static_cast<std::uint32_t>(edges >> (8 * d) & 0xFF);
    const std::uint32_t type = byte & 7u;
    if (type == static_cast<std::uint32_t>(EdgeType::extra)) [[unlikely]] {
      extras = true;
      continue;
    }
    const std::int32_t nx = x + kStepX[d];
    const std::int32_t nz = z + kStepZ[d];
    Id to = base + ((byte & ~7u) << 5);
    if (inside || ((nx | nz) & ~15) == 0) [[likely]] {
      to += static_cast<std::uint32_t>(nz << 4 | nx);
    } else {
      const auto which = static_cast<std::uint32_t>((nx >> 4) + 1 + 3 * ((nz >> 4) + 1));
      to += arena_.slot(arena_.neighbour_slot(slot_index, which)).base - base +
            static_cast<std::uint32_t>((nz & 15) << 4 | (nx & 15));
    }
    std::uint32_t how = id << 6;
    if (type == static_cast<std::uint32_t>(EdgeType::flat)) {
      how |= (flat >> pruning.deciding[d].first & 1u) << 4 | (flat >> pruning.deciding[d].second & 1u) << 5 |
             static_cast<std::uint32_t>(d + 1);
    }
    std::uint64_t reached = std::uint64_t{cost} + static_cast<std::uint32_t>(rules_.prices[type][d]);
    if (type == static_cast<std::uint32_t>(EdgeType::priced) && rules_.metric == Metric::cost) {
      const Slot& there = arena_.slot_of(to);
      reached += static_cast<std::uint32_t>(there.nav->nodes->enter_price(to - there.base));
    }
    relax<kPriced>(to, reached, how, base_x + nx, base_z + nz);
  }
  if (extras) expand_extras<kPriced>(id, cost);
}

template <bool kPriced>
void NavSearch::expand_extras(Id id, std::uint32_t cost) {
  const std::uint32_t slot_index = arena_.slot_index_of(id);
  const world::Ref<const NavChunk> nav = arena_.slot(slot_index).nav;
  const std::uint32_t node = id - arena_.slot(slot_index).base;
  const ChunkPos pos = arena_.slot(slot_index).pos;
  for (const ExtraEdge* e = nav->extras_from(node); e != nav->extras_to(node); ++e) {
    const ChunkPos there = neighbour(pos, e->neighbour);
    if (e->missing) {
      if (missing_.size() < kMissingChunksMax && std::find(missing_.begin(), missing_.end(), there) == missing_.end())
        missing_.push_back(there);
      continue;
    }
    const std::uint32_t slot = e->neighbour == 4 ? slot_index : arena_.neighbour_slot(slot_index, e->neighbour);
    const Id to = arena_.slot(slot).base + (std::uint32_t{e->layer} << 8 | e->column);
    relax<kPriced>(to, cost + rules_.price(*e), id << 6, there.x * 16 + (e->column & 15),
                   there.z * 16 + (e->column >> 4));
  }
}

template <bool kPriced>
bool NavSearch::advance_with(std::uint32_t expansions) {
  while (!done_ && expansions > 0) {
    if (reach_.goal == Known::no && reach_.missing == Known::open && !rules_.forbids) {
      if (!may_be_indexed() && regions_.work() * kRegionPrice >= expansions_max_) {
        finish(AnswerStatus::partial, PartialReason::budget);  // the start may reach the whole of a large world
        break;
      }
      regions_.look_ahead(1);
      reach_ = regions_.reach();
      expansions -= std::min(expansions, kRegionPrice);
      continue;
    }
    if (open_.empty()) {
      exhausted(expansions);
      if (too_dear_) break;
      continue;
    }
    const Id id = open_.pop();
    if ((arena_.label(id).cost & 1u) != 0) continue;
    if (is_goal(id)) {
      end_ = id;
      finish(AnswerStatus::found);
      break;
    }
    if (statistics_.expanded == expansions_max_ || arena_.full()) {
      const BlockPos at = arena_.cell(id);
      open_.push((arena_.label(id).cost >> 1) + estimate(at.x, at.z), id);  // in case that the search goes on
      out_of_budget(expansions);
      continue;
    }
    if (reach_.goal == Known::no && statistics_.expanded >= effort_ && (!rules_.forbids || !missing_.empty())) {
      // The answer is known, and the path to offer instead as good as it will get for a fair price.
      give_up();
      break;
    }
    expand<kPriced>(id);
    --expansions;
    if (statistics_.expanded >= look_back_at_) [[unlikely]]
      look_back(std::max(kRegionsFirst, statistics_.expanded / kExpansionsPerRegion));
  }
  return done_;
}

bool NavSearch::advance(std::uint32_t expansions) {
  const bool was_done = done_;
  const bool done = rules_.boxes.boxes.empty() ? advance_with<false>(expansions) : advance_with<true>(expansions);
  if (done && !was_done && asks_regions_) {
    const std::uint64_t work = spared_ + statistics_.expanded + kRegionPrice * regions_.work();
    class_->index().try_with([&](RegionIndex& index) { index.pay(reader_, work); });
  }
  return done;
}

/// Finds out what can be known before, or beside, the search: from the index of regions, else region by region.
void NavSearch::ask_regions() {
  reach_ = {};
  asks_regions_ = false;
  look_back_at_ = kNever;
  spared_ = 0;
  start_cell_ = arena_.cell(start_);
  if (!goal_is_places_) return;
  goal_cells_.clear();
  std::uint64_t farthest = 0;
  for (const Id id : goal_.nodes) {
    const BlockPos at = arena_.cell(id);
    goal_cells_.push_back(at);
    farthest = std::max({farthest, static_cast<std::uint64_t>(std::abs(std::int64_t{at.x} - start_cell_.x)),
                         static_cast<std::uint64_t>(std::abs(std::int64_t{at.z} - start_cell_.z))});
  }
  effort_ = query_.best_effort ? std::max(kEffortMin, 4 * farthest) : 0;
  if (start_ == single_goal_) return;
  class_->index().try_with([this](RegionIndex& index) { reach_ = index.look(reader_, start_cell_, goal_cells_); });
  if (reach_.goal != Known::open) return;
  asks_regions_ = true;
  regions_.begin(reader_, start_cell_, goal_cells_);
  look_back(kRegionsFirst);
}

/// Looks at regions from which the goals can be reached until that many have been looked at. A goal in a small sealed place
/// costs little, and all others little more.
void NavSearch::look_back(std::uint64_t until) {
  if (until > regions_.work()) regions_.look_back(static_cast<std::uint32_t>(until - regions_.work()));
  reach_ = regions_.reach();
  look_back_at_ =
      reach_.goal == Known::open ? std::max<std::uint32_t>(2 * kExpansionsPerRegion, 2 * statistics_.expanded) : kNever;
  if (reach_.goal == Known::no && statistics_.expanded > effort_) start_over();
}

/// There is no path, and more has been searched than is searched when that is known from the beginning. So that the
/// answer is the same, the search is run again as if it had been.
void NavSearch::start_over() {
  spared_ += statistics_.expanded;
  arena_.begin(reader_);
  open_.clear();
  missing_.clear();
  statistics_.expanded = statistics_.generated = 0;
  beyond_labels_ = false;
  look_back_at_ = kNever;
  start_ = arena_.id_at(start_cell_);
  for (std::size_t i = 0; i < goal_.nodes.size(); ++i) goal_.nodes[i] = arena_.id_at(goal_cells_[i]);
  if (goal_.nodes.size() == 1) single_goal_ = goal_.nodes.front();
  launch();
}

/// All that the start reaches has been expanded, but for what costs more than a label holds. Whether that matters is found out to the end,
/// so that it does not depend on how much of the index was there.
void NavSearch::exhausted(std::uint32_t& expansions) {
  if (beyond_labels_ && reach_.goal != Known::no) {
    if (!asks_regions_ || reach_.goal != Known::open) {
      too_dear_ = true;
      return;
    }
    look_back(regions_.work() + 1);
    expansions -= std::min(expansions, kRegionPrice);
    return;
  }
  const bool known_before = reach_.goal == Known::no;
  reach_.goal = Known::no;
  if (!rules_.forbids) reach_.missing = missing_.empty() ? Known::no : Known::yes;
  // With nothing missing and boxes in the way, knowing it before would have spared nothing.
  if (goal_is_places_ && !known_before && statistics_.expanded > effort_ && !(rules_.forbids && missing_.empty())) {
    start_over();
  } else {
    give_up();
  }
}

bool NavSearch::may_be_indexed() const { return snapshot_->chunks().size() <= RegionIndex::kChunksMax; }

/// The limit is reached. Where there may be an index, whether there is a path at all is found out to the end: so it does not depend on how
/// much of the index was there.
void NavSearch::out_of_budget(std::uint32_t& expansions) {
  if (goal_is_places_ && reach_.goal == Known::open && may_be_indexed()) {
    look_back(regions_.work() + 1);
    expansions -= std::min(expansions, kRegionPrice);
  } else if (reach_.goal == Known::no) {
    give_up();
  } else if (!goal_is_places_ && goals_.empty(terrain())) {
    finish(AnswerStatus::goal_invalid);
  } else {
    finish(AnswerStatus::partial, PartialReason::budget);
  }
}

/// Nothing leads to the goal. Whether a missing chunk can be reached decides how that is called (MOVEMENT.md, section 7).
void NavSearch::give_up() {
  const bool missing = goal_is_places_ && !rules_.forbids ? reach_.missing == Known::yes : !missing_.empty();
  if (!goal_is_places_ && goals_.empty(terrain())) {
    finish(AnswerStatus::goal_invalid);
  } else if (missing) {
    finish(AnswerStatus::partial, PartialReason::missing_chunk);
  } else {
    finish(AnswerStatus::unreachable);
  }
}

}  // namespace voxpath::pathfinding
