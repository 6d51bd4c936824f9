#include "tests/judge/moves.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace voxpath::judge {
namespace {

using world::Door;
using world::floor_div16;
using world::kPixelsPerBlock;
using world::StairFacing;
using world::Traits;

constexpr std::int64_t kForbidden = -1;  // price
constexpr int kStairRiseMax = 16;        // px
constexpr int kClimbRiseMax = 16;        // px

Ruling no(std::string_view why) { return {.move = std::nullopt, .why_not = why}; }

/// The price of a move of this kind into `to`: base + extra + enter(to).
Ruling priced(const JudgeAgent& agent, MoveKind kind, std::int64_t base, std::int64_t extra_price, std::int64_t extra,
              const Node& to) {
  if (base == kForbidden) return no("the price of this direction is -1");
  if (extra_price == kForbidden) return no("the price of a jump or drop is -1");
  std::int64_t cost = base + extra;
  struct Charge {
    bool applies;
    std::int64_t price;
    std::string_view forbidden;
  };
  const std::array<Charge, 4> charges{{{to.kind == NodeKind::swim, agent.cost_water, "cost_water is -1"},
                                       {to.near_hazard, agent.cost_near_hazard, "cost_near_hazard is -1"},
                                       {to.slow, agent.cost_slow, "cost_slow is -1"},
                                       {to.opens, agent.cost_open, "cost_open is -1"}}};
  for (const Charge& charge : charges) {
    if (!charge.applies) continue;
    if (charge.price == kForbidden) return no(charge.forbidden);
    cost += charge.price;
  }
  if (agent.metric == Metric::moves) cost = 1;
  return {.move = Move{.kind = kind, .cost = cost}, .why_not = {}};
}

/// "no extent of A's footprint intersects (F_A, top), none of B's intersects (F_B, top)"
bool sweep_holds(Ground& ground, const Node& a, const Node& b) {
  const int top = std::max(a.floor, b.floor) + ground.agent().height_px;
  return ground.free(a.x, a.z, a.floor, top) && ground.free(b.x, b.z, b.floor, top);
}

StairFacing facing_of(int dx, int dz) {
  if (dx == 1) return StairFacing::east;
  if (dx == -1) return StairFacing::west;
  return dz == 1 ? StairFacing::south : StairFacing::north;
}

/// "every supporting block of B is a stair entered from its low side"
bool carried_by_stairs(Ground& ground, const Node& b, StairFacing direction) {
  const std::vector<Traits> blocks = ground.supporting(b.x, b.z, b.floor);
  return !blocks.empty() &&
         std::all_of(blocks.begin(), blocks.end(), [&](const Traits& t) { return t.stair == direction; });
}

Ruling cardinal(Ground& ground, const Node& a, const Node& b) {
  const JudgeAgent& agent = ground.agent();
  const int rise = b.floor - a.floor;
  // Said again below for the kinds; here only to spare the sweep of hopeless pairs.
  if (rise > std::max({agent.step_px, agent.jump_px, kStairRiseMax})) return no("the rise is above the jump");
  if (-rise > std::max(agent.step_px, agent.max_drop_px) && b.kind != NodeKind::swim) {
    return no("the fall is deeper than max_drop");
  }
  if (!sweep_holds(ground, a, b)) return no("an extent is in the swept body");
  if (std::abs(rise) <= agent.step_px) return priced(agent, MoveKind::walk, agent.cost_cardinal, 0, 0, b);
  if (rise > 0) {
    if (rise <= kStairRiseMax && carried_by_stairs(ground, b, facing_of(b.x - a.x, b.z - a.z))) {
      return priced(agent, MoveKind::walk, agent.cost_cardinal, 0, 0, b);
    }
    if (rise > agent.jump_px) return no("the rise is above the jump");
    return priced(agent, MoveKind::jump, agent.cost_cardinal, agent.cost_jump, agent.cost_jump, b);
  }
  if (-rise > agent.max_drop_px && b.kind != NodeKind::swim) return no("the fall is deeper than max_drop");
  const std::int64_t extra = agent.cost_drop * -rise / kPixelsPerBlock;
  return priced(agent, MoveKind::drop, agent.cost_cardinal, agent.cost_drop, extra, b);
}

/// What binds both sides of a diagonal whatever the corner rule; the empty view when nothing does.
std::string_view side_objection(Ground& ground, int x, int z, int low, int top) {
  if (!ground.footprint_known(x, z)) return "a side of the diagonal is in a missing chunk";
  const JudgeAgent& agent = ground.agent();
  const int first = floor_div16(low - 1);
  const int last = floor_div16(top - 1);
  if (ground.any_cell(x, z, first, last, [](const Traits& t) { return t.door != Door::none; })) {
    return "a door or gate is beside the diagonal";
  }
  if (ground.any_cell(x, z, first, last, [&](const Traits& t) { return agent.is_hazard(t); })) {
    return "a hazard is beside the diagonal";
  }
  for (int y = first; y <= last; ++y) {
    const std::optional<Node> node = ground.node(x, y, z);
    if (node && node->kind == NodeKind::climb) return "a climb node is beside the diagonal";
  }
  return {};
}

Ruling diagonal(Ground& ground, const Node& a, const Node& b) {
  const JudgeAgent& agent = ground.agent();
  if (agent.corners == Corners::never) return no("the mob takes no diagonals");
  if (a.kind == NodeKind::climb || b.kind == NodeKind::climb) return no("a diagonal has a climb node at an end");
  if (a.kind != b.kind) return no("a diagonal leads between water and land");
  if (a.door_in_body || b.door_in_body) return no("a door or gate is in the body at an end of the diagonal");
  if (std::abs(b.floor - a.floor) > agent.step_px) return no("the rise of the diagonal is above the step");
  if (!sweep_holds(ground, a, b)) return no("an extent is in the swept body");
  const int low = std::max(a.floor, b.floor);
  const int top = low + agent.height_px;
  for (const auto& [x, z] : {std::pair{b.x, a.z}, std::pair{a.x, b.z}}) {
    const std::string_view objection = side_objection(ground, x, z, low, top);
    if (!objection.empty()) return no(objection);
  }
  const bool first_free = ground.free(b.x, a.z, low, top);
  const bool second_free = ground.free(a.x, b.z, low, top);
  const bool open = agent.corners == Corners::strict ? first_free && second_free : first_free || second_free;
  if (!open) return no("an extent is beside the diagonal");
  return priced(agent, MoveKind::diagonal, agent.cost_diagonal, 0, 0, b);
}

/// "Between vertically adjacent cells of one column of which one is a climb node and the other a climb node, a swim node, or a standing
/// node in a climbable cell"
Ruling climb_vertically(Ground& ground, const Node& a, const Node& b) {
  if (std::abs(b.y - a.y) != 1) return no("not the next cell of the column");
  const auto may_be_other_end = [](const Node& node) { return node.kind != NodeKind::standing || node.in_climbable; };
  const bool one_climbs = a.kind == NodeKind::climb || b.kind == NodeKind::climb;
  if (!one_climbs || !may_be_other_end(a) || !may_be_other_end(b)) return no("nothing to climb here");
  if (!sweep_holds(ground, a, b)) return no("an extent is in the swept body");
  return priced(ground.agent(), MoveKind::climb, ground.agent().cost_climb, 0, 0, b);
}

/// "between a climb node and a cardinal standing, swim or climb node with |rise| <= 16 px, sweep as above"
Ruling climb_sideways(Ground& ground, const Node& a, const Node& b) {
  if (std::abs(b.floor - a.floor) > kClimbRiseMax) return no("the rise on or off the climb node is above 16 px");
  if (!sweep_holds(ground, a, b)) return no("an extent is in the swept body");
  return priced(ground.agent(), MoveKind::climb, ground.agent().cost_climb, 0, 0, b);
}

}  // namespace

std::string_view name(MoveKind kind) {
  constexpr std::array<std::string_view, 5> kNames{"walk", "diagonal", "jump", "drop", "climb"};
  return kNames.at(static_cast<std::size_t>(kind));
}

Ruling rule(Ground& ground, const Node& from, const Node& to) {
  const int dx = std::abs(to.x - from.x);
  const int dz = std::abs(to.z - from.z);
  if (dx == 0 && dz == 0) return climb_vertically(ground, from, to);
  if (dx + dz == 1) {
    const bool climbs = from.kind == NodeKind::climb || to.kind == NodeKind::climb;
    return climbs ? climb_sideways(ground, from, to) : cardinal(ground, from, to);
  }
  if (dx == 1 && dz == 1) return diagonal(ground, from, to);
  return no("the two nodes are no neighbours");
}

}  // namespace voxpath::judge
