// validate(): the door. Whether a request is one that the server may act on; what passed here is not looked at again.
// Thread-safety: pure functions.
// Invariants: a refusal names the field by its path ("find_path.start.position.x"), what it held and what is allowed.
// Not checked here is what only the server knows: whether a world is open, a chunk known, a palette number sent, an
// agent's profile there.
#pragma once

#include "protocol/errors.hpp"

#include <optional>

namespace voxpath::v1 {
class ClientFrame;
class Hello;
}  // namespace voxpath::v1

namespace voxpath::protocol {

/// nullopt: fine. The request must be set; its id is the connection's business.
[[nodiscard]] std::optional<Failure> validate(const v1::ClientFrame& frame);

/// Magic and versions of a first frame; nullopt: fine. The token is the connection's business.
[[nodiscard]] std::optional<Failure> validate(const v1::Hello& hello);

}  // namespace voxpath::protocol
