// Maze: a square of walls and corridors seen from above, dug from a seed; and the same as a voxel world.
// Thread-safety: plain values and free functions.
// Invariants: the border is wall; directions and cells have one order, +x, -x, +y, -y and row by row, on which the published numbers rest.
#pragma once

#include "server/lab/random_stream.hpp"
#include "world/world.hpp"

#include <array>
#include <functional>
#include <vector>

namespace voxpath::server::lab {

inline constexpr int kMazeSizeMax = 201;  // cells along a side

struct Cell {
  int x = 0, y = 0;
  friend bool operator==(const Cell&, const Cell&) = default;
};
inline constexpr std::array<Cell, 4> kSteps = {{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};
inline Cell operator+(Cell a, Cell b) { return {a.x + b.x, a.y + b.y}; }

/// Which walls the openings may break: any, or only those between two corridor cells, which cannot cut a cell off.
enum class Openings { anywhere, between_corridors };

class Maze {
 public:
  /// All wall. `size`: odd, 5 .. kMazeSizeMax.
  explicit Maze(int size) : size_(size), wall_(static_cast<std::size_t>(size) * static_cast<std::size_t>(size), true) {}

  /// Digs from (1, 1), back out of dead ends, until nothing is left; then tries `openings` times to break a wall.
  static Maze dig(int size, int openings, Openings where, RandomStream& random);

  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] std::size_t index(Cell c) const {
    return static_cast<std::size_t>(c.y) * static_cast<std::size_t>(size_) + static_cast<std::size_t>(c.x);
  }
  [[nodiscard]] bool wall(Cell c) const { return wall_[index(c)]; }
  void clear(Cell c) { wall_[index(c)] = false; }
  /// Row by row.
  [[nodiscard]] std::vector<Cell> free_cells() const;
  [[nodiscard]] bool connected() const;

 private:
  int size_;
  std::vector<bool> wall_;
};

inline constexpr int kUnreached = -1;

/// How many steps each cell is from the nearest of some cells; kUnreached for walls and what is cut off. Breadth-first.
class Distances {
 public:
  explicit Distances(const Maze& maze) : maze_(&maze) {}
  /// `barred`: a cell that is taken for wall.
  void from(const std::vector<Cell>& sources, const Cell* barred = nullptr);
  void from(Cell source) { from(std::vector<Cell>{source}); }
  [[nodiscard]] int at(Cell c) const { return steps_[maze_->index(c)]; }

 private:
  const Maze* maze_;
  std::vector<int> steps_;
  std::vector<Cell> queue_;
};

inline constexpr int kMazeFloor = 1;  // y at which mobs stand

/// A stone floor with walls two blocks high; cell (x, y) is column (x, z = y).
[[nodiscard]] world::Ref<const world::Snapshot> voxel_square(int size, const std::function<bool(Cell)>& wall);
[[nodiscard]] world::Ref<const world::Snapshot> voxel_world(const Maze& maze);

}  // namespace voxpath::server::lab
