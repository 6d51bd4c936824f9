// Point and Cell: exact places and blocks, as plain values beside the wire's messages.
// Thread-safety: plain values.
// Invariant: a point is in the cell that floor gives, never truncation: -0.5 is in cell -1.
#pragma once

#include "protocol/voxpath.pb.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace voxpath::mob {

struct Point {  // blocks
  double x = 0, y = 0, z = 0;
  friend bool operator==(const Point&, const Point&) = default;
  friend Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Point operator*(Point a, double f) { return {a.x * f, a.y * f, a.z * f}; }
};

struct Cell {
  std::int32_t x = 0, y = 0, z = 0;
  friend bool operator==(const Cell&, const Cell&) = default;
};

inline double distance(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z); }
inline double flat_distance(Point a, Point b) { return std::hypot(a.x - b.x, a.z - b.z); }

inline Point point_of(const v1::Position& p) { return {p.x(), p.y(), p.z()}; }
inline Cell cell_of(const v1::BlockPos& p) { return {p.x(), p.y(), p.z()}; }
inline Cell cell_of(Point p) {
  return {static_cast<std::int32_t>(std::floor(p.x)), static_cast<std::int32_t>(std::floor(p.y)),
          static_cast<std::int32_t>(std::floor(p.z))};
}
inline void write(Point from, v1::Position* to) {
  to->set_x(from.x);
  to->set_y(from.y);
  to->set_z(from.z);
}
inline void write(Cell from, v1::BlockPos* to) {
  to->set_x(from.x);
  to->set_y(from.y);
  to->set_z(from.z);
}

}  // namespace voxpath::mob
