// The checks of path requests, which are the larger part of the door; validate() calls them.
// Thread-safety: pure functions.
// Invariant: a refusal names the field by its path from the request on ("find_paths.starts[17].cell.x").
#pragma once

#include "protocol/checks.hpp"

namespace voxpath::protocol {

[[nodiscard]] Verdict check_request(const v1::FindPath& request);
[[nodiscard]] Verdict check_request(const v1::FindPaths& request);
[[nodiscard]] Verdict check_request(const v1::ValidatePath& request);

}  // namespace voxpath::protocol
