// JSON messages: protobuf's canonical JSON read strictly, and written.
// Thread-safety: pure functions.
// Invariants: read_json() refuses what is no JSON (RFC 8259: no NaN, no comments, no single quotes), what is nested deeper
// than kJsonDepthMax, fields that the message does not have or that come twice, and values that do not fit their field; a
// refusal names the field. It holds as many levels as are open, and for each the names that came in it. Whether the message
// is a request that the server may act on is protocol::validate()'s business.
// Usage: v1::FindPath request; if (auto refused = read_json(body, "find_path", &request)) return *refused;
#pragma once

#include "protocol/errors.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace google::protobuf {
class Message;
}

namespace voxpath::server {

/// Names of fields may be written as in voxpath.proto or in lowerCamelCase. `prefix`: what stands before the field in a
/// refusal; may be empty. Precondition: `out` is empty.
std::optional<protocol::Failure> read_json(std::string_view text, std::string_view prefix,
                                           google::protobuf::Message* out);

/// In one line. Fields that have their default value are left out, 64-bit numbers are strings.
[[nodiscard]] std::string write_json(const google::protobuf::Message& message);

}  // namespace voxpath::server
