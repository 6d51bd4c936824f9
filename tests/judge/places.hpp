// Places: how the movement contract turns a cell or an exact position into the node that a search starts from or leads to (section 6).
// Thread-safety: as Ground.
// Invariant: the rules are tried in the contract's order and the first that succeeds wins.
#pragma once

#include "tests/judge/ground.hpp"
#include "world/position.hpp"

#include <optional>

namespace voxpath::judge {

/// A cell (whole numbers, the footprint's lowest corner) or an exact position (the feet, in blocks).
struct Place {
  bool exact = false;
  world::Vec3 at;

  static Place cell(int x, int y, int z) {
    return {.exact = false, .at = {static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)}};
  }
  static Place position(double x, double y, double z) { return {.exact = true, .at = {x, y, z}}; }
};

/// Precondition of both: world::is_place(place.at).
[[nodiscard]] std::optional<Node> resolve_start(Ground& ground, const Place& place);
[[nodiscard]] std::optional<Node> resolve_goal(Ground& ground, const Place& place);

}  // namespace voxpath::judge
