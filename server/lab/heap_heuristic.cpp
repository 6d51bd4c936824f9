#include "server/lab/heap_heuristic.hpp"

#include "pathfinding/search.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <stdexcept>

#include <fmt/format.h>

namespace voxpath::server::lab {

namespace {

constexpr std::size_t kOurs = kPublishedVariants.size();
constexpr std::size_t kList = 2, kHeap = 3;  // the two Chebyshev variants among the columns
constexpr double kClaimedLessPercent = 66.6;
constexpr int kClaimedSize = 200;

/// Processor time of this thread: what others do on the machine does not count.
double now_ms() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) / 1e6;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// voxpath's planner in the same grid made of blocks.
class Ours {
 public:
  explicit Ours(const Grid& grid) : world_(voxel_square(grid.size(), [&](Cell c) { return !grid.free(c); })) {
    query_.start = world::BlockPos{grid.start().x, kMazeFloor, grid.start().y};
    query_.goal = pathfinding::GoalPlaces{{world::BlockPos{grid.goal().x, kMazeFloor, grid.goal().y}}};
    query_.exact = true;  // as all others here; beyond some hundred blocks it would be put together from shorter ways
  }
  GridPath search() {
    if (auto s = search_.begin(world_, query_, {.expansions = pathfinding::kExpansionsMax}); !s)
      throw std::runtime_error(s.error().message);
    while (!search_.advance(pathfinding::kExpansionsMax)) {
    }
    const pathfinding::Answer answer = search_.answer();
    GridPath path;
    path.visited = static_cast<int>(answer.statistics.expanded);
    if (answer.status != pathfinding::AnswerStatus::found) return path;
    for (const pathfinding::Waypoint& w : answer.path) path.cells.push_back({w.cell.x, w.cell.z});
    return path;
  }

 private:
  world::Ref<const world::Snapshot> world_;
  pathfinding::Query query_;
  pathfinding::Search search_;
};

struct Samples {
  std::vector<double> ms;
  double visited = 0, over = 0, turns = 0;
  int cheapest = 0, count = 0;

