#include "protocol/clients/cpp/mob/strategy.hpp"

namespace voxpath::mob {

namespace {

/// Each mob of a pack has one of the four sides, and pays for each step nearer over the others. The rings around the target are cut in four
/// so that each cell belongs to one side.
void price_other_sides(const Situation& s, Aim& aim) {
  const Cell c = cell_of(s.target);
  constexpr std::int32_t rise = 4;  // what lies higher or lower is another floor
  for (std::int32_t k = 1; k <= kSideLengthBlocks; ++k) {
    struct Side {
      std::int32_t x0, z0, x1, z1;
    };
    const std::array<Side, 4> sides = {
        {{k, -k + 1, k, k}, {-k, -k, -k, k - 1}, {-k, k, k - 1, k}, {-k + 1, -k, k, -k}}};
    for (std::uint32_t i = 0; i < sides.size(); ++i) {
      if (i == s.index % sides.size()) continue;
      v1::PricedBox box;
      box.set_price(kSidePrice / kSideLengthBlocks);
      write(Cell{c.x + sides[i].x0, c.y - rise, c.z + sides[i].z0}, box.mutable_box()->mutable_min());
      write(Cell{c.x + sides[i].x1, c.y + rise, c.z + sides[i].z1}, box.mutable_box()->mutable_max());
      aim.prices.push_back(box);
    }
  }
}

}  // namespace

std::string_view name(Strategy strategy) { return kStrategyNames[static_cast<std::size_t>(strategy)]; }

std::optional<Strategy> strategy_named(std::string_view name) {
  for (std::size_t i = 0; i < kStrategyNames.size(); ++i) {
    if (kStrategyNames[i] == name) return static_cast<Strategy>(i);
  }
  return std::nullopt;
}

Point meeting_point(const Situation& s) {
  const double apart = flat_distance(s.self, s.target);
  if (apart < kInterceptNearBlocks || s.speed <= 0) return s.target;
  // Three rounds bring the guess within a block; the path is not straight anyway.
  double ticks = apart / s.speed;
  for (int round = 0; round < 3; ++round) {
    ticks = std::min(ticks, kInterceptMaxTicks);
    const Point there = {s.target.x + s.velocity.x * ticks, s.target.y, s.target.z + s.velocity.z * ticks};
    ticks = flat_distance(s.self, there) / s.speed;
  }
  ticks = std::min(ticks, kInterceptMaxTicks);
  return {s.target.x + s.velocity.x * ticks, s.target.y, s.target.z + s.velocity.z * ticks};
}

Point aim_point(Strategy strategy, const Situation& s) {
  return strategy == Strategy::intercept ? meeting_point(s) : s.target;
}

Aim aim_of(Strategy strategy, const Situation& s, Random& random) {
  Aim aim;
  aim.at = aim_point(strategy, s);
  switch (strategy) {
    case Strategy::greedy:
      aim.straight = true;
      return aim;
    case Strategy::random: {
      const Cell c = cell_of(s.self);
      const auto far = [&] {
        const auto blocks =
            kWanderMinBlocks + static_cast<std::int32_t>(random.below(kWanderMaxBlocks - kWanderMinBlocks + 1));
        return random.below(2) == 0 ? blocks : -blocks;
      };
      aim.goal.mutable_column()->set_x(c.x + far());
      aim.goal.mutable_column()->set_z(c.z + far());
      aim.at = {aim.goal.column().x() + 0.5, s.self.y, aim.goal.column().z() + 0.5};
      return aim;
    }
    case Strategy::flee:
      aim.away = true;
      write(s.target, aim.goal.mutable_flee()->add_points());
      aim.goal.mutable_flee()->set_distance(kFleeBlocks);
      return aim;
    case Strategy::surround:
      price_other_sides(s, aim);
      break;
    case Strategy::intercept:
      if (aim.at == s.target) break;
      // Nobody knows how high the ground is there: at the target's height it may be inside a hill.
      aim.goal.mutable_column()->set_x(cell_of(aim.at).x);
      aim.goal.mutable_column()->set_z(cell_of(aim.at).z);
      return aim;
    case Strategy::path:
      break;
  }
  write(aim.at, aim.goal.mutable_position());
  return aim;
}

}  // namespace voxpath::mob
