#include "world/store/world_store.hpp"

#include "tests/support/scratch_folder.hpp"
#include "tests/unit/world/store/stored_world_model.hpp"
#include "world/store/lmdb_environment.hpp"
#include "world/store/stored_chunks.hpp"

#include <fstream>
#include <functional>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace voxpath::world {
namespace {

using test::memory_folder;
using test::ScratchFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::uint64_t kSize = 16u << 20;

std::unique_ptr<WorldStore> open_store(const std::filesystem::path& folder, std::uint64_t size = kSize) {
  auto store = WorldStore::open(folder, size);
  if (!store) throw std::runtime_error(store.error().message);
  return *std::move(store);
}

RestoredWorld load(WorldStore& store, const WorldStore::TraitsOfName& traits = {}) {
  auto restored = store.load(traits);
  if (!restored) throw std::runtime_error(restored.error().message);
  return *std::move(restored);
}

/// Changes the stored value of a key, as a damaged disk would.
void change_value(const std::filesystem::path& folder, MDB_dbi LmdbEnvironment::* table, const std::string& key,
                  const std::function<std::optional<std::string>(std::string)>& change) {
  const auto environment = LmdbEnvironment::open(folder, kSize);
  ASSERT_TRUE(environment) << environment.error().message;
  Transaction transaction(**environment, true);
  const std::string value(transaction.get((*environment).get()->*table, key));
  ASSERT_FALSE(value.empty());
  if (const auto changed = change(value)) {
    transaction.put((*environment).get()->*table, key, *changed);
  } else {
    transaction.erase((*environment).get()->*table, key);
  }
  ASSERT_EQ(transaction.commit(), 0);
}
std::optional<std::string> flip(std::string value) {
  value.back() = static_cast<char>(value.back() ^ 1);
  return value;
}
std::optional<std::string> lose(const std::string&) { return std::nullopt; }

TEST(WorldStore, GivesBackWhatItWasGivenAtTheSameVersion) {
  const ScratchFolder scratch(memory_folder());
  ScriptedWorld script(5);
  for (int i = 0; i < 40; ++i) script.step();
  {
    const auto store = open_store(scratch / "store");
    EXPECT_FALSE(store->stored());
    ASSERT_TRUE(store->begin({.table = 9, .game_version = "1.20.4", .folder = "lobby"}, *script.world().snapshot()));
    for (int i = 0; i < 200; ++i) {
      const Commit commit = script.step();
      ASSERT_TRUE(store->commit(*script.world().snapshot(), commit.touched));
    }
  }
  const auto peeked = WorldStore::peek(scratch / "store");
  ASSERT_TRUE(peeked) << peeked.error().message;
  EXPECT_EQ((*peeked)->version, 241u);
  for (int again = 0; again < 2; ++again) {
    const auto store = open_store(scratch / "store");
    ASSERT_TRUE(store->stored());
    EXPECT_EQ(*store->stored(), (StoredWorld{241, kTestHeights, true, 9, "1.20.4", "lobby"}));
    const RestoredWorld restored = load(*store);
    EXPECT_THAT(restored.problems, IsEmpty());
    EXPECT_EQ(restored.world->snapshot()->version(), 241u);
    EXPECT_EQ(difference(*script.world().snapshot(), *restored.world->snapshot()), "");
  }
}

TEST(WorldStore, HoldsWorldsOfOneSectionAndOfTheGreatestHeightAtTheEndsOfTheWorld) {
  for (const Heights heights : {Heights{0, 16}, Heights{-2048, 4096}, Heights{2032, 16}}) {
    const ScratchFolder scratch(memory_folder());
    World world(heights);
    const PaletteEntry stone = state(world.states(), "stone");
    for (const ChunkPos pos : {ChunkPos{-kChunkCoordinateMax, kChunkCoordinateMax - 1}, ChunkPos{0, -1}}) {
      must(world, {PutChunk{pos, air_chunk(heights)}, SetBlock{{pos.x * 16, heights.min_y, pos.z * 16}, stone.state},
                   SetBlock{{pos.x * 16 + 15, heights.max_y(), pos.z * 16 + 15}, stone.state}});
    }
    ASSERT_TRUE(open_store(scratch / "store")->begin({}, *world.snapshot()));
    const RestoredWorld restored = load(*open_store(scratch / "store"));
    EXPECT_THAT(restored.problems, IsEmpty());
    EXPECT_EQ(difference(*world.snapshot(), *restored.world->snapshot()), "");
  }
}

TEST(WorldStore, TakesAnEmptyWorldAndOneThatHasBecomeEmpty) {
  const ScratchFolder scratch(memory_folder());
  World world(kTestHeights);
  {
    const auto store = open_store(scratch / "store");
    ASSERT_TRUE(store->begin({}, *world.snapshot()));
  }
  EXPECT_EQ(load(*open_store(scratch / "store")).world->snapshot()->version(), 0u);
  const auto store = open_store(scratch / "store");
  const Commit put = must(world, {PutChunk{{1, 2}, air_chunk()}});
  ASSERT_TRUE(store->commit(*world.snapshot(), put.touched));
  EXPECT_EQ(load(*store).world->snapshot()->chunks().size(), 1u) << "a chunk of air is not a missing one";
  const Commit drop = must(world, {DropChunk{{1, 2}}});
  ASSERT_TRUE(store->commit(*world.snapshot(), drop.touched));
  const RestoredWorld restored = load(*store);
  EXPECT_EQ(restored.world->snapshot()->version(), 2u);
  EXPECT_EQ(restored.world->snapshot()->chunks().size(), 0u);
}

TEST(WorldStore, KeepsOneNameWithTwoTraitsApartAndLooksNamesUpAnewWhereAsked) {
  const ScratchFolder scratch(memory_folder());
  World world(kTestHeights);
  const PaletteEntry old = state(world.states(), "path", extent(0, 16)),
                     now = state(world.states(), "path", extent(0, 15));
  must(world, {PutChunk{{0, 0}, air_chunk()}, SetBlock{{0, 0, 0}, old.state}, SetBlock{{1, 0, 0}, now.state}});
  ASSERT_TRUE(open_store(scratch / "store")->begin({}, *world.snapshot()));
  EXPECT_EQ(difference(*world.snapshot(), *load(*open_store(scratch / "store")).world->snapshot()), "");

  const auto anew = [](const std::string& name) -> std::optional<Traits> {
    if (name == "minecraft:path") return extent(0, 8);
    return std::nullopt;
  };
  {
    const auto store = open_store(scratch / "store");
    const RestoredWorld restored = load(*store, anew);
    EXPECT_EQ(restored.world->snapshot()->block({0, 0, 0})->traits, extent(0, 8));
    EXPECT_EQ(*restored.world->snapshot()->block({0, 0, 0}), *restored.world->snapshot()->block({1, 0, 0}));
    const Commit commit =
        must(*restored.world, {SetBlock{{2, 0, 0}, restored.world->snapshot()->block({0, 0, 0})->state}});
    ASSERT_TRUE(store->commit(*restored.world->snapshot(), commit.touched));
  }
  const RestoredWorld kept = load(*open_store(scratch / "store"));
  for (const int x : {0, 1, 2}) EXPECT_EQ(kept.world->snapshot()->block({x, 0, 0})->traits, extent(0, 8));
}

class DamagedStore : public ::testing::Test {
 protected:
  void SetUp() override {
    must(world_, {PutChunk{{0, 0}, air_chunk()}, PutChunk{{-3, 5}, air_chunk()}});
    const PaletteEntry stone = state(world_.states(), "stone"), dirt = state(world_.states(), "dirt");
    must(world_,
         {SetBlock{{1, 1, 1}, stone.state}, SetBlock{{1, 33, 1}, dirt.state}, SetBlock{{-48, -64, 80}, stone.state}});
    ASSERT_TRUE(open_store(folder_)->begin({}, *world_.snapshot()));
  }
  const ScratchFolder scratch_{memory_folder()};
  const std::filesystem::path folder_ = scratch_ / "store";
  World world_{kTestHeights};
};

TEST_F(DamagedStore, LosesTheChunkOfADamagedSectionAndNamesIt) {
  change_value(folder_, &LmdbEnvironment::sections, section_key({0, 2, 0}), flip);
  const auto store = open_store(folder_);
  const RestoredWorld restored = load(*store);
  ASSERT_EQ(restored.problems.size(), 1u);
  EXPECT_THAT(restored.problems[0], HasSubstr("section 0, 2, 0: its checksum is "));
  EXPECT_EQ(restored.chunks_damaged, 1u);
  EXPECT_EQ(restored.world->snapshot()->version(), 2u);
  EXPECT_EQ(restored.world->snapshot()->chunk({0, 0}), nullptr) << "missing, not air";
  EXPECT_NE(restored.world->snapshot()->chunk({-3, 5}), nullptr);

  // Given again, it is whole.
  const Commit put = must(*restored.world, {PutChunk{{0, 0}, air_chunk()}});
  ASSERT_TRUE(store->commit(*restored.world->snapshot(), put.touched));
  EXPECT_THAT(load(*store).problems, IsEmpty());
}

TEST_F(DamagedStore, NoticesValuesThatAreGoneOrTooManyOrStandElsewhere) {
  std::string other;
  change_value(folder_, &LmdbEnvironment::sections, section_key({-3, -4, 5}), [&](std::string value) {
    other = value;
    return std::optional(value);
  });
  change_value(folder_, &LmdbEnvironment::sections, section_key({0, 0, 0}), [&](const std::string&) { return other; });
  change_value(folder_, &LmdbEnvironment::sections, section_key({0, 2, 0}), lose);
  change_value(folder_, &LmdbEnvironment::chunks, chunk_key({-3, 5}), lose);
  EXPECT_THAT(load(*open_store(folder_)).problems,
              ElementsAre(HasSubstr("chunk -3, 5: sections without their chunk"),
                          HasSubstr("section 0, 0, 0: its checksum"), HasSubstr("section 0, 2, 0: it is gone")));
}

TEST_F(DamagedStore, LosesOnlyTheChunksOfAStateThatIsLost) {
  change_value(folder_, &LmdbEnvironment::states, state_key(2), flip);
  const RestoredWorld restored = load(*open_store(folder_));
  EXPECT_THAT(restored.problems, ElementsAre(HasSubstr("block state 2: its checksum"),
                                             HasSubstr("section 0, 2, 0: has the state 2, which is lost")));
  EXPECT_NE(restored.world->snapshot()->chunk({-3, 5}), nullptr);
}

TEST_F(DamagedStore, IsNotOpenedWhereItsWorldOrItsFormatIsNotKnown) {
  change_value(folder_, &LmdbEnvironment::world, "world", flip);
  const auto damaged = WorldStore::open(folder_, kSize);
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().code, ErrorCode::data_loss);
  EXPECT_THAT(damaged.error().message, HasSubstr("what it says of its world: its checksum"));
  change_value(folder_, &LmdbEnvironment::world, "voxpath store",
               [](const std::string&) { return std::optional<std::string>("2"); });
  const auto unknown = WorldStore::open(folder_, kSize);
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, HasSubstr("has the format 2, this version of voxpath knows 1"));
}

