#include "tests/judge/moves.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <initializer_list>
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
constexpr int kLeapJumpMin = 16;         // px

Ruling no(std::string_view why) { return {.move = std::nullopt, .why_not = why}; }

bool is_water_charged(const JudgeAgent& agent, const Node& to) {
  if (agent.mode == Mode::walk) return to.kind == NodeKind::swim;
  return agent.mode == Mode::fly && agent.water == Water::floats && to.wet;
}

struct Charge {
  bool applies;
  std::int64_t price;   // as the agent's field has it
  std::int64_t amount;  // charged
  std::string_view forbidden;
};

/// The price of a move of this kind into `to`: base + extra + enter(to).
Ruling priced(const JudgeAgent& agent, MoveKind kind, std::initializer_list<Charge> base_and_extra, const Node& to) {
  std::vector<Charge> charges(base_and_extra);
  const auto enter = [&](bool applies, std::int64_t price, std::string_view forbidden) {
    charges.push_back({applies, price, price, forbidden});
  };
  enter(is_water_charged(agent, to), agent.cost_water, "cost_water is -1");
  enter(to.near_hazard, agent.cost_near_hazard, "cost_near_hazard is -1");
  enter(to.slow, agent.cost_slow, "cost_slow is -1");
  enter(to.opens, agent.cost_open, "cost_open is -1");
  std::int64_t cost = 0;
  for (const Charge& charge : charges) {
    if (!charge.applies) continue;
    if (charge.price == kForbidden) return no(charge.forbidden);
    cost += charge.amount;
  }
  if (agent.metric == Metric::moves) cost = 1;
  return {.move = Move{.kind = kind, .cost = cost}, .why_not = {}};
}

Ruling priced(const JudgeAgent& agent, MoveKind kind, std::int64_t base, const Node& to) {
  return priced(agent, kind, {{true, base, base, "the price of this direction is -1"}}, to);
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
  if (std::abs(rise) <= agent.step_px) return priced(agent, MoveKind::walk, agent.cost_cardinal, b);
  if (rise > 0) {
    if (rise <= kStairRiseMax && carried_by_stairs(ground, b, facing_of(b.x - a.x, b.z - a.z))) {
      return priced(agent, MoveKind::walk, agent.cost_cardinal, b);
    }
    if (rise > agent.jump_px) return no("the rise is above the jump");
    return priced(agent, MoveKind::jump,
                  {{true, agent.cost_cardinal, agent.cost_cardinal, "cost_cardinal is -1"},
                   {true, agent.cost_jump, agent.cost_jump, "cost_jump is -1"}},
                  b);
  }
  if (-rise > agent.max_drop_px && b.kind != NodeKind::swim) return no("the fall is deeper than max_drop");
  return priced(agent, MoveKind::drop,
                {{true, agent.cost_cardinal, agent.cost_cardinal, "cost_cardinal is -1"},
                 {true, agent.cost_drop, agent.cost_drop * -rise / kPixelsPerBlock, "cost_drop is -1"}},
                b);
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
  return priced(agent, MoveKind::diagonal, agent.cost_diagonal, b);
}

/// "Between vertically adjacent cells of one column of which one is a climb node and the other a climb node, a swim node, or a standing
/// node in a climbable cell"
Ruling climb_vertically(Ground& ground, const Node& a, const Node& b) {
  if (std::abs(b.y - a.y) != 1) return no("not the next cell of the column");
  const auto may_be_other_end = [](const Node& node) { return node.kind != NodeKind::standing || node.in_climbable; };
  const bool one_climbs = a.kind == NodeKind::climb || b.kind == NodeKind::climb;
  if (!one_climbs || !may_be_other_end(a) || !may_be_other_end(b)) return no("nothing to climb here");
  if (!sweep_holds(ground, a, b)) return no("an extent is in the swept body");
  return priced(ground.agent(), MoveKind::climb, ground.agent().cost_climb, b);
}

/// "between a climb node and a cardinal standing, swim or climb node with |rise| <= 16 px, sweep as above"
Ruling climb_sideways(Ground& ground, const Node& a, const Node& b) {
  if (std::abs(b.floor - a.floor) > kClimbRiseMax) return no("the rise on or off the climb node is above 16 px");
  if (!sweep_holds(ground, a, b)) return no("an extent is in the swept body");
  return priced(ground.agent(), MoveKind::climb, ground.agent().cost_climb, b);
}

/// What binds the columns of gap of a leap; the empty view when nothing does. (x, z) is A's footprint moved along.
std::string_view gap_objection(Ground& ground, int x, int z, int low, int apex) {
  if (!ground.footprint_known(x, z)) return "the gap is in a missing chunk";
  const JudgeAgent& agent = ground.agent();
  if (!ground.free(x, z, low, apex)) return "an extent is in the gap";
  const int first = floor_div16(low);
  const int last = floor_div16(apex - 1);
  if (ground.any_cell(x, z, first, last, [](const Traits& t) { return t.door != Door::none; })) {
    return "a door or gate is in the gap";
  }
  if (ground.any_cell(x, z, first, last, [&](const Traits& t) { return agent.is_hazard(t); })) {
    return "a hazard is in the gap";
  }
  const bool swims = agent.water != Water::walks;
  if (swims && ground.any_cell(x, z, first, last, [](const Traits& t) { return t.fluid == world::Fluid::water; })) {
    return "water is in the gap";
  }
  for (int y = first; y <= last; ++y) {
    const std::optional<Node> node = ground.node(x, y, z);
    if (node && node->kind == NodeKind::climb) return "a climb node is in the gap";
  }
  return {};
}

