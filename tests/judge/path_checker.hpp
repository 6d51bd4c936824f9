// check_path: replays a path move by move by the movement contract, recomputes its cost and names the first move that
// is wrong and why.
// Thread-safety: as Ground.
// Usage: PathVerdict v = check_path(ground, steps); EXPECT_TRUE(v.ok()) << v.why;
// Invariant: shares no code with the planner whose paths it checks; says nothing of whether a path is the cheapest.
#pragma once

#include "tests/judge/naive_planner.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace voxpath::judge {

/// A waypoint as a planner states it.
struct ClaimedStep {
  int x = 0, y = 0, z = 0;  // the node's cell
  int floor_px = 0;
  std::optional<MoveKind> kind{};  // how it is entered; none at the start
  bool opens = false;              // carries OPEN
};

struct PathVerdict {
  std::int64_t cost = 0;        // of the moves up to the first wrong one
  std::size_t first_wrong = 0;  // index of that step
  std::string why;              // empty when all is right
  [[nodiscard]] bool ok() const { return why.empty(); }
};

/// A step of the naive planner as a claim.
[[nodiscard]] ClaimedStep claim(const Step& step);

/// An empty path is wrong: even a start that is the goal is one step.
[[nodiscard]] PathVerdict check_path(Ground& ground, std::span<const ClaimedStep> path,
                                     std::span<const PricedBox> boxes = {});

}  // namespace voxpath::judge
