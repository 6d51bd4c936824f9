// Long ways over generated land (1,152 x 384 blocks): the least cost, a bounded multiple of it, and paths put together from short ones.
// Rows are to be compared with each other, in one run. over_least: cost over the least, mean; bound: cost over the lower bound that the
// answer gives.
#include "pathfinding/search.hpp"
#include "world/generate/terrain.hpp"
#include "world/world.hpp"

#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <vector>

#include <benchmark/benchmark.h>

namespace voxpath::pathfinding {
namespace {

using world::BlockPos;

constexpr world::Heights kHeights{.min_y = -64, .height = 384};
constexpr std::int32_t kChunksX = 72, kChunksZ = 24;
constexpr std::uint64_t kSeed = 7;
constexpr Limits kPlenty{.expansions = kExpansionsMax};

struct Pair {
  BlockPos from, to;
  std::int64_t least = 0;
};

struct LongLand {
  world::World world{kHeights};

  LongLand() {
    const auto table = world::BlockTable::for_version(world::BlockTable::versions().back());
    for (std::int32_t x = 0; x < kChunksX; ++x) {
      std::vector<world::Change> changes;
      for (std::int32_t z = 0; z < kChunksZ; ++z) {
        changes.emplace_back(
            world::PutChunk{{x, z}, world::generate_terrain_chunk(kSeed, {x, z}, kHeights, world.states(), *table)});
      }
      if (!world.apply(changes)) throw std::runtime_error("the land is not accepted");
    }
  }
  [[nodiscard]] BlockPos ground(std::int32_t x, std::int32_t z) const {
    return {x, world::generated_ground(kSeed, x, z, kHeights) + 1, z};
  }
  /// Places so far apart, along x, that reach each other.
  const std::vector<Pair>& pairs(std::int32_t blocks) {
    std::vector<Pair>& known = pairs_[blocks];
    std::mt19937 random(static_cast<std::uint32_t>(blocks));
    const auto up_to = [&](std::int32_t n) {
      return static_cast<std::int32_t>(random() % static_cast<std::uint32_t>(n));
    };
    while (known.size() < 24) {
      Query query;
      const std::int32_t x = 20 + up_to(kChunksX * 16 - blocks - 40);
      const BlockPos from = ground(x, 100 + up_to(184));
      const BlockPos to = ground(x + blocks, 100 + up_to(184));
      query.start = from;
      query.goal = GoalPlaces{{to}};
      query.exact = true;
      const Answer a = *search(world.snapshot(), query, kPlenty);
      if (a.status == AnswerStatus::found) known.push_back({from, to, a.cost});
    }
    return known;
  }

 private:
  std::map<std::int32_t, std::vector<Pair>> pairs_;
};
LongLand& land() {
  static LongLand made;
  return made;
}

void long_way(benchmark::State& run, bool exact, double weight) {
  LongLand& l = land();
  const auto& pairs = l.pairs(static_cast<std::int32_t>(run.range(0)));
  Search search;
  std::size_t i = 0;
  double over_least = 0, bound = 0, expanded = 0;
  for (auto _ : run) {
    const Pair& pair = pairs[i++ % pairs.size()];
    Query query;
    query.start = pair.from;
    query.goal = GoalPlaces{{pair.to}};
    query.exact = exact;
    query.weight = weight;
    if (!search.begin(l.world.snapshot(), query, kPlenty)) run.SkipWithError("not a question");
    while (!search.advance(kExpansionsMax)) {
    }
    const Answer a = search.answer();
    if (a.status != AnswerStatus::found) run.SkipWithError("a path is missing");
    over_least += static_cast<double>(a.cost) / static_cast<double>(pair.least);
    bound += static_cast<double>(a.cost) / static_cast<double>(a.lower_bound);
    expanded += a.statistics.expanded;
  }
  const auto n = static_cast<double>(i);
  run.counters["over_least"] = over_least / n;
  run.counters["bound"] = bound / n;
  run.counters["expansions"] = expanded / n;
}
BENCHMARK_CAPTURE(long_way, least, true, 1.0)->Name("long/least")->Arg(256)->Arg(1000)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(long_way, divided, false, 1.0)
    ->Name("long/divided")
    ->Arg(256)
    ->Arg(1000)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(long_way, bounded_1_25, true, 1.25)
    ->Name("long/weight 1.25")
    ->Arg(256)
    ->Arg(1000)
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(long_way, bounded_2, true, 2.0)
    ->Name("long/weight 2")
    ->Arg(256)
    ->Arg(1000)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace voxpath::pathfinding
