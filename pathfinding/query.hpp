// Query: one question to the planner: who, from where, to where, how to search. Limits: how much work it may cost.
// Thread-safety: plain values.
#pragma once

#include "pathfinding/agent.hpp"
#include "world/position.hpp"

#include <cstdint>
#include <variant>
#include <vector>

namespace voxpath::pathfinding {

/// A cell names a node by its footprint's lowest corner; a position is exact, in blocks. MOVEMENT.md, section 6, says
/// how each becomes a node.
using Place = std::variant<world::BlockPos, world::Vec3>;

enum class Algorithm : std::uint8_t {
  astar,     // least cost, guided by the heuristic
  dijkstra,  // least cost, unguided
  bfs,       // fewest moves, unguided, whatever the agent's metric says
};

/// Estimates of the remaining cost from the horizontal distance, scaled so that they never exceed the true cost, but
/// for manhattan, which does where the agent moves diagonally: then the answer says so and its cost may exceed the
/// least.
enum class Heuristic : std::uint8_t { octile, chebyshev, euclidean, manhattan, zero };

/// What holds the nodes that were met and not expanded. automatic takes what is fastest: buckets for walkers, else heap. The others are there
/// to be compared; heap, keyed_heap, list and heapsort give the same answer to the last waypoint, bucket one of the same cost.
enum class OpenListKind : std::uint8_t {
  automatic,
  heap,        // binary heap; a node that is met again at a lower cost is put in again
  keyed_heap,  // binary heap with decrease-key
  list,        // unsorted, looked through for the least
  heapsort,    // sorted anew by heap sort whenever nodes were put in
  bucket,      // by f, for walkers only; as automatic
};

inline constexpr std::uint32_t kExpansionsDefault = 100'000;
inline constexpr std::uint32_t kExpansionsMax = 1'000'000;
inline constexpr std::size_t kGoalPlacesMax = 64;

/// Any of these places, each resolved to a node; the nearest by path cost wins. A place that resolves to none is left
/// out.
struct GoalPlaces {
  std::vector<Place> places;  // 1 .. kGoalPlacesMax
};
/// A node whose waypoint lies within `radius` blocks of the centre.
struct GoalRadius {
  world::Vec3 centre;
  double radius = 0;  // 0 .. kGoalRadiusMax
};
/// A node whose footprint holds the column, at any height.
struct GoalColumn {
  std::int32_t x = 0, z = 0;
};
/// A node in any cell of this height.
struct GoalLevel {
  std::int32_t y = 0;
};
/// A node beside a block: its footprint touches the block's column along a side, its cell is at most one higher or lower.
struct GoalNextTo {
  world::BlockPos block;
};
/// A node whose waypoint is at least `distance` blocks, measured horizontally, from every point.
struct GoalFlee {
  std::vector<world::Vec3> points;  // 1 .. kGoalPlacesMax
  double distance = 0;              // 0 .. kFleeDistanceMax
};
/// A node within `range` blocks of the point from which the mob's eyes, at 85 % of its height, see it.
struct GoalSight {
  world::Vec3 point;
  double range = 0;  // 0 .. kGoalRadiusMax
};
using Goal = std::variant<GoalPlaces, GoalRadius, GoalColumn, GoalLevel, GoalNextTo, GoalFlee, GoalSight>;

inline constexpr double kGoalRadiusMax = 64;     // blocks
inline constexpr double kFleeDistanceMax = 256;  // blocks

/// Entering a node whose cell lies in the box costs `price` more, or is forbidden (kForbidden): no-go areas, crowds, bad roads. Prices of
/// boxes that overlap add up.
struct PricedBox {
  world::Box box;
  std::int32_t price = 0;  // kForbidden, or 0 .. kPriceMax
};
inline constexpr std::size_t kPricedBoxesMax = 64;

/// Which waypoints of a path are left out of the answer. Its cost stays that of the whole path.
enum class Simplify : std::uint8_t {
  none,
  corners,        // those in the middle of a straight, level piece
  line_of_sight,  // those that the mob's whole box can pass by in a straight line over level, harmless ground
};

struct Query {
  Agent agent;
  Place start;
  Goal goal;
  Algorithm algorithm = Algorithm::astar;
  Heuristic heuristic = Heuristic::octile;
  OpenListKind open_list = OpenListKind::automatic;
  std::vector<PricedBox> priced_boxes;  // at most kPricedBoxesMax
  Simplify simplify = Simplify::none;
  /// Where no path is found, a path to the best place instead is looked for. Without, walkers with places for goals learn at once that there
  /// is no path, where that can be proved, and get the start alone.
  bool best_effort = true;
  /// The least cost, however long it takes to find. Without, walkers with one place for a goal that a search of some thousand expansions does
  /// not find get a path that is put together from shorter ones; it may cost some percent more (Answer::lower_bound).
  bool exact = false;
  /// 1 .. kWeightMax. More than 1: walkers with one place for a goal get the first path that is known to cost at most so many times the
  /// least. For algorithm astar with heuristic octile; others find the least cost all the same.
  double weight = 1;
};
inline constexpr double kWeightMax = 10;

struct Limits {
  std::uint32_t expansions = kExpansionsDefault;  // 1 .. kExpansionsMax
};

/// Whether the query can be searched: agent in range, places finite and within 30,000,000 blocks, limits in range. The
/// error names the field, the value and the limit.
world::Status validate(const Query& query, const Limits& limits);

}  // namespace voxpath::pathfinding
