#include "pathfinding/engine/nav_rules.hpp"

#include <algorithm>
#include <cassert>

namespace voxpath::pathfinding {

NavRules NavRules::of(const Query& query) {
  NavRules rules;
  rules.metric = query.algorithm == Algorithm::bfs ? Metric::moves : query.agent.metric;
  rules.prices = edge_prices(query.agent);
  if (rules.metric == Metric::moves) {
    for (auto& row : rules.prices) row.fill(1);
  }
  rules.boxes.boxes = query.priced_boxes;
  rules.forbids = std::any_of(query.priced_boxes.begin(), query.priced_boxes.end(),
                              [](const PricedBox& b) { return b.price == kForbidden; });
  const bool compass = query.agent.corners == Corners::never || query.agent.cost_diagonal == kForbidden;
  const std::int32_t cardinal = rules.prices[1][0];
  const std::int32_t diagonal = rules.prices[1][4];
  // Boxes price nodes, not edges: what is symmetric without them need not be with them. And the proof wants an estimate
  // that is consistent.
  const bool consistent =
      query.weight == 1 && (query.algorithm != Algorithm::astar || query.heuristic != Heuristic::manhattan);
  const bool prune = query.priced_boxes.empty() && consistent && cardinal > 0 &&
                     (compass || (cardinal < diagonal && diagonal < 2 * cardinal));
  rules.pruning = !prune ? &kNoPruning : compass ? &kAlongZFirst : &kDiagonalFirst;
  return rules;
}

MoveKind kind_of_move(const NavArena& arena, const NavRules& rules, NavArena::Id from, NavArena::Id to,
                      const NavArena::Label& how, std::int64_t price) {
  if ((how.from & 15u) != 0) return move_kind(EdgeType::flat, (how.from & 15u) - 1);
  const NavArena::Slot& slot = arena.slot_of(from);
  const NavArena::Slot& there = arena.slot_of(to);
  const std::uint32_t node = from - slot.base;
  const std::uint32_t target = to - there.base;
  const world::BlockPos a = arena.cell(from);
  const world::BlockPos b = arena.cell(to);
  for (std::size_t d = 0; d < 8; ++d) {
    const auto byte = static_cast<std::uint32_t>(slot.edges[node] >> (8 * d) & 0xFF);
    const auto type = static_cast<EdgeType>(byte & 7u);
    if (type == EdgeType::extra) continue;
    const std::int64_t entered =
        type == EdgeType::priced && rules.metric == Metric::cost ? there.nav->nodes->enter_price(target) : 0;
    if (rules.prices[byte & 7u][d] + entered != price) continue;
    if (a.x + kStepX[d] == b.x && a.z + kStepZ[d] == b.z && byte >> 3 == target >> 8) return move_kind(type, d);
  }
  for (const ExtraEdge* e = slot.nav->extras_from(node); e != slot.nav->extras_to(node); ++e) {
    if (e->missing || static_cast<std::int64_t>(rules.price(*e)) != price) continue;
    if (neighbour(slot.pos, e->neighbour) == there.pos && (std::uint32_t{e->layer} << 8 | e->column) == target)
      return e->kind;
  }
  assert(false);
  return MoveKind::walk;
}

}  // namespace voxpath::pathfinding
