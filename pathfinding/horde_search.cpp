#include "pathfinding/horde_search.hpp"

#include "pathfinding/engine/nav_field.hpp"
#include "pathfinding/search.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>
#include <utility>

#include <fmt/format.h>

namespace voxpath::pathfinding {

using world::BlockPos;
using world::ErrorCode;
using world::Status;

namespace {

constexpr std::size_t kProbes = 4;   // searches of their own before it is judged what is cheaper
constexpr double kFieldSlack = 2;    // a shared search may expand, by the nodes that it is thought to
constexpr double kFieldMin = 1'000;  // and expansions besides
constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kCostOfReversed = 1.5;  // an expansion back in expansions forward

BlockPos cell_of(const Place& place) {
  if (const auto* cell = std::get_if<BlockPos>(&place)) return *cell;
  return world::cell_of(std::get<world::Vec3>(place));
}

}  // namespace

struct HordeSearch::State {
  Search single;
  NavField field;
  world::Ref<const world::Snapshot> snapshot;
  Query query;
  std::vector<Place> starts;
  Limits limits;
  std::vector<Answer> answers;
  std::vector<std::uint8_t> answered;
  std::vector<std::size_t> come;  // the answered ones, in that order, until they are taken
  std::size_t next = 0;           // the mob at work, or to be looked at
  std::size_t singles = 0;        // mobs that were answered by searches of their own
  std::uint64_t spent = 0;        // their expansions
  double squares_searched = 0;    // of their distances
  std::size_t shared = 0;
  std::uint64_t expanded = 0;
  std::vector<double> distances;      // of the starts from the nearest goal, blocks; kNever: it cannot be used for them
  std::vector<double> nearest_first;  // those that are known
  double price_of_square = 0;         // of the shared search, expansions by the square of how far it goes
  double price_of_all = 0;            // of one through the whole world
  double reach = 0;                   // up to where mobs share it
  std::uint32_t field_max = 0;        // its expansions
  bool searching = false;             // `single` is at the mob `next`
  bool in_field = false;
  bool field_tried = false;
  bool done = true;

  void estimate_field();
  [[nodiscard]] double price_of_field(double distance) const {
    return std::min(price_of_square * distance * distance, price_of_all);
  }
  [[nodiscard]] double field_reach() const;
  void put(Answer answer);
  void begin_single();
  void step_single(std::uint32_t& expansions);
  void begin_field();
  void step_field(std::uint32_t& expansions);
  void next_mob();
};

/// How far the mobs are, and what the shared search would have to expand for those within a distance: about all nodes that
/// are no farther from the goal.
void HordeSearch::State::estimate_field() {
  distances.assign(starts.size(), kNever);
  nearest_first.clear();
  const auto* places = std::get_if<GoalPlaces>(&query.goal);
  if (places == nullptr || query.agent.mode != Mode::walk) return;
  std::uint64_t nodes_seen = 0, columns_seen = 0;
  NavReader reader;
  const auto nav_class = NavStore::of(*snapshot)->agent_class(query.agent);
  reader.reset(*snapshot, *nav_class);
  for (const Place& place : places->places) {
    const BlockPos goal = cell_of(place);
    const auto chunk = reader.chunk(world::chunk_of(goal));
    if (chunk == nullptr) continue;
    columns_seen += 256;
    nodes_seen += static_cast<std::uint64_t>(
        std::count_if(chunk->nodes->info.begin(), chunk->nodes->info.end(), [](NodeInfo n) { return n.exists(); }));
    for (std::size_t i = 0; i < starts.size(); ++i) {
      const BlockPos at = cell_of(starts[i]);
      if (snapshot->chunk(world::chunk_of(at)) == nullptr) continue;  // no way leads from there
      distances[i] = std::min(distances[i], std::hypot(double(at.x) - goal.x, double(at.z) - goal.z));
    }
  }
  if (columns_seen == 0) return;
  const double density = static_cast<double>(nodes_seen) / static_cast<double>(columns_seen);
  price_of_square = kCostOfReversed * density * std::numbers::pi * static_cast<double>(places->places.size());
  price_of_all = kCostOfReversed * density * 256.0 * static_cast<double>(snapshot->chunks().size());
  std::copy_if(distances.begin(), distances.end(), std::back_inserter(nearest_first),
               [](double d) { return d < kNever; });
  std::sort(nearest_first.begin(), nearest_first.end());
}

/// Up to which distance mobs are better served by a shared search than by their own; 0: none are. Both kinds of search grow with the square
/// of the distance; the first mobs' own ones tell how fast.
double HordeSearch::State::field_reach() const {
  if (singles < kProbes || squares_searched <= 0) return 0;
  const double of_square = static_cast<double>(spent) / squares_searched *
                           static_cast<double>(starts.size() - singles) / static_cast<double>(starts.size());
  double best = 0, best_reach = 0, squares = 0;
  for (const double distance : nearest_first) {
    squares += distance * distance;
    const double saved = of_square * squares - price_of_field(distance);
    if (saved <= best) continue;
    best = saved;
    best_reach = distance;
  }
  return best_reach;
}

/// For the mob `next`.
void HordeSearch::State::put(Answer answer) {
  answers[next] = std::move(answer);
  answered[next] = 1;
  come.push_back(next);
}

void HordeSearch::State::begin_single() {
  query.start = starts[next];
  static_cast<void>(single.begin(snapshot, query, limits));  // validated with all the others
  searching = true;
}

void HordeSearch::State::step_single(std::uint32_t& expansions) {
  if (!searching) begin_single();
  if (!single.advance(expansions)) {
    expansions = 0;
    return;
  }
  put(single.answer());
  searching = false;
  ++singles;
  expanded += answers[next].statistics.expanded;
  const std::uint32_t cost = answers[next].statistics.expanded + 1;
  if (distances[next] < kNever) {
    spent += cost;
    squares_searched += distances[next] * distances[next];
  }
  expansions -= std::min(expansions, cost);
}

void HordeSearch::State::next_mob() {
  while (next < starts.size() && answered[next] != 0) ++next;
  if (next == starts.size()) done = true;
}

void HordeSearch::State::begin_field() {
  field_tried = true;
  field.begin(snapshot, query);
  in_field = field.goal_valid();
  // For mobs that no way leads from, and for one whose way goes far round, it does not go on through the whole world.
  const double nodes = price_of_field(reach) / kCostOfReversed;
  field_max = static_cast<std::uint32_t>(std::min<double>(kExpansionsMax, kFieldMin + kFieldSlack * nodes));
}

/// One mob after the other, until the field reaches it or cannot.
void HordeSearch::State::step_field(std::uint32_t& expansions) {
  for (; next < starts.size(); ++next) {
    if (answered[next] != 0 || distances[next] > reach) continue;
    const NavPlace start = field.start(starts[next]);
    if (start.node == NavArena::kNowhere) continue;
    while (field.way_from(start.node) == NavField::Way::open && field.expanded() < field_max) {
      if (expansions == 0) return;
      const std::uint32_t before = field.expanded();
      field.advance(start.node, std::min(expansions, field_max - before));
      if (field.expanded() == before) break;
      expanded += field.expanded() - before;
      expansions -= std::min(expansions, field.expanded() - before);
    }
    if (field.way_from(start.node) != NavField::Way::found) continue;
    put(field.answer(start));
    ++shared;
    expansions -= std::min(expansions, static_cast<std::uint32_t>(answers[next].move_count) + 1);
  }
  in_field = false;
  next = 0;  // who is left gets a search of its own
}

HordeSearch::HordeSearch() : state_(std::make_unique<State>()) {}
HordeSearch::~HordeSearch() = default;
HordeSearch::HordeSearch(HordeSearch&&) noexcept = default;
HordeSearch& HordeSearch::operator=(HordeSearch&&) noexcept = default;

Status HordeSearch::begin(world::Ref<const world::Snapshot> snapshot, const Query& query, std::vector<Place> starts,
                          const Limits& limits) {
  reset();
  State& s = *state_;
  if (starts.empty() || starts.size() > kHordeMax) {
    return world::Error{ErrorCode::invalid_argument,
                        fmt::format("starts: {} given, 1 to {} are allowed", starts.size(), kHordeMax)};
  }
  s.query = query;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    s.query.start = starts[i];
    if (auto valid = validate(s.query, limits); !valid) {
      return world::Error{valid.error().code, fmt::format("starts[{}]: {}", i, valid.error().message)};
    }
  }
  s.snapshot = std::move(snapshot);
  s.starts = std::move(starts);
  s.limits = limits;
  s.answers.assign(s.starts.size(), {});
  s.answered.assign(s.starts.size(), 0);
  s.come.clear();
  s.next = s.singles = s.shared = 0;
  s.spent = s.expanded = 0;
  s.squares_searched = 0;
  s.searching = s.in_field = s.field_tried = s.done = false;
  s.estimate_field();
  return world::ok_status();
}

