// Estimate: a lower bound of the cost from a cell to the goal, from the distance alone.
// Thread-safety: immutable after construction.
// Invariants: every heuristic but manhattan is consistent: it falls along a move by no more than the move's price. Prices per axis are
// lowered until they form a norm (a move along two axes costs at most two along one, one along three at most what convexity leaves), so
// that mixing moves can never beat the estimate. For walkers height is left out: rising by steps, and falling into water, can be free.
#pragma once

#include "pathfinding/query.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace voxpath::pathfinding {

/// Cells of nodes, both corners included; the nearest of several counts.
struct TargetBoxes {
  std::vector<world::Box> boxes;
};
/// Waypoints within `radius` blocks of a vertical line through (x, z): a bound for any ball around it.
struct TargetDisc {
  double x = 0, z = 0, radius = 0;
};
/// Waypoints at least `distance` blocks from each of some vertical lines.
struct TargetAway {
  std::vector<world::Vec3> points;
  double distance = 0;
};
using Target = std::variant<TargetBoxes, TargetDisc, TargetAway>;

class Estimate {
 public:
  Estimate(const Agent& agent, Metric metric, Heuristic heuristic, Target target);

  [[nodiscard]] std::int64_t operator()(world::BlockPos cell) const;
  /// Whether it never exceeds the true cost.
  [[nodiscard]] bool admissible() const;
  /// The same distances, judged by another heuristic.
  void use(Heuristic heuristic) { heuristic_ = heuristic; }

  /// far * (the longer of the distances along x and z) + near * (the shorter).
  struct Parts {
    world::BlockPos at;
    std::int64_t far = 0, near = 0;
  };
  /// The estimate in this form where it has it: for walkers, and a single cell as the target.
  [[nodiscard]] std::optional<Parts> parts() const;

 private:
  [[nodiscard]] std::int64_t to_box(world::BlockPos cell, const world::Box& box) const;
  [[nodiscard]] std::int64_t straight_line(double blocks) const;

  Heuristic heuristic_;
  bool upright_ = false;                 // height counts: flyers and swimmers
  std::int64_t divisor_ = 1;             // columns that one move may cover, where every move counts 1
  std::array<std::int64_t, 3> along_{};  // least price of a move along one, two and three axes
  double per_block_ = 0;                 // least price of a block of straight line
  double half_ = 0.5;                    // from the footprint's corner to its centre, blocks
  Target target_;
};

}  // namespace voxpath::pathfinding
