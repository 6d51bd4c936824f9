// Ready-made agents: the game's common mobs by name, as values to start from.
// Thread-safety: constants and pure functions.
// Invariants: every one passes validate(); "zombie" is the contract's defaults (MOVEMENT.md, sections 1 to 5).
// Source: the sizes and step heights of Java Edition 1.20.4.
#pragma once

#include "pathfinding/agent.hpp"

#include <span>
#include <string_view>

namespace voxpath::pathfinding {

struct ReadyAgent {
  std::string_view name;
  std::string_view about;  // what differs from the defaults, for people
  Agent agent;
};

/// In the order in which listings show them.
std::span<const ReadyAgent> ready_agents();
/// Errors: not_found, with the nearest name and all there are.
world::Result<Agent> ready_agent(std::string_view name);

}  // namespace voxpath::pathfinding
