// counted_queries: fixed work whose instructions are counted, so that noise cannot hide that something has become dearer.
// Each workload does its work once unseen, so that what searches share is there, and once counted. Run by count_instructions.py below
// `valgrind --tool=callgrind --instr-atstart=no`; writes a line for each workload: name, how many times what was done, expansions.
#include "pathfinding/engine/nav_store.hpp"
#include "pathfinding/horde_search.hpp"
#include "pathfinding/search.hpp"
#include "tests/bench/worlds/generated_lands.hpp"

#include <cstdio>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>

#include <valgrind/callgrind.h>

namespace voxpath::bench {
namespace {

using world::BlockPos;

constexpr Extent kExtent{.x = 12, .z = 12};
constexpr std::uint64_t kSeed = 7;
constexpr std::int32_t kRoomsAtY = 150;
#ifdef __clang__
constexpr const char* kCompiler = "clang++";
#else
constexpr const char* kCompiler = "g++";
#endif

struct Work {
  std::size_t units = 0;       // of what the workload is named after
  std::uint64_t expanded = 0;  // nodes
};

class Asker {
 public:
  explicit Asker(bool best_effort = true) { query_.best_effort = best_effort; }

  void ask(const Land& land, const Pair& ends, bool reachable, Work& work) {
    query_.start = ends.first;
    query_.goal = pathfinding::GoalPlaces{{ends.second}};
    const auto begun = search_.begin(land.world->snapshot(), query_, {.expansions = pathfinding::kExpansionsMax});
    if (!begun) throw std::runtime_error(begun.error().message);
    while (!search_.advance(pathfinding::kExpansionsMax)) {
    }
    const pathfinding::Answer answer = search_.answer();
    const auto wanted = reachable ? pathfinding::AnswerStatus::found : pathfinding::AnswerStatus::unreachable;
    if (answer.status != wanted) throw std::runtime_error("an answer is " + std::string(name(answer.status)));
    ++work.units;
    work.expanded += answer.statistics.expanded;
  }

 private:
  pathfinding::Query query_;
  pathfinding::Search search_;
};

void count(const char* name, const std::function<Work()>& pass) {
  pass();
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
  const Work work = pass();
  CALLGRIND_DUMP_STATS_AT(name);
  CALLGRIND_STOP_INSTRUMENTATION;
  std::printf("%s\t%zu\t%llu\n", name, work.units, static_cast<unsigned long long>(work.expanded));
}

void count_paths(const char* name, const Land& land, const std::vector<Pair>& asked) {
  derive_all(land);
  Asker asker;
  count(name, [&] {
    Work work;
    for (const Pair& ends : asked) asker.ask(land, ends, true, work);
    return work;
  });
}

void count_unreachable(const Land& land, const std::vector<BlockPos>& sealed) {
  derive_all(land);
  Asker asker(false);
  count("unreachable", [&] {
    Work work;
    for (std::size_t i = 0; i < land.places.size(); ++i) {
      asker.ask(land, {land.places[i], sealed[i % sealed.size()]}, false, work);
    }
    return work;
  });
}

void count_horde(const Land& land) {
  constexpr std::size_t kMobs = 200;
  derive_all(land);
  std::vector<pathfinding::Place> mobs;
  Random random(5);
  while (mobs.size() < kMobs) mobs.emplace_back(land.places[1 + random() % (land.places.size() - 1)]);
  pathfinding::HordeSearch horde;
  pathfinding::Query query;
  query.goal = pathfinding::GoalPlaces{{land.places[0]}};
  count("horde", [&] {
    Work work;
    const auto begun = horde.begin(land.world->snapshot(), query, mobs, {});
    if (!begun) throw std::runtime_error(begun.error().message);
    while (!horde.advance(pathfinding::kExpansionsMax)) {
    }
    for (const pathfinding::Answer& answer : horde.answers()) {
      if (answer.status != pathfinding::AnswerStatus::found) throw std::runtime_error("a mob has no path");
      ++work.units;
    }
    return work;
  });
}

/// Edits on the ground where mobs walk; the moves of all chunks that feel it are exact again after each.
void count_edits(const char* name, const Land& land) {
  constexpr std::int32_t kFelt = 2;  // blocks around an edit
  derive_all(land);
  const auto nav_class = pathfinding::NavStore::of(*land.world->snapshot())->agent_class(pathfinding::Agent());
  pathfinding::NavReader reader;
  count(name, [&] {
    Work work;
    for (const world::StateId state : {land.stone, land.air}) {
      for (const BlockPos& place : land.places) {
        land.apply({world::SetBlock{place, state}});
        const auto snapshot = land.world->snapshot();
        reader.reset(*snapshot, *nav_class);
        for (const std::int32_t dx : {-kFelt, kFelt}) {
          for (const std::int32_t dz : {-kFelt, kFelt}) {
            static_cast<void>(reader.chunk(world::chunk_of(BlockPos{place.x + dx, place.y, place.z + dz})));
          }
        }
        ++work.units;
      }
    }
    return work;
  });
}

/// Moves and regions of all chunks, for kinds of agents that nothing is known of.
void count_build(const char* name, const Land& land) {
  pathfinding::Agent agent;
  count(name, [&] {
    ++agent.cost_jump;
    Work work;
    const auto snapshot = land.world->snapshot();
    const auto nav_class = pathfinding::NavStore::of(*snapshot)->agent_class(agent);
    pathfinding::NavReader reader;
    reader.reset(*snapshot, *nav_class);
    for (std::int32_t z = 0; z < land.chunks.z; ++z) {
      for (std::int32_t x = 0; x < land.chunks.x; ++x) {
        if (!reader.regions({x, z})) throw std::runtime_error("a chunk is missing");
        ++work.units;
      }
    }
    return work;
  });
}

void count_all() {
  std::printf("# %s %s, glibc %d.%d\n", kCompiler, __VERSION__, __GLIBC__, __GLIBC_MINOR__);
  Land flat = flat_land(kSeed, kExtent);
  flat.places = connected_places(flat, 96, 1);
  count_paths("flat", flat, pairs(flat.places, 10, 60, 64, 2));

  Land maze = maze_land(kSeed, kExtent);
  maze.places = connected_places(maze, 64, 1);
  count_paths("maze", maze, pairs(maze.places, 60, 250, 64, 2));

  Land terrain = terrain_land(kSeed, kExtent);
  const std::vector<BlockPos> sealed = build_sealed_rooms(terrain, kRoomsAtY, 32, 3);
  terrain.places = connected_places(terrain, 96, 1);
  count_paths("terrain", terrain, pairs(terrain.places, 10, 60, 64, 2));
  count_paths("terrain-far", terrain, pairs(terrain.places, 120, 250, 32, 2));
  count_unreachable(terrain, sealed);
  count_horde(terrain);

  Land caves = cave_land(kSeed, {.x = 6, .z = 6});
  caves.places = connected_places(caves, 64, 1);
  count_paths("caves", caves, pairs(caves.places, 10, 60, 32, 2));

  count_build("build", terrain);
  count_build("build-plain", flat);
  count_edits("edit", terrain);
  count_edits("edit-plain", flat);
}

}  // namespace
}  // namespace voxpath::bench

int main() {
  try {
    voxpath::bench::count_all();
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "counted_queries: %s\n", fault.what());
    return 1;
  }
}
