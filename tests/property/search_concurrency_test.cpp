// Many threads search while the world changes under them, sharing what is worked out of it: each answer is the one that its version has, to
// the last bit.
#include "pathfinding/profiles.hpp"
#include "pathfinding/search.hpp"
#include "tests/property/answer_fields.hpp"
#include "tests/property/random_cases.hpp"
#include "world/generate/terrain.hpp"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace voxpath::judge {
namespace {

using world::BlockPos;
using world::ChunkPos;

constexpr world::Heights kHeights{.min_y = 0, .height = 128};
constexpr std::int32_t kSide = 4;  // chunks
constexpr std::uint64_t kSeed = 5;
constexpr std::size_t kSearchers = 4;
constexpr int kQuestions = 100;  // of each searcher
constexpr std::uint32_t kBudget = 4'000;

struct Asked {
  world::Ref<const world::Snapshot> snapshot;
  pathfinding::Query query;
  std::string answer;
};

class BusyWorld {
 public:
  BusyWorld() : world_(kHeights), table_(*world::BlockTable::for_version(world::BlockTable::versions().back())) {
    std::vector<world::Change> changes;
    for (int i = 0; i < kSide * kSide; ++i) changes.push_back(chunk({i % kSide, i / kSide}));
    EXPECT_TRUE(world_.apply(changes));
    stone_ = *world_.states().intern("minecraft:stone", world::full_cube_traits());
    air_ = *world_.states().intern("minecraft:air", {});
  }
  [[nodiscard]] world::Ref<const world::Snapshot> snapshot() const { return world_.snapshot(); }
  static BlockPos ground(Random& random) {
    const int x = random.between(1, kSide * 16 - 2);
    const int z = random.between(1, kSide * 16 - 2);
    return {x, world::generated_ground(kSeed, x, z, kHeights) + 1, z};
  }
  void edit(Random& random) {
    std::vector<world::Change> changes;
    const BlockPos at = ground(random);
    switch (random.below(20)) {
      case 0:
        changes.emplace_back(world::DropChunk{world::chunk_of(at)});
        break;
      case 1:
      case 2:
      case 3:
        changes.push_back(chunk(world::chunk_of(at)));
        break;
      default:
        changes.emplace_back(
            world::SetBlock{{at.x, at.y + random.between(-1, 1), at.z}, random.below(2) == 0 ? stone_ : air_});
    }
    static_cast<void>(world_.apply(changes));  // an edit of a chunk that was dropped is refused
  }

 private:
  world::Change chunk(ChunkPos pos) {
    return world::PutChunk{pos, world::generate_terrain_chunk(kSeed, pos, kHeights, world_.states(), table_)};
  }

  world::World world_;
  world::BlockTable table_;
  world::StateId stone_ = 0, air_ = 0;
};

void ask_on(const BusyWorld& world, std::uint64_t seed, std::vector<Asked>& asked) {
  Random random(seed);
  pathfinding::Search search;
  const auto mobs = pathfinding::profiles();
  for (int i = 0; i < kQuestions; ++i) {
    Asked a;
    a.query.agent = mobs[static_cast<std::size_t>(random.below(3))].agent;
    a.query.start = BusyWorld::ground(random);
    a.query.goal = pathfinding::GoalPlaces{{BusyWorld::ground(random)}};
    a.snapshot = world.snapshot();
    a.answer = all_fields(ask(search, a.snapshot, a.query, kBudget));
    asked.push_back(std::move(a));
  }
}

TEST(SearchConcurrency, EveryAnswerIsThatOfItsVersion) {
  BusyWorld world;
  std::atomic<std::size_t> at_work{kSearchers};
  std::vector<std::vector<Asked>> asked(kSearchers);
  std::vector<std::thread> searchers;
  for (std::size_t i = 0; i < kSearchers; ++i) {
    searchers.emplace_back([&, i] {
      ask_on(world, i + 1, asked[i]);
      --at_work;
    });
  }
  Random random(99);
  while (at_work > 0) {
    world.edit(random);
    std::this_thread::yield();
  }
  for (std::thread& t : searchers) t.join();

  pathfinding::Search alone;
  for (const auto& list : asked) {
    ASSERT_EQ(list.size(), static_cast<std::size_t>(kQuestions));
    for (const Asked& a : list) {
      ASSERT_EQ(all_fields(ask(alone, a.snapshot, a.query, kBudget)), a.answer) << "version " << a.snapshot->version();
    }
  }
}

}  // namespace
}  // namespace voxpath::judge
