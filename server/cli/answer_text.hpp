// Answers as people read them: what came of the question, what to do next, and the way in runs of like moves.
// Thread-safety: pure functions.
#pragma once

#include "pathfinding/query.hpp"
#include "server/cli/world_access.hpp"

#include <string>

namespace voxpath::server {

/// Several lines; the last ends in a newline.
std::string answer_text(const pathfinding::Query& query, const pathfinding::Limits& limits, const PathOutcome& outcome);

/// One line a run: "  1-7   walk x7 east        to 4,64,-3". Empty for no path.
std::string waypoints_text(const std::vector<pathfinding::Waypoint>& path);

/// How a watch ended. Lines.
std::string invalidation_text(const pathfinding::Answer& answer, const Invalidation& event);

/// How the start and the goal became places to stand, and what stands in the way. Lines.
std::string explanation(const pathfinding::Query& query, const pathfinding::Answer& answer);

/// A sentence on what the status means for the caller; empty for FOUND by an exact search.
std::string advice(const pathfinding::Query& query, const pathfinding::Limits& limits,
                   const pathfinding::Answer& answer);

}  // namespace voxpath::server
