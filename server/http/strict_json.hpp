// check_json(): whether a text is JSON that a message can be read from: what protobuf's own reader would let pass.
// Thread-safety: pure function.
// Invariant: time is linear in the text but for the names in one object, of which there are at most kJsonNamesMax.
#pragma once

#include "protocol/errors.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

namespace voxpath::server {

inline constexpr std::size_t kJsonNamesMax = 64;  // in one object; no message has as many fields
inline constexpr std::size_t kJsonNameMaxBytes = 128;

/// nullopt: an object, strictly as RFC 8259 has it, without names that come twice (deadline_ms and deadlineMs are one), arrays
/// in arrays, or numbers beyond a double's range. Otherwise json_malformed, with the field or the place in the text.
[[nodiscard]] std::optional<protocol::Failure> check_json(std::string_view text);

}  // namespace voxpath::server
