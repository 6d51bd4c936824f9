#include "server/access/role.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace voxpath::server {

std::optional<Role> role_named(std::string_view name) {
  const auto found = std::find(kRoleNames.begin(), kRoleNames.end(), name);
  if (found == kRoleNames.end()) return std::nullopt;
  return static_cast<Role>(found - kRoleNames.begin());
}

std::optional<Role> required_role(v1::ClientFrame::RequestCase request) {
  using Frame = v1::ClientFrame;
  switch (request) {
    case Frame::kServerInfo:
    case Frame::kListWorlds:
    case Frame::kQueryBlocks:
    case Frame::kLineOfSight:
    case Frame::kSurfaceBelow:
      return Role::read;
    case Frame::kFindPath:
    case Frame::kFindPaths:
    case Frame::kValidatePath:
    case Frame::kUnwatch:
      return Role::path;
    case Frame::kOpenWorld:
    case Frame::kSetPalette:
    case Frame::kPutChunk:
    case Frame::kDropChunk:
    case Frame::kSetBlocks:
      return Role::write;
    case Frame::kCloseWorld:
      return Role::admin;
    case Frame::kHello:
    case Frame::kPing:
    case Frame::kCancel:
    case Frame::REQUEST_NOT_SET:
      return std::nullopt;
  }
  return Role::admin;
}

std::optional<protocol::Failure> refusal(Role role, v1::ClientFrame::RequestCase request) {
  const auto needed = required_role(request);
  if (!needed || role >= *needed) return std::nullopt;
  const auto* field = v1::ClientFrame::descriptor()->FindFieldByNumber(request);
  const std::string kind = field == nullptr ? "the request" : field->name();
  return protocol::Failure{
      protocol::ErrorKind::role_missing,
      fmt::format("{} needs the role {}; the token's is {}", kind, name_of(*needed), name_of(role)), kind,
      std::string(name_of(role)), std::string(name_of(*needed))};
}

}  // namespace voxpath::server
