#include "tests/judge/goals.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace voxpath::judge {
namespace {

using world::kPixelsPerBlock;
using world::Traits;
using world::Vec3;

constexpr double kEyes = 0.85;  // of the height above the floor

int floor_of(double v) { return static_cast<int>(std::floor(v)); }

/// The middle of the footprint at the floor.
Vec3 waypoint(const Ground& ground, const Node& node) {
  return {node.x + ground.n() / 2.0, node.floor / double{kPixelsPerBlock}, node.z + ground.n() / 2.0};
}

double squared(double v) { return v * v; }

/// Whether the open segment from a to b goes through the inside of the box.
bool crosses(const Vec3& a, const Vec3& b, const Vec3& low, const Vec3& high) {
  double from = 0;
  double to = 1;
  for (const auto& [start, end, min, max] : {std::array{a.x, b.x, low.x, high.x}, std::array{a.y, b.y, low.y, high.y},
                                             std::array{a.z, b.z, low.z, high.z}}) {
    const double way = end - start;
    if (way == 0) {
      if (start <= min || start >= max) return false;
      continue;
    }
    const double first = (min - start) / way;
    const double second = (max - start) / way;
    from = std::max(from, std::min(first, second));
    to = std::min(to, std::max(first, second));
  }
  return from < to;
}

}  // namespace

std::optional<std::int64_t> surcharge(std::span<const PricedBox> boxes, const Node& node) {
  std::int64_t sum = 0;
  for (const PricedBox& b : boxes) {
    if (node.x < b.box.min.x || node.x > b.box.max.x || node.y < b.box.min.y || node.y > b.box.max.y ||
        node.z < b.box.min.z || node.z > b.box.max.z) {
      continue;
    }
    if (b.price < 0) return std::nullopt;
    sum += b.price;
  }
  return sum;
}

GoalSet::GoalSet(Ground& ground, const Goal& goal) : ground_(ground), goal_(goal) {
  if (goal_.kind != Goal::Kind::places) return;
  for (const Place& place : goal_.places) resolved_.push_back(resolve_goal(ground_, place));
}

bool GoalSet::contains(const Node& node) {
  const int n = ground_.n();
  const Vec3 own = waypoint(ground_, node);
  const auto cell = [&](double v) { return floor_of(v); };
  const Vec3& at = goal_.places.front().at;
  const auto covers = [&](int x, int z) { return x >= node.x && x < node.x + n && z >= node.z && z < node.z + n; };
  switch (goal_.kind) {
    case Goal::Kind::places:
      return std::any_of(resolved_.begin(), resolved_.end(),
                         [&](const std::optional<Node>& goal) { return goal && goal->same_place(node); });
    case Goal::Kind::radius:
      return squared(own.x - at.x) + squared(own.y - at.y) + squared(own.z - at.z) <= squared(goal_.reach);
    case Goal::Kind::column:
      return covers(cell(at.x), cell(at.z));
    case Goal::Kind::level:
      return node.y == cell(at.y);
    case Goal::Kind::next_to: {
      const int x = cell(at.x);
      const int z = cell(at.z);
      const bool beside =
          !covers(x, z) && (covers(x - 1, z) || covers(x + 1, z) || covers(x, z - 1) || covers(x, z + 1));
      return beside && std::abs(node.y - cell(at.y)) <= 1;
    }
    case Goal::Kind::flee:
      return std::all_of(goal_.places.begin(), goal_.places.end(), [&](const Place& p) {
        return squared(own.x - p.at.x) + squared(own.z - p.at.z) >= squared(goal_.reach);
      });
    case Goal::Kind::sight:
      return sees(node);
  }
  return false;
}

// "nodes whose waypoint is at most `range` blocks from it and from whose eyes, at 85 % of the height above the floor, the straight line to
// it meets no extent and no missing chunk"
bool GoalSet::sees(const Node& node) {
  const Vec3 own = waypoint(ground_, node);
  const Vec3& at = goal_.places.front().at;
  if (squared(own.x - at.x) + squared(own.y - at.y) + squared(own.z - at.z) > squared(goal_.reach)) return false;
  const Vec3 eyes{own.x, own.y + kEyes * ground_.agent().height_px / kPixelsPerBlock, own.z};
  const int last_y = floor_of(std::max(eyes.y, at.y));
  for (int x = floor_of(std::min(eyes.x, at.x)); x <= floor_of(std::max(eyes.x, at.x)); ++x) {
    for (int z = floor_of(std::min(eyes.z, at.z)); z <= floor_of(std::max(eyes.z, at.z)); ++z) {
      const double base_x = x;
      const double base_z = z;
      // Extents reach up to half a block into the cell above.
      int y = floor_of(std::min(eyes.y, at.y)) - 1;
      if (!crosses(eyes, at, {base_x, y - 1.0, base_z}, {base_x + 1, last_y + 2.0, base_z + 1})) continue;
      if (!ground_.column_known(x, z)) return false;
      for (; y <= last_y; ++y) {
        const std::optional<Extent> e = ground_.own_extent(x, y, z);
        if (!e) continue;
        const double bottom = e->bottom / double{kPixelsPerBlock};
        const double top = e->top / double{kPixelsPerBlock};
        if (crosses(eyes, at, {base_x, bottom, base_z}, {base_x + 1, top, base_z + 1})) return false;
      }
    }
  }
  return true;
}

bool GoalSet::any_between(int min_x, int max_x, int min_z, int max_z) {
  for (int x = min_x; x <= max_x; ++x) {
    for (int z = min_z; z <= max_z; ++z) {
      for (const Node& node : ground_.nodes(x, z)) {
        if (contains(node)) return true;
      }
    }
  }
  return false;
}

bool GoalSet::empty() {
  const int n = ground_.n();
  const Vec3& at = goal_.places.front().at;
  const int x = floor_of(at.x);
  const int z = floor_of(at.z);
  switch (goal_.kind) {
    case Goal::Kind::places:
      return std::none_of(resolved_.begin(), resolved_.end(), [](const std::optional<Node>& goal) { return goal; });
    case Goal::Kind::radius:
    case Goal::Kind::sight: {
      const int reach = static_cast<int>(std::ceil(goal_.reach)) + 1;
      return !any_between(x - reach - n, x + reach, z - reach - n, z + reach);
    }
    case Goal::Kind::column:
    case Goal::Kind::next_to:
      return !any_between(x - n, x + 1, z - n, z + 1);
    case Goal::Kind::level:
      return floor_of(at.y) < ground_.lowest_cell() || floor_of(at.y) > ground_.highest_cell();
    case Goal::Kind::flee:
      return false;
  }
  return false;
}

}  // namespace voxpath::judge
