// The Heap-Heuristic study, repeated: four ways to do A* on grids beside voxpath's planner, and what was claimed for the fourth.
// Thread-safety: free functions. Reproducible: all but the times.
// Usage: auto study = heap_heuristic_study({.sizes = {20, 50}, .seeds = 30}, progress); for (const Claim& c : judge(study)) ...
#pragma once

#include "server/lab/grid_search.hpp"

#include <functional>
#include <string>
#include <vector>

namespace voxpath::server::lab {

inline constexpr int kStudySeedsMax = 1'000;
inline constexpr int kStudyPercentMax = 40;                                  // with more, hardly a grid hangs together
inline constexpr std::size_t kStudyColumns = kPublishedVariants.size() + 1;  // the last: voxpath

struct StudyOptions {
  std::vector<int> sizes = {20, 50, 100, 200, 350, 500};  // kGridSizeMin .. kGridSizeMax
  std::vector<int> percents = {10, 20, 30};               // of blocked cells
  int seeds = 30;
};

/// Means over the seeds, of one variant on grids of one size and rate.
struct StudyCell {
  double ms = 0;  // median, processor time
  double visited = 0;
  double over_optimum = 0;  // percent of the cost that was not needed
  double turns = 0;
  int cheapest = 0;  // grids on which the path was as cheap as can be
};
struct StudyRow {
  int size, percent, seeds;
  std::array<StudyCell, kStudyColumns> cells;
  double first_ms = 0;  // median of voxpath's first search in a world that none has looked at
};
struct Study {
  std::vector<StudyRow> rows;
};
using StudyProgress = std::function<void(const StudyRow&)>;
Study heap_heuristic_study(const StudyOptions& options, const StudyProgress& progress);

[[nodiscard]] std::string column_name(std::size_t column);

struct Claim {
  std::string claim, verdict, why;
};
/// What was claimed, held against the study's own numbers.
std::vector<Claim> judge(const Study& study);

/// The same grid with the path of each column.
struct PathShapes {
  Grid grid;
  std::array<GridPath, kStudyColumns> paths;
};
PathShapes path_shapes(int size, int percent, std::uint32_t seed);

}  // namespace voxpath::server::lab