/// Section 8. `gap` columns lie between A and B, which are on a straight line.
Ruling leap(Ground& ground, const Node& a, const Node& b, int gap) {
  const JudgeAgent& agent = ground.agent();
  if (gap > leap_reach(agent)) return no("the gap is wider than the mob leaps");
  if (a.kind != NodeKind::standing || b.kind != NodeKind::standing) return no("a leap has an end that is no floor");
  if (a.door_in_body || b.door_in_body) return no("a door or gate is in the body at an end of the leap");
  const int rise = b.floor - a.floor;
  const bool level = std::abs(rise) <= agent.step_px;
  const bool up = gap <= 2 && rise > agent.step_px && rise <= agent.jump_px;
  const bool down = -rise > agent.step_px && -rise <= agent.max_drop_px;
  if (!level && !up && !down) return no("the leap rises or falls too far");
  const int apex = a.floor + agent.jump_px + agent.height_px;
  if (!ground.free(a.x, a.z, a.floor, apex) || !ground.free(b.x, b.z, b.floor, apex)) {
    return no("an extent is over an end of the leap");
  }
  const int dx = (b.x - a.x) / (gap + 1);
  const int dz = (b.z - a.z) / (gap + 1);
  for (int i = 1; i <= gap; ++i) {
    const std::string_view objection =
        gap_objection(ground, a.x + i * dx, a.z + i * dz, std::min(a.floor, b.floor), apex);
    if (!objection.empty()) return no(objection);
  }
  return priced(agent, MoveKind::leap,
                {{true, agent.cost_cardinal, agent.cost_cardinal * (gap + 1), "cost_cardinal is -1"},
                 {true, agent.cost_leap, agent.cost_leap * gap, "cost_leap is -1"},
                 {up, agent.cost_jump, agent.cost_jump, "cost_jump is -1"},
                 {down, agent.cost_drop, agent.cost_drop * -rise / kPixelsPerBlock, "cost_drop is -1"}},
                b);
}

/// Whether the body at a corner of a flyer's move, which need not be a node there, meets what binds also such a corner.
bool is_harmless_corner(Ground& ground, int x, int y, int z) {
  if (!ground.footprint_known(x, z)) return false;
  const int last = floor_div16(y * kPixelsPerBlock + ground.agent().height_px - 1);
  return !ground.any_cell(x, z, y, last,
                          [&](const Traits& t) { return t.door != Door::none || ground.agent().is_hazard(t); });
}

/// Section 9, the moves of flyers and swimmers.
Ruling float_along(Ground& ground, const Node& a, const Node& b) {
  const JudgeAgent& agent = ground.agent();
  const std::array<int, 3> by{b.x - a.x, b.y - a.y, b.z - a.z};
  const auto axes = std::count_if(by.begin(), by.end(), [](int d) { return d != 0; });
  const bool near = std::all_of(by.begin(), by.end(), [](int d) { return std::abs(d) <= 1; });
  if (!near || axes == 0) return no("the two nodes are no neighbours");
  const int axes_max = agent.corners == Corners::never ? 1 : agent.corners == Corners::loose ? 2 : 3;
  if (axes > axes_max) return no("the mob takes no such diagonals");
  if (axes > 1 && (a.door_in_body || b.door_in_body)) return no("a door or gate is in the body at an end");
  int corners = 0;
  int nodes = 0;
  bool harmless = true;
  for (int some = 1; some < 7; ++some) {  // which axes of the move A is moved along
    std::array<int, 3> at{a.x, a.y, a.z};
    bool another = true;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if ((some >> axis & 1) == 0) continue;
      another = another && by[axis] != 0;
      at[axis] += by[axis];
    }
    if (!another || (at[0] == b.x && at[1] == b.y && at[2] == b.z)) continue;
    ++corners;
    const std::optional<Node> corner = ground.node(at[0], at[1], at[2]);
    if (corner && corner->door_in_body) return no("a door or gate is in the body at a corner");
    if (corner) ++nodes;
    harmless = harmless && is_harmless_corner(ground, at[0], at[1], at[2]);
  }
  if (agent.corners == Corners::strict && nodes < corners) return no("a corner is no place to be");
  if (agent.corners == Corners::loose && axes > 1 && (nodes == 0 || !harmless)) return no("both corners are cut");
  const std::array<std::int64_t, 3> prices{agent.cost_cardinal, agent.cost_diagonal, agent.cost_space_diagonal};
  const MoveKind kind = agent.mode == Mode::fly ? MoveKind::fly : MoveKind::swim;
  return priced(agent, kind, prices.at(static_cast<std::size_t>(axes - 1)), b);
}

}  // namespace

std::string_view name(MoveKind kind) {
  constexpr std::array<std::string_view, 8> kNames{"walk", "diagonal", "jump", "drop", "climb", "leap", "fly", "swim"};
  return kNames.at(static_cast<std::size_t>(kind));
}

int leap_reach(const JudgeAgent& agent) {
  return agent.mode == Mode::walk && agent.jump_px >= kLeapJumpMin ? agent.leap : 0;
}

Ruling rule(Ground& ground, const Node& from, const Node& to) {
  if (ground.agent().mode != Mode::walk) return float_along(ground, from, to);
  const int dx = std::abs(to.x - from.x);
  const int dz = std::abs(to.z - from.z);
  if (dx == 0 && dz == 0) return climb_vertically(ground, from, to);
  if (dx + dz == 1) {
    const bool climbs = from.kind == NodeKind::climb || to.kind == NodeKind::climb;
    return climbs ? climb_sideways(ground, from, to) : cardinal(ground, from, to);
  }
  if (dx == 1 && dz == 1) return diagonal(ground, from, to);
  if ((dx == 0 || dz == 0) && dx + dz - 1 <= leap_reach(ground.agent())) return leap(ground, from, to, dx + dz - 1);
  return no("the two nodes are no neighbours");
}

}  // namespace voxpath::judge
