// Moves: whether the movement contract lets a mob go from one node to another, how the move is called and what it costs (sections 4, 5,
// 8 and 9).
// Thread-safety: as Ground.
// Usage: Ruling r = rule(ground, a, b); if (r.move) use(r.move->cost); else report(r.why_not);
#pragma once

#include "tests/judge/ground.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace voxpath::judge {

enum class MoveKind : std::uint8_t { walk, diagonal, jump, drop, climb, leap, fly, swim };
[[nodiscard]] std::string_view name(MoveKind kind);

struct Move {
  MoveKind kind = MoveKind::walk;
  std::int64_t cost = 0;  // in the agent's metric
};

struct Ruling {
  std::optional<Move> move;
  std::string_view why_not;  // the rule that forbids it, when there is no move
};

/// Widest gap that this mob leaps over, in columns: 0 when it leaps over none.
[[nodiscard]] int leap_reach(const JudgeAgent& agent);

/// Both must be nodes of `ground`.
[[nodiscard]] Ruling rule(Ground& ground, const Node& from, const Node& to);

}  // namespace voxpath::judge
