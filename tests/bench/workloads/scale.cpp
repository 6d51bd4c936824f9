// W14: what it costs to keep and to search a world of 1,000, 10,000 and 100,000 chunk columns.
#include "pathfinding/engine/nav_store.hpp"
#include "server/mobs/process_usage.hpp"
#include "tests/bench/workloads/workloads.hpp"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

namespace voxpath::bench {

namespace {

constexpr std::size_t kQueries = 200;
constexpr std::size_t kEdits = 400;

double memory_bytes() {
  const auto usage = server::process_usage(getpid());
  if (!usage) throw std::runtime_error("the memory in use cannot be read");
  return static_cast<double>(usage->rss_bytes);
}

void read_from(const Land& land, pathfinding::NavReader& reader) {
  const auto snapshot = land.world->snapshot();
  reader.reset(*snapshot, *pathfinding::NavStore::of(*snapshot)->agent_class(pathfinding::Agent()));
}

/// Pairs 10 to 60 blocks apart with a path, drawn from all over the land. Connected to each other the places need not be.
std::vector<Pair> neighbours(const Land& land, Random& random) {
  const auto heights = land.world->heights();
  const auto within = [&](std::int32_t x, std::int32_t z, std::int32_t side) {
    return world::Box{{x, heights.min_y, z}, {x + side, heights.min_y + heights.height - 1, z + side}};
  };
  pathfinding::Search search;
  pathfinding::Query query;
  Samples unseen;
  std::vector<Pair> found;
  while (found.size() < kQueries) {
    const auto x = static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(land.chunks.x * 16 - 64));
    const auto z = static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(land.chunks.z * 16 - 64));
    const auto ends = random_nodes(land, within(x, z, 63), 2, random);
    if (std::hypot(ends[0].x - ends[1].x, ends[0].z - ends[1].z) < 10) continue;
    query.start = ends[0];
    query.goal = pathfinding::GoalPlaces{{ends[1]}};
    if (ask(search, land, query, unseen, pathfinding::kExpansionsDefault).status == pathfinding::AnswerStatus::found)
      found.emplace_back(ends[0], ends[1]);
  }
  return found;
}

void measure_columns(Figures& figures, std::int32_t side) {
  malloc_trim(0);  // what the world before left behind
  const double before = memory_bytes();
  const CpuTime making;
  Land land = terrain_land(14, {.x = side, .z = side});
  const double columns = static_cast<double>(side) * side;
  const double making_us = making.us() / columns;
  const double world_bytes = (memory_bytes() - before) / columns;

  const CpuTime deriving;
  pathfinding::NavReader reader;
  read_from(land, reader);
  for (std::int32_t z = 0; z < side; ++z) {
    for (std::int32_t x = 0; x < side; ++x) reader.regions({x, z});
  }
  const double deriving_us = deriving.us() / columns;
  const auto usage = pathfinding::NavStore::of(*land.world->snapshot())->usage();

  Random random(14);
  const std::vector<Pair> asked = neighbours(land, random);
  const Samples samples = ask_pairs(land, asked, true, 1);
  const CpuTime editing;
  for (std::size_t i = 0; i < kEdits; ++i) {
    const world::BlockPos place = asked[i / 2].first;
    land.apply({world::SetBlock{place, i % 2 == 0 ? land.stone : land.air}});
    read_from(land, reader);
    reader.regions(world::chunk_of(place));
  }
  const double edit_us = editing.us() / static_cast<double>(kEdits);
  figures.add("W14", fmt::format("{} columns", side * side), samples,
              {.build_us_per_chunk = deriving_us,
               .bytes_per_chunk = static_cast<double>(usage.bytes) / columns,
               .edit_us = edit_us,
               .note = fmt::format(
                   "{:.0f} µs to make a column and {:.1f} KB to keep it, of the world's blocks; {:.2f} GB in all",
                   making_us, world_bytes / 1024, memory_bytes() / 1e9)});
  const std::vector<world::BlockPos> sealed = build_sealed_rooms(land, land.world->heights().min_y + 150, 32, 3);
  Samples impossible;
  pathfinding::Search search;
  pathfinding::Query query;
  query.best_effort = false;
  for (int pass = 0; pass < 2; ++pass) {
    Samples unseen;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      query.start = asked[i].first;
      query.goal = pathfinding::GoalPlaces{{sealed[i % sealed.size()]}};
      if (ask(search, land, query, pass == 0 ? unseen : impossible).status != pathfinding::AnswerStatus::unreachable)
        throw std::runtime_error("a way into a sealed room was found");
    }
  }
  figures.add("W14", fmt::format("{} columns, into closed rooms", side * side), impossible);
}

}  // namespace

void measure_scale(Figures& figures) {
  for (const std::int32_t side : {32, 100, 317}) measure_columns(figures, side);
}

}  // namespace voxpath::bench
