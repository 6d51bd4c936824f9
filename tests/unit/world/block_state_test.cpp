// BlockState: what is accepted, what is refused, and that text and value agree.
#include "world/blocks/block_state.hpp"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace voxpath::world {
namespace {

using testing::HasSubstr;

struct Accepted {
  std::string_view text;
  std::string_view canonical;
};

TEST(BlockState, ParsesAndPrintsCanonically) {
  const Accepted cases[] = {
      {"stone", "minecraft:stone"},
      {"minecraft:stone", "minecraft:stone"},
      {"mymod:deep/thing.v-2", "mymod:deep/thing.v-2"},
      {"stone[]", "minecraft:stone"},
      {"oak_stairs[half=bottom,facing=east]", "minecraft:oak_stairs[facing=east,half=bottom]"},
      {"minecraft:snow[layers=3]", "minecraft:snow[layers=3]"},
      {"a:b[c=1.5,B=-1]", "a:b[B=-1,c=1.5]"},
  };
  for (const Accepted& c : cases) {
    const auto state = BlockState::parse(c.text);
    ASSERT_TRUE(state) << c.text << ": " << state.error().message;
    EXPECT_EQ(state->text(), c.canonical);
    EXPECT_EQ(*BlockState::parse(state->text()), *state);
  }
}

struct Refused {
  std::string_view text;
  std::string_view why;
};

TEST(BlockState, RefusesMalformedTextAndSaysWhy) {
  const Refused cases[] = {
      {"", "the name must be"},
      {":", "the name must be"},
      {"minecraft:", "the name must be"},
      {":stone", "the name must be"},
      {"a:b:c", "the name must be"},
      {"a/b:c", "the name must be"},
      {"sto ne", "the name must be"},
      {"[a=b]", "the name must be"},
      {"stone\n", "the name must be"},
      {"st\xC3\xB6ne", "the name must be"},
      {"stone[", "must end with ]"},
      {"stone[a=b", "must end with ]"},
      {"stone[a=b]x", "must end with ]"},
      {"stone]", "the name must be"},
      {"stone[a]", "must be key=value"},
      {"stone[=b]", "must be key=value"},
      {"stone[a=]", "must be key=value"},
      {"stone[a=b=c]", "must be key=value"},
      {"stone[a=b][c=d]", "must be key=value"},
      {"stone[,]", "must be key=value"},
      {"stone[a=b,]", "followed by nothing"},
      {"stone[a=b,a=c]", "given twice"},
  };
  for (const Refused& c : cases) {
    const auto state = BlockState::parse(c.text);
    ASSERT_FALSE(state) << c.text;
    EXPECT_EQ(state.error().code, ErrorCode::invalid_argument);
    EXPECT_THAT(state.error().message, HasSubstr(c.why)) << c.text;
  }
}

TEST(BlockState, LimitsTheTextsLength) {
  const std::string longest(kBlockStateTextMax, 'a');
  EXPECT_TRUE(BlockState::parse(longest.substr(1)));
  EXPECT_TRUE(BlockState::parse(longest));
  const auto beyond = BlockState::parse(longest + "a");
  ASSERT_FALSE(beyond);
  EXPECT_THAT(beyond.error().message, HasSubstr("513 bytes; at most 512"));
  EXPECT_LT(beyond.error().message.size(), 200U) << "a message must not repeat a huge input";
}

TEST(BlockState, MakeSortsAndKeepsTheLastOfEqualKeys) {
  const BlockState state = BlockState::make("x", {{"b", "1"}, {"a", "2"}, {"b", "3"}});
  EXPECT_EQ(state.text(), "minecraft:x[a=2,b=3]");
  EXPECT_EQ(state.property("a"), "2");
  EXPECT_EQ(state.property("b"), "3");
  EXPECT_EQ(state.property("c"), "");
}

TEST(BlockState, AnyBytesGiveAStateThatPrintsBackOrAnError) {
  std::mt19937 random(1);
  using namespace std::string_view_literals;
  constexpr std::string_view alphabet = "ab:[]=,/_-. \n\0\xFFZ09"sv;
  int accepted = 0;
  for (int i = 0; i < 200'000; ++i) {
    std::string text(random() % 14, ' ');
    for (char& c : text) c = alphabet[random() % alphabet.size()];
    const auto state = BlockState::parse(text);
    if (!state) continue;
    ++accepted;
    const auto again = BlockState::parse(state->text());
    ASSERT_TRUE(again) << text;
    ASSERT_EQ(*again, *state) << text;
  }
  EXPECT_GT(accepted, 1'000);
}

}  // namespace
}  // namespace voxpath::world
