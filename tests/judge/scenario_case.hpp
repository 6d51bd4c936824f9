// The judge's questions and those of scenario files, one from the other.
// Thread-safety: pure functions.
// Invariant: what is written is read back the same.
#pragma once

#include "server/scenario/scenario_file.hpp"
#include "tests/judge/naive_planner.hpp"

#include <string>

namespace voxpath::judge {

/// The judge's query; its agent is read by agent_of().
[[nodiscard]] Query to_query(const server::ScenarioQuery& asked);
/// Throws std::logic_error when the judge does not know a field.
[[nodiscard]] JudgeAgent agent_of(const server::ScenarioQuery& asked);

[[nodiscard]] std::string to_text(const Place& place);
[[nodiscard]] std::string to_text(const Goal& goal);
[[nodiscard]] std::string to_text(const PricedBox& box);

}  // namespace voxpath::judge
