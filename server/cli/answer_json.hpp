// Everything that the command line prints as JSON, in one place: the names here are what programs rely on.
// Thread-safety: pure functions.
// Invariants: one JSON value and a newline; a name is never taken for another meaning; cells and positions are arrays
// of three numbers; what is not known is null.
#pragma once

#include "server/cli/exit_code.hpp"
#include "server/cli/world_access.hpp"

#include <string>
#include <vector>

namespace voxpath::server {

std::string error_json(ExitCode code, const std::string& message);
/// `advice`: a sentence for people; `drawing`: lines of a map, left out when empty.
std::string answer_json(const PathOutcome& outcome, const std::string& advice, const std::string& drawing);
/// A path for each start, with a sentence for people each.
std::string horde_json(const std::vector<pathfinding::Place>& starts, const HordeOutcome& outcome,
                       const std::vector<std::string>& advice);
/// How a watch ended.
std::string invalidation_json(const Invalidation& event);
std::string info_json(const WorldInfo& info);
/// All blocks asked for, in their order, and the traits of each different one.
struct PlacedBlock {
  world::BlockPos at;
  const KnownBlock* block;  // nullptr: missing chunk
};
std::string blocks_json(const std::vector<PlacedBlock>& blocks);
struct PlacedSurface {
  world::Vec3 from;
  std::optional<world::Surface> surface;
};
std::string surfaces_json(const std::vector<PlacedSurface>& surfaces, const std::string& drawing);
std::string states_json(const std::string& version, const std::vector<KnownBlock>& states);
struct NamedAgent {
  std::string name, about;
  pathfinding::Agent agent;
};
std::string agents_json(const std::vector<NamedAgent>& agents);

}  // namespace voxpath::server
