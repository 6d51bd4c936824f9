// Token files: who has which token, with which role and quotas.
// Thread-safety: pure functions.
// Usage: a line is "name=paper role=write connections=2 token=SECRET", or SECRET alone. Empty lines, and lines that begin
// with #, are left out.
#pragma once

#include "server/access/access_control.hpp"
#include "world/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace voxpath::server {

inline constexpr std::size_t kTokensMax = 256;

/// `defaults`: what a line grants that says nothing else; a line without a name is called by `file` and its number.
/// Errors: invalid_argument and out_of_range, with the line; no message has a token in it.
[[nodiscard]] world::Result<std::vector<AccessToken>> parse_tokens(std::string_view text, const std::string& file,
                                                                   const Grant& defaults);
/// The sentence about a token or name that is there twice, empty where none is.
[[nodiscard]] std::string repeated_token(const std::vector<AccessToken>& tokens);

}  // namespace voxpath::server
