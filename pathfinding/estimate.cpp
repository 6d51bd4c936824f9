#include "pathfinding/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

namespace voxpath::pathfinding {

namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int32_t>::max();

std::int64_t gap(std::int32_t v, std::int32_t low, std::int32_t high) {
  if (v < low) return std::int64_t{low} - v;
  return v > high ? std::int64_t{v} - high : 0;
}

}  // namespace

Estimate::Estimate(const Agent& agent, Metric metric, Heuristic heuristic, Target target)
    : heuristic_(heuristic),
      upright_(agent.mode != Mode::walk),
      half_(agent.footprint() / 2.0),
      target_(std::move(target)) {
  const auto price = [&](bool possible, std::int32_t field) -> std::int64_t {
    if (!possible || field == kForbidden) return kNever;
    return metric == Metric::moves ? 1 : field;
  };
  const std::int64_t space = price(upright_ && agent.corners == Corners::strict, agent.cost_space_diagonal);
  const std::int64_t diagonal = std::min(price(agent.corners != Corners::never, agent.cost_diagonal), space);
  std::int64_t straight = std::min({price(true, agent.cost_cardinal), price(agent.climb, agent.cost_climb), diagonal});
  if (straight == kNever) straight = 0;  // it cannot move at all
  along_[0] = straight;
  along_[1] = std::min(diagonal, 2 * straight);
  along_[2] = std::min(space, 2 * along_[1] - straight);
  per_block_ = std::min({static_cast<double>(along_[0]), static_cast<double>(along_[1]) / std::sqrt(2.0),
                         static_cast<double>(along_[2]) / std::sqrt(3.0)});
  if (metric == Metric::moves && agent.leap > 0) divisor_ = agent.leap + 1;
}

bool Estimate::admissible() const {
  return heuristic_ != Heuristic::manhattan || !std::holds_alternative<TargetBoxes>(target_) ||
         (along_[1] == 2 * along_[0] && (!upright_ || along_[2] == 3 * along_[0]));
}

std::optional<Estimate::Parts> Estimate::parts() const {
  const auto* goal = std::get_if<TargetBoxes>(&target_);
  if (upright_ || divisor_ != 1 || goal == nullptr || goal->boxes.size() != 1) return std::nullopt;
  const world::Box& box = goal->boxes.front();
  if (box.min.x != box.max.x || box.min.z != box.max.z) return std::nullopt;
  switch (heuristic_) {
    case Heuristic::octile:
      return Parts{box.min, along_[0], along_[1] - along_[0]};
    case Heuristic::chebyshev:
      return Parts{box.min, along_[0], 0};
    case Heuristic::manhattan:
      return Parts{box.min, along_[0], along_[0]};
    case Heuristic::zero:
      return Parts{box.min, 0, 0};
    case Heuristic::euclidean:
      break;
  }
  return std::nullopt;
}

std::int64_t Estimate::straight_line(double blocks) const {
  // The slack keeps a product that should be a whole number from being rounded to just above it.
  constexpr double kSlack = 1 - 1e-12;
  return static_cast<std::int64_t>(per_block_ * std::max(blocks, 0.0) * kSlack);
}

std::int64_t Estimate::to_box(world::BlockPos cell, const world::Box& box) const {
  std::int64_t far = gap(cell.x, box.min.x, box.max.x);
  std::int64_t middle = gap(cell.z, box.min.z, box.max.z);
  std::int64_t near = upright_ ? gap(cell.y, box.min.y, box.max.y) : 0;
  switch (heuristic_) {
    case Heuristic::octile:
      if (far < middle) std::swap(far, middle);
      if (middle < near) std::swap(middle, near);
      if (far < middle) std::swap(far, middle);
      return along_[2] * near + along_[1] * (middle - near) + along_[0] * (far - middle);
    case Heuristic::chebyshev:
      return along_[0] * std::max({far, middle, near});
    case Heuristic::euclidean:
      return straight_line(std::sqrt(static_cast<double>(far * far + middle * middle + near * near)));
    case Heuristic::manhattan:
      return along_[0] * (far + middle + near);
    case Heuristic::zero:
      return 0;
  }
  return 0;
}

std::int64_t Estimate::operator()(world::BlockPos cell) const {
  if (const auto* goal = std::get_if<TargetBoxes>(&target_)) {
    std::int64_t least = to_box(cell, goal->boxes.front());
    for (std::size_t i = 1; i < goal->boxes.size(); ++i) least = std::min(least, to_box(cell, goal->boxes[i]));
    return least / divisor_;
  }
  if (heuristic_ == Heuristic::zero) return 0;
  const double x = cell.x + half_;
  const double z = cell.z + half_;
  if (const auto* disc = std::get_if<TargetDisc>(&target_)) {
    return straight_line(std::hypot(x - disc->x, z - disc->z) - disc->radius) / divisor_;
  }
  const auto& away = std::get<TargetAway>(target_);
  std::int64_t most = 0;
  for (const world::Vec3& p : away.points)
    most = std::max(most, straight_line(away.distance - std::hypot(x - p.x, z - p.z)));
  return most / divisor_;
}

}  // namespace voxpath::pathfinding
