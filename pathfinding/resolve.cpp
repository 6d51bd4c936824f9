#include "pathfinding/resolve.hpp"

#include "pathfinding/answer.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <tuple>

namespace voxpath::pathfinding {

using world::BlockPos;
using world::Vec3;

namespace {

/// How many cells above a goal inside solid are looked at.
constexpr std::int32_t kCellsAboveSolid = 2;

struct Column {
  std::int32_t x, z;
};

class Resolver {
 public:
  Resolver(Terrain& terrain, const Vec3& position)
      : terrain_(terrain),
        agent_(terrain.agent()),
        position_(position),
        feet_px_(position.y * 16),
        feet_cell_(static_cast<std::int32_t>(std::floor(position.y))) {
    const double reach = (agent_.footprint() - 1) / 2.0;
    own_ = {static_cast<std::int32_t>(std::floor(position.x - reach)),
            static_cast<std::int32_t>(std::floor(position.z - reach))};
  }

  Resolved start() {
    if (const NodeId id = at_feet(own_); id != kNoNode) return {id, ResolvedBy::feet};
    if (const NodeId id = leaning(); id != kNoNode) return {id, ResolvedBy::leaning};
    if (const NodeId id = falling(); id != kNoNode) return {id, ResolvedBy::falling};
    if (const NodeId id = water_surface(); id != kNoNode) return {id, ResolvedBy::water};
    return {};
  }

  std::optional<world::ChunkPos> missing_chunk() { return terrain_.missing(own_.x, feet_cell_, own_.z); }

  Resolved goal() {
    if (const Resolved r = start()) return r;
    if (!terrain_.inside_extent(own_.x, own_.z, feet_px_)) return {};
    if (const NodeId id = above(own_); id != kNoNode) return {id, ResolvedBy::above_solid};
    std::array<Column, 8> around = neighbours();
    std::sort(around.begin(), around.end(), [this](const Column& a, const Column& b) {
      return std::tuple(diagonal(a), distance(a), a.x, a.z) < std::tuple(diagonal(b), distance(b), b.x, b.z);
    });
    for (const Column& c : around) {
      if (const NodeId id = at_feet(c); id != kNoNode) return {id, ResolvedBy::beside_solid};
    }
    for (const Column& c : around) {
      if (const NodeId id = above(c); id != kNoNode) return {id, ResolvedBy::above_beside_solid};
    }
    return {};
  }

 private:
  /// Rule 1: the nearest node within a step of the feet, or in their own cell.
  NodeId at_feet(Column c) {
    const auto low = static_cast<std::int32_t>(std::floor((feet_px_ - agent_.step_px) / 16));
    const auto high = static_cast<std::int32_t>(std::floor((feet_px_ + agent_.step_px) / 16));
    NodeId best = kNoNode;
    double best_distance = 0;
    for (std::int32_t y = high; y >= low; --y) {
      const NodeId id = terrain_.cell(c.x, y, c.z).node;
      if (id == kNoNode) continue;
      const double off = std::abs(terrain_.node(id).floor_px - feet_px_);
      if (off > agent_.step_px && y != feet_cell_) continue;
      if (best == kNoNode || off < best_distance) {
        best = id;
        best_distance = off;
      }
    }
    return best;
  }

  /// Rule 2: rule 1 for the neighbouring footprints that hold a column under a corner of the mob's box.
  NodeId leaning() {
    std::array<Column, 8> around = neighbours();
    std::sort(around.begin(), around.end(), [this](const Column& a, const Column& b) {
      return std::tuple(distance(a), a.x, a.z) < std::tuple(distance(b), b.x, b.z);
    });
    for (const Column& c : around) {
      if (!holds_corner(c)) continue;
      if (const NodeId id = at_feet(c); id != kNoNode) return id;
    }
    return kNoNode;
  }

  /// Rule 3: the first node below the feet with nothing between.
  NodeId falling() {
    const std::int32_t bottom = terrain_.snapshot().heights().min_y;
    // Above the world there is nothing to meet: no need to fall through it cell by cell.
    const std::int32_t top = std::min(feet_cell_, terrain_.snapshot().heights().max_y() + 1);
    const auto feet_px = static_cast<std::int32_t>(std::ceil(std::min(feet_px_, 16.0 * (top + 1))));
    for (std::int32_t y = top; y >= bottom; --y) {
      const Terrain::Cell cell = terrain_.cell(own_.x, y, own_.z);
      if (cell.node != kNoNode) {
        const std::int32_t floor_px = terrain_.node(cell.node).floor_px;
        if (floor_px <= feet_px_) return terrain_.blocked(own_.x, own_.z, floor_px, feet_px) ? kNoNode : cell.node;
      }
      if (cell.bottom != Terrain::kNoExtent && y * 16 + cell.bottom < feet_px) return kNoNode;
    }
    return kNoNode;
  }

