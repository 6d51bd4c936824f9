// The store against a plain map of blocks: every kind of change, in random order, around the origin.
#include "store_model.hpp"
#include "world/world.hpp"

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace voxpath::world {
namespace {

constexpr int kRadius = 2;  // chunks

/// Makes a random change that the store must accept, and carries it out on the model. A list of changes can need what
/// an earlier one put.
class RandomChanges {
 public:
  RandomChanges(StoreModel& model, std::vector<PaletteEntry> states, unsigned seed)
      : model_(model), states_(std::move(states)), random_(seed) {}

  Change next() {
    const ChunkPos column{number(-kRadius, kRadius - 1), number(-kRadius, kRadius - 1)};
    const int kind = number(0, 19);
    if (!model_.columns.contains(column) || kind == 0) return put(column);
    if (kind == 1) return drop(column);
    if (kind == 2) return section(column);
    if (kind <= 5) return fill(column);
    const BlockPos p = block_of(column);
    const StateId id = any().state;
    model_.set(p, id);
    return SetBlock{p, id};
  }

 private:
  int number(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  const PaletteEntry& any() {
    return states_[static_cast<std::size_t>(number(0, static_cast<int>(states_.size()) - 1))];
  }
  BlockPos block_of(ChunkPos c) {
    return {c.x * 16 + number(0, 15), number(kTestHeights.min_y, kTestHeights.max_y()), c.z * 16 + number(0, 15)};
  }

  Change put(ChunkPos column) {
    model_.drop(column);
    model_.columns.insert(column);
    auto chunk = air_chunk();
    for (int i = 0; i < 30; ++i) {
      const BlockPos p = block_of(column);
      const PaletteEntry& entry = any();
      chunk->mutable_section(floor_div16(p.y)).set(Section::index(p.x, p.y, p.z), entry);
      model_.set(p, entry.state);
    }
    return PutChunk{column, chunk};
  }
  Change drop(ChunkPos column) {
    model_.drop(column);
    return DropChunk{column};
  }
  Change section(ChunkPos column) {
    const SectionPos at{column.x, floor_div16(block_of(column).y), column.z};
    auto section = number(0, 3) == 0 ? nullptr : make_ref<Section>(any());
    if (section) {
      for (int i = 0; i < 20; ++i) section->set(number(0, kSectionVolume - 1), any());
    }
    for (int i = 0; i < kSectionVolume; ++i) {
      model_.set({at.x * 16 + (i & 15), at.y * 16 + (i >> 8), at.z * 16 + (i >> 4 & 15)},
                 section ? section->at(i).state : kAirState);
    }
    return SetSection{at, section};
  }
  /// Every third box is a whole number of sections, the rest reach into neighbour columns where those are known.
  Change fill(ChunkPos column) {
    Box box{block_of(column), block_of(column)};
    for (const auto axis : {&BlockPos::x, &BlockPos::y, &BlockPos::z}) {
      if (box.min.*axis > box.max.*axis) std::swap(box.min.*axis, box.max.*axis);
    }
    if (number(0, 2) == 0) {
      for (const auto axis : {&BlockPos::x, &BlockPos::y, &BlockPos::z}) {
        box.min.*axis = floor_div16(box.min.*axis) * 16;
        box.max.*axis = floor_div16(box.max.*axis) * 16 + 15;
      }
    } else if (model_.columns.contains({column.x + 1, column.z})) {
      box.max.x += 16;
    }
    const StateId id = number(0, 2) == 0 ? kAirState : any().state;
    for (int x = box.min.x; x <= box.max.x; ++x) {
      for (int y = box.min.y; y <= box.max.y; ++y) {
        for (int z = box.min.z; z <= box.max.z; ++z) model_.set({x, y, z}, id);
      }
    }
    return FillBox{box, id};
  }

  StoreModel& model_;
  std::vector<PaletteEntry> states_;
  std::mt19937 random_;
};

TEST(StoreEdits, RandomSequencesAgreeWithTheModelAndOldSnapshotsStay) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    World world(kTestHeights);
    std::vector<PaletteEntry> states{{}};
    for (int i = 0; i < 40; ++i) states.push_back(state(world.states(), fmt::format("block_{}", i)));
    StoreModel model;
    RandomChanges changes(model, states, seed);
    std::vector<std::pair<Ref<const Snapshot>, StoreModel>> kept;
    std::mt19937 random(seed);
    for (std::uint64_t version = 1; version <= 60; ++version) {
      std::vector<Change> batch;
      for (auto n = random() % 12; n > 0; --n) batch.push_back(changes.next());
      ASSERT_EQ(must(world, batch).version, version);
      const auto now = world.snapshot();
      ASSERT_EQ(now->version(), version);
      ASSERT_TRUE(version % 10 != 0 || model.equals(*now, kRadius));
      if (version % 15 == 0) kept.emplace_back(now, model);
    }
    for (const auto& [snapshot, as_it_was] : kept) ASSERT_TRUE(as_it_was.equals(*snapshot, kRadius));
  }
}

/// Which sections differ between two snapshots, looked at block by block; a column that is missing in just one of them
/// differs everywhere.
std::vector<SectionPos> differing(const Snapshot& a, const Snapshot& b) {
  std::vector<SectionPos> result;
  for (int x = -kRadius; x < kRadius; ++x) {
    for (int y = floor_div16(kTestHeights.min_y); y <= floor_div16(kTestHeights.max_y()); ++y) {
      for (int z = -kRadius; z < kRadius; ++z) {
        bool differs = false;
        for (int i = 0; i < kSectionVolume && !differs; ++i) {
          const BlockPos p{x * 16 + (i & 15), y * 16 + (i >> 8), z * 16 + (i >> 4 & 15)};
          const PaletteEntry* one = a.block(p);
          const PaletteEntry* other = b.block(p);
          differs = one == nullptr || other == nullptr ? one != other : *one != *other;
        }
        if (differs) result.push_back({x, y, z});
      }
    }
  }
  return result;
}

TEST(StoreEdits, TouchedNamesEverySectionThatDiffersSortedAndOnce) {
  for (unsigned seed = 100; seed < 103; ++seed) {
    World world(kTestHeights);
    std::vector<PaletteEntry> states{{}, state(world.states(), "stone"), state(world.states(), "dirt")};
    StoreModel model;
    RandomChanges changes(model, states, seed);
    for (int step = 0; step < 60; ++step) {
      const auto before = world.snapshot();
      const auto touched = must(world, {changes.next(), changes.next()}).touched;
      EXPECT_TRUE(std::is_sorted(touched.begin(), touched.end()));
      EXPECT_EQ(std::adjacent_find(touched.begin(), touched.end()), touched.end());
      const auto expected = differing(*before, *world.snapshot());
      ASSERT_TRUE(std::includes(touched.begin(), touched.end(), expected.begin(), expected.end()))
          << "seed " << seed << ", step " << step;
    }
  }
}

TEST(StoreEdits, TouchedIsEmptyWhereNothingChanges) {
  World world(kTestHeights);
  const auto stone = state(world.states(), "stone");
  must(world, {PutChunk{{0, 0}, air_chunk()}, FillBox{{{0, 0, 0}, {15, 15, 15}}, stone.state}});
  const std::vector<std::pair<const char*, Change>> cases{
      {"set air to air", SetBlock{{3, 20, 3}, kAirState}},
      {"set stone to stone", SetBlock{{3, 3, 3}, stone.state}},
      {"fill a section with what it is", FillBox{{{0, 0, 0}, {15, 15, 15}}, stone.state}},
      {"fill part of a section with what it is", FillBox{{{1, 1, 1}, {9, 9, 9}}, stone.state}},
      {"fill air with air", FillBox{{{0, 16, 0}, {15, 63, 15}}, kAirState}},
      {"set a section to what it is", SetSection{{0, 0, 0}, make_ref<Section>(stone)}},
      {"set an air section to none", SetSection{{0, 1, 0}, nullptr}},
      {"set an air section to air", SetSection{{0, 1, 0}, make_ref<Section>()}},
      {"drop a chunk that is missing", DropChunk{{5, 5}}},
  };
  for (const auto& [name, change] : cases) {
    const auto before = world.snapshot();
    EXPECT_TRUE(must(world, {change}).touched.empty()) << name;
    EXPECT_EQ(world.snapshot()->chunk({0, 0})->section(0), before->chunk({0, 0})->section(0)) << name << ": was copied";
  }
}

TEST(StoreEdits, WholeColumnIsTouchedWhenPutOrDropped) {
  World world(kTestHeights);
  const std::size_t sections = kTestHeights.height / kSectionSize;
  EXPECT_EQ(must(world, {PutChunk{{-3, 7}, air_chunk()}}).touched.size(), sections);
  EXPECT_EQ(must(world, {DropChunk{{-3, 7}}}).touched.size(), sections);
}

TEST(StoreEdits, ChangesOfOneListAreAppliedInOrder) {
  World world(kTestHeights);
  const auto stone = state(world.states(), "stone");
  const auto dirt = state(world.states(), "dirt");
  must(world, {PutChunk{{0, 0}, air_chunk()}, SetBlock{{1, 1, 1}, stone.state}, SetBlock{{1, 1, 1}, dirt.state},
               FillBox{{{2, 2, 2}, {4, 4, 4}}, stone.state}, SetBlock{{3, 3, 3}, kAirState},
               PutChunk{{1, 0}, air_chunk()}, SetBlock{{17, 0, 0}, stone.state}, PutChunk{{1, 0}, air_chunk()}});
  const auto now = world.snapshot();
  EXPECT_EQ(*now->block({1, 1, 1}), dirt);
  EXPECT_EQ(*now->block({2, 2, 2}), stone);
  EXPECT_EQ(*now->block({3, 3, 3}), PaletteEntry{});
  EXPECT_EQ(*now->block({17, 0, 0}), PaletteEntry{});
}

TEST(StoreEdits, OneChunkPutInTwoPlacesGoesTwoWays) {
  World world(kTestHeights);
  const auto stone = state(world.states(), "stone");
  const auto chunk = air_chunk();
  must(world, {PutChunk{{0, 0}, chunk}, PutChunk{{-1, -1}, chunk}, SetBlock{{-1, -1, -1}, stone.state}});
  EXPECT_EQ(*world.snapshot()->block({-1, -1, -1}), stone);
  EXPECT_EQ(*world.snapshot()->block({15, -1, 15}), PaletteEntry{});
  EXPECT_EQ(chunk->section(-1), nullptr) << "the giver's chunk is not written to";
}

TEST(StoreEdits, SectionThatWasGivenCanBeChangedByTheGiver) {
  World world(kTestHeights);
  const auto stone = state(world.states(), "stone");
  const auto section = make_ref<Section>(stone);
  must(world, {PutChunk{{0, 0}, air_chunk()}, SetSection{{0, 0, 0}, section}});
  section->set(0, {});
  EXPECT_EQ(*world.snapshot()->block({0, 0, 0}), stone);
}

TEST(StoreEdits, AnEmptyListPublishesAVersion) {
  World world(kTestHeights);
  const auto done = must(world, {});
  EXPECT_EQ(done.version, 1u);
  EXPECT_TRUE(done.touched.empty());
  EXPECT_EQ(world.snapshot()->version(), 1u);
}

TEST(StoreEdits, SnapshotsOutliveTheirWorld) {
  Ref<const Snapshot> kept;
  {
    World world(kTestHeights);
    const auto stone = state(world.states(), "stone");
    must(world, {PutChunk{{0, 0}, air_chunk()}, SetBlock{{0, 0, 0}, stone.state}});
    kept = world.snapshot();
  }
  EXPECT_EQ(kept->states().at(kept->block({0, 0, 0})->state).text, "minecraft:stone");
}

TEST(StoreEdits, AnEditCopiesOneSectionAndSharesAllElse) {
  World world(kTestHeights);
  const auto stone = state(world.states(), "stone");
  for (int x = 0; x < 20; ++x)
    must(world, {PutChunk{{x, 0}, air_chunk()}, FillBox{{{x * 16, -64, 0}, {x * 16 + 15, 0, 15}}, stone.state}});
  const auto before = world.snapshot();
  must(world, {SetBlock{{5, -30, 5}, kAirState}});
  const auto after = world.snapshot();
  for (int x = 1; x < 20; ++x) EXPECT_EQ(before->chunk({x, 0}), after->chunk({x, 0}));
  for (int y = -4; y < 4; ++y) {
    const bool edited = y == -2;
    EXPECT_EQ(before->chunk({0, 0})->section(y) != after->chunk({0, 0})->section(y), edited) << y;
  }
}

}  // namespace
}  // namespace voxpath::world
