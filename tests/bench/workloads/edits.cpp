#include "tests/bench/workloads/workloads.hpp"

#include <atomic>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

namespace voxpath::bench {

namespace {

constexpr std::size_t kQueries = 200;

/// Puts stone where mobs walk and takes it away again, place after place.
class Editor {
 public:
  explicit Editor(const Land& land) : land_(land) {}
  /// One commit, as a server makes one a tick.
  void edit(std::size_t blocks) {
    std::vector<world::Change> changes;
    for (std::size_t i = 0; i < blocks; ++i, ++next_) {
      const world::BlockPos place = land_.places[next_ / 2 * 13 % land_.places.size()];
      changes.emplace_back(world::SetBlock{place, next_ % 2 == 0 ? land_.stone : land_.air});
    }
    land_.apply(changes);
  }

 private:
  const Land& land_;
  std::size_t next_ = 0;
};

void measure_between(Figures& figures, const Land& land, const std::vector<Pair>& asked, std::size_t blocks) {
  pathfinding::Search search;
  pathfinding::Query query;
  Editor editor(land);
  Samples unseen, samples;
  double edit_us = 0;
  for (int pass = 0; pass < 2; ++pass) {
    for (const Pair& ends : asked) {
      if (blocks > 0) {
        const CpuTime time;
        editor.edit(blocks);
        edit_us += pass == 0 ? 0 : time.us();
      }
      query.start = ends.first;
      query.goal = pathfinding::GoalPlaces{{ends.second}};
      ask(search, land, query, pass == 0 ? unseen : samples);
    }
  }
  const auto edits = static_cast<double>(blocks * asked.size());
  figures.add("W10", fmt::format("{} edits before each query", blocks), samples,
              {.edit_us = blocks > 0 ? edit_us / edits : -1, .note = {}});
}

/// A second thread edits without a pause; the searching thread is measured.
void measure_during(Figures& figures, const Land& land, const std::vector<Pair>& asked) {
  std::atomic<bool> over = false;
  std::atomic<std::size_t> commits = 0;
  std::atomic<bool> failed = false;
  Samples samples;
  {
    const std::jthread writer([&] {
      try {
        for (Editor editor(land); !over; ++commits) editor.edit(2);
      } catch (const std::exception&) {
        failed = true;
      }
    });
    pathfinding::Search search;
    pathfinding::Query query;
    for (const Pair& ends : asked) {
      query.start = ends.first;
      query.goal = pathfinding::GoalPlaces{{ends.second}};
      ask(search, land, query, samples);
    }
    over = true;
  }
  if (failed) throw std::runtime_error("an edit was refused");
  figures.add("W10", "a second thread edits without a pause", samples,
              {.note = fmt::format("{} commits of 2 blocks meanwhile", commits.load())});
}

}  // namespace

void measure_edits(Figures& figures) {
  Land land = terrain_land(10, {.x = 16, .z = 16});
  derive_all(land);
  land.places = connected_places(land, 600, 1);
  const std::vector<Pair> asked = pairs(land.places, 10, 60, kQueries, 2);
  for (const std::size_t blocks : {std::size_t{0}, std::size_t{2}, std::size_t{16}, std::size_t{128}}) {
    measure_between(figures, land, asked, blocks);
  }
  measure_during(figures, land, asked);
}

}  // namespace voxpath::bench
