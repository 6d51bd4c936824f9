#include "pathfinding/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

namespace voxpath::pathfinding {

namespace {
constexpr std::int64_t kNever = std::numeric_limits<std::int32_t>::max();
}

Estimate::Estimate(const Agent& agent, Metric metric, Heuristic heuristic, std::vector<world::BlockPos> goals)
    : heuristic_(heuristic), goals_(std::move(goals)) {
  const auto price = [&](bool possible, std::int32_t field) -> std::int64_t {
    if (!possible || field == kForbidden) return kNever;
    return metric == Metric::moves ? 1 : field;
  };
  const std::int64_t diagonal = price(agent.corners != Corners::never, agent.cost_diagonal);
  straight_ = std::min({price(true, agent.cost_cardinal), price(agent.climb, agent.cost_climb), diagonal});
  if (straight_ == kNever) straight_ = 0;  // it cannot move at all
  diagonal_ = std::min(diagonal, 2 * straight_);
  euclidean_ = std::min(static_cast<double>(straight_), static_cast<double>(diagonal_) / std::sqrt(2.0));
}

bool Estimate::admissible() const { return heuristic_ != Heuristic::manhattan || diagonal_ == 2 * straight_; }

std::int64_t Estimate::between(world::BlockPos a, world::BlockPos b) const {
  const std::int64_t dx = std::abs(std::int64_t{a.x} - b.x);
  const std::int64_t dz = std::abs(std::int64_t{a.z} - b.z);
  switch (heuristic_) {
    case Heuristic::octile:
      return diagonal_ * std::min(dx, dz) + straight_ * (std::max(dx, dz) - std::min(dx, dz));
    case Heuristic::chebyshev:
      return straight_ * std::max(dx, dz);
    case Heuristic::euclidean: {
      // The slack keeps a product that should be a whole number from being rounded to just above it.
      constexpr double kSlack = 1 - 1e-12;
      return static_cast<std::int64_t>(euclidean_ * std::sqrt(static_cast<double>(dx * dx + dz * dz)) * kSlack);
    }
    case Heuristic::manhattan:
      return straight_ * (dx + dz);
    case Heuristic::zero:
      return 0;
  }
  return 0;
}

std::int64_t Estimate::operator()(world::BlockPos cell) const {
  std::int64_t least = between(cell, goals_.front());
  for (std::size_t i = 1; i < goals_.size(); ++i) least = std::min(least, between(cell, goals_[i]));
  return least;
}

}  // namespace voxpath::pathfinding
