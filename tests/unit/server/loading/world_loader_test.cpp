// Whole world folders, real ones where the shared data is present.
#include "server/loading/world_loader.hpp"

#include <filesystem>
#include <string>

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
  const std::filesystem::path folder = std::filesystem::path(VOXPATH_SHARED_DIR) / "worlds" / GetParam().folder;
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "shared data absent: " << folder;
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
  const std::filesystem::path folder =
      std::filesystem::path(VOXPATH_SHARED_DIR) / "worlds" / "08-broken-offbyone-length";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "shared data absent: " << folder;
  auto loaded = load_world(folder, {}, 2, {});
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->report.listed(), 3);
  EXPECT_EQ(loaded->report.skipped["mobs_spawned"], 3) << loaded->summary();
  EXPECT_TRUE(loaded->report.damaged.empty()) << loaded->summary();
  EXPECT_EQ(loaded->report.repaired, 3) << loaded->summary();
}

}  // namespace
}  // namespace voxpath::server