TEST_F(DamagedStore, CutShortIsAnErrorAndNoCrash) {
  const auto file = folder_ / "data.mdb";
  const auto whole = std::filesystem::file_size(file);
  for (const std::uintmax_t size : {whole - 4096, whole / 2, std::uintmax_t{8192}, std::uintmax_t{100}}) {
    std::filesystem::resize_file(file, size);
    const auto store = WorldStore::open(folder_, kSize);
    if (!store) {
      EXPECT_EQ(store.error().code, ErrorCode::data_loss) << store.error().message;
      continue;
    }
    const auto restored = (*store)->stored() ? (*store)->load() : Result<RestoredWorld>(Error{});
    EXPECT_TRUE(!restored || !restored->problems.empty() ||
                difference(*world_.snapshot(), *restored->world->snapshot()).empty());
  }
}

TEST(WorldStore, IsForOneUserAtATime) {
  const ScratchFolder scratch(memory_folder());
  const auto first = open_store(scratch / "store");
  const auto second = WorldStore::open(scratch / "store", kSize);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::failed_precondition);
  EXPECT_EQ(second.error().message,
            fmt::format("the store in '{}' is in use by process {}", (scratch / "store").string(), getpid()));
  ASSERT_TRUE(first->begin({}, *World(kTestHeights).snapshot()));
  EXPECT_TRUE(WorldStore::peek(scratch / "store")) << "reading is free";
}

