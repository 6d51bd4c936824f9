#include "pathfinding/horde_search.hpp"
#include "tests/bench/workloads/workloads.hpp"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace voxpath::bench {

namespace {

constexpr double kRadius = 48;       // blocks around the target
constexpr std::size_t kTargets = 8;  // one after another

/// With repetition: there are more mobs than places.
std::vector<pathfinding::Place> mobs_around(const Land& land, world::BlockPos target, std::size_t count,
                                            Random& random) {
  std::vector<pathfinding::Place> near, mobs;
  for (const world::BlockPos& p : land.places) {
    if (std::hypot(p.x - target.x, p.z - target.z) <= kRadius) near.emplace_back(p);
  }
  while (mobs.size() < count) mobs.push_back(near[random() % near.size()]);
  return mobs;
}

class Comparison {
 public:
  explicit Comparison(const Land& land) : land_(land) {}

  void measure(std::size_t count) {
    Random random(count);
    for (std::size_t i = 0; i < kTargets; ++i) {
      const world::BlockPos target = land_.places[i * 37 % land_.places.size()];
      query_.goal = pathfinding::GoalPlaces{{target}};
      const auto mobs = mobs_around(land_, target, count, random);
      Samples unseen;
      ask_alone(mobs, unseen);
      ask_together(mobs, unseen);
      shared_ += horde_.shared();
      const std::int64_t cost = ask_together(mobs, together_);
      if (cost != ask_alone(mobs, alone_))
        throw std::runtime_error("a horde's paths cost other than those of single mobs");
    }
  }
  [[nodiscard]] const Samples& together() const { return together_; }
  [[nodiscard]] const Samples& alone() const { return alone_; }
  [[nodiscard]] std::size_t shared() const { return shared_; }

 private:
  std::int64_t ask_together(const std::vector<pathfinding::Place>& mobs, Samples& samples) {
    const CpuTime time;
    const auto begun = horde_.begin(land_.world->snapshot(), query_, mobs, {.expansions = pathfinding::kExpansionsMax});
    if (!begun) throw std::runtime_error(begun.error().message);
    while (!horde_.advance(pathfinding::kExpansionsMax)) {
    }
    const auto answers = horde_.answers();
    const double each = time.us() / static_cast<double>(mobs.size());
    std::int64_t cost = 0;
    for (const pathfinding::Answer& answer : answers) {
      samples.add(each, answer);
      cost += answer.cost;
    }
    samples.expanded.clear();  // one search's for all
    return cost;
  }

  std::int64_t ask_alone(const std::vector<pathfinding::Place>& mobs, Samples& samples) {
    std::int64_t cost = 0;
    for (const pathfinding::Place& mob : mobs) {
      query_.start = mob;
      cost += ask(search_, land_, query_, samples).cost;
    }
    return cost;
  }

  const Land& land_;
  pathfinding::Query query_;
  pathfinding::HordeSearch horde_;
  pathfinding::Search search_;
  Samples together_, alone_;
  std::size_t shared_ = 0;
};

std::string mobs_text(std::size_t count) { return count == 1 ? "1 mob" : fmt::format("{} mobs", count); }

void measure_land(Figures& figures, const std::string& where, const Land& land) {
  for (const std::size_t count : {std::size_t{1}, std::size_t{10}, std::size_t{100}, std::size_t{1'000}}) {
    Comparison comparison(land);
    comparison.measure(count);
    const double share =
        static_cast<double>(comparison.shared()) / static_cast<double>(comparison.together().us.size());
    figures.add("W9", fmt::format("{}, {}, together", where, mobs_text(count)), comparison.together(),
                {.shared_percent = share * 100, .note = {}});
    figures.add("W9", fmt::format("{}, {}, each alone", where, mobs_text(count)), comparison.alone());
  }
}

}  // namespace

void measure_hordes(Figures& figures) {
  Land terrain = terrain_land(9, {.x = 16, .z = 16});
  derive_all(terrain);
  terrain.places = connected_places(terrain, 1'500, 1);
  measure_land(figures, "terrain", terrain);
  Land caves = cave_land(9, {.x = 16, .z = 16});
  derive_all(caves);
  caves.places = connected_places(caves, 1'500, 1);
  measure_land(figures, "caves", caves);
}

}  // namespace voxpath::bench