  void add(const GridPath& path, double took_ms, double optimum) {
    constexpr double kRounding = 1e-6;
    ms.push_back(took_ms);
    visited += path.visited;
    over += (path.cost() / optimum - 1) * 100;
    turns += path.turns();
    cheapest += path.cost() < optimum + kRounding;
    ++count;
  }
  [[nodiscard]] StudyCell cell() const {
    return {.ms = median(ms),
            .visited = visited / count,
            .over_optimum = over / count,
            .turns = turns / count,
            .cheapest = cheapest};
  }
};

StudyRow run_row(int size, int percent, int seeds) {
  std::array<Samples, kStudyColumns> samples;
  std::vector<double> first;
  for (int seed = 0; seed < seeds; ++seed) {
    RandomStream random(static_cast<std::uint32_t>(seed + 1));
    const Grid grid = Grid::connected(size, percent, random);
    const double optimum = search_grid(grid, GridVariant::dijkstra).cost();
    for (std::size_t v = 0; v < kPublishedVariants.size(); ++v) {
      const double from = now_ms();
      const GridPath path = search_grid(grid, kPublishedVariants.at(v));
      samples.at(v).add(path, now_ms() - from, optimum);
    }
    Ours ours(grid);
    double from = now_ms();
    GridPath path = ours.search();
    first.push_back(now_ms() - from);
    from = now_ms();
    path = ours.search();
    samples[kOurs].add(path, now_ms() - from, optimum);
  }
  StudyRow row{.size = size, .percent = percent, .seeds = seeds, .cells = {}, .first_ms = median(first)};
  for (std::size_t v = 0; v < kStudyColumns; ++v) row.cells.at(v) = samples.at(v).cell();
  return row;
}

/// The mean over rows of one size (0: all) of what `value` says.
template <class F>
double mean(const Study& study, int size, const F& value) {
  double sum = 0;
  int count = 0;
  for (const StudyRow& row : study.rows) {
    if (size != 0 && row.size != size) continue;
    sum += value(row);
    ++count;
  }
  return count == 0 ? 0 : sum / count;
}

int judged_size(const Study& study) {
  int nearest = 0;
  for (const StudyRow& row : study.rows) {
    if (nearest == 0 || std::abs(row.size - kClaimedSize) < std::abs(nearest - kClaimedSize)) nearest = row.size;
  }
  return nearest;
}

Claim judge_time(const Study& study) {
  const int size = judged_size(study);
  const double less =
      mean(study, size, [](const StudyRow& r) { return (1 - r.cells[kHeap].ms / r.cells[kList].ms) * 100; });
  const char* const verdict = size != kClaimedSize          ? "not measured at that size"
                              : less >= kClaimedLessPercent ? "holds"
                                                            : "does not hold";
  return {fmt::format("{} % less time than Chebyshev with a list on {} x {}", kClaimedLessPercent, kClaimedSize,
                      kClaimedSize),
          fmt::format("{} ({:.1f} % less on {} x {})", verdict, less, size, size),
          "A list is looked through at every step, so that each node costs as much as the frontier is long, which "
          "grows with the side; a heap "
          "costs its logarithm. The gain therefore is no constant: it grows with the grid, and on small ones there is "
          "little to gain."};
}

Claim judge_visited(const Study& study) {
  const double to_list =
      mean(study, 0, [](const StudyRow& r) { return r.cells[kHeap].visited / r.cells[kList].visited; });
  const double to_manhattan =
      mean(study, 0, [](const StudyRow& r) { return r.cells[kHeap].visited / r.cells[0].visited; });
  return {"more nodes visited",
          fmt::format("{} ({:.2f} x those of Manhattan with a list, {:.2f} x those of Chebyshev with a list)",
                      to_manhattan > 1.01 ? "holds beside Manhattan" : "does not hold", to_manhattan, to_list),
          "The estimate decides which nodes are visited, not the list: with the same order of ties both Chebyshev "
          "variants visit the same ones. "
          "Manhattan counts a diagonal as 2 where it costs 1.41, runs for the goal, and visits less, at the price of "
          "dearer paths."};
}

Claim judge_smooth(const Study& study) {
  const double heap = mean(study, 0, [](const StudyRow& r) { return r.cells[kHeap].turns; });
  const double manhattan_turns = mean(study, 0, [](const StudyRow& r) { return r.cells[0].turns; });
  const double list = mean(study, 0, [](const StudyRow& r) { return r.cells[kList].turns; });
  const auto fewer = std::count_if(study.rows.begin(), study.rows.end(),
                                   [](const StudyRow& r) { return r.cells[kHeap].turns < r.cells[0].turns; });
  const bool always = fewer == static_cast<std::ptrdiff_t>(study.rows.size());
  return {"smoother paths",
          fmt::format("{} ({:.1f} turns a path; Manhattan with a list {:.1f}, Chebyshev with a list {:.1f}; fewer than "
                      "Manhattan's on {} of {} "
                      "kinds of grid)",
                      heap >= manhattan_turns ? "does not hold"
                      : always                ? "holds beside Manhattan"
                                              : "holds in part",
                      heap, manhattan_turns, list, fewer, study.rows.size()),
          "Neither heap nor estimate asks for few turns: of equally cheap paths the order of ties picks one. Cheaper "
          "paths have fewer "
          "detours to turn in, which is all that Chebyshev brings."};
}

Claim judge_cheapest(const Study& study) {
  const auto over = [&](std::size_t v) {
    return mean(study, 0, [v](const StudyRow& r) { return r.cells.at(v).over_optimum; });
  };
  return {"(not claimed) paths are the cheapest",
          fmt::format("Chebyshev yes ({:.3f} % over), Manhattan no ({:.2f} % over), voxpath {:.3f} % over", over(kHeap),
                      over(0), over(kOurs)),
          "Chebyshev never exceeds the true cost; Manhattan does with diagonals. voxpath counts a diagonal as 14 to a "
          "straight 10, not 1.41421: "
          "by its own prices its paths are the cheapest, by these they may lack a thousandth."};
}

}  // namespace

std::string column_name(std::size_t column) {
  return column == kOurs ? "voxpath" : std::string(name(kPublishedVariants.at(column)));
}

Study heap_heuristic_study(const StudyOptions& options, const StudyProgress& progress) {
  Study study;
  for (const int percent : options.percents) {
    for (const int size : options.sizes) {
      study.rows.push_back(run_row(size, percent, options.seeds));
      if (progress) progress(study.rows.back());
    }
  }
  return study;
}

std::vector<Claim> judge(const Study& study) {
  return {judge_time(study), judge_visited(study), judge_smooth(study), judge_cheapest(study)};
}

PathShapes path_shapes(int size, int percent, std::uint32_t seed) {
  RandomStream random(seed);
  PathShapes shapes{.grid = Grid::connected(size, percent, random), .paths = {}};
  for (std::size_t v = 0; v < kPublishedVariants.size(); ++v)
    shapes.paths.at(v) = search_grid(shapes.grid, kPublishedVariants.at(v));
  shapes.paths[kOurs] = Ours(shapes.grid).search();
  return shapes;
}

}  // namespace voxpath::server::lab