bool HordeSearch::advance(std::uint32_t expansions) {
  State& s = *state_;
  while (!s.done && expansions > 0) {
    if (s.in_field) {
      s.step_field(expansions);
      continue;
    }
    s.next_mob();
    if (s.done) break;
    if (!s.field_tried && !s.searching && (s.reach = s.field_reach()) > 0) {
      s.begin_field();
      continue;
    }
    s.step_single(expansions);
  }
  return s.done;
}

void HordeSearch::stop(PartialReason reason) {
  State& s = *state_;
  if (s.done) return;
  for (s.next_mob(); !s.done; s.next_mob()) {
    if (!s.searching) {  // not even its start is looked at: a thousand of them would take long
      Answer stopped;
      stopped.status = reason == PartialReason::none ? AnswerStatus::cancelled : AnswerStatus::partial;
      stopped.reason = reason;
      stopped.statistics.world_version = s.snapshot->version();
      s.put(std::move(stopped));
      continue;
    }
    s.single.stop(reason);
    s.put(s.single.answer());
    s.expanded += s.answers[s.next].statistics.expanded;
    s.searching = false;
  }
}

bool HordeSearch::one_by_one() const {
  const State& s = *state_;
  return !s.in_field && (s.field_tried || (s.singles >= kProbes && s.field_reach() == 0));
}

bool HordeSearch::done() const { return state_->done; }
std::vector<Answer> HordeSearch::answers() { return std::exchange(state_->answers, {}); }

std::vector<HordeSearch::Numbered> HordeSearch::take_answers() {
  std::vector<Numbered> taken;
  taken.reserve(state_->come.size());
  for (const std::size_t i : state_->come) taken.push_back({i, std::exchange(state_->answers[i], {})});
  state_->come.clear();
  return taken;
}

std::size_t HordeSearch::shared() const { return state_->shared; }
std::uint64_t HordeSearch::expanded() const { return state_->expanded; }

void HordeSearch::reset() {
  state_->single.reset();
  state_->field.reset();
  state_->snapshot.reset();
  state_->done = true;
}

std::size_t HordeSearch::memory_bytes() const { return state_->single.memory_bytes() + state_->field.memory_bytes(); }

}  // namespace voxpath::pathfinding