  /// Rule 4: the swim node at the top of the water that the feet are in; of several runs the one that ends lowest.
  NodeId water_surface() {
    const auto is_water = [this](std::int32_t x, std::int32_t y, std::int32_t z) {
      return terrain_.traits(x, y, z).fluid == world::Fluid::water;
    };
    NodeId lowest = kNoNode;
    for (std::int32_t x = own_.x; x < own_.x + agent_.footprint(); ++x) {
      for (std::int32_t z = own_.z; z < own_.z + agent_.footprint(); ++z) {
        std::int32_t y = feet_cell_;
        if (!is_water(x, y, z)) continue;
        while (is_water(x, y + 1, z)) ++y;
        const NodeId id = terrain_.cell(own_.x, y, own_.z).node;
        if (id == kNoNode || terrain_.node(id).kind != NodeKind::swim) continue;
        if (lowest == kNoNode || terrain_.node(id).cell.y < terrain_.node(lowest).cell.y) lowest = id;
      }
    }
    return lowest;
  }

  NodeId above(Column c) {
    for (std::int32_t up = 1; up <= kCellsAboveSolid; ++up) {
      if (const NodeId id = terrain_.cell(c.x, feet_cell_ + up, c.z).node; id != kNoNode) return id;
    }
    return kNoNode;
  }

  [[nodiscard]] std::array<Column, 8> neighbours() const {
    const auto [x, z] = own_;
    return {{{x + 1, z},
             {x - 1, z},
             {x, z + 1},
             {x, z - 1},
             {x + 1, z + 1},
             {x + 1, z - 1},
             {x - 1, z + 1},
             {x - 1, z - 1}}};
  }
  [[nodiscard]] bool diagonal(Column c) const { return c.x != own_.x && c.z != own_.z; }
  /// Squared, from the position to the footprint's centre.
  [[nodiscard]] double distance(Column c) const {
    const double half = agent_.footprint() / 2.0;
    const double dx = c.x + half - position_.x;
    const double dz = c.z + half - position_.z;
    return dx * dx + dz * dz;
  }
  /// A box that only touches a column's border is not over it.
  [[nodiscard]] bool holds_corner(Column c) const {
    const double half = agent_.width_blocks / 2;
    const auto low = [half](double v) { return static_cast<std::int32_t>(std::floor(v - half)); };
    const auto high = [half](double v) { return static_cast<std::int32_t>(std::ceil(v + half)) - 1; };
    const auto holds = [n = agent_.footprint()](std::int32_t corner, std::int32_t v) {
      return v >= corner && v < corner + n;
    };
    const bool x = holds(c.x, low(position_.x)) || holds(c.x, high(position_.x));
    const bool z = holds(c.z, low(position_.z)) || holds(c.z, high(position_.z));
    return x && z;
  }

  Terrain& terrain_;
  const Agent& agent_;
  Vec3 position_;
  double feet_px_;
  std::int32_t feet_cell_;
  Column own_{};
};

/// Asks for the position, or that in the middle of the cell's footprint.
template <class Ask>
auto resolve_with(Terrain& terrain, const Place& place, Ask ask) {
  Vec3 position;
  if (const auto* cell = std::get_if<BlockPos>(&place)) {
    const double half = terrain.agent().footprint() / 2.0;
    position = {cell->x + half, static_cast<double>(cell->y), cell->z + half};
  } else {
    position = std::get<Vec3>(place);
  }
  Resolver resolver(terrain, position);
  return ask(resolver);
}

/// The node in a cell, or what the rule finds for a position.
template <class Rule>
Resolved resolve(Terrain& terrain, const Place& place, Rule rule) {
  if (const auto* cell = std::get_if<BlockPos>(&place)) {
    if (const NodeId id = terrain.cell(cell->x, cell->y, cell->z).node; id != kNoNode) return {id, ResolvedBy::cell};
  }
  return resolve_with(terrain, place, rule);
}

}  // namespace

void note_missing_at(Terrain& terrain, const Place& place, std::vector<world::ChunkPos>& missing) {
  const auto chunk = resolve_with(terrain, place, [](Resolver& r) { return r.missing_chunk(); });
  if (!chunk || missing.size() >= kMissingChunksMax) return;
  if (std::find(missing.begin(), missing.end(), *chunk) == missing.end()) missing.push_back(*chunk);
}

Resolved resolve_start(Terrain& terrain, const Place& place) {
  return resolve(terrain, place, [](Resolver& r) { return r.start(); });
}

Resolved resolve_goal(Terrain& terrain, const Place& place) {
  return resolve(terrain, place, [](Resolver& r) { return r.goal(); });
}

}  // namespace voxpath::pathfinding
