#include "tests/judge/places.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <tuple>
#include <vector>

namespace voxpath::judge {
namespace {

using world::kPixelsPerBlock;
using world::Vec3;

constexpr int kUpOutOfSolid = 2;  // cells

int floor_of(double v) { return static_cast<int>(std::floor(v)); }

struct Corner {
  int x = 0, z = 0;
};

/// "the footprint whose centre is nearest (corner floor(p - (n - 1) / 2))"
Corner nearest_footprint(const Ground& ground, const Vec3& p) {
  const double half = (ground.n() - 1) / 2.0;
  return {floor_of(p.x - half), floor_of(p.z - half)};
}

double centre_distance_squared(const Ground& ground, Corner corner, const Vec3& p) {
  const double dx = corner.x + ground.n() / 2.0 - p.x;
  const double dz = corner.z + ground.n() / 2.0 - p.z;
  return dx * dx + dz * dz;
}

/// Rule 1: "the node whose floor is at most `step` above or below the feet, or lies in the feet's own cell; nearest first". Of two equally
/// near the higher one, as everywhere where two floors offer themselves.
std::optional<Node> near_the_feet(Ground& ground, Corner corner, const Vec3& p) {
  const double feet = p.y * kPixelsPerBlock;
  std::optional<Node> best;
  for (const Node& node : ground.nodes(corner.x, corner.z)) {
    const double distance = std::abs(node.floor - feet);
    if (distance > ground.agent().step_px && node.y != floor_of(p.y)) continue;
    if (!best || distance <= std::abs(best->floor - feet)) best = node;  // lowest first
  }
  return best;
}

std::vector<Corner> neighbours(Corner own) {
  std::vector<Corner> around;
  for (int dx = -1; dx <= 1; ++dx) {
    for (int dz = -1; dz <= 1; ++dz) {
      if (dx != 0 || dz != 0) around.push_back({own.x + dx, own.z + dz});
    }
  }
  return around;
}

/// Rule 2: "leaning over an edge: the same for each neighbouring footprint that holds a column under a corner of the mob's box; nearest
/// centre first, then smaller x, then z"
std::optional<Node> leaning(Ground& ground, Corner own, const Vec3& p) {
  const double half = ground.agent().width / 2;
  std::vector<Corner> around = neighbours(own);
  // A box that only touches a column's border is not over that column: else east would differ from west.
  const std::array<int, 2> columns_x{floor_of(p.x - half), static_cast<int>(std::ceil(p.x + half)) - 1};
  const std::array<int, 2> columns_z{floor_of(p.z - half), static_cast<int>(std::ceil(p.z + half)) - 1};
  std::erase_if(around, [&](Corner c) {
    const auto holds = [&](int corner, int column) { return column >= corner && column < corner + ground.n(); };
    for (const int x : columns_x) {
      for (const int z : columns_z) {
        if (holds(c.x, x) && holds(c.z, z)) return false;
      }
    }
    return true;
  });
  std::sort(around.begin(), around.end(), [&](Corner a, Corner b) {
    return std::tuple(centre_distance_squared(ground, a, p), a.x, a.z) <
           std::tuple(centre_distance_squared(ground, b, p), b.x, b.z);
  });
  for (const Corner c : around) {
    if (const std::optional<Node> node = near_the_feet(ground, c, p)) return node;
  }
  return std::nullopt;
}

/// Rule 3: "in the air: the first node below, any depth, with no extent between"
std::optional<Node> falling(Ground& ground, Corner own, const Vec3& p) {
  const double feet = p.y * kPixelsPerBlock;
  const std::vector<Node>& nodes = ground.nodes(own.x, own.z);
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    if (node->floor > feet) continue;
    const int feet_rounded_up = static_cast<int>(std::ceil(feet));
    if (!ground.free(own.x, own.z, node->floor, feet_rounded_up)) return std::nullopt;
    return *node;
  }
  return std::nullopt;
}

/// Rule 4: "in water: the swim node at the top of that run of water". For wide mobs, water in any column of the footprint.
std::optional<Node> swimming(Ground& ground, Corner own, const Vec3& p) {
  if (!ground.footprint_known(own.x, own.z)) return std::nullopt;
  const auto is_water = [&](int x, int y, int z) { return ground.cell(x, y, z).fluid == world::Fluid::water; };
  std::optional<Node> lowest;
  for (int i = 0; i < ground.n(); ++i) {
    for (int k = 0; k < ground.n(); ++k) {
      int y = floor_of(p.y);
      if (!is_water(own.x + i, y, own.z + k)) continue;
      while (is_water(own.x + i, y + 1, own.z + k)) ++y;
      const std::optional<Node> node = ground.node(own.x, y, own.z);
      if (node && node->kind == NodeKind::swim && (!lowest || node->y < lowest->y)) lowest = node;
    }
  }
  return lowest;
}

std::optional<Node> resolve_position(Ground& ground, const Vec3& p) {
  const Corner own = nearest_footprint(ground, p);
  if (const std::optional<Node> node = near_the_feet(ground, own, p)) return node;
  if (const std::optional<Node> node = leaning(ground, own, p)) return node;
  if (const std::optional<Node> node = falling(ground, own, p)) return node;
  return swimming(ground, own, p);
}

/// Whether the feet are within an extent of the footprint.
bool inside_solid(Ground& ground, Corner own, const Vec3& p) {
  const double feet = p.y * kPixelsPerBlock;
  for (int i = 0; i < ground.n(); ++i) {
    for (int k = 0; k < ground.n(); ++k) {
      for (int y = floor_of(p.y) - 1; y <= floor_of(p.y); ++y) {
        const std::optional<Extent> e = ground.extent(own.x + i, y, own.z + k);
        if (e && e->bottom <= feet && feet < e->top) return true;
      }
    }
  }
  return false;
}

std::optional<Node> up_out_of_solid(Ground& ground, Corner corner, const Vec3& p) {
  for (int up = 1; up <= kUpOutOfSolid; ++up) {
    if (const std::optional<Node> node = ground.node(corner.x, floor_of(p.y) + up, corner.z)) return node;
  }
  return std::nullopt;
}

/// "inside solid: up to 2 cells up in its own column, else the nearest of the 8 columns around (cardinal first) by rule 1, else up to 2
/// cells up there"
std::optional<Node> out_of_solid(Ground& ground, Corner own, const Vec3& p) {
  if (const std::optional<Node> node = up_out_of_solid(ground, own, p)) return node;
  std::vector<Corner> around = neighbours(own);
  std::sort(around.begin(), around.end(), [&](Corner a, Corner b) {
    const auto is_diagonal = [&](Corner c) { return c.x != own.x && c.z != own.z; };
    return std::tuple(is_diagonal(a), centre_distance_squared(ground, a, p), a.x, a.z) <
           std::tuple(is_diagonal(b), centre_distance_squared(ground, b, p), b.x, b.z);
  });
  for (const Corner c : around) {
    if (const std::optional<Node> node = near_the_feet(ground, c, p)) return node;
  }
  for (const Corner c : around) {
    if (const std::optional<Node> node = up_out_of_solid(ground, c, p)) return node;
  }
  return std::nullopt;
}

/// "Given as a cell: the node there if there is one, else the position (x + n/2, y, z + n/2)."
Vec3 position_of(const Ground& ground, const Place& place) {
  if (place.exact) return place.at;
  return {place.at.x + ground.n() / 2.0, place.at.y, place.at.z + ground.n() / 2.0};
}

std::optional<Node> node_of_cell(Ground& ground, const Place& place) {
  if (place.exact) return std::nullopt;
  return ground.node(floor_of(place.at.x), floor_of(place.at.y), floor_of(place.at.z));
}

}  // namespace

std::optional<Node> resolve_start(Ground& ground, const Place& place) {
  if (const std::optional<Node> node = node_of_cell(ground, place)) return node;
  return resolve_position(ground, position_of(ground, place));
}

std::optional<Node> resolve_goal(Ground& ground, const Place& place) {
  if (const std::optional<Node> node = resolve_start(ground, place)) return node;
  const Vec3 p = position_of(ground, place);
  const Corner own = nearest_footprint(ground, p);
  if (!inside_solid(ground, own, p)) return std::nullopt;
  return out_of_solid(ground, own, p);
}

}  // namespace voxpath::judge
