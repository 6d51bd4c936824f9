// The same questions have the same answers, to the last bit of every field, whatever the compiler and the build type: one number stands
// for them all. Whoever changes what the planner answers, how it breaks ties, or what is generated, commits the number that is printed.
#include "pathfinding/engine/nav_store.hpp"
#include "pathfinding/profiles.hpp"
#include "tests/property/answer_fields.hpp"
#include "tests/property/random_cases.hpp"
#include "world/generate/terrain.hpp"

#include <array>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace voxpath::judge {
namespace {

using pathfinding::Algorithm;
using pathfinding::Heuristic;
using world::BlockPos;
using world::ChunkPos;

constexpr std::uint64_t kAnswersHash = 3'881'173'693'704'518'479ULL;
constexpr std::uint64_t kTerrainHash = 698'747'523'267'164'333ULL;
constexpr world::Heights kHeights{.min_y = -64, .height = 384};
constexpr int kChunksAround = 4;

using ChunkMaker = world::Ref<world::Chunk> (*)(std::uint64_t, ChunkPos, world::Heights, world::StateRegistry&,
                                                const world::BlockTable&);

std::unique_ptr<world::World> generated(ChunkMaker make, std::uint64_t seed) {
  auto made = std::make_unique<world::World>(kHeights);
  const auto table = world::BlockTable::for_version(world::BlockTable::versions().back());
  std::vector<world::Change> changes;
  for (int x = -kChunksAround; x < kChunksAround; ++x) {
    for (int z = -kChunksAround; z < kChunksAround; ++z) {
      changes.emplace_back(world::PutChunk{{x, z}, make(seed, {x, z}, kHeights, made->states(), *table)});
    }
  }
  EXPECT_TRUE(made->apply(changes).ok());
  return made;
}

pathfinding::Goal goal_of(int kind, const world::Vec3& to) {
  const BlockPos cell = world::cell_of(to);
  switch (kind) {
    case 0:
      return pathfinding::GoalRadius{to, 2.5};
    case 1:
      return pathfinding::GoalColumn{cell.x, cell.z};
    case 2:
      return pathfinding::GoalLevel{cell.y + 1};
    case 3:
      return pathfinding::GoalNextTo{cell};
    case 4:
      return pathfinding::GoalFlee{{to, {0, 64, 0}}, 40.5};
    case 5:
      return pathfinding::GoalSight{{to.x, to.y + 1.3, to.z}, 12};
    default:
      return pathfinding::GoalPlaces{{to, BlockPos{cell.x + 5, cell.y, cell.z - 7}}};
  }
}

/// Has all regions of the world found, and which of them reach which.
void know_regions(const world::Snapshot& snapshot, const pathfinding::Agent& agent) {
  constexpr std::uint64_t kPlenty = 1'000'000'000;
  const auto nav_class = pathfinding::NavStore::of(snapshot)->agent_class(agent);
  pathfinding::NavReader reader;
  reader.reset(snapshot, *nav_class);
  nav_class->index().with([&](pathfinding::RegionIndex& index) { index.pay(reader, kPlenty); });
}

enum class Regions : std::uint8_t { as_they_come, known };

/// `count` questions by every ready-made mob in turn, to every kind of goal, by every algorithm and heuristic.
std::uint64_t hash_of_generated(ChunkMaker make, std::uint64_t seed, int count, std::uint64_t hash,
                                Regions regions = Regions::as_they_come) {
  constexpr int kReach = 16 * kChunksAround - 4;
  constexpr std::uint32_t kBudget = 3'000;
  const auto made = generated(make, seed);
  const auto mobs = pathfinding::profiles();
  Random random(seed);
  pathfinding::Search search;
  for (int i = 0; i < count; ++i) {
    const auto place = [&] {
      const int x = random.between(-kReach, kReach);
      const int z = random.between(-kReach, kReach);
      const int y = world::generated_ground(seed, x, z, kHeights) + 1;
      return world::Vec3{x + random.below(16) / 16.0, static_cast<double>(y), z + random.below(16) / 16.0};
    };
    pathfinding::Query query;
    query.agent = mobs[static_cast<std::size_t>(i) % mobs.size()].agent;
    query.start = place();
    query.goal = goal_of(i % 9, place());
    query.algorithm = static_cast<Algorithm>(i % 5 < 3 ? 0 : i % 5 - 2);
    query.heuristic = static_cast<Heuristic>(i % 4);
    query.simplify = static_cast<pathfinding::Simplify>(i % 3);
    if (regions == Regions::known && query.agent.mode == pathfinding::Mode::walk)
      know_regions(*made->snapshot(), query.agent);
    hash = hash_of(all_fields(ask(search, made->snapshot(), query, kBudget)), hash);
  }
  return hash;
}

std::uint64_t hash_of_random_worlds(std::uint64_t worlds, std::uint64_t hash) {
  pathfinding::Search search;
  for (std::uint64_t seed = 1; seed <= worlds; ++seed) {
    const PreparedCase prepared(case_with_questions(seed));
    for (const pathfinding::Query& query : prepared.queries)
      hash = hash_of(all_fields(ask(search, prepared.snapshot, query)), hash);
  }
  return hash;
}

TEST(Determinism, EveryAnswerIsTheOneThatOtherBuildsGave) {
  std::uint64_t hash = hash_of_generated(world::generate_terrain_chunk, 7, 120, hash_of(""));
  hash = hash_of_generated(world::generate_maze_chunk, 7, 60, hash);
  hash = hash_of_random_worlds(60, hash);
  EXPECT_EQ(hash, kAnswersHash);
}

TEST(Determinism, WhatIsKnownOfRegionsChangesNoAnswer) {
  for (const ChunkMaker make : {world::generate_terrain_chunk, world::generate_maze_chunk}) {
    EXPECT_EQ(hash_of_generated(make, 11, 180, hash_of("")),
              hash_of_generated(make, 11, 180, hash_of(""), Regions::known));
  }
}

TEST(Determinism, EveryGeneratedBlockIsTheOneThatOtherBuildsMade) {
  std::uint64_t hash = hash_of("");
  for (const ChunkMaker make : {world::generate_terrain_chunk, world::generate_maze_chunk}) {
    for (const std::uint64_t seed : {1ULL, 7ULL, 123'456'789ULL}) {
      const auto made = generated(make, seed);
      const auto snapshot = made->snapshot();
      // Every seventh column of the generated square, from the ground up and a little below it.
      for (int x = -16 * kChunksAround; x < 16 * kChunksAround; x += 7) {
        for (int z = -16 * kChunksAround; z < 16 * kChunksAround; z += 3) {
          const int ground = world::generated_ground(seed, x, z, kHeights);
          for (int y = ground - 8; y < ground + 16; ++y)
            hash = hash_of(snapshot->states().at(snapshot->block({x, y, z})->state).text, hash);
        }
      }
    }
  }
  EXPECT_EQ(hash, kTerrainHash);
}

}  // namespace
}  // namespace voxpath::judge
