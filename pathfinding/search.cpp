#include "pathfinding/search.hpp"

#include "pathfinding/basic_search.hpp"
#include "pathfinding/engine/long_search.hpp"
#include "pathfinding/other_open_lists.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace voxpath::pathfinding {

using world::ErrorCode;
using world::Status;

namespace {

world::Error invalid(std::string message) { return {ErrorCode::invalid_argument, std::move(message)}; }

Status check_position(const std::string& field, const world::Vec3& p) {
  for (const auto& [axis, value] : {std::pair{"x", p.x}, std::pair{"y", p.y}, std::pair{"z", p.z}}) {
    if (!(std::abs(value) <= world::kCoordinateMax)) {
      return invalid(
          fmt::format("{}.{} = {}: a finite number within {} is needed", field, axis, value, world::kCoordinateMax));
    }
  }
  return world::ok_status();
}

Status check_cell(const std::string& field, world::BlockPos p) {
  return check_position(field, {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)});
}

Status check_place(const std::string& field, const Place& place) {
  if (const auto* cell = std::get_if<world::BlockPos>(&place)) return check_cell(field, *cell);
  return check_position(field, std::get<world::Vec3>(place));
}

Status check_length(const char* field, double value, double limit) {
  if (value >= 0 && value <= limit) return world::ok_status();
  return invalid(fmt::format("{} = {}: 0 to {} blocks is allowed", field, value, limit));
}

Status check_count(const char* field, std::size_t count) {
  if (count >= 1 && count <= kGoalPlacesMax) return world::ok_status();
  return invalid(fmt::format("{}: {} given, 1 to {} are allowed", field, count, kGoalPlacesMax));
}

struct GoalCheck {
  Status operator()(const GoalPlaces& g) const {
    if (auto s = check_count("goal.places", g.places.size()); !s) return s;
    for (std::size_t i = 0; i < g.places.size(); ++i) {
      if (auto s = check_place(g.places.size() == 1 ? "goal" : fmt::format("goal.places[{}]", i), g.places[i]); !s)
        return s;
    }
    return world::ok_status();
  }
  Status operator()(const GoalRadius& g) const {
    if (auto s = check_position("goal.centre", g.centre); !s) return s;
    return check_length("goal.radius", g.radius, kGoalRadiusMax);
  }
  Status operator()(const GoalColumn& g) const { return check_cell("goal", {g.x, 0, g.z}); }
  Status operator()(const GoalLevel& g) const { return check_cell("goal", {0, g.y, 0}); }
  Status operator()(const GoalNextTo& g) const { return check_cell("goal.block", g.block); }
  Status operator()(const GoalFlee& g) const {
    if (auto s = check_count("goal.points", g.points.size()); !s) return s;
    for (std::size_t i = 0; i < g.points.size(); ++i) {
      if (auto s = check_position(fmt::format("goal.points[{}]", i), g.points[i]); !s) return s;
    }
    return check_length("goal.distance", g.distance, kFleeDistanceMax);
  }
  Status operator()(const GoalSight& g) const {
    if (auto s = check_position("goal.point", g.point); !s) return s;
    return check_length("goal.range", g.range, kGoalRadiusMax);
  }
};

Status check_boxes(const std::vector<PricedBox>& boxes) {
  if (boxes.size() > kPricedBoxesMax) {
    return invalid(fmt::format("priced_boxes: {} given, at most {} are allowed", boxes.size(), kPricedBoxesMax));
  }
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (!boxes[i].box.valid())
      return invalid(fmt::format("priced_boxes[{}].box: the first corner is beyond the second", i));
    if (boxes[i].price < kForbidden || boxes[i].price > kPriceMax) {
      return invalid(
          fmt::format("priced_boxes[{}].price = {}: {} to {} is allowed", i, boxes[i].price, kForbidden, kPriceMax));
    }
  }
  return world::ok_status();
}

}  // namespace

Status validate(const Query& query, const Limits& limits) {
  if (auto s = validate(query.agent); !s) return s;
  if (auto s = check_place("start", query.start); !s) return s;
  if (auto s = std::visit(GoalCheck{}, query.goal); !s) return s;
  if (auto s = check_boxes(query.priced_boxes); !s) return s;
  if (!(query.weight >= 1 && query.weight <= kWeightMax))
    return invalid(fmt::format("weight = {}: 1 to {} is allowed", query.weight, kWeightMax));
  if (query.open_list == OpenListKind::bucket && query.agent.mode != Mode::walk)
    return invalid("open_list = bucket: it serves walkers only; take heap, keyed_heap, list, heapsort or automatic");
  if (limits.expansions < 1 || limits.expansions > kExpansionsMax) {
    return invalid(fmt::format("limits.expansions = {}: 1 to {} is allowed", limits.expansions, kExpansionsMax));
  }
  return world::ok_status();
}

