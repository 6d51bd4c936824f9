// What a chunk's DataVersion is called, and the choice of a value by its name.
#include "world/blocks/block_table.hpp"
#include "world/choice.hpp"

#include <gtest/gtest.h>

namespace voxpath::world {
namespace {

TEST(VersionName, ExactBetweenAndBeyond) {
  EXPECT_EQ(BlockTable::version_name(1343), "1.12.2");
  EXPECT_EQ(BlockTable::version_name(3700), "1.20.4");
  EXPECT_EQ(BlockTable::version_name(1'000'000), "after " + std::string(BlockTable::versions().back()));
  EXPECT_EQ(BlockTable::version_name(0), "1.8 or older") << "chunks that name none";
  EXPECT_EQ(BlockTable::version_name(169), "1.8..1.12.2") << "1.9 itself has no table";
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
