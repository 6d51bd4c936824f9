// Profiles: ready-made agents by name, for those who do not want to measure a mob themselves. Sizes are those of Java Edition 1.20.
// Thread-safety: immutable.
// Usage: Result<Agent> agent = profile_agent("spider");
// Invariants: every one passes validate(); "zombie" is the contract's defaults.
#pragma once

#include "pathfinding/agent.hpp"

#include <span>
#include <string_view>

namespace voxpath::pathfinding {

struct Profile {
  std::string_view name;
  std::string_view about;
  Agent agent;
};

[[nodiscard]] std::span<const Profile> profiles();
/// Errors: not_found, with the nearest name and all there are.
[[nodiscard]] world::Result<Agent> profile_agent(std::string_view name);

}  // namespace voxpath::pathfinding
