#include "pathfinding/goal_set.hpp"

#include "pathfinding/resolve.hpp"
#include "world/queries.hpp"

#include <algorithm>
#include <cmath>

namespace voxpath::pathfinding {

using world::BlockPos;
using world::Box;
using world::Vec3;

namespace {

constexpr std::int32_t kFar = 1 << 28;  // beyond every cell

/// Squared: exact for the fractions that blocks and pixels have, where a root would be rounded to either side of a limit.
bool within(const Vec3& a, const Vec3& b, double blocks) {
  const Vec3 d{a.x - b.x, a.y - b.y, a.z - b.z};
  return d.x * d.x + d.y * d.y + d.z * d.z <= blocks * blocks;
}

/// The footprints that touch a block's column along a side, as the box of their corners with the box's four corners cut off.
bool touches_side(const Node& node, int footprint, BlockPos block) {
  const auto covers = [footprint](std::int32_t corner, std::int32_t v) {
    return corner <= v && v < corner + footprint;
  };
  const auto adjoins = [footprint](std::int32_t corner, std::int32_t v) {
    return corner + footprint == v || corner == v + 1;
  };
  return (covers(node.cell.x, block.x) && adjoins(node.cell.z, block.z)) ||
         (covers(node.cell.z, block.z) && adjoins(node.cell.x, block.x));
}

bool sees(Terrain& terrain, const Node& node, const GoalSight& goal) {
  constexpr double kEyes = 0.85;  // of the height
  Vec3 eyes = centre_of(node, terrain.agent().footprint());
  if (!within(eyes, goal.point, goal.range)) return false;
  eyes.y += kEyes * terrain.agent().height_px / world::kPixelsPerBlock;
  const auto sight = world::line_of_sight(terrain.snapshot(), eyes, goal.point);
  return sight && sight->sight == world::Sight::clear;
}

/// The cells whose nodes may lie in a ball.
Box around(const Vec3& centre, double radius, int footprint) {
  const BlockPos c = world::cell_of(centre);
  const auto reach = static_cast<std::int32_t>(std::ceil(radius)) + 1;
  return {{c.x - reach - footprint, c.y - reach, c.z - reach - footprint}, {c.x + reach, c.y + reach, c.z + reach}};
}

}  // namespace

Vec3 centre_of(const Node& node, int footprint) {
  const double half = footprint / 2.0;
  return {node.cell.x + half, node.floor_px / double{world::kPixelsPerBlock}, node.cell.z + half};
}

void GoalSet::reset(Terrain& terrain, const Goal& goal) {
  goal_ = goal;
  places_.clear();
  const auto* wanted = std::get_if<GoalPlaces>(&goal_);
  if (wanted == nullptr) return;
  for (std::size_t i = 0; i < wanted->places.size(); ++i) {
    const Resolved r = resolve_goal(terrain, wanted->places[i]);
    const auto same = [&](const ResolvedPlace& p) { return p.node == r.node; };
    if (r && std::none_of(places_.begin(), places_.end(), same)) places_.push_back({r.node, i, r.rule});
  }
}

bool GoalSet::contains(Terrain& terrain, NodeId id) const {
  struct Visitor {
    Terrain& terrain;
    const GoalSet& set;
    NodeId id;
    [[nodiscard]] const Node& node() const { return terrain.node(id); }
    [[nodiscard]] Vec3 centre() const { return centre_of(node(), terrain.agent().footprint()); }

    bool operator()(const GoalPlaces&) const {
      return std::any_of(set.places_.begin(), set.places_.end(),
                         [this](const ResolvedPlace& p) { return p.node == id; });
    }
    bool operator()(const GoalRadius& g) const { return within(centre(), g.centre, g.radius); }
    bool operator()(const GoalColumn& g) const {
      const int n = terrain.agent().footprint();
      return node().cell.x <= g.x && g.x < node().cell.x + n && node().cell.z <= g.z && g.z < node().cell.z + n;
    }
    bool operator()(const GoalLevel& g) const { return node().cell.y == g.y; }
    bool operator()(const GoalNextTo& g) const {
      return std::abs(node().cell.y - g.block.y) <= 1 && touches_side(node(), terrain.agent().footprint(), g.block);
    }
    bool operator()(const GoalFlee& g) const {
      const Vec3 c = centre();
      return std::all_of(g.points.begin(), g.points.end(), [&](const Vec3& p) {
        return (c.x - p.x) * (c.x - p.x) + (c.z - p.z) * (c.z - p.z) >= g.distance * g.distance;
      });
    }
    bool operator()(const GoalSight& g) const { return sees(terrain, node(), g); }
  };
  return std::visit(Visitor{terrain, *this, id}, goal_);
}

std::size_t GoalSet::place_of(NodeId id) const {
  for (const ResolvedPlace& p : places_) {
    if (p.node == id) return p.index;
  }
  return 0;
}

ResolvedBy GoalSet::rule_of(NodeId id) const {
  if (!std::holds_alternative<GoalPlaces>(goal_)) return ResolvedBy::area;
  for (const ResolvedPlace& p : places_) {
    if (p.node == id) return p.rule;
  }
  return places_.empty() ? ResolvedBy::nothing : places_.front().rule;
}

bool GoalSet::any_in(Terrain& terrain, const Box& cells) const {
  const world::Heights heights = terrain.snapshot().heights();
  const std::int32_t low = std::max(cells.min.y, heights.min_y);
  const std::int32_t high = std::min(cells.max.y, heights.max_y() + 1);
  for (std::int32_t x = cells.min.x; x <= cells.max.x; ++x) {
    for (std::int32_t z = cells.min.z; z <= cells.max.z; ++z) {
      if (terrain.missing(x, heights.min_y, z)) continue;
      for (std::int32_t y = low; y <= high; ++y) {
        const NodeId id = terrain.cell(x, y, z).node;
        if (id != kNoNode && contains(terrain, id)) return true;
      }
    }
  }
  return false;
}

bool GoalSet::empty(Terrain& terrain) const {
  struct Visitor {
    Terrain& terrain;
    const GoalSet& set;
    bool operator()(const GoalPlaces&) const { return set.places_.empty(); }
    bool operator()(const GoalRadius& g) const {
      return !set.any_in(terrain, around(g.centre, g.radius, terrain.agent().footprint()));
    }
    bool operator()(const GoalSight& g) const {
      return !set.any_in(terrain, around(g.point, g.range, terrain.agent().footprint()));
    }
    bool operator()(const GoalColumn& g) const {
      const int n = terrain.agent().footprint();
      return !set.any_in(terrain, {{g.x - n + 1, -kFar, g.z - n + 1}, {g.x, kFar, g.z}});
    }
    bool operator()(const GoalLevel& g) const {
      const world::Heights heights = terrain.snapshot().heights();
      return g.y < heights.min_y || g.y > heights.max_y() + 1;
    }
    bool operator()(const GoalNextTo& g) const {
      const int n = terrain.agent().footprint();
      return !set.any_in(
          terrain, {{g.block.x - n, g.block.y - 1, g.block.z - n}, {g.block.x + 1, g.block.y + 1, g.block.z + 1}});
    }
    bool operator()(const GoalFlee&) const { return false; }
  };
  return std::visit(Visitor{terrain, *this}, goal_);
}

Target GoalSet::target(const Terrain& terrain) const {
  struct Visitor {
    const Terrain& terrain;
    const GoalSet& set;
    Target operator()(const GoalPlaces&) const {
      TargetBoxes t;
      for (const ResolvedPlace& p : set.places_)
        t.boxes.push_back({terrain.node(p.node).cell, terrain.node(p.node).cell});
      return t;
    }
    Target operator()(const GoalRadius& g) const { return TargetDisc{g.centre.x, g.centre.z, g.radius}; }
    Target operator()(const GoalSight& g) const { return TargetDisc{g.point.x, g.point.z, g.range}; }
    Target operator()(const GoalColumn& g) const {
      const int n = terrain.agent().footprint();
      return TargetBoxes{{{{g.x - n + 1, -kFar, g.z - n + 1}, {g.x, kFar, g.z}}}};
    }
    Target operator()(const GoalLevel& g) const { return TargetBoxes{{{{-kFar, g.y, -kFar}, {kFar, g.y, kFar}}}}; }
    Target operator()(const GoalNextTo& g) const {
      const int n = terrain.agent().footprint();
      return TargetBoxes{
          {{{g.block.x - n, g.block.y - 1, g.block.z - n}, {g.block.x + 1, g.block.y + 1, g.block.z + 1}}}};
    }
    Target operator()(const GoalFlee& g) const { return TargetAway{g.points, g.distance}; }
  };
  return std::visit(Visitor{terrain, *this}, goal_);
}

}  // namespace voxpath::pathfinding
