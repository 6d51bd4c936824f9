// Pruning: which directions need not be looked at from a node, by how it was reached; for symmetric paths on level ground.
// Thread-safety: constants.
// Invariants: of all cheapest paths over flat moves one is kept, whatever parents a search has stored: ENGINE.md has the proof. Right for
// `cardinal < diagonal < 2 * cardinal`, or four directions of one price, and a consistent estimate.
// Source: Sturtevant and Rabin, "Canonical Orderings on Grids" (IJCAI 2016), section 3.
#pragma once

#include <array>
#include <cstdint>

namespace voxpath::pathfinding {

struct Pruning {
  /// Two flat directions of the parent that decide, with the arrival, what need not be looked at. The search stores with a node whether its
  /// parent has them.
  struct Deciding {
    std::uint8_t first = 0, second = 0;
  };
  std::array<Deciding, 8> deciding;  // by the direction of a flat arrival
  /// [arrival][whether the parent has the first | the second << 1]: a bit for each flat direction. Arrival is 0 after a move that is not
  /// flat, else its direction + 1.
  std::array<std::array<std::uint8_t, 4>, 9> pruned{};
};

extern const Pruning kNoPruning;
/// Eight directions: the path that goes diagonally first is kept.
extern const Pruning kDiagonalFirst;
/// Four directions: the path that goes along z first is kept, whose moves are put into the open list last, and so taken out first.
extern const Pruning kAlongZFirst;

}  // namespace voxpath::pathfinding
