#include "pathfinding/engine/nav_field.hpp"

#include "pathfinding/path.hpp"

#include <algorithm>
#include <utility>

namespace voxpath::pathfinding {

namespace {

std::uint32_t flat_directions(std::uint64_t edges) {
  std::uint32_t flat = 0;
  for (std::size_t d = 0; d < 8; ++d) {
    if ((edges >> (8 * d) & 7u) == static_cast<std::uint64_t>(EdgeType::flat)) flat |= 1u << d;
  }
  return flat;
}

}  // namespace

Terrain& NavField::terrain() {
  if (!terrain_ready_) {
    terrain_.reset(*snapshot_, query_.agent);
    terrain_ready_ = true;
  }
  return terrain_;
}

void NavField::begin(world::Ref<const world::Snapshot> snapshot, const Query& query) {
  snapshot_ = std::move(snapshot);
  query_ = query;
  query_.heuristic = Heuristic::zero;  // none guides it, so that none bars pruning
  const std::shared_ptr<NavStore> store = NavStore::of(*snapshot_);
  std::shared_ptr<NavClass> agent_class = store->agent_class(query_.agent);
  if (store != store_ || agent_class != class_) {
    store_ = store;
    class_ = std::move(agent_class);
    arena_.forget();
  }
  reader_.reset(*snapshot_, *class_);
  arena_.begin(reader_);
  open_.clear();
  terrain_ready_ = false;
  rules_ = NavRules::of(query_);
  expanded_ = generated_ = 0;
  nav_goals(arena_, [this]() -> Terrain& { return terrain(); }, std::get<GoalPlaces>(query_.goal), goal_);
  for (const Id id : goal_.nodes) relax(id, 0, id << 6);
}

NavPlace NavField::start(const Place& place) {
  return nav_start(arena_, [this]() -> Terrain& { return terrain(); }, place);
}

NavField::Way NavField::way_from(Id start) const {
  if (arena_.label(start).closed()) return Way::found;
  return open_.empty() ? Way::none : Way::open;
}

inline void NavField::relax(Id to, std::uint64_t cost, std::uint32_t from) {
  if (cost > NavArena::kCostMax) [[unlikely]]
    return;  // more than a label holds; who starts there is searched for alone
  NavArena::Label& label = arena_.label(to);
  const auto improved = static_cast<std::uint32_t>(cost << 1);
  if ((improved | 1u) >= label.cost) return;
  label.cost = improved;
  label.from = from;
  open_.push(cost, to);
  ++generated_;
}

void NavField::advance(Id start, std::uint32_t expansions) {
  while (expansions > 0 && way_from(start) == Way::open && !arena_.full()) {
    const Id id = open_.pop();
    if (arena_.label(id).closed()) continue;
    if (rules_.boxes.boxes.empty()) {
      expand<false>(id);
    } else {
      expand<true>(id);
    }
    --expansions;
  }
}

/// Looks at all nodes with a move that leads to this one.
template <bool kPriced>
void NavField::expand(Id id) {
  NavArena::Label& label = arena_.label(id);
  std::uint64_t cost = label.cost >> 1;  // with boxes it grows. NOLINT(misc-const-correctness)
  const std::uint32_t from = label.from;
  label.cost |= 1u;
  ++expanded_;
  if constexpr (kPriced) {
    const std::int32_t extra = rules_.boxes.at(arena_.cell(id));
    if (extra == kForbidden) return;  // nobody may enter; one who starts here may leave
    if (rules_.metric == Metric::cost) cost += static_cast<std::uint64_t>(extra);
  }
  const std::uint32_t slot_index = arena_.slot_index_of(id);
  const std::uint32_t base = arena_.slot(slot_index).base;
  const std::uint32_t node = id - base;
  const std::uint32_t layer = node >> 8;
  const auto x = static_cast<std::int32_t>(node & 15u);
  const auto z = static_cast<std::int32_t>(node >> 4 & 15u);
  const std::uint64_t entered = rules_.metric == Metric::cost
                                    ? static_cast<std::uint64_t>(arena_.slot(slot_index).nav->nodes->enter_price(node))
                                    : 0;
  const std::uint32_t flat = flat_directions(arena_.slot(slot_index).edges[node]);
  const Pruning& pruning = *rules_.pruning;
  const std::uint32_t pruned = pruning.pruned[from & 15u][from >> 4 & 3u] & flat;
  if (layer <= kEdgeLayerMax) {
    for (std::size_t r = 0; r < 8; ++r) {  // where the predecessor lies
      const std::int32_t px = x + kStepX[r];
      const std::int32_t pz = z + kStepZ[r];
      std::uint32_t beside = slot_index;
      if (((px | pz) & ~15) != 0) [[unlikely]] {
        beside = arena_.optional_neighbour(slot_index, static_cast<std::uint32_t>((px >> 4) + 1 + 3 * ((pz >> 4) + 1)));
        if (beside == NavArena::kNoSlot) continue;
      }
      const NavArena::Slot& slot = arena_.slot(beside);
      const std::size_t d = opposite(r);
      const auto column = static_cast<std::uint32_t>((pz & 15) << 4 | (px & 15));
      for (std::uint32_t l = 0; l < slot.nav->nodes->layers; ++l) {
        const auto byte = static_cast<std::uint32_t>(slot.edges[l << 8 | column] >> (8 * d) & 0xFF);
        const std::uint32_t type = byte & 7u;
        if (type == static_cast<std::uint32_t>(EdgeType::extra) || byte >> 3 != layer) continue;
        std::uint32_t how = id << 6;
        if (type == static_cast<std::uint32_t>(EdgeType::flat)) {
          if ((pruned >> r & 1u) != 0) continue;
          how |= (flat >> pruning.deciding[r].first & 1u) << 4 | (flat >> pruning.deciding[r].second & 1u) << 5 |
                 static_cast<std::uint32_t>(r + 1);
        }
        std::uint64_t price = static_cast<std::uint32_t>(rules_.prices[type][d]);
        if (type == static_cast<std::uint32_t>(EdgeType::priced)) price += entered;
        relax(slot.base + (l << 8 | column), cost + price, how);
      }
    }
  }
  expand_sources(id, cost);
}

/// And those that lead here by an extra.
void NavField::expand_sources(Id id, std::uint64_t cost) {
  const std::uint32_t slot_index = arena_.slot_index_of(id);
  const std::uint32_t node = id - arena_.slot(slot_index).base;
  const std::int32_t reach = query_.agent.leap + 1;
  const auto near = [reach](std::uint32_t at, std::int32_t side) {
    return side == 0 || (side < 0 ? static_cast<std::int32_t>(at) < reach : static_cast<std::int32_t>(at) > 15 - reach);
  };
  for (std::uint32_t which = 0; which < 9; ++which) {
    if (!near(node & 15u, static_cast<std::int32_t>(which % 3) - 1)) continue;
    if (!near(node >> 4 & 15u, static_cast<std::int32_t>(which / 3) - 1)) continue;
    const std::uint32_t beside = which == 4 ? slot_index : arena_.optional_neighbour(slot_index, which);
    if (beside == NavArena::kNoSlot) continue;
    const NavArena::Slot& slot = arena_.slot(beside);
    const std::vector<ExtraSource>& sources = slot.nav->sources;
    if (sources.empty()) continue;
    const std::uint32_t target = (8 - which) << 24 | node;  // as the neighbour sees this chunk
    auto it = std::lower_bound(sources.begin(), sources.end(), target,
                               [](const ExtraSource& s, std::uint32_t t) { return s.target < t; });
    for (; it != sources.end() && it->target == target; ++it) {
      const std::uint64_t price = rules_.metric == Metric::moves ? 1 : static_cast<std::uint64_t>(it->price);
      relax(slot.base + it->source, cost + price, id << 6);
    }
  }
}

Answer NavField::answer(const NavPlace& start) {
  Answer a;
  a.status = AnswerStatus::found;
  a.start_rule = start.rule;
  a.cost = arena_.label(start.node).cost >> 1;
  a.lower_bound = a.cost;
  const double half = query_.agent.footprint() / 2.0;
  Id id = start.node;
  a.path.push_back(waypoint_at(arena_, id, half));
  a.path.back().action = Action::none;
  while (std::find(goal_.nodes.begin(), goal_.nodes.end(), id) == goal_.nodes.end()) {
    const Id next = arena_.label(id).from >> 6;
    Waypoint w = waypoint_at(arena_, next, half);
    std::int64_t price = (arena_.label(id).cost >> 1) - (arena_.label(next).cost >> 1);
    if (rules_.metric == Metric::cost && !rules_.boxes.boxes.empty()) price -= rules_.boxes.at(w.cell);
    w.kind = kind_of_move(arena_, rules_, id, next, arena_.label(id), price);
    a.path.push_back(w);
    id = next;
  }
  const auto goal =
      static_cast<std::size_t>(std::find(goal_.nodes.begin(), goal_.nodes.end(), id) - goal_.nodes.begin());
  a.goal_index = goal_.index[goal];
  a.goal_rule = goal_.rule[goal];
  a.move_count = a.path.size() - 1;
  a.sections = sections_of(a.path, query_.agent);
  if (query_.simplify != Simplify::none) simplify(a.path, query_.simplify, terrain(), query_.priced_boxes);
  // A line of sight cuts the corners of the way that was found.
  if (query_.simplify == Simplify::line_of_sight) a.sections = sections_of(a.path, query_.agent);
  a.statistics.world_version = snapshot_->version();
  a.statistics.unknown_blocks = arena_.unknown_blocks();
  a.statistics.expanded = expanded_;
  a.statistics.generated = generated_;
  return a;
}

}  // namespace voxpath::pathfinding
