// voxpath_store_bench: what durability costs: [edits | columns]..., all without arguments. VOXPATH_BENCH_FOLDER says on which disk.
#include "tests/bench/server/link.hpp"
#include "tests/end_to_end/daemon_fixture.hpp"
#include "world/blocks/block_table.hpp"
#include "world/generate/terrain.hpp"
#include "world/store/world_store.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace voxpath::bench {
namespace {

using std::chrono::steady_clock;

double seconds_since(steady_clock::time_point begun) {
  return std::chrono::duration<double>(steady_clock::now() - begun).count();
}

/// A folder that is empty, on the disk that is to be measured.
std::filesystem::path empty_folder() {
  const char* const given = std::getenv("VOXPATH_BENCH_FOLDER");
  auto folder = std::filesystem::path(given != nullptr ? given : ".") / "voxpath_store_bench";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

/// One block somewhere in 256 x 256: scattered, so that nearly every edit touches a section of its own.
v1::ClientFrame one_block(std::uint32_t i) {
  const std::uint32_t mixed = i * 2'654'435'761u;
  v1::ClientFrame frame;
  v1::SetBlocks& edit = *frame.mutable_set_blocks();
  edit.set_world("flat");
  v1::BlockChange& change = *edit.add_changes();
  change.mutable_at()->set_x(static_cast<int>(mixed >> 8 & 255) - 128);
  change.mutable_at()->set_z(static_cast<int>(mixed >> 16 & 255) - 128);
  change.mutable_at()->set_y(static_cast<int>(mixed >> 24 & 63));
  change.set_block(i % 2 == 0 ? "minecraft:dirt" : "minecraft:sand");
  return frame;
}

void edits() {
  fmt::print("edits of one block over loopback, one connection\n  {:<12} {:>9} {:>12} {:>10} {:>10}\n", "durability",
             "in flight", "edits/s", "p50 us", "p99 us");
  for (const auto& [name, durability] :
       {std::pair{"none", server::Durability::none}, std::pair{"async", server::Durability::async},
        std::pair{"sync", server::Durability::sync}}) {
    for (const std::uint32_t in_flight : {1u, 16u, 128u}) {
      server::Config config = test::test_config();
      config.store.folder = empty_folder();
      config.store.durability = durability;
      test::RunningDaemon daemon(config);
      Link link(daemon.port());
      const bool waits = durability == server::Durability::sync;
      (void)link.run(100, in_flight, one_block);
      const Times times = link.run(waits ? 150 * in_flight : 40'000, in_flight, one_block);
      fmt::print("  {:<12} {:>9} {:>12.0f} {:>10.1f} {:>10.1f}\n", name, in_flight, times.per_second(), times.at(0.5),
                 times.at(0.99));
    }
  }
}

/// 100 x 100 columns of rolling land, -64 to 319.
void columns() {
  constexpr int kSide = 100;
  constexpr world::Heights kHeights{-64, 384};
  const auto table = world::BlockTable::for_version(world::BlockTable::versions().back());
  world::World world(kHeights);
  std::vector<world::Change> changes;
  std::size_t memory = 0;
  for (int x = 0; x < kSide; ++x) {
    for (int z = 0; z < kSide; ++z) {
      const world::ChunkPos pos{x - kSide / 2, z - kSide / 2};
      auto chunk = world::generate_terrain_chunk(7, pos, kHeights, world.states(), *table);
      memory += chunk->memory_bytes();
      changes.emplace_back(world::PutChunk{pos, std::move(chunk)});
    }
  }
  if (!world.apply(changes)) std::abort();
  constexpr double kColumns = kSide * kSide;
  const auto folder = empty_folder() / "world";
  auto begun = steady_clock::now();
  {
    auto store = world::WorldStore::open(folder, std::uint64_t{4} << 30);
    if (!store || !(*store)->begin({}, *world.snapshot())) std::abort();
    fmt::print("{} columns of generated land\n  written in {:.2f} s; {:.0f} bytes a column on disk, {:.0f} in memory\n",
               kSide * kSide, seconds_since(begun), static_cast<double>((*store)->used_bytes()) / kColumns,
               static_cast<double>(memory) / kColumns);
  }
  for (int round = 0; round < 3; ++round) {
    begun = steady_clock::now();
    auto store = world::WorldStore::open(folder, std::uint64_t{4} << 30);
    if (!store) std::abort();
    const auto restored = (*store)->load();
    if (!restored || restored->world->snapshot()->chunks().size() != kSide * kSide) std::abort();
    const double seconds = seconds_since(begun);
    fmt::print("  read back in {:.2f} s, {:.0f} columns/s\n", seconds, kColumns / seconds);
  }
}

}  // namespace
}  // namespace voxpath::bench

int main(int argc, char** argv) {
  const auto wanted = [&](std::string_view name) {
    return argc == 1 || std::any_of(argv + 1, argv + argc, [&](const char* given) { return name == given; });
  };
  if (wanted("edits")) voxpath::bench::edits();
  if (wanted("columns")) voxpath::bench::columns();
  return 0;
}
