// Profiles: ready-made agents by name, for those who do not want to measure a mob themselves. Sizes are those of Java Edition 1.20.
// Thread-safety: immutable.
// Usage: const Profile* p = find_profile("zombie"); Agent agent = p->agent;
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
/// nullptr: no profile has this name.
[[nodiscard]] const Profile* find_profile(std::string_view name);

}  // namespace voxpath::pathfinding
