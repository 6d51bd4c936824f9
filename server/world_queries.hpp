// Answers to the wire's questions about blocks, sight and surfaces.
// Thread-safety: pure functions of an immutable snapshot.
// Invariant: requests have passed protocol::validate(). A missing chunk is never answered as air.
#pragma once

#include "protocol/voxpath.pb.h"
#include "server/outcome.hpp"
#include "world/snapshot.hpp"

namespace voxpath::server {

[[nodiscard]] Outcome<v1::BlocksAnswer> query_blocks(const world::Snapshot& snapshot, const v1::QueryBlocks& request);
[[nodiscard]] Outcome<v1::SightAnswer> line_of_sight(const world::Snapshot& snapshot, const v1::LineOfSight& request);
[[nodiscard]] v1::SurfaceAnswer surface_below(const world::Snapshot& snapshot, const v1::SurfaceBelow& request);

}  // namespace voxpath::server
