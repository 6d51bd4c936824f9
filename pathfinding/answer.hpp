// Answer: what the planner found, with everything that the caller needs next (MOVEMENT.md, section 7).
// Thread-safety: plain values.
// Invariant: an answer with status found ends in the goal; every other status says why there is no such path.
#pragma once

#include "world/position.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace voxpath::pathfinding {

enum class AnswerStatus : std::uint8_t { found, partial, unreachable, start_invalid, goal_invalid, cancelled };
enum class PartialReason : std::uint8_t { none, budget, deadline, missing_chunk };
enum class NodeKind : std::uint8_t { standing, swim, climb };
enum class MoveKind : std::uint8_t { start, walk, diagonal, jump, drop, climb };
enum class Action : std::uint8_t { none, open };

std::string_view name(AnswerStatus status);
std::string_view name(PartialReason reason);
std::string_view name(NodeKind kind);
std::string_view name(MoveKind kind);
std::string_view name(Action action);

struct Waypoint {
  world::BlockPos cell;       // x, z: the footprint's lowest corner; y: the cell of the floor
  std::int32_t floor_px = 0;  // exact height of the feet, px
  NodeKind node = NodeKind::standing;
  MoveKind kind = MoveKind::start;  // the move that leads here; start for the first
  Action action = Action::none;     // what to do to get in
  world::Vec3 position;             // centre of the footprint at the floor, blocks
};

struct Statistics {
  std::uint32_t expanded = 0;   // nodes whose moves were looked at
  std::uint32_t generated = 0;  // entries put into the open list
  std::uint64_t world_version = 0;
};

struct Answer {
  AnswerStatus status = AnswerStatus::cancelled;
  PartialReason reason = PartialReason::none;
  std::optional<world::ChunkPos> missing_chunk;  // the first missing chunk that the search wanted to enter
  std::vector<Waypoint>
      path;               // from the start; to the goal when found, else to the best node met; empty without a start
  std::int64_t cost = 0;  // of `path`, in the query's metric
  std::size_t goal_index = 0;  // which of the query's goals was reached, when found
  bool exact = true;           // false: the heuristic may overestimate, the cost need not be the least
  Statistics statistics;

  [[nodiscard]] std::size_t moves() const { return path.empty() ? 0 : path.size() - 1; }
};

}  // namespace voxpath::pathfinding
