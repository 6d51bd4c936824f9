// BestEffort: where a partial path should end.
// Thread-safety: one thread at a time.
// The node of least estimate alone parks mobs behind walls; so several trade-offs between estimate and cost are followed, and the most
// goal-minded one whose node lies a fair way from the start is taken. After the idea of Baritone's AbstractNodeCostSearch (COEFFICIENTS,
// MIN_DIST_PATH).
#pragma once

#include "pathfinding/terrain.hpp"

#include <array>
#include <cstdint>
#include <limits>

namespace voxpath::pathfinding {

class BestEffort {
 public:
  void reset(NodeId start, world::BlockPos start_cell) {
    start_cell_ = start_cell;
    best_.fill({std::numeric_limits<std::int64_t>::max(), start, start_cell});
  }
  void consider(NodeId node, world::BlockPos cell, std::int64_t cost, std::int64_t estimate) {
    for (std::size_t i = 0; i < kWeights.size(); ++i) {
      const std::int64_t score = kWeights[i] * estimate + 2 * cost;
      if (score < best_[i].score) best_[i] = {score, node, cell};
    }
  }
  [[nodiscard]] NodeId node() const {
    for (const Best& b : best_) {
      const std::int64_t dx = std::int64_t{b.cell.x} - start_cell_.x;
      const std::int64_t dy = std::int64_t{b.cell.y} - start_cell_.y;
      const std::int64_t dz = std::int64_t{b.cell.z} - start_cell_.z;
      if (dx * dx + dy * dy + dz * dz > kFairWay * kFairWay) return b.node;
    }
    return best_.back().node;
  }

 private:
  static constexpr std::array<std::int64_t, 7> kWeights = {3, 4, 5, 6, 8, 10, 20};  // twice 1.5, 2, 2.5, 3, 4, 5, 10
  static constexpr std::int64_t kFairWay = 5;                                       // blocks
  struct Best {
    std::int64_t score;
    NodeId node;
    world::BlockPos cell;
  };
  std::array<Best, kWeights.size()> best_{};
  world::BlockPos start_cell_;
};

}  // namespace voxpath::pathfinding
