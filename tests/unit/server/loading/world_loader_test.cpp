// Whole world folders, real ones where the shared data is present.
#include "server/loading/world_loader.hpp"

#include "server/loading/terminal_progress.hpp"
#include "tests/support/shared_data.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace voxpath::server {
namespace {

struct RealWorld {
  const char* folder;
  std::int64_t loaded;
  std::int64_t skipped;
  world::Heights heights;
};
void PrintTo(const RealWorld& w, std::ostream* os) { *os << w.folder; }

class RealWorlds : public ::testing::TestWithParam<RealWorld> {};

TEST_P(RealWorlds, LoadsEveryFinishedChunk) {
  const std::filesystem::path folder = test::shared_dir() / "worlds" / GetParam().folder;
  VOXPATH_NEEDS_SHARED(folder);
  const auto loaded = load_world(folder, {}, 2, {});
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto snapshot = loaded->world->snapshot();
  EXPECT_EQ(loaded->report.loaded, GetParam().loaded) << loaded->summary();
  EXPECT_EQ(static_cast<std::int64_t>(snapshot->chunks().size()), GetParam().loaded);
  EXPECT_EQ(loaded->report.skipped_total(), GetParam().skipped) << loaded->summary();
  EXPECT_TRUE(loaded->report.damaged.empty()) << loaded->summary();
  EXPECT_TRUE(loaded->report.unknown_blocks.empty()) << loaded->summary();
  EXPECT_TRUE(loaded->report.sections_outside.empty()) << loaded->summary();
  EXPECT_EQ(snapshot->heights(), GetParam().heights);
}

constexpr world::Heights kOld{.min_y = 0, .height = 256};
constexpr world::Heights kTall{.min_y = -64, .height = 384};
INSTANTIATE_TEST_SUITE_P(Shared, RealWorlds,
                         ::testing::Values(RealWorld{"01-java1.12.2-forest", 105, 0, kOld},
                                           RealWorld{"02-java1.13.2-protochunks", 75, 114, kOld},
                                           RealWorld{"03-java1.16-mountains", 154, 0, kOld},
                                           RealWorld{"04-java1.18.1-four-regions", 144, 0, kTall},
                                           RealWorld{"05-java1.21.1-mixed-status", 16, 209, kTall},
                                           RealWorld{"06-pgm-pyramid_scheme-1.8", 36, 0, kOld},
                                           RealWorld{"07-allblocks-1.14.4", 199, 0, kOld}),
                         [](const auto& param) {
                           return std::string("World") + std::string(param.param.folder).substr(0, 2);
                         });

// Its three chunks can be read when the missing byte is taken from their sectors, and then turn out to be unfinished.
TEST(BrokenWorld, ChunksWhoseLengthIsOneTooSmallAreRead) {
  const std::filesystem::path folder = test::shared_dir() / "worlds" / "08-broken-offbyone-length";
  VOXPATH_NEEDS_SHARED(folder);
  auto loaded = load_world(folder, {}, 2, {});
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->report.listed(), 3);
  EXPECT_EQ(loaded->report.skipped["mobs_spawned"], 3) << loaded->summary();
  EXPECT_TRUE(loaded->report.damaged.empty()) << loaded->summary();
  EXPECT_EQ(loaded->report.repaired, 3) << loaded->summary();
}

std::filesystem::path fixture(const char* name) { return std::filesystem::path(VOXPATH_TEST_DATA) / "anvil" / name; }

/// Every block by its name: the numbers of states depend on which worker met them first, the world does not.
std::map<world::ChunkPos, std::vector<std::string>> blocks_of(const LoadedWorld& loaded) {
  std::map<world::ChunkPos, std::vector<std::string>> all;
  const auto snapshot = loaded.world->snapshot();
  const auto heights = snapshot->heights();
  snapshot->chunks().for_each([&](world::ChunkPos pos, const world::Chunk& chunk) {
    auto& texts = all[pos];
    for (int y = heights.min_y; y <= heights.max_y(); ++y) {
      for (int i = 0; i < 256; ++i) texts.push_back(snapshot->states().at(chunk.at(i & 15, y, i >> 4).state).text);
    }
  });
  return all;
}

TEST(WorldLoader, AnyNumberOfThreadsGivesTheSameWorldAndReport) {
  for (const char* name : {"1.8.9", "1.21.4", "compressions", "mixed-packings"}) {
    const auto one = load_world(fixture(name), {}, 1, {});
    ASSERT_TRUE(one) << one.error().message;
    EXPECT_GT(one->report.loaded, 0);
    for (const unsigned threads : {2u, 7u}) {
      const auto many = load_world(fixture(name), {}, threads, {});
      ASSERT_TRUE(many) << many.error().message;
      EXPECT_EQ(many->report.text(), one->report.text());
      EXPECT_EQ(blocks_of(*many), blocks_of(*one)) << name << " " << threads;
    }
  }
}

TEST(WorldLoader, ProgressEndsAtTheWhole) {
  LoadProgress last;
  int calls = 0;
  const auto loaded = load_world(fixture("compressions"), {}, 1, [&](const LoadProgress& p) {
    EXPECT_LE(p.bytes_done, p.bytes_total);
    last = p;
    ++calls;
  });
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(calls, 6);  // five chunks, and the file
  EXPECT_EQ(last.files_done, 1u);
  EXPECT_EQ(last.bytes_done, last.bytes_total);
  EXPECT_EQ(last.chunks_done, 5);
}

TEST(WorldLoader, RefusesWhatItCannotDo) {
  EXPECT_FALSE(load_world(fixture("1.8.9"), {}, 0, {}));
  EXPECT_FALSE(load_world(fixture("1.8.9"), {}, kLoadThreadsMax + 1, {}));
  EXPECT_FALSE(load_world(fixture("no such world"), {}, 1, {}));
  world::LoadOptions options;
  options.heights = world::Heights{.min_y = 3, .height = 16};
  EXPECT_FALSE(load_world(fixture("1.8.9"), options, 1, {}));
  options = {};
  options.block_overrides = "not toml";
  EXPECT_FALSE(load_world(fixture("1.8.9"), options, 1, {}));
}

TEST(WorldLoader, SectionsOutsideGivenHeightsAreReported) {
  world::LoadOptions options;
  options.heights = world::Heights{.min_y = 0, .height = 64};
  const auto loaded = load_world(fixture("1.21.4"), options, 2, {});
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_FALSE(loaded->report.sections_outside.empty());
  EXPECT_THAT(loaded->summary(), ::testing::HasSubstr("outside the world's heights"));
}

TEST(TerminalProgress, DrawsABar) {
  const LoadProgress half{.files_done = 3, .files_total = 6, .bytes_done = 50, .bytes_total = 100, .chunks_done = 1234};
  EXPECT_EQ(TerminalProgress::line(half), "[###############...............]  50 %  3/6 region files, 1234 chunks");
  EXPECT_THAT(TerminalProgress::line({}), ::testing::HasSubstr("100 %"));  // nothing to load is loaded
}

}  // namespace
}  // namespace voxpath::server
