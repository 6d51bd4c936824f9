// Reference tables: exact answers for many queries on one world, found by an independent solver, held against the planner.
// Thread-safety: check_reference() uses one Search, so one thread at a time.
// Format: tab-separated with a header line; the columns are named in tests/data/reference/README.md.
#pragma once

#include "pathfinding/search.hpp"
#include "server/checks/check_report.hpp"

#include <string_view>

namespace voxpath::server {

inline constexpr std::size_t kReferenceRowsMax = 100'000;

struct ReferenceRow {
  int id = 0;
  std::string agent_label;
  pathfinding::Query query;
  bool found = false;
  std::int64_t cost = -1;
  std::int64_t moves = -1, moves_max = -1;
  bool missing = false;  // the reference search met a missing chunk
  std::int32_t start_floor_px = 0, goal_floor_px = 0;
};

/// Errors: invalid_argument with the line, the column and the value.
world::Result<std::vector<ReferenceRow>> read_reference(std::string_view text);

/// Each row must give the same status and cost, a number of moves between the reference's least and most, and the same floors at both ends.
/// An unreachable row that met a missing chunk must be PARTIAL for that reason.
CheckReport check_reference(const std::vector<ReferenceRow>& rows, const world::Ref<const world::Snapshot>& snapshot,
                            pathfinding::Search& search);

}  // namespace voxpath::server
