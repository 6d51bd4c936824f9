// What regions tell of reachability is what following every move tells, through edits, chunks that come and go, and late readers.
#include "pathfinding/engine/region_index.hpp"

#include "pathfinding/engine/nav_store.hpp"
#include "pathfinding/engine/region_search.hpp"
#include "pathfinding/moves.hpp"
#include "pathfinding/profiles.hpp"
#include "pathfinding/search.hpp"
#include "world/blocks/block_table.hpp"
#include "world/world.hpp"

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace voxpath::pathfinding {
namespace {

using world::BlockPos;
using world::ChunkPos;

constexpr world::Heights kHeights{.min_y = -16, .height = 48};
constexpr int kSide = 4;  // chunks
constexpr std::uint64_t kPlenty = 1'000'000'000;

/// A floor with walls, pits and odd blocks, in many pieces.
class Maze {
 public:
  explicit Maze(unsigned seed) : world_(kHeights), random_(seed) {
    const auto table = world::BlockTable::for_data_version(3465);
    for (const char* name : {"air", "stone", "oak_slab[type=bottom]", "water[level=0]", "oak_fence",
                             "ladder[facing=north]", "oak_door[half=lower,open=false]"}) {
      const auto state = world::BlockState::parse(std::string("minecraft:") + name);
      states_.push_back(*world_.states().intern(std::string("minecraft:") + name, table.traits(*state)));
    }
    std::vector<world::Change> changes;
    for (int i = 0; i < kSide * kSide; ++i) changes.emplace_back(put({i % kSide - 1, i / kSide - 1}));
    for (int i = 0; i < 60; ++i) changes.push_back(wall());
    for (int i = 0; i < 300; ++i) changes.push_back(pebble());
    if (!world_.apply(changes)) throw std::runtime_error("the maze is not accepted");
  }

  void edit() {
    std::vector<world::Change> changes;
    switch (random_() % 8) {
      case 0:
        changes.push_back(wall());
        break;
      case 1:
        changes.emplace_back(world::DropChunk{any_chunk()});
        break;
      case 2:
        changes.emplace_back(put(any_chunk()));
        break;
      default:
        changes.push_back(pebble());
    }
    static_cast<void>(world_.apply(changes));  // one in a chunk that was dropped is refused
  }
  [[nodiscard]] world::Ref<const world::Snapshot> snapshot() const { return world_.snapshot(); }
  std::uint32_t random(std::uint32_t below) { return static_cast<std::uint32_t>(random_()) % below; }

 private:
  std::int32_t coordinate() { return static_cast<std::int32_t>(random_() % (kSide * 16)) - 16; }
  ChunkPos any_chunk() {
    return {static_cast<std::int32_t>(random(kSide)) - 1, static_cast<std::int32_t>(random(kSide)) - 1};
  }
  world::PutChunk put(ChunkPos pos) {
    auto chunk = world::make_ref<world::Chunk>(kHeights.min_y, kHeights.height);
    for (std::uint32_t i = 0; i < 256; ++i) {
      for (int y = -4; y <= 0; ++y)
        chunk->mutable_section(world::floor_div16(y))
            .set(world::Section::index(static_cast<int>(i & 15), y, static_cast<int>(i >> 4)),
                 {states_[1], world_.states().at(states_[1]).traits});
    }
    return {pos, chunk};
  }
  /// A wall or a ditch, along either axis.
  world::Change wall() {
    const BlockPos from{coordinate(), 0, coordinate()};
    const std::int32_t length = static_cast<std::int32_t>(random_() % 30);
    const bool along_x = random_() % 2 == 0;
    const bool ditch = random_() % 4 == 0;
    const std::int32_t last = kSide * 16 - 17;
    return world::FillBox{{{from.x, ditch ? -3 : 1, from.z},
                           {std::min(from.x + (along_x ? length : 0), last), ditch ? 0 : 2,
                            std::min(from.z + (along_x ? 0 : length), last)}},
                          states_[ditch ? 0 : 1]};
  }
  world::Change pebble() {
    return world::SetBlock{{coordinate(), static_cast<std::int32_t>(random_() % 6) - 2, coordinate()},
                           states_[random_() % states_.size()]};
  }

  world::World world_;
  std::mt19937 random_;
  std::vector<world::StateId> states_;
};

/// What the movement rules lead to, move by move.
struct Flood {
  std::set<BlockPos> cells;
  bool missing = false;
};
Flood flood(const world::Snapshot& snapshot, const Agent& agent, BlockPos start) {
  Terrain terrain;
  terrain.reset(snapshot, agent);
  Flood result;
  std::vector<BlockPos> waiting{start};
  result.cells.insert(start);
  while (!waiting.empty()) {
    const BlockPos at = waiting.back();
    waiting.pop_back();
    for_each_move(
        terrain, terrain.cell(at.x, at.y, at.z).node,
        [&](NodeId to_id, MoveKind, std::int64_t) {
          const Node& to = terrain.node(to_id);
          if (to.enter_price != kForbidden && result.cells.insert(to.cell).second) waiting.push_back(to.cell);
        },
        [&](ChunkPos) { result.missing = true; });
  }
  return result;
}

/// Cells of nodes, anywhere.
std::vector<BlockPos> some_nodes(Maze& maze, const world::Snapshot& snapshot, const Agent& agent, std::size_t count) {
  Terrain terrain;
  terrain.reset(snapshot, agent);
  std::vector<BlockPos> cells;
  while (cells.size() < count) {
    const BlockPos at{static_cast<std::int32_t>(maze.random(kSide * 16)) - 16,
                      static_cast<std::int32_t>(maze.random(9)) - 4,
                      static_cast<std::int32_t>(maze.random(kSide * 16)) - 16};
    if (snapshot.chunk(world::chunk_of(at)) != nullptr && terrain.cell(at.x, at.y, at.z).node != kNoNode)
      cells.push_back(at);
  }
  return cells;
}

Reach search_regions(NavReader& reader, RegionSearch& search, BlockPos start, BlockPos goal, bool back_first) {
  search.begin(reader, start, std::vector{goal});
  if (back_first) search.look_back(100'000);
  search.look_ahead(100'000);
  return search.reach();
}

struct Count {
  int no = 0, yes = 0, missing = 0, sealed = 0, at_once = 0, looks = 0;
};

void compare(Maze& maze, const world::Snapshot& snapshot, NavClass& nav_class, RegionSearch& search, Count& count) {
  NavReader reader;
  reader.reset(snapshot, nav_class);
  const Agent& agent = nav_class.agent();
  const std::vector<BlockPos> goals = some_nodes(maze, snapshot, agent, 12);
  for (const BlockPos& start : some_nodes(maze, snapshot, agent, 3)) {
    const Flood truth = flood(snapshot, agent, start);
    truth.missing ? ++count.missing : ++count.sealed;
    for (const BlockPos& goal : goals) {
      const Known reachable = truth.cells.contains(goal) ? Known::yes : Known::no;
      const Known missing = truth.missing ? Known::yes : Known::no;
      reachable == Known::yes ? ++count.yes : ++count.no;
      for (const bool back_first : {false, true}) {
        const Reach found = search_regions(reader, search, start, goal, back_first);
        ASSERT_EQ(found.goal, reachable);
        if (reachable == Known::no) {
          ASSERT_EQ(found.missing, missing);
        }
      }
      const Reach told =
          nav_class.index().with([&](RegionIndex& index) { return index.look(reader, start, std::vector{goal}); });
      ++count.looks;
      if (told.goal != Known::open) {
        ++count.at_once;
        ASSERT_EQ(told.goal, reachable);
      }
      if (told.missing != Known::open) {
        ASSERT_EQ(told.missing, missing);
      }
    }
  }
}

TEST(RegionIndex, TellsWhatEveryMoveTellsThroughEdits) {
  Count count;
  for (const char* profile : {"zombie", "villager", "iron_golem", "slime_small", "player"}) {
    Maze maze(3);
    const auto nav_class = NavStore::of(*maze.snapshot())->agent_class(*profile_agent(profile));
    RegionSearch search;
    for (int i = 0; i < 60; ++i) {
      SCOPED_TRACE(std::string(profile) + ", edit " + std::to_string(i));
      const auto snapshot = maze.snapshot();
      compare(maze, *snapshot, *nav_class, search, count);
      if (::testing::Test::HasFatalFailure()) return;
      if (i % 3 == 0) {
        NavReader reader;
        reader.reset(*snapshot, *nav_class);
        nav_class->index().with([&](RegionIndex& index) {
          index.pay(reader, kPlenty);
          const BlockPos node = some_nodes(maze, *snapshot, nav_class->agent(), 1).front();
          EXPECT_NE(index.look(reader, node, std::vector{node}).missing, Known::open) << "it was paid for";
        });
        compare(maze, *snapshot, *nav_class, search, count);
        if (::testing::Test::HasFatalFailure()) return;
      }
      maze.edit();
    }
  }
  EXPECT_GT(count.no, 1000);
  EXPECT_GT(count.yes, 1000);
  EXPECT_GT(count.missing, 100);
  EXPECT_GT(count.sealed, 20);
  EXPECT_GT(count.at_once, count.looks / 3) << "many edits change no region";
}

TEST(RegionIndex, ALateReaderOfAnOldVersionIsToldNothingWrong) {
  Maze maze(9);
  const auto old = maze.snapshot();
  const auto nav_class = NavStore::of(*old)->agent_class(Agent());
  RegionSearch search;
  RegionSearch late_search;
  Count count;
  for (int i = 0; i < 30; ++i) {
    maze.edit();
    const auto now = maze.snapshot();
    NavReader reader;
    reader.reset(*now, *nav_class);
    nav_class->index().with([&](RegionIndex& index) { index.pay(reader, kPlenty); });
    compare(maze, *now, *nav_class, search, count);
    compare(maze, *old, *nav_class, late_search, count);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(RegionIndex, IsLabelledBitByBitBetweenEdits) {
  Maze maze(5);
  const auto nav_class = NavStore::of(*maze.snapshot())->agent_class(Agent());
  RegionSearch search;
  Count count;
  for (int i = 0; i < 150; ++i) {
    SCOPED_TRACE("edit " + std::to_string(i));
    const auto snapshot = maze.snapshot();
    NavReader reader;
    reader.reset(*snapshot, *nav_class);
    // Enough to look at what has changed, but not for all labels: they are found across several edits.
    nav_class->index().with([&](RegionIndex& index) {
      index.pay(reader, i == 0 ? 1'000 * (kSide * kSide + 9) : 9'000);
      index.pay(reader, maze.random(60));
    });
    if (i % 3 == 0) compare(maze, *snapshot, *nav_class, search, count);
    if (::testing::Test::HasFatalFailure()) return;
    maze.edit();
  }
  EXPECT_GT(count.at_once, count.looks / 20);
  EXPECT_LT(count.at_once, count.looks) << "it was never on the way";
}

TEST(RegionIndex, LargeWorldsHaveNone) {
  world::World world({.min_y = 0, .height = 16});
  const auto stone = *world.states().intern("minecraft:stone", world::full_cube_traits());
  constexpr auto kChunks = static_cast<std::int32_t>(RegionIndex::kChunksMax);
  std::vector<world::Change> changes;
  for (std::int32_t i = 0; i < kChunks; ++i)
    changes.emplace_back(world::PutChunk{{i % 128, i / 128}, world::make_ref<world::Chunk>(0, 16)});
  changes.emplace_back(world::FillBox{{{0, 0, 0}, {9, 0, 9}}, stone});
  ASSERT_TRUE(world.apply(changes));
  const auto nav_class = NavStore::of(*world.snapshot())->agent_class(Agent());
  NavReader reader;
  const std::vector<BlockPos> goals{{3, 1, 3}};
  const auto told = [&](const world::Snapshot& snapshot) {
    reader.reset(snapshot, *nav_class);
    return nav_class->index().with([&](RegionIndex& index) {
      index.pay(reader, kPlenty);
      return index.look(reader, {1, 1, 1}, goals).goal;
    });
  };
  EXPECT_EQ(told(*world.snapshot()), Known::yes);
  ASSERT_TRUE(world.apply(std::vector<world::Change>{world::PutChunk{{-1, 0}, world::make_ref<world::Chunk>(0, 16)}}));
  EXPECT_EQ(told(*world.snapshot()), Known::open);
  EXPECT_EQ(nav_class->index().with([](const RegionIndex& index) { return index.memory_bytes(); }), 0u);
  ASSERT_TRUE(world.apply(std::vector<world::Change>{world::DropChunk{{-1, 0}}}));
  EXPECT_EQ(told(*world.snapshot()), Known::yes);
}

TEST(RegionIndex, WithoutOneASearchLooksAtNoMoreRegionsThanItsLimitPaysFor) {
  world::World world({.min_y = 0, .height = 16});
  const auto stone = *world.states().intern("minecraft:stone", world::full_cube_traits());
  std::vector<world::Change> changes;
  for (std::int32_t i = 0; i <= static_cast<std::int32_t>(RegionIndex::kChunksMax); ++i)
    changes.emplace_back(world::PutChunk{{i % 128, i / 128}, world::make_ref<world::Chunk>(0, 16)});
  // An island of 20 x 20 chunks in a void that is known, with a closed room.
  changes.emplace_back(world::FillBox{{{160, 0, 160}, {479, 0, 479}}, stone});
  changes.emplace_back(world::FillBox{{{300, 1, 300}, {304, 4, 304}}, stone});
  changes.emplace_back(world::FillBox{{{302, 1, 302}, {302, 2, 302}}, world::kAirState});
  ASSERT_TRUE(world.apply(changes));
  Query query;
  query.start = BlockPos{200, 1, 200};
  query.goal = GoalPlaces{{BlockPos{302, 1, 302}}};
  query.best_effort = false;
  const auto cut = search(world.snapshot(), query, {.expansions = 1'000});
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->status, AnswerStatus::partial);
  EXPECT_EQ(cut->reason, PartialReason::budget);
  const auto whole = search(world.snapshot(), query, {.expansions = 20'000});
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->status, AnswerStatus::unreachable);
}

TEST(RegionIndex, IsBuiltBitByBit) {
  Maze maze(1);
  const auto snapshot = maze.snapshot();
  const auto nav_class = NavStore::of(*snapshot)->agent_class(Agent());
  NavReader reader;
  reader.reset(*snapshot, *nav_class);
  const BlockPos node = some_nodes(maze, *snapshot, Agent(), 1).front();
  int payments = 0;
  nav_class->index().with([&](RegionIndex& index) {
    while (index.look(reader, node, std::vector{node}).goal == Known::open && ++payments < 1000)
      index.pay(reader, 2'000);
  });
  EXPECT_GT(payments, kSide * kSide / 2) << "a search does not wait for the whole world";
  EXPECT_LT(payments, 100);
}

}  // namespace
}  // namespace voxpath::pathfinding
