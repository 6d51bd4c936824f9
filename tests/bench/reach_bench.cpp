// What impossible goals, hordes and edits cost on generated land (256 x 256 blocks of rolling terrain with lakes, trees, fences and slabs).
// Rows are to be compared with each other, in one run.
#include "pathfinding/engine/nav_store.hpp"
#include "pathfinding/horde_search.hpp"
#include "pathfinding/search.hpp"
#include "world/generate/terrain.hpp"
#include "world/world.hpp"

#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

namespace voxpath::pathfinding {
namespace {

using world::BlockPos;

constexpr world::Heights kHeights{.min_y = -64, .height = 384};
constexpr std::int32_t kChunks = 16;  // along a side
constexpr std::uint64_t kSeed = 7;
constexpr std::uint64_t kPlenty = 1'000'000'000;

struct Land {
  world::World world{kHeights};
  world::StateId stone = 0, air = 0;
  std::vector<BlockPos> open;    // where a zombie stands, all reaching each other
  std::vector<BlockPos> sealed;  // in closed rooms above ground

  Land() {
    const auto table = world::BlockTable::for_version(world::BlockTable::versions().back());
    std::vector<world::Change> changes;
    for (std::int32_t x = 0; x < kChunks; ++x) {
      for (std::int32_t z = 0; z < kChunks; ++z) {
        changes.emplace_back(
            world::PutChunk{{x, z}, world::generate_terrain_chunk(kSeed, {x, z}, kHeights, world.states(), *table)});
      }
    }
    stone = *world.states().intern("minecraft:stone", world::full_cube_traits());
    air = *world.states().intern("minecraft:air", {});
    std::mt19937 random(3);
    const auto at = [&] { return static_cast<std::int32_t>(random() % (kChunks * 16 - 20)) + 10; };
    for (int i = 0; i < 64; ++i) {
      const BlockPos p{at(), 150, at()};
      changes.emplace_back(world::FillBox{{{p.x - 2, 149, p.z - 2}, {p.x + 2, 153, p.z + 2}}, stone});
      changes.emplace_back(world::FillBox{{{p.x - 1, 150, p.z - 1}, {p.x + 1, 152, p.z + 1}}, air});
      sealed.push_back(p);
    }
    if (!world.apply(changes)) throw std::runtime_error("the land is not accepted");
    NavReader reader;
    const auto snapshot = world.snapshot();
    const auto nav_class = NavStore::of(*snapshot)->agent_class(Agent());
    reader.reset(*snapshot, *nav_class);
    nav_class->index().with([&](RegionIndex& index) { index.pay(reader, kPlenty); });
    BlockPos first;
    while (open.size() < 4'096) {
      const std::int32_t x = at(), z = at();
      const BlockPos p{x, world::generated_ground(kSeed, x, z, kHeights) + 1, z};
      Terrain terrain;
      terrain.reset(*snapshot, Agent());
      if (terrain.cell(p.x, p.y, p.z).node == kNoNode) continue;
      if (open.empty()) first = p;
      Reach there, back;
      nav_class->index().with([&](RegionIndex& index) {
        there = index.look(reader, first, std::vector{p});
        back = index.look(reader, p, std::vector{first});
      });
      if (there.goal == Known::yes && back.goal == Known::yes) open.push_back(p);
    }
  }
};
Land& land() {
  static Land made;
  return made;
}

/// The index alone: is there a path to a sealed room?
void look(benchmark::State& run) {
  Land& l = land();
  const auto snapshot = l.world.snapshot();
  const auto nav_class = NavStore::of(*snapshot)->agent_class(Agent());
  NavReader reader;
  reader.reset(*snapshot, *nav_class);
  std::size_t i = 0;
  for (auto _ : run) {
    const BlockPos goal = l.sealed[i % l.sealed.size()];
    Reach reach;
    nav_class->index().try_with(
        [&](RegionIndex& index) { reach = index.look(reader, l.open[i % l.open.size()], std::span(&goal, 1)); });
    if (reach.goal != Known::no) run.SkipWithError("a sealed room is said to be reached");
    ++i;
  }
}
BENCHMARK(look)->Name("unreachable/index");

/// A whole answer, asked for through Search.
void unreachable(benchmark::State& run, bool best_effort, bool edits) {
  Land& l = land();
  Search search;
  Query query;
  query.best_effort = best_effort;
  std::size_t i = 0;
  for (auto _ : run) {
    if (edits) {
      run.PauseTiming();
      const BlockPos p = l.open[i * 7 % l.open.size()];
      const auto done =
          l.world.apply(std::vector<world::Change>{world::SetBlock{{p.x, 200, p.z}, i % 2 == 0 ? l.stone : l.air}});
      if (!done) run.SkipWithError("the edit is refused");
      run.ResumeTiming();
    }
    query.start = l.open[i % l.open.size()];
    query.goal = GoalPlaces{{l.sealed[i % l.sealed.size()]}};
    static_cast<void>(search.begin(l.world.snapshot(), query, {}));
    while (!search.advance(kExpansionsMax)) {
    }
    const Answer a = search.answer();
    if (a.status == AnswerStatus::found) run.SkipWithError("a sealed room was reached");
    ++i;
  }
}
BENCHMARK_CAPTURE(unreachable, proof, false, false)->Name("unreachable/proof");
BENCHMARK_CAPTURE(unreachable, with_a_path_near, true, false)->Name("unreachable/with_a_path_near");
BENCHMARK_CAPTURE(unreachable, after_an_edit, false, true)->Name("unreachable/proof_after_an_edit");

std::vector<Place> mobs_around(const Land& l, BlockPos goal, double radius, std::size_t count) {
  std::vector<Place> mobs;
  for (std::size_t i = 0; mobs.size() < count; ++i) {
    const BlockPos p = l.open[i % l.open.size()];
    if (std::hypot(p.x - goal.x, p.z - goal.z) <= radius) mobs.emplace_back(p);
  }
  return mobs;
}

/// range(0) mobs within 48 blocks of one goal: by HordeSearch, or by a search each. Time is that of one mob.
void horde(benchmark::State& run, bool shared) {
  Land& l = land();
  constexpr double kRadius = 48;
  const auto snapshot = l.world.snapshot();
  const auto count = static_cast<std::size_t>(run.range(0));
  HordeSearch together;
  Search alone;
  Query query;
  std::size_t i = 0, by_field = 0, moves = 0;
  for (auto _ : run) {
    const BlockPos goal = l.open[i++ * 131 % l.open.size()];
    query.goal = GoalPlaces{{goal}};
    const std::vector<Place> mobs = mobs_around(l, goal, kRadius, count);
    if (shared) {
      static_cast<void>(together.begin(snapshot, query, mobs, {}));
      while (!together.advance(kExpansionsMax)) {
      }
      for (const Answer& a : together.answers()) moves += a.moves();
      by_field += together.shared();
      continue;
    }
    for (const Place& mob : mobs) {
      query.start = mob;
      static_cast<void>(alone.begin(snapshot, query, {}));
      while (!alone.advance(kExpansionsMax)) {
      }
      moves += alone.answer().moves();
    }
  }
  const auto all = static_cast<double>(run.iterations()) * static_cast<double>(count);
  run.counters["per_mob"] = benchmark::Counter(all, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  run.counters["moves"] = static_cast<double>(moves) / all;
  if (shared) run.counters["by_field"] = static_cast<double>(by_field) / all;
}
BENCHMARK_CAPTURE(horde, together, true)->Name("horde/together")->Arg(1)->Arg(10)->Arg(30)->Arg(100)->Arg(1000);
BENCHMARK_CAPTURE(horde, alone, false)->Name("horde/alone")->Arg(1)->Arg(10)->Arg(30)->Arg(100)->Arg(1000);

/// An edit on the ground, and what is derived for one kind of agent exact after it.
void edit(benchmark::State& run, bool regions) {
  Land& l = land();
  const auto nav_class = NavStore::of(*l.world.snapshot())->agent_class(Agent());
  NavReader reader;
  std::size_t i = 0, known = 0;
  for (auto _ : run) {
    const BlockPos p = l.open[i / 2 % 64];
    const auto done = l.world.apply(std::vector<world::Change>{world::SetBlock{p, i % 2 == 0 ? l.stone : l.air}});
    if (!done) run.SkipWithError("the edit is refused");
    const auto snapshot = l.world.snapshot();
    reader.reset(*snapshot, *nav_class);
    benchmark::DoNotOptimize(reader.chunk(world::chunk_of(p)));
    if (regions) {
      nav_class->index().with([&](RegionIndex& index) {
        const BlockPos other = l.open[100];
        known += index.look(reader, other, std::span(&other, 1)).goal != Known::open ? 1 : 0;
        index.pay(reader, kPlenty);
      });
    }
    ++i;
  }
  if (regions) run.counters["kept"] = static_cast<double>(known) / static_cast<double>(run.iterations());
}
BENCHMARK_CAPTURE(edit, moves, false)->Name("edit/moves");
BENCHMARK_CAPTURE(edit, moves_and_regions, true)->Name("edit/moves_and_regions");

/// From blocks to moves and regions, and labels for the whole land. Time is that of one chunk.
void build(benchmark::State& run) {
  const Land& l = land();
  Agent agent;
  std::size_t bytes = 0;
  std::int32_t i = 0;
  for (auto _ : run) {
    agent.cost_jump = 100 + i++;  // another kind of agent, for which nothing is known
    const auto snapshot = l.world.snapshot();
    const auto nav_class = NavStore::of(*snapshot)->agent_class(agent);
    NavReader reader;
    reader.reset(*snapshot, *nav_class);
    nav_class->index().with([&](RegionIndex& index) { index.pay(reader, kPlenty); });
    bytes = nav_class->usage().bytes;
  }
  run.counters["per_chunk"] = benchmark::Counter(static_cast<double>(run.iterations()) * kChunks * kChunks,
                                                 benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  run.counters["bytes_per_chunk"] = static_cast<double>(bytes) / (kChunks * kChunks);
}
BENCHMARK(build)->Name("build/moves_regions_and_index")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace voxpath::pathfinding
