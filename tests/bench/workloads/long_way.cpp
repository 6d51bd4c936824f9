#include "pathfinding/engine/nav_store.hpp"
#include "tests/bench/workloads/workloads.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace voxpath::bench {

namespace {

constexpr std::int32_t kDistance = 4'096;  // blocks
constexpr Extent kExtent{.x = kDistance / 16 + 6, .z = 16};
constexpr std::size_t kQueries = 12;

}  // namespace

std::int64_t least_cost(world::BlockPos a, world::BlockPos b) {
  const std::int64_t dx = std::abs(a.x - b.x), dz = std::abs(a.z - b.z);
  const pathfinding::Agent agent;
  return agent.cost_diagonal * std::min(dx, dz) + agent.cost_cardinal * (std::max(dx, dz) - std::min(dx, dz));
}

void measure_long_way(Figures& figures) {
  const Land land = terrain_land(11, kExtent);
  const auto heights = land.world->heights();
  const CpuTime time;
  derive_all(land);
  const double build_us = time.us();
  const auto usage = pathfinding::NavStore::of(*land.world->snapshot())->usage();
  const auto chunks = static_cast<double>(std::max<std::size_t>(usage.chunks, 1));

  Random random(11);
  const auto strip = [&](std::int32_t x) {
    return world::Box{{x, heights.min_y, 64}, {x + 31, heights.min_y + heights.height - 1, 191}};
  };
  const auto starts = random_nodes(land, strip(32), kQueries, random);
  const auto goals = random_nodes(land, strip(32 + kDistance), kQueries, random);
  pathfinding::Search search;
  pathfinding::Query query;
  for (const std::uint32_t budget : {pathfinding::kExpansionsDefault, pathfinding::kExpansionsMax}) {
    Samples unseen, samples;
    double cost = 0, bound = 0, covered = 0;
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t i = 0; i < kQueries; ++i) {
        query.start = starts[i];
        query.goal = pathfinding::GoalPlaces{{goals[i]}};
        const pathfinding::Answer answer = ask(search, land, query, pass == 0 ? unseen : samples, budget);
        if (pass == 0 || answer.path.empty()) continue;
        const world::BlockPos end = answer.path.back().cell;
        covered += 1 - std::hypot(end.x - goals[i].x, end.z - goals[i].z) /
                           std::hypot(starts[i].x - goals[i].x, starts[i].z - goals[i].z);
        cost += static_cast<double>(answer.cost);
        bound += static_cast<double>(least_cost(starts[i], end));
      }
    }
    figures.add(
        "W11", fmt::format("{} blocks, at most {} expansions", kDistance, budget), samples,
        {.build_us_per_chunk = build_us / chunks,
         .bytes_per_chunk = static_cast<double>(usage.bytes) / chunks,
         .note = fmt::format("on average {:.1f} % of the way covered, at {:.3f} of the cost of open level ground",
                             covered / static_cast<double>(kQueries) * 100, bound > 0 ? cost / bound : 0)});
  }
}

}  // namespace voxpath::bench
