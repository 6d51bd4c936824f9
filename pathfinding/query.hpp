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

inline constexpr std::uint32_t kExpansionsDefault = 100'000;
inline constexpr std::uint32_t kExpansionsMax = 1'000'000;
inline constexpr std::size_t kGoalPlacesMax = 64;

/// Any of these places, each resolved to a node; the nearest by path cost wins. A place that resolves to none is left
/// out.
struct GoalPlaces {
  std::vector<Place> places;  // 1 .. kGoalPlacesMax
};
using Goal = std::variant<GoalPlaces>;

struct Query {
  Agent agent;
  Place start;
  Goal goal;
  Algorithm algorithm = Algorithm::astar;
  Heuristic heuristic = Heuristic::octile;
};

struct Limits {
  std::uint32_t expansions = kExpansionsDefault;  // 1 .. kExpansionsMax
};

/// Whether the query can be searched: agent in range, places finite and within 30,000,000 blocks, limits in range. The
/// error names the field, the value and the limit.
world::Status validate(const Query& query, const Limits& limits);

}  // namespace voxpath::pathfinding
