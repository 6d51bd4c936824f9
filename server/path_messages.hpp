// Path messages: places, waypoints and obstacles between the planner's words and the wire's. Used by the daemon and by
// the command line.
// Thread-safety: pure functions.
// Invariant: what the planner has a word for, the wire has too; a value of the wire that is not known here (from a
// later version) becomes the plainest one there is.
#pragma once

#include "pathfinding/path.hpp"
#include "protocol/voxpath.pb.h"

namespace voxpath::server {

void write_block(world::BlockPos from, v1::BlockPos* to);
[[nodiscard]] world::BlockPos block_of(const v1::BlockPos& from);

void write_waypoint(const pathfinding::Waypoint& from, v1::Waypoint* to);
[[nodiscard]] pathfinding::Waypoint waypoint_of(const v1::Waypoint& from);

[[nodiscard]] v1::Blocker::Obstacle obstacle_of(pathfinding::Obstacle obstacle);
[[nodiscard]] pathfinding::Obstacle obstacle_of(v1::Blocker::Obstacle obstacle);

void write_fault(const pathfinding::PathFault& from, v1::PathFault* to);
[[nodiscard]] pathfinding::PathFault fault_of(const v1::PathFault& from);

}  // namespace voxpath::server
