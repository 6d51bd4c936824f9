// WatchedPath: a path that was answered, with what it takes to find out whether an edit broke it.
// Thread-safety: plain value; shared as const.
#pragma once

#include "pathfinding/agent.hpp"
#include "pathfinding/answer.hpp"
#include "world/snapshot.hpp"

#include <vector>

namespace voxpath::server {

struct WatchedPath {
  std::vector<pathfinding::Waypoint> waypoints;  // as answered, so that the client finds a fault by its index
  pathfinding::Agent agent;
  std::vector<world::SectionPos> sections;  // sorted; an edit elsewhere cannot break the path
};

/// What a search leaves for the watch of its path.
struct FoundPath {
  WatchedPath path;
  world::Ref<const world::Snapshot> searched;
};

/// Whether one of the sections is another in the newer snapshot. Snapshots share what was not edited, so that this
/// compares addresses, not blocks.
[[nodiscard]] bool touched_between(const world::Snapshot& older, const world::Snapshot& newer,
                                   const std::vector<world::SectionPos>& sections);

}  // namespace voxpath::server
