#include "world/anvil/world_folder.hpp"

#include "tests/support/scratch_folder.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace voxpath::world {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class WorldFolder : public ::testing::Test {
 protected:
  void file(const std::string& path) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << "";
  }
  std::string found(std::string_view dimension) {
    const auto files = list_regions(root_, dimension);
    if (!files) return files.error().message;
    std::string text;
    for (const auto& f : *files) text += fs::relative(f.path, root_).string() + " ";
    return text;
  }
  const test::ScratchFolder scratch_;
  const fs::path& root_ = scratch_.path();
};

TEST_F(WorldFolder, TheNewerPlaceWins) {
  file("r.0.0.mca");
  EXPECT_EQ(found("minecraft:overworld"), "r.0.0.mca ");
  file("region/r.1.0.mca");
  EXPECT_EQ(found("overworld"), "region/r.1.0.mca ");
  file("dimensions/minecraft/overworld/region/r.2.0.mca");
  EXPECT_EQ(found("minecraft:overworld"), "dimensions/minecraft/overworld/region/r.2.0.mca ");
}

TEST_F(WorldFolder, OtherDimensionsHaveTheirOwn) {
  file("region/r.0.0.mca");
  file("DIM-1/region/r.1.0.mca");
  file("DIM1/region/r.2.0.mca");
  file("dimensions/pack/sky/islands/region/r.3.0.mca");
  EXPECT_EQ(found("minecraft:the_nether"), "DIM-1/region/r.1.0.mca ");
  EXPECT_EQ(found("the_end"), "DIM1/region/r.2.0.mca ");
  EXPECT_EQ(found("pack:sky/islands"), "dimensions/pack/sky/islands/region/r.3.0.mca ");
}

TEST_F(WorldFolder, SortedAndWithoutOtherFiles) {
  for (const char* name : {"r.1.0.mca", "r.-1.5.mca", "r.0.-2.mca", "c.0.0.mcc", "session.lock", "r.0.0.mca.old"}) {
    file(std::string("region/") + name);
  }
  fs::create_directories(root_ / "region/r.9.9.mca");  // a folder of that name
  EXPECT_EQ(found("overworld"), "region/r.-1.5.mca region/r.0.-2.mca region/r.1.0.mca ");
}

TEST_F(WorldFolder, SaysWhereItLooked) {
  EXPECT_THAT(found("minecraft:the_end"), HasSubstr("DIM1/region"));
  EXPECT_THAT(found("minecraft:the_end"), HasSubstr("dimensions/minecraft/the_end/region"));
}

TEST_F(WorldFolder, DimensionNamesLeadNowhereElse) {
  for (const char* name : {"../x", "a:../../etc", "a:/etc", "A:b", "a:", ":b", "a:b:c", "", "a b"}) {
    const auto files = list_regions(root_, name);
    ASSERT_FALSE(files) << name;
    EXPECT_EQ(files.error().code, ErrorCode::invalid_argument) << name;
  }
  EXPECT_FALSE(list_regions(root_, std::string(300, 'a')));
}

TEST_F(WorldFolder, EmptyAndUnreadableFilesAreCounted) {
  file("r.0.0.mca");
  StateRegistry states;
  const auto files = list_regions(root_, kOverworld);
  ASSERT_TRUE(files);
  auto result = load_region(files->front(), {}, states);
  EXPECT_EQ(result.report.files, 1);
  EXPECT_EQ(result.report.empty_files, 1);
  EXPECT_TRUE(result.report.damaged_files.empty());
  fs::remove(root_ / "r.0.0.mca");
  result = load_region(files->front(), {}, states);
  ASSERT_EQ(result.report.damaged_files.size(), 1u);
  EXPECT_THAT(result.report.damaged_files[0], HasSubstr("r.0.0.mca: No such file"));
}

TEST(UsualHeights, FollowVersionAndDimension) {
  EXPECT_EQ(usual_heights("minecraft:overworld", 2865), (Heights{-64, 384}));
  EXPECT_EQ(usual_heights("overworld", 4189), (Heights{-64, 384}));
  EXPECT_EQ(usual_heights("minecraft:overworld", 2730), (Heights{0, 256}));
  EXPECT_EQ(usual_heights("minecraft:overworld", 0), (Heights{0, 256}));
  EXPECT_EQ(usual_heights("minecraft:the_nether", 4189), (Heights{0, 256}));
}

}  // namespace
}  // namespace voxpath::world
