// AgentProfiles: mobs by name, and the agent that a request means: a profile and what the request changes in it.
// Thread-safety: immutable once it is shared.
// Invariant: every profile passes pathfinding::validate(). The ready-made ones of
// pathfinding/profiles.hpp are there unless the configuration puts others in their place; the empty name means the
// contract's defaults.
#pragma once

#include "pathfinding/agent.hpp"
#include "protocol/errors.hpp"
#include "protocol/voxpath.pb.h"
#include "world/result.hpp"

#include <map>
#include <string>
#include <variant>

namespace voxpath::server {

class AgentProfiles {
 public:
  AgentProfiles();

  /// New, or in place of one of that name.
  void set(const std::string& name, const pathfinding::Agent& agent) { profiles_[name] = agent; }
  [[nodiscard]] const std::map<std::string, pathfinding::Agent>& all() const { return profiles_; }

  /// Fields in blocks become px as MOVEMENT.md says. Failures: profile_unknown, field_out_of_range, with the
  /// field from the agent on: "agent.height".
  [[nodiscard]] std::variant<pathfinding::Agent, protocol::Failure> agent_of(const v1::Agent& request) const;

  friend bool operator==(const AgentProfiles&, const AgentProfiles&) = default;

 private:
  std::map<std::string, pathfinding::Agent> profiles_;
};

}  // namespace voxpath::server
