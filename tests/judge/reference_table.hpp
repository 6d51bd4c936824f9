// Reference tables: questions about real worlds with exact answers, one row each.
// Thread-safety: free functions.
// Invariants: rows are in the file's order; an agent has the contract's defaults in every field that the table does not give.
#pragma once

#include "tests/judge/judge_agent.hpp"
#include "world/position.hpp"
#include "world/result.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace voxpath::judge {

struct ReferenceRow {
  int id = 0;
  std::string agent_label;
  JudgeAgent agent;
  world::BlockPos start, goal;
  bool found = false;
  std::int64_t cost = -1;
  std::int64_t moves_min = -1, moves_max = -1;
  bool missing = false;
  int start_floor_px = 0, goal_floor_px = 0;
  std::string features;
};

/// Errors: not_found, invalid_argument (file and line).
[[nodiscard]] world::Result<std::vector<ReferenceRow>> read_reference(const std::filesystem::path& file);

}  // namespace voxpath::judge
