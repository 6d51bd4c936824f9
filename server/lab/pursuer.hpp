// Pursuers: ways to go after an evader in a maze, one step at a time.
// Thread-safety: one thread. The maze and the random stream must outlive the pursuer.
// Usage: auto p = make_pursuer(Pursuit::shortest, maze, random); enemy = p->step(enemy, evader);
#pragma once

#include "server/lab/maze.hpp"

#include <cstdint>
#include <memory>
#include <string_view>

namespace voxpath::server::lab {

enum class Pursuit {
  greedy,     // to the neighbour that is nearest to the evader by Manhattan distance, and only if it is nearer
  shortest,   // one step of the shortest path
  random,     // any open neighbour
  planner,    // as shortest, but the lengths of paths are those of voxpath's planner in the voxel world
  intercept,  // along the shortest path to where the evader will be if it goes on as it went
};
std::string_view name(Pursuit pursuit);

class Pursuer {
 public:
  Pursuer() = default;
  Pursuer(const Pursuer&) = delete;
  Pursuer& operator=(const Pursuer&) = delete;
  virtual ~Pursuer() = default;
  virtual Cell step(Cell self, Cell evader) = 0;
  /// Whether it decides by where the two are alone: then a position that comes again comes for ever.
  [[nodiscard]] virtual bool forgetful() const { return true; }
};

std::unique_ptr<Pursuer> make_pursuer(Pursuit pursuit, const Maze& maze, RandomStream& random);

/// The first neighbour in order that is one step nearer to the place that `distances` were counted from. Along shortest paths this is the
/// step that a breadth-first search takes which looks at neighbours in that order and keeps the parent that it found first: within a
/// layer it meets cells in the order of the first steps that lead to them.
Cell downhill(const Maze& maze, const Distances& distances, Cell self);

/// Lengths of paths as voxpath's planner finds them by breadth-first search; each is held against the maze's own.
struct PlannerTally {
  std::uint64_t paths = 0;
  std::uint64_t other_length = 0;  // paths that were not as long as the maze's own search says
};
std::unique_ptr<Pursuer> make_planner_pursuer(const Maze& maze, PlannerTally& tally);

}  // namespace voxpath::server::lab
