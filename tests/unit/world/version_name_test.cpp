// What a chunk's DataVersion is called, and the choice of a value by its name.
#include "world/blocks/block_table.hpp"
#include "world/blocks/release_names.hpp"
#include "world/choice.hpp"

#include <gtest/gtest.h>

namespace voxpath::world {
namespace {

TEST(ReleaseName, ExactBetweenAndBeyond) {
  EXPECT_EQ(release_name(1343), "1.12.2");
  EXPECT_EQ(release_name(3700), "1.20.4");
  EXPECT_EQ(release_name(2730), "1.17.1") << "which has no block table";
  EXPECT_EQ(release_name(169), "1.9");
  EXPECT_EQ(release_name(2729), "1.17..1.17.1") << "a snapshot";
  EXPECT_EQ(release_name(100), "1.8..1.9");
  EXPECT_EQ(release_name(0), "1.8 or older") << "chunks that name none";
  EXPECT_EQ(release_name(1'000'000), "after " + std::string(BlockTable::versions().back()));
}

TEST(ReleaseName, TheTableThatIsReadWith) {
  for (const std::int32_t data_version : {1976, 2586, 2724, 2730, 3465, 3839, 4556, 1'000'000}) {
    EXPECT_EQ(BlockTable::version_for(data_version), BlockTable::for_data_version(data_version).version());
  }
  for (const std::int32_t data_version : {0, 169, 922, 1343}) {
    EXPECT_EQ(BlockTable::version_for(data_version), BlockTable::for_legacy(data_version).version());
  }
  EXPECT_EQ(BlockTable::version_for(2730), "1.18.2");
  EXPECT_EQ(BlockTable::version_for(922), "1.12.2");
}

TEST(Choose, TakesTheNameOrListsThoseThereAre) {
  constexpr std::array<std::pair<std::string_view, int>, 2> kNumbers{{{"one", 1}, {"two", 2}}};
  int value = 0;
  EXPECT_TRUE(choose(value, "--number", "two", kNumbers));
  EXPECT_EQ(value, 2);
  const auto refused = choose(value, "--number", "thr\nee", kNumbers);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "--number = \"thr?ee\": one of one, two is allowed");
  EXPECT_EQ(value, 2) << "left as it was";
}

}  // namespace
}  // namespace voxpath::world
