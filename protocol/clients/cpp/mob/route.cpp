#include "protocol/clients/cpp/mob/route.hpp"

namespace voxpath::mob {

namespace {

constexpr double kReachBlocks = 0.15;        // a waypoint counts as reached this near, and half a tick's way more
constexpr double kReachHeightBlocks = 0.75;  // above or below it: falling mobs are not there yet
constexpr double kKnockedOntoBlocks = 0.4;   // a mob this near to a later waypoint was pushed there
constexpr std::size_t kKnockedPoints = 4;    // how many waypoints ahead are looked at for that
constexpr std::int64_t kCardinal = 10, kDiagonal = 14, kClimb = 20, kJump = 5, kDropPerBlock = 2, kLeap = 5,
                       kWater = 80,
                       kOpen = 10;  // the contract's prices, pathfinding/MOVEMENT.md, section 5

int sign(std::int32_t v) { return (v > 0) - (v < 0); }

/// Whether waypoints between these two were left out: only on straight, level pieces, so that each of them is known.
int left_out(const RoutePoint& a, const RoutePoint& b) {
  if (b.kind != v1::Waypoint::WALK && b.kind != v1::Waypoint::DIAGONAL && b.kind != v1::Waypoint::FLY &&
      b.kind != v1::Waypoint::SWIM)
    return 0;
  const int dx = std::abs(b.cell.x - a.cell.x), dz = std::abs(b.cell.z - a.cell.z), dy = std::abs(b.cell.y - a.cell.y);
  const int most = std::max({dx, dy, dz});
  const auto even = [&](int d) { return d == 0 || d == most; };
  return even(dx) && even(dy) && even(dz) ? std::max(0, most - 1) : 0;
}

std::int64_t price(bool given, std::int32_t value, std::int64_t otherwise) {
  return given ? std::max<std::int64_t>(value, 0) : otherwise;
}

}  // namespace

Route::Route(const v1::PathAnswer& answer) {
  points_.reserve(static_cast<std::size_t>(answer.waypoints_size()));
  for (int n = 0; n < answer.waypoints_size(); ++n) {
    const v1::Waypoint& w = answer.waypoints(n);
    const RoutePoint p{.cell = cell_of(w.cell()),
                       .at = point_of(w.position()),
                       .kind = w.kind(),
                       .medium = w.medium(),
                       .opens = w.action() == v1::Waypoint::OPEN,
                       .watch = answer.watch(),
                       .answered = static_cast<std::uint32_t>(n)};
    if (!points_.empty()) {
      const RoutePoint a = points_.back();
      const int between = left_out(a, p);
      for (int i = 1; i <= between; ++i) {
        RoutePoint middle = p;
        middle.opens = false;
        middle.cell = {a.cell.x + i * sign(p.cell.x - a.cell.x), a.cell.y + i * sign(p.cell.y - a.cell.y),
                       a.cell.z + i * sign(p.cell.z - a.cell.z)};
        middle.at = a.at + (p.at - a.at) * (static_cast<double>(i) / (between + 1));
        points_.push_back(middle);
      }
    }
    points_.push_back(p);
  }
}

void Route::begin(Point mob, double width) {
  if (points_.size() < 2) return;
  const RoutePoint& here = points_[0];
  const RoutePoint& there = points_[1];
  if (there.kind != v1::Waypoint::WALK || here.medium != v1::Waypoint::GROUND) return;
  const bool along_x = here.cell.z == there.cell.z;
  const double aside = along_x ? mob.z - here.at.z : mob.x - here.at.x;
  const double along = along_x ? mob.x - here.at.x : mob.z - here.at.z;
  // The footprint is as wide as the next whole number of blocks: what the box leaves of it is the play on each side.
  const double play = (std::max(1.0, std::ceil(width)) - width) / 2;
  if (std::abs(aside) <= play + 1e-9 && std::abs(along) <= 1 && std::abs(mob.y - here.at.y) < kReachHeightBlocks)
    next_ = 1;
}

bool Route::reached(std::size_t i, Point mob, double speed) const {
  const RoutePoint& p = points_[i];
  const bool in_space = p.medium == v1::Waypoint::AIR || p.medium == v1::Waypoint::CLIMBABLE;
  const double height = in_space ? kReachBlocks + speed / 2 : kReachHeightBlocks;
  return flat_distance(mob, p.at) <= kReachBlocks + speed / 2 && std::abs(mob.y - p.at.y) <= height;
}

void Route::note(Point mob, double speed) {
  if (finished()) return;
  if (reached(next_, mob, speed)) {
    while (next_ < points_.size() && reached(next_, mob, speed)) ++next_;
    return;
  }
  const std::size_t end = std::min(points_.size(), next_ + 1 + kKnockedPoints);
  for (std::size_t i = next_ + 1; i < end; ++i) {
    if (distance(mob, points_[i].at) > kKnockedOntoBlocks) continue;
    next_ = i;
    return;
  }
}

Point Route::ahead(Point mob, double speed) const {
  Point at = mob;
  for (std::size_t i = next_; i < points_.size() && i < broken_; ++i) {
    const double leg = distance(at, points_[i].at);
    if (leg > speed) return at + (points_[i].at - at) * (speed / leg);
    speed -= leg;
    at = points_[i].at;
  }
  return at;
}

double Route::length_left(Point mob) const {
  double length = 0;
  Point at = mob;
  for (std::size_t i = next_; i < points_.size(); ++i) {
    length += distance(at, points_[i].at);
    at = points_[i].at;
  }
  return length;
}

std::size_t Route::point_ahead(Point mob, double blocks) const {
  const std::size_t end = std::min(broken_, points_.size());
  if (next_ >= end) return kUnbroken;
  double length = 0;
  Point at = mob;
  for (std::size_t i = next_; i < end; ++i) {
    length += distance(at, points_[i].at);
    if (length >= blocks) return i;
    at = points_[i].at;
  }
  return end - 1;
}

void Route::mark_broken(std::uint64_t watch, std::uint32_t answered) {
  for (std::size_t i = next_; i < points_.size(); ++i) {
    if (points_[i].watch != watch || points_[i].answered < answered) continue;
    broken_ = std::min(broken_, i);
    return;
  }
}

Route Route::spliced(std::size_t at, const Route& tail, std::size_t tail_from) const {
  Route route;
  // One waypoint that was passed stays, as the place to fall back to.
  const std::size_t first = next_ > 0 ? next_ - 1 : 0;
  route.points_.assign(points_.begin() + static_cast<std::ptrdiff_t>(first),
                       points_.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  route.next_ = next_ - first;
  if (broken_ <= at) route.broken_ = broken_ - first;
  route.points_.insert(route.points_.end(), tail.points_.begin() + static_cast<std::ptrdiff_t>(tail_from) + 1,
                       tail.points_.end());
  return route;
}

std::optional<Route::Meeting> Route::meet(const Route& other) const {
  for (std::size_t i = next_; i < std::min(points_.size(), broken_); ++i) {
    for (std::size_t k = 0; k < other.points_.size(); ++k) {
      if (points_[i].cell == other.points_[k].cell) return Meeting{i, k};
    }
  }
  return std::nullopt;
}

std::int64_t Route::visible_cost(std::size_t from, const v1::Agent& agent) const {
  const std::int64_t cardinal = price(agent.has_cost_cardinal(), agent.cost_cardinal(), kCardinal);
  const std::int64_t diagonal = price(agent.has_cost_diagonal(), agent.cost_diagonal(), kDiagonal);
  std::int64_t cost = 0;
  for (std::size_t i = from + 1; i < points_.size(); ++i) {
    const RoutePoint& a = points_[i - 1];
    const RoutePoint& b = points_[i];
    const auto gap = static_cast<std::int64_t>(std::max(std::abs(b.cell.x - a.cell.x), std::abs(b.cell.z - a.cell.z)));
    const int axes = (a.cell.x != b.cell.x) + (a.cell.z != b.cell.z);
    cost += b.kind == v1::Waypoint::CLIMB ? price(agent.has_cost_climb(), agent.cost_climb(), kClimb)
            : axes == 2                   ? diagonal
                                          : cardinal * std::max<std::int64_t>(gap, 1);
    if (b.kind == v1::Waypoint::JUMP) cost += price(agent.has_cost_jump(), agent.cost_jump(), kJump);
    if (b.kind == v1::Waypoint::DROP) {
      const auto fall_px = static_cast<std::int64_t>(std::lround((a.at.y - b.at.y) * 16));
      cost += price(agent.has_cost_drop(), agent.cost_drop(), kDropPerBlock) * fall_px / 16;
    }
    if (b.kind == v1::Waypoint::LEAP && gap > 1)
      cost += price(agent.has_cost_leap(), agent.cost_leap(), kLeap) * (gap - 1);
    if (b.medium == v1::Waypoint::WATER && agent.mode() != v1::Agent::SWIMMER)
      cost += price(agent.has_cost_water(), agent.cost_water(), kWater);
    if (b.opens) cost += price(agent.has_cost_open(), agent.cost_open(), kOpen);
  }
  return cost;
}

std::vector<std::uint64_t> Route::watches() const {
  std::vector<std::uint64_t> all;
  for (std::size_t i = next_; i < points_.size(); ++i) {
    if (points_[i].watch != 0 && (all.empty() || all.back() != points_[i].watch)) all.push_back(points_[i].watch);
  }
  return all;
}

}  // namespace voxpath::mob