TEST(WorldStore, SaysWhyAFolderIsNone) {
  const ScratchFolder scratch(memory_folder());
  std::ofstream(scratch / "file") << "text";
  EXPECT_FALSE(WorldStore::open(scratch / "file", kSize));
  EXPECT_EQ(WorldStore::peek(scratch / "nowhere").error().code, ErrorCode::not_found);
  std::filesystem::create_directory(scratch / "garbage");
  std::ofstream(scratch / "garbage" / "data.mdb") << std::string(20'000, 'x');
  const auto garbage = WorldStore::open(scratch / "garbage", kSize);
  ASSERT_FALSE(garbage);
  EXPECT_EQ(garbage.error().code, ErrorCode::data_loss);
}

TEST(WorldStore, ThatIsFullSaysItsLimitKeepsWhatItHasAndTakesEditsAgainWhenThereIsRoom) {
  const ScratchFolder scratch(memory_folder());
  constexpr std::uint64_t kSmall = 1u << 20;
  const auto store = open_store(scratch / "store", kSmall);
  World world(kTestHeights);
  ASSERT_TRUE(store->begin({}, *world.snapshot()));
  std::mt19937 random(3);
  const PaletteEntry stone = state(world.states(), "stone"), dirt = state(world.states(), "dirt");
  int chunks = 0;
  world::Status status = ok_status();
  std::vector<SectionPos> untold;
  while (status && chunks < 1'000) {
    auto chunk = air_chunk();
    for (int y = -4; y < 4; ++y) {
      Section section(stone);
      for (int i = 0; i < 2'000; ++i) section.set(static_cast<int>(random() % kSectionVolume), dirt);
      chunk->set_section(y, make_ref<Section>(section));
    }
    const Commit commit = must(world, {PutChunk{{chunks++, 0}, chunk}});
    untold = commit.touched;
    status = store->commit(*world.snapshot(), commit.touched);
  }
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::resource_exhausted);
  EXPECT_THAT(status.error().message, HasSubstr("is full: it has grown to its limit, 1 MiB (map_size_mib)"));
  EXPECT_EQ(load(*store).world->snapshot()->version(), world.snapshot()->version() - 1);
  EXPECT_GT(chunks, 50);

  // Dropping takes new pages, too, and must be possible all the same.
  const RestoredWorld full = load(*store);
  for (int x = 0; x < chunks - 1; ++x) {
    const Commit drop = must(*full.world, {DropChunk{{x, 0}}});
    const auto dropped = store->commit(*full.world->snapshot(), drop.touched);
    ASSERT_TRUE(dropped) << x << ": " << dropped.error().message;
  }
  EXPECT_LE(store->used_bytes(), kSmall + kSmall / 8 + (1u << 20));
  const Commit put =
      must(*full.world,
           {PutChunk{{0, 0}, air_chunk()},
            SetBlock{{0, 0, 0}, full.world->states().intern("minecraft:stone", full_cube_traits()).operator*()}});
  const auto taken = store->commit(*full.world->snapshot(), put.touched);
  ASSERT_TRUE(taken) << taken.error().message;
  EXPECT_EQ(load(*store).world->snapshot()->chunks().size(), 1u);
}

}  // namespace
}  // namespace voxpath::world
