#include "server/path_messages.hpp"

namespace voxpath::server {

using pathfinding::MoveKind;
using pathfinding::NodeKind;

namespace {

v1::Waypoint::Kind kind_of(MoveKind kind) {
  switch (kind) {
    case MoveKind::start:
      return v1::Waypoint::START;
    case MoveKind::walk:
      return v1::Waypoint::WALK;
    case MoveKind::diagonal:
      return v1::Waypoint::DIAGONAL;
    case MoveKind::jump:
      return v1::Waypoint::JUMP;
    case MoveKind::drop:
      return v1::Waypoint::DROP;
    case MoveKind::climb:
      return v1::Waypoint::CLIMB;
    case MoveKind::leap:
      return v1::Waypoint::LEAP;
    case MoveKind::fly:
      return v1::Waypoint::FLY;
    case MoveKind::swim:
      return v1::Waypoint::SWIM;
  }
  __builtin_unreachable();
}

v1::Waypoint::Medium medium_of(NodeKind node) {
  switch (node) {
    case NodeKind::standing:
      return v1::Waypoint::GROUND;
    case NodeKind::swim:
      return v1::Waypoint::WATER;
    case NodeKind::climb:
      return v1::Waypoint::CLIMBABLE;
    case NodeKind::fly:
      return v1::Waypoint::AIR;
  }
  __builtin_unreachable();
}

/// Enumerations whose values on the wire begin with one for "unspecified".
template <class Enum>
Enum shifted(int wire, Enum last, Enum otherwise) {
  return wire >= 1 && wire - 1 <= static_cast<int>(last) ? static_cast<Enum>(wire - 1) : otherwise;
}

}  // namespace

void write_block(world::BlockPos from, v1::BlockPos* to) {
  to->set_x(from.x);
  to->set_y(from.y);
  to->set_z(from.z);
}

world::BlockPos block_of(const v1::BlockPos& from) { return {from.x(), from.y(), from.z()}; }

void write_waypoint(const pathfinding::Waypoint& from, v1::Waypoint* to) {
  write_block(from.cell, to->mutable_cell());
  to->mutable_position()->set_x(from.position.x);
  to->mutable_position()->set_y(from.position.y);
  to->mutable_position()->set_z(from.position.z);
  to->set_floor_px(from.floor_px);
  to->set_kind(kind_of(from.kind));
  to->set_medium(medium_of(from.node));
  if (from.action == pathfinding::Action::open) to->set_action(v1::Waypoint::OPEN);
}

pathfinding::Waypoint waypoint_of(const v1::Waypoint& from) {
  return {.cell = block_of(from.cell()),
          .floor_px = from.floor_px(),
          .node = shifted(from.medium(), NodeKind::fly, NodeKind::standing),
          .kind = shifted(from.kind(), MoveKind::swim, MoveKind::walk),
          .action = from.action() == v1::Waypoint::OPEN ? pathfinding::Action::open : pathfinding::Action::none,
          .position = {from.position().x(), from.position().y(), from.position().z()}};
}

// Obstacles are in the same order here and on the wire; 0 is kept for "not said" there.
v1::Blocker::Obstacle obstacle_of(pathfinding::Obstacle obstacle) {
  static_assert(static_cast<int>(pathfinding::Obstacle::no_floor) + 1 == v1::Blocker::NO_FLOOR);
  static_assert(static_cast<int>(pathfinding::Obstacle::hazard) + 1 == v1::Blocker::HAZARD);
  static_assert(static_cast<int>(pathfinding::Obstacle::forbidden) + 1 == v1::Blocker::FORBIDDEN);
  return static_cast<v1::Blocker::Obstacle>(static_cast<int>(obstacle) + 1);
}

pathfinding::Obstacle obstacle_of(v1::Blocker::Obstacle obstacle) {
  return shifted(obstacle, pathfinding::Obstacle::forbidden, pathfinding::Obstacle::no_floor);
}

void write_fault(const pathfinding::PathFault& from, v1::PathFault* to) {
  to->set_waypoint(static_cast<std::uint32_t>(from.index));
  to->set_obstacle(obstacle_of(from.obstacle));
  write_block(from.at, to->mutable_at());
}

pathfinding::PathFault fault_of(const v1::PathFault& from) {
  return {.index = from.waypoint(), .obstacle = obstacle_of(from.obstacle()), .at = block_of(from.at())};
}

}  // namespace voxpath::server
