// What the world store costs: edits in worlds of different sizes, taking a snapshot, building sections, and the memory
// of a column. Two rows per edit: `warm` edits a few chunks over and over, whose path through the chunk map stays in
// the processor's caches; `cold` edits chunks all over the world, so that a big world pays for fetching from memory
// what it edits, and a small one does not.
#include "world/world.hpp"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

namespace voxpath::world {
namespace {

constexpr Heights kHeights{.min_y = -64, .height = 384};

struct Terrain {
  std::vector<PaletteEntry> entries;

  explicit Terrain(World& world) {
    entries.push_back({});
    for (int i = 0; i < 40; ++i) {
      const auto id = world.states().intern("minecraft:block_" + std::to_string(i), full_cube_traits());
      entries.push_back({*id, full_cube_traits()});
    }
  }

  /// Like a column of the 1.18 overworld: deep and common stone with ores and caves, a few kinds of block at the
  /// surface, air above.
  [[nodiscard]] Ref<Chunk> column(unsigned seed) const {
    auto chunk = make_ref<Chunk>(kHeights.min_y, kHeights.height);
    for (int sy = -4; sy <= 4; ++sy) {
      const unsigned kinds = sy == 4 ? 6 : 14;
      std::vector<std::uint16_t> indices(kSectionVolume);
      for (std::size_t i = 0; i < indices.size(); ++i) {
        seed = seed * 1664525u + 1013904223u;
        indices[i] = static_cast<std::uint16_t>((seed >> 24) < 60 ? (seed >> 16) % kinds : 1);
      }
      chunk->set_section(sy, make_ref<Section>(entries, indices));
    }
    return chunk;
  }
};

/// Ten columns that differ, put again and again: the sections are shared, so that 100,000 chunks fit, but every chunk
/// is its own.
std::unique_ptr<World> world_of(int chunks) {
  auto world = std::make_unique<World>(kHeights);
  const Terrain terrain(*world);
  std::vector<Ref<Chunk>> columns;
  for (unsigned i = 0; i < 10; ++i) columns.push_back(terrain.column(i));
  const int side = static_cast<int>(std::ceil(std::sqrt(chunks)));
  std::vector<Change> changes;
  for (int i = 0; i < chunks; ++i) {
    changes.push_back(PutChunk{{i % side - side / 2, i / side - side / 2},
                               make_ref<Chunk>(*columns[static_cast<std::size_t>(i) % 10])});
  }
  const auto done = world->apply(changes);
  return done ? std::move(world) : nullptr;
}

std::vector<BlockPos> places(int chunks, int wanted) {
  const int side = static_cast<int>(std::ceil(std::sqrt(chunks)));
  std::vector<BlockPos> result;
  unsigned seed = 1;
  for (int k = 0; k < wanted; ++k) {
    seed = seed * 1664525u + 1013904223u;
    const int i = static_cast<int>((seed >> 8) % static_cast<unsigned>(chunks));
    result.push_back(
        {(i % side - side / 2) * 16 + k % 16, 60 - k / 256 % 100, (i / side - side / 2) * 16 + k / 16 % 16});
  }
  return result;
}

void edit(benchmark::State& run, int wanted_places) {
  const int chunks = static_cast<int>(run.range(0));
  const auto world = world_of(chunks);
  const auto where = places(chunks, wanted_places);
  std::size_t i = 0;
  StateId next = 1;
  for (auto _ : run) {
    const Change change = SetBlock{where[i], next};
    auto done = world->apply({&change, 1});
    benchmark::DoNotOptimize(done);
    if (++i == where.size()) {
      i = 0;
      next = next % 40 + 1;
    }
  }
}

void EditOneBlockWarm(benchmark::State& run) { edit(run, 8); }
void EditOneBlockCold(benchmark::State& run) { edit(run, 50'000); }
BENCHMARK(EditOneBlockWarm)->Arg(10)->Arg(1'000)->Arg(100'000);
BENCHMARK(EditOneBlockCold)->Arg(10)->Arg(1'000)->Arg(100'000);

void FindBlock(benchmark::State& run) {
  const int chunks = static_cast<int>(run.range(0));
  const auto world = world_of(chunks);
  const auto where = places(chunks, 8);
  const auto now = world->snapshot();
  std::size_t i = 0;
  for (auto _ : run) benchmark::DoNotOptimize(now->block(where[++i % where.size()]));
}
BENCHMARK(FindBlock)->Arg(10)->Arg(1'000)->Arg(100'000);

void TakeSnapshot(benchmark::State& run) {
  static std::unique_ptr<World> world;
  if (run.thread_index() == 0) world = world_of(10);
  for (auto _ : run) benchmark::DoNotOptimize(world->snapshot());
}
BENCHMARK(TakeSnapshot)->Threads(1)->Threads(2);

void BuildSection(benchmark::State& run) {
  World world(kHeights);
  std::vector<PaletteEntry> palette;
  for (int i = 0; i < run.range(0); ++i) {
    palette.push_back({*world.states().intern("b" + std::to_string(i), full_cube_traits()), full_cube_traits()});
  }
  std::vector<std::uint16_t> indices(kSectionVolume);
  for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<std::uint16_t>(i % palette.size());
  for (auto _ : run) benchmark::DoNotOptimize(Section(palette, indices));
}
BENCHMARK(BuildSection)->Arg(1)->Arg(16)->Arg(200)->Arg(4096);

/// No time is of interest here, only the counter: bytes of one column as it is stored, and of the map's share in it.
void MemoryOfAColumn(benchmark::State& run) {
  World world(kHeights);
  const Terrain terrain(world);
  const auto column = terrain.column(1);
  for (auto _ : run) benchmark::DoNotOptimize(column->memory_bytes());
  run.counters["bytes"] = static_cast<double>(column->memory_bytes());
}
BENCHMARK(MemoryOfAColumn);

}  // namespace
}  // namespace voxpath::world
