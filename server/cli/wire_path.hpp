// Paths on the wire: the planner's question as a message, and the message that comes back as an outcome.
// Thread-safety: pure functions.
// Invariant: an agent that is known here is sent with every field, so that the same command means the same mob here and
// at any server; one that only the server knows, by its name and the fields that differ.
#pragma once

#include "protocol/voxpath.pb.h"
#include "server/cli/world_access.hpp"

#include <string>

namespace voxpath::server {

v1::FindPath find_path_message(const std::string& world, const PathQuestion& question);
PathOutcome outcome_of(const v1::PathAnswer& message);
v1::FindPaths find_paths_message(const std::string& world, const HordeQuestion& question);
HordeOutcome outcome_of(const v1::PathsAnswer& message);

}  // namespace voxpath::server
