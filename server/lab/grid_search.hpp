// Grid search: A* on a square of free and blocked cells, as a study of open lists and estimates had it: eight directions, 1 and √2.
// Thread-safety: plain values and free functions.
// Invariants: no diagonal past a blocked cell, for all variants alike; nodes are closed for good when they are looked at, also with an
// estimate that may be too high.
#pragma once

#include "server/lab/maze.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace voxpath::server::lab {

inline constexpr int kGridSizeMin = 5, kGridSizeMax = 1'000;  // cells along a side

class Grid {
 public:
  /// Each cell blocked with this chance, but for the corners where paths begin and end. `percent`: 0 .. 60.
  Grid(int size, int percent, RandomStream& random);
  /// Drawn again until there is a way from corner to corner.
  static Grid connected(int size, int percent, RandomStream& random);

  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] bool free(Cell c) const {
    return c.x >= 0 && c.y >= 0 && c.x < size_ && c.y < size_ && !blocked_[index(c)];
  }
  [[nodiscard]] std::size_t index(Cell c) const {
    return static_cast<std::size_t>(c.y) * static_cast<std::size_t>(size_) + static_cast<std::size_t>(c.x);
  }
  [[nodiscard]] Cell start() const { return {0, 0}; }
  [[nodiscard]] Cell goal() const { return {size_ - 1, size_ - 1}; }

 private:
  int size_;
  std::vector<bool> blocked_;
};

enum class GridVariant : std::uint8_t {
  manhattan_list,       // unsorted list, looked through for the least
  manhattan_heap_sort,  // the same list, sorted by heap sort before each look
  chebyshev_list,
  chebyshev_heap,  // binary heap with decrease-key: the study's proposal
  dijkstra,        // for the optimum
};
inline constexpr std::array<GridVariant, 4> kPublishedVariants = {
    GridVariant::manhattan_list, GridVariant::manhattan_heap_sort, GridVariant::chebyshev_list,
    GridVariant::chebyshev_heap};
[[nodiscard]] std::string_view name(GridVariant variant);

struct GridPath {
  std::vector<Cell> cells;  // from the start to the goal; empty: there is none
  int visited = 0;          // cells looked at
  [[nodiscard]] double cost() const;
  /// Changes of direction.
  [[nodiscard]] int turns() const;
};
[[nodiscard]] GridPath search_grid(const Grid& grid, GridVariant variant);

}  // namespace voxpath::server::lab