/// Walkers have the search on worked-out moves; flyers, swimmers and what its numbers cannot hold have the plain one. That one is there
/// twice, so that queries without priced boxes pay nothing for them. Each is made when it is first needed.
struct Search::State {
  std::optional<LongSearch> walking;
  std::optional<BasicSearch<NoPricing>> plain;
  std::optional<BasicSearch<BoxPricing>> priced;
  std::optional<BasicSearch<BoxPricing, KeyedHeapOpenList>> keyed_heap;
  std::optional<BasicSearch<BoxPricing, UnsortedOpenList>> list;
  std::optional<BasicSearch<BoxPricing, HeapSortOpenList>> heapsort;
  std::vector<PricedBox> boxes;
  Limits limits;
  enum class Active : std::uint8_t { none, walking, plain, priced, keyed_heap, list, heapsort } active = Active::none;

  Status begin_plain(world::Ref<const world::Snapshot> snapshot, const Query& query);
  template <class S>
  Status begin_with_boxes(std::optional<S>& search, Active kind, world::Ref<const world::Snapshot> snapshot,
                          const Query& query) {
    if (!search) search.emplace();
    active = kind;
    boxes = query.priced_boxes;
    return search->begin(std::move(snapshot), query, limits, BoxPricing{boxes});
  }

  template <class Result, class F>
  Result with_active(const F& f, Result otherwise) {
    switch (active) {
      case Active::walking:
        return f(*walking);
      case Active::plain:
        return f(*plain);
      case Active::priced:
        return f(*priced);
      case Active::keyed_heap:
        return f(*keyed_heap);
      case Active::list:
        return f(*list);
      case Active::heapsort:
        return f(*heapsort);
      case Active::none:
        break;
    }
    return otherwise;
  }
};

Search::Search() : state_(std::make_unique<State>()) {}
Search::~Search() = default;
Search::Search(Search&&) noexcept = default;
Search& Search::operator=(Search&&) noexcept = default;

Status Search::begin(world::Ref<const world::Snapshot> snapshot, const Query& query, const Limits& limits) {
  reset();
  State& s = *state_;
  s.active = State::Active::none;
  if (auto valid = validate(query, limits); !valid) return valid;
  s.limits = limits;
  const bool bucket = query.open_list == OpenListKind::automatic || query.open_list == OpenListKind::bucket;
  if (bucket && LongSearch::can_answer(query)) {
    if (!s.walking) s.walking.emplace();
    s.walking->begin(std::move(snapshot), query, limits);
    s.active = State::Active::walking;
    return world::ok_status();
  }
  return s.begin_plain(std::move(snapshot), query);
}

Status Search::State::begin_plain(world::Ref<const world::Snapshot> snapshot, const Query& query) {
  State& s = *this;
  if (query.open_list == OpenListKind::keyed_heap)
    return begin_with_boxes(keyed_heap, Active::keyed_heap, std::move(snapshot), query);
  if (query.open_list == OpenListKind::list) return begin_with_boxes(list, Active::list, std::move(snapshot), query);
  if (query.open_list == OpenListKind::heapsort)
    return begin_with_boxes(heapsort, Active::heapsort, std::move(snapshot), query);
  if (!query.priced_boxes.empty()) return begin_with_boxes(priced, Active::priced, std::move(snapshot), query);
  if (!s.plain) s.plain.emplace();
  s.active = State::Active::plain;
  return s.plain->begin(std::move(snapshot), query, limits);
}

bool Search::advance(std::uint32_t expansions) {
  State& s = *state_;
  if (s.active == State::Active::walking && s.walking->too_dear()) {
    // From the start again; what was spent is not counted against the limit.
    static_cast<void>(s.begin_plain(s.walking->snapshot(), s.walking->query()));  // valid, or it would not run
    s.walking->reset();
  }
  return s.with_active([&](auto& active) { return active.advance(expansions); }, true);
}
void Search::stop(PartialReason reason) {
  state_->with_active(
      [&](auto& s) {
        s.stop(reason);
        return true;
      },
      true);
}
bool Search::done() const {
  return state_->with_active([](auto& s) { return s.done(); }, true);
}
Answer Search::answer() {
  return state_->with_active([](auto& s) { return s.answer(); }, Answer{});
}
void Search::reset() {
  state_->with_active(
      [](auto& s) {
        s.reset();
        return true;
      },
      true);
}
std::size_t Search::memory_bytes() const {
  std::size_t bytes = state_->walking ? state_->walking->memory_bytes() : 0;
  bytes += state_->plain ? state_->plain->memory_bytes() : 0;
  bytes += state_->keyed_heap ? state_->keyed_heap->memory_bytes() : 0;
  bytes += state_->list ? state_->list->memory_bytes() : 0;
  bytes += state_->heapsort ? state_->heapsort->memory_bytes() : 0;
  return bytes + (state_->priced ? state_->priced->memory_bytes() : 0);
}

world::Result<Answer> search(world::Ref<const world::Snapshot> snapshot, const Query& query, const Limits& limits) {
  Search s;
  if (auto begun = s.begin(std::move(snapshot), query, limits); !begun) return begun.error();
  while (!s.advance(kExpansionsMax)) {
  }
  return s.answer();
}

}  // namespace voxpath::pathfinding
