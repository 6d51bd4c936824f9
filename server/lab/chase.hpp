// chase: a pursuer, or a pack, after an evader that runs to where it is farthest away in the maze.
// Thread-safety: free functions; one thread for one random stream.
// Invariants: the evader moves first in each turn; caught is who stands on one cell with an enemy after an enemy's step.
#pragma once

#include "server/lab/pursuer.hpp"

#include <vector>

namespace voxpath::server::lab {

struct ChaseRules {
  int speed = 1;        // steps of an enemy in a turn
  int turns_max = 200;  // then the evader has escaped
};

struct ChaseResult {
  bool caught = false;
  int turns = 0;
  bool repeats = false;  // a position came again, with a pursuer that must then do the same again: it would never end
  int period = 0;        // turns from one such position to the next
};

/// One enemy. Cells are drawn from the stream: the enemy's, then the evader's.
ChaseResult chase(const Maze& maze, Pursuer& pursuer, RandomStream& random, const ChaseRules& rules);

enum class PackTactics {
  follow,    // each takes its shortest path
  surround,  // each takes another side from which the evader can be come at, and not through the evader
};

/// Several enemies, 1 or more, drawn one after another, then the evader. It runs to where the nearest enemy is farthest.
ChaseResult chase(const Maze& maze, int enemies, PackTactics tactics, RandomStream& random, const ChaseRules& rules);

/// The first of stay, +x, -x, +y, -y that lies farthest from what `distances` were counted from.
Cell flee(const Maze& maze, const Distances& distances, Cell evader);

}  // namespace voxpath::server::lab
