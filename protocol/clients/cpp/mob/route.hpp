// Route: the way that a mob walks: waypoints of one answer, or of several spliced, and how far along it is.
// Thread-safety: plain value.
// Invariants: every leg between two waypoints is one move that the planner allowed, so that a mob that stays on the legs touches nothing;
// next() never goes back.
// Usage: Route r(answer, watch); r.begin(position, width); each tick: r.note(position); go to r.ahead(position, speed).
#pragma once

#include "protocol/clients/cpp/mob/point.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace voxpath::mob {

struct RoutePoint {
  Cell cell;
  Point at;
  v1::Waypoint::Kind kind = v1::Waypoint::START;  // of the leg that ends here
  v1::Waypoint::Medium medium = v1::Waypoint::GROUND;
  bool opens = false;       // a door or gate in this cell
  std::uint64_t watch = 0;  // which tells when this piece breaks; 0: none
  std::uint32_t answered =
      0;  // its index among the waypoints of that answer, or that of the next one that was not left out
};

class Route {
 public:
  static constexpr std::size_t kUnbroken = std::numeric_limits<std::size_t>::max();

  Route() = default;
  /// The answer's waypoints; those that `simplify: STRAIGHTS` left out are put in again.
  explicit Route(const v1::PathAnswer& answer);

  [[nodiscard]] bool empty() const { return points_.empty(); }
  /// All waypoints were reached.
  [[nodiscard]] bool finished() const { return next_ >= points_.size(); }
  /// The waypoint that the mob is on its way to.
  [[nodiscard]] std::size_t next() const { return next_; }
  [[nodiscard]] std::size_t size() const { return points_.size(); }
  [[nodiscard]] const RoutePoint& point(std::size_t i) const { return points_[i]; }
  [[nodiscard]] const RoutePoint& last() const { return points_.back(); }

  /// A fresh route: the first waypoint is left out where the mob can go to the second without touching what is beside the leg, so that
  /// it does not turn round for the middle of the block that it stands in. `width`: of the mob's box, blocks.
  void begin(Point mob, double width);
  /// Takes notice of where the mob is: passes waypoints that it has reached, also several at once.
  void note(Point mob, double speed);
  /// Where a mob gets to along the legs in one tick; stops short of what is broken.
  [[nodiscard]] Point ahead(Point mob, double speed) const;
  /// What is left to walk, blocks.
  [[nodiscard]] double length_left(Point mob) const;
  /// The first waypoint at least so far along the legs, not beyond what is broken; kUnbroken when there is none that the mob can get to.
  [[nodiscard]] std::size_t point_ahead(Point mob, double blocks) const;

  /// Told that a watched piece is broken: where from, or nothing when the mob is past that.
  void mark_broken(std::uint64_t watch, std::uint32_t answered);
  /// This waypoint is no place to be any more. No effect on one that was passed.
  void mark_broken_at(std::size_t point) {
    if (point >= next_) broken_ = std::min(broken_, point);
  }
  [[nodiscard]] bool broken() const { return broken_ != kUnbroken; }
  /// The mob can go no further on it.
  [[nodiscard]] bool blocked() const { return broken_ <= next_; }

  /// Up to waypoint `at`, then `tail`, whose first waypoint is the same place. Precondition: next() <= at < size().
  [[nodiscard]] Route spliced(std::size_t at, const Route& tail, std::size_t tail_from) const;
  /// Which waypoint of `other` is this route's next one or, failing that, one after it; {index here, index there}.
  struct Meeting {
    std::size_t here, there;
  };
  [[nodiscard]] std::optional<Meeting> meet(const Route& other) const;

  /// A bound from below of what the legs from `from` on cost, as far as their kinds tell: near hazards, slow ground and priced boxes
  /// do not show.
  [[nodiscard]] std::int64_t visible_cost(std::size_t from, const v1::Agent& agent) const;
  /// Watches of what is still ahead.
  [[nodiscard]] std::vector<std::uint64_t> watches() const;

 private:
  [[nodiscard]] bool reached(std::size_t i, Point mob, double speed) const;

  std::vector<RoutePoint> points_;
  std::size_t next_ = 0;
  std::size_t broken_ = kUnbroken;
};

}  // namespace voxpath::mob
