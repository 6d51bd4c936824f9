// Answer parts: a PathsAnswer that is longer than a frame goes over the wire in several, and is put together again.
// Thread-safety: pure functions.
// Invariants: each part is a frame of at most kFrameSizeMaxBytes with the answer's id; all but the last have `more` set. What
// append_part() makes of the parts in their order is what parts_of() was given.
#pragma once

#include "protocol/voxpath.pb.h"

#include <vector>

namespace voxpath::protocol {

/// Other frames than those of a PathsAnswer, and short ones, are their own only part.
[[nodiscard]] std::vector<v1::ServerFrame> parts_of(v1::ServerFrame frame);
/// Adds the next part to what came before, which is empty at first; false: it is not the next one.
[[nodiscard]] bool append_part(v1::PathsAnswer part, v1::PathsAnswer* whole);

}  // namespace voxpath::protocol
