#include "pathfinding/engine/nav_store.hpp"
#include "tests/bench/workloads/workloads.hpp"

#include <stdexcept>

namespace voxpath::bench {

pathfinding::Answer ask(pathfinding::Search& search, const Land& land, const pathfinding::Query& query,
                        Samples& samples, std::uint32_t expansions) {
  const CpuTime time;
  const auto begun = search.begin(land.world->snapshot(), query, {.expansions = expansions});
  if (!begun) throw std::runtime_error(begun.error().message);
  while (!search.advance(expansions)) {
  }
  pathfinding::Answer answer = search.answer();
  samples.add(time.us(), answer);
  return answer;
}

Samples ask_pairs(const Land& land, const std::vector<Pair>& asked, bool best_effort, int passes) {
  pathfinding::Search search;
  pathfinding::Query query;
  query.best_effort = best_effort;
  Samples unseen, samples;
  for (int pass = 0; pass <= passes; ++pass) {
    for (const Pair& ends : asked) {
      query.start = ends.first;
      query.goal = pathfinding::GoalPlaces{{ends.second}};
      ask(search, land, query, pass == 0 ? unseen : samples);
    }
  }
  return samples;
}

void measure_caves(Figures& figures) {
  constexpr int kPasses = 3;
  constexpr std::int32_t kRoomsAtY = 60;
  Land land = cave_land(12, {.x = 16, .z = 16});
  const std::vector<world::BlockPos> sealed = build_sealed_rooms(land, kRoomsAtY, 64, 2);
  const CpuTime time;
  derive_all(land);
  const double build_us = time.us();
  const auto usage = pathfinding::NavStore::of(*land.world->snapshot())->usage();
  const auto chunks = static_cast<double>(usage.chunks);
  land.places = connected_places(land, 400, 1);
  const Extra extra{.build_us_per_chunk = build_us / chunks,
                    .bytes_per_chunk = static_cast<double>(usage.bytes) / chunks,
                    .note = {}};
  figures.add("W12", "caves, 10 to 60 blocks", ask_pairs(land, pairs(land.places, 10, 60, 200, 2), true, kPasses),
              extra);
  figures.add("W12", "caves, 120 to 250 blocks", ask_pairs(land, pairs(land.places, 120, 250, 100, 3), true, kPasses));
  std::vector<Pair> impossible;
  impossible.reserve(land.places.size());
  for (std::size_t i = 0; i < land.places.size(); ++i)
    impossible.emplace_back(land.places[i], sealed[i % sealed.size()]);
  figures.add("W12", "caves, into a closed room: the proof", ask_pairs(land, impossible, false, kPasses));
  figures.add("W12", "caves, into a closed room: and a way near it", ask_pairs(land, impossible, true, kPasses));
}

}  // namespace voxpath::bench
