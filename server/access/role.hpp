// Role: what a client may do, and the table of which request needs which role.
// Thread-safety: constants and pure functions.
// Invariants: each role may do all that the roles before it may. The table is asked in one place, RequestRouter, so that
// every door has it; a request kind that the table does not name does not compile.
#pragma once

#include "protocol/errors.hpp"
#include "protocol/voxpath.pb.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace voxpath::server {

enum class Role : std::uint8_t {
  read,   // looks at worlds and at the server
  path,   // also has paths searched and watched
  write,  // also makes worlds and changes their blocks
  admin,  // also closes worlds
};
inline constexpr std::array<std::string_view, 4> kRoleNames{"read", "path", "write", "admin"};

[[nodiscard]] constexpr std::string_view name_of(Role role) { return kRoleNames[static_cast<std::size_t>(role)]; }
/// nullopt: no role has that name.
[[nodiscard]] std::optional<Role> role_named(std::string_view name);

/// nullopt: anyone may who is connected; these are the connection's own.
[[nodiscard]] std::optional<Role> required_role(v1::ClientFrame::RequestCase request);
/// The refusal of a request that needs more than `role`; it names the role needed.
[[nodiscard]] std::optional<protocol::Failure> refusal(Role role, v1::ClientFrame::RequestCase request);

}  // namespace voxpath::server
