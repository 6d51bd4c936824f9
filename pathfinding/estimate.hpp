// Estimate: a lower bound of the cost from a cell to the nearest of some goals, from the horizontal distance alone.
// Thread-safety: immutable after construction.
// Invariants: every heuristic but manhattan is consistent: it falls along a move by no more than the move's price. A
// unit of straight way costs at least the cheapest move that makes one, which may be half of two diagonals; a diagonal
// at most two straight units. Height is left out: rising by steps, and falling into water, can be free.
#pragma once

#include "pathfinding/query.hpp"

#include <cstdint>
#include <vector>

namespace voxpath::pathfinding {

class Estimate {
 public:
  Estimate(const Agent& agent, Metric metric, Heuristic heuristic, std::vector<world::BlockPos> goals);

  [[nodiscard]] std::int64_t operator()(world::BlockPos cell) const;
  /// Whether it never exceeds the true cost.
  [[nodiscard]] bool admissible() const;

 private:
  [[nodiscard]] std::int64_t between(world::BlockPos a, world::BlockPos b) const;

  Heuristic heuristic_;
  std::int64_t straight_ = 0;  // least price of one column along an axis
  std::int64_t diagonal_ = 0;  // least price of one column along both
  double euclidean_ = 0;       // least price of a unit of straight-line distance
  std::vector<world::BlockPos> goals_;
};

}  // namespace voxpath::pathfinding
