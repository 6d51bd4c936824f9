// HordeRequest: many path requests that differ in their start only, to be searched together: what a find_paths asks, or
// what find_path requests that wait at the same time come to.
// Thread-safety: plain value; functions of what they are given.
// Invariant: the question has no start, the starts stand beside it, in the order of the answers.
#pragma once

#include "protocol/voxpath.pb.h"

#include <cstddef>
#include <string>

namespace voxpath::server {

struct HordeRequest {
  v1::FindPath question;
  google::protobuf::RepeatedPtrField<v1::Place> starts;
};

/// What a find_paths asks. Precondition: it has passed protocol::validate().
[[nodiscard]] HordeRequest horde_of(v1::FindPaths request);
/// How many waypoints each of so many answers to a find_paths may have.
[[nodiscard]] std::size_t waypoints_max(std::size_t starts);

/// Everything that decides the answer but world and start: requests of one group have the same mob, the same goal and
/// the same way to search, and can be answered by one search from the goal. The request is left as it was.
[[nodiscard]] std::string group_key(v1::FindPath& request);
/// Whether a search from the goal can answer it as its own would: at the same cost.
[[nodiscard]] bool can_share(const v1::FindPath& request);

}  // namespace voxpath::server
