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
enum class NodeKind : std::uint8_t { standing, swim, climb, fly };
enum class MoveKind : std::uint8_t { start, walk, diagonal, jump, drop, climb, leap, fly, swim };
enum class Action : std::uint8_t { none, open };

/// Which rule of MOVEMENT.md, section 6, turned a place into a node.
enum class ResolvedBy : std::uint8_t {
  nothing,
  cell,
  feet,
  leaning,
  falling,
  water,
  above_solid,
  beside_solid,
  above_beside_solid,
  area
};

/// Why a mob cannot move from one cell to the one beside it.
enum class Obstacle : std::uint8_t {
  no_floor,
  no_room,
  too_high,
  too_deep,
  hazard,
  water,
  door,
  missing_chunk,
  forbidden
};

std::string_view name(AnswerStatus status);
std::string_view name(PartialReason reason);
std::string_view name(NodeKind kind);
std::string_view name(MoveKind kind);
std::string_view name(Action action);
std::string_view name(ResolvedBy rule);
std::string_view name(Obstacle obstacle);

struct Waypoint {
  world::BlockPos cell;       // x, z: the footprint's lowest corner; y: the cell of the floor
  std::int32_t floor_px = 0;  // exact height of the feet, px
  NodeKind node = NodeKind::standing;
  MoveKind kind = MoveKind::start;  // the move that leads here; start for the first
  Action action = Action::none;     // what to do to get in
  world::Vec3 position;             // centre of the footprint at the floor, blocks
};

/// One of the reasons why a goal was not reached.
struct Blocker {
  bool near_goal = false;    // else near the start
  world::BlockPos from, at;  // no move leads from one to the other
  Obstacle obstacle = Obstacle::no_floor;
};
inline constexpr std::size_t kBlockersMax = 8;
inline constexpr std::size_t kMissingChunksMax = 16;

struct Statistics {
  std::uint32_t expanded = 0;   // nodes whose moves were looked at
  std::uint32_t generated = 0;  // entries put into the open list
  std::uint32_t unknown_blocks =
      0;  // blocks that no table names, where the search looked: walkers, in the chunks; else in the cells
  std::uint64_t world_version = 0;
};

struct Answer {
  AnswerStatus status = AnswerStatus::cancelled;
  PartialReason reason = PartialReason::none;
  std::vector<world::ChunkPos>
      missing_chunks;  // the first kMissingChunksMax that the search wanted to enter, or that an
                       // invalid start or goal lies in
  std::vector<Waypoint>
      path;               // from the start; to the goal when found, else to the best node met; empty without a start
  std::int64_t cost = 0;  // of the way along `path`, in the query's metric
  std::size_t move_count = 0;  // of that way, with the moves whose waypoints were left out
  std::size_t goal_index = 0;  // which of the query's goals was reached, when found
  ResolvedBy start_rule = ResolvedBy::nothing;
  ResolvedBy goal_rule = ResolvedBy::nothing;  // of the goal that was reached, else of the first that is a node
  std::vector<Blocker>
      blockers;  // when unreachable: what stands in the way near the goal and the start, at most kBlockersMax
  std::vector<world::SectionPos> sections;  // what the path depends on: an edit elsewhere cannot break it; sorted
  bool exact = true;                        // false: the cost need not be the least
  std::int64_t lower_bound = 0;             // no path to the goal costs less; 0: nothing is known, or there is none
  Statistics statistics;

  [[nodiscard]] std::size_t moves() const { return move_count; }
};

}  // namespace voxpath::pathfinding
