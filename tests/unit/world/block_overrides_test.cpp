// A user's overrides: what they change, and what is said when they are wrong.
#include "world/blocks/block_table.hpp"
#include "world/blocks/overrides.hpp"
#include "world/blocks/trait_names.hpp"

#include <algorithm>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace voxpath::world {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

BlockTable plain() { return *BlockTable::for_version("1.21.4"); }

std::string traits_in(const BlockTable& table, std::string_view text) {
  const auto state = BlockState::parse(text);
  EXPECT_TRUE(state) << text;
  const auto traits = table.checked_traits(*state);
  return traits ? describe(*traits) : traits.error().message;
}

struct Applied {
  std::string_view name;
  std::string_view toml;
  std::vector<std::pair<std::string_view, std::string_view>> expected;  // state, traits
};

TEST(BlockOverrides, ChangeAndAddBlocks) {
  const Applied cases[] = {
      {"an empty file changes nothing", "", {{"stone", "0..16"}, {"oak_fence", "0..24"}}},
      {"an empty table of blocks too", "[block]\n", {{"stone", "0..16"}}},
      {"a new block is a full cube unless told", "[block.'mymod:machine']\n", {{"mymod:machine", "0..16"}}},
      {"a new block with everything",
       "[block.'mymod:spikes']\nbottom_px = 2\ntop_px = 8\nhazard = 'cactus'\nslow = true\nfluid = 'water'\n",
       {{"mymod:spikes", "2..8 fluid=water hazard=cactus slow"}}},
      {"inline", "[block]\n'mymod:pad' = {top_px = 1}\n", {{"mymod:pad", "0..1"}}},
      {"without extent", "[block.'mymod:flower']\ntop_px = 0\n", {{"mymod:flower", "none"}}},
      {"a climbable loses its extent", "[block.'mymod:rope']\nclimbable = true\n", {{"mymod:rope", "none climbable"}}},
      {"a known block, one field",
       "[block.oak_fence]\ntop_px = 16\n",
       {{"oak_fence[waterlogged=true]", "0..16 fluid=water"}}},
      {"a hazard taken away", "[block.'minecraft:magma_block']\nhazard = 'none'\n", {{"magma_block", "0..16"}}},
      {"some states of a known block",
       "[block.'minecraft:oak_slab[type=top]']\nhazard = 'fire'\n",
       {{"oak_slab[type=top]", "8..16 hazard=fire"}, {"oak_slab[type=bottom]", "0..8"}}},
      {"a selector sees defaults that are left out",
       "[block.'oak_slab[type=bottom]']\nslow = true\n",
       {{"oak_slab", "0..8 slow"}, {"oak_slab[type=double]", "0..16"}}},
      {"more properties win over fewer, wherever they stand",
       "[block.'snow[layers=8]']\ntop_px = 16\n[block.snow]\nbottom_px = 0\ntop_px = 1\n",
       {{"snow[layers=8]", "0..16"}, {"snow[layers=3]", "0..1"}}},
      {"of two alike the lower line wins",
       "[block.'ladder[facing=east]']\nslow = false\nhazard = 'fire'\n[block.'ladder[waterlogged=true]']\nhazard = "
       "'magma'\n",
       {{"ladder[facing=east,waterlogged=true]", "none fluid=water hazard=magma climbable"}}},
      {"like another block",
       "[block.'mymod:marble_stairs']\nlike = 'minecraft:oak_stairs'\n",
       {{"mymod:marble_stairs[facing=west,half=bottom]", "0..16 stair=west"},
        {"mymod:marble_stairs[half=top]", "0..16"}}},
      {"like a door, with a change",
       "[block.'mymod:vault_door']\nlike = 'oak_door'\ndoor = 'iron'\n",
       {{"mymod:vault_door[open=true]", "none door=iron open"}, {"mymod:vault_door", "0..16 door=iron"}}},
      {"a block of a future version",
       "[block.'minecraft:future_stone']\nlike = 'stone'\n",
       {{"future_stone", "0..16"}}},
      {"a door of one's own",
       "[block.'mymod:hatch']\ndoor = 'wooden'\n[block.'mymod:hatch[open=yes]']\nopen = true\n",
       {{"mymod:hatch", "0..16 door=wooden"}, {"mymod:hatch[open=yes]", "none door=wooden open"}}},
      {"a stair of one's own",
       "[block.'mymod:ramp[dir=n]']\nstair = 'north'\n",
       {{"mymod:ramp[dir=n]", "0..16 stair=north"}}},
  };
  for (const Applied& c : cases) {
    const auto table = plain().with_overrides(c.toml);
    ASSERT_TRUE(table) << c.name << ": " << table.error().message;
    for (const auto& [state, traits] : c.expected)
      EXPECT_EQ(traits_in(*table, state), traits) << c.name << ": " << state;
  }
}

struct Wrong {
  std::string_view toml;
  std::string_view line;
  std::string_view message;
};

TEST(BlockOverrides, NameTheLineTheValueAndTheNearestWord) {
  const Wrong cases[] = {
      {"[block.'a:b']\n\nhazzard = 'fire'\n",
       "line 3: ", "block \"a:b\": unknown key \"hazzard\" = \"fire\"; did you mean \"hazard\"?"},
      {"[block.'a:b']\nwhatever_else = 1\n",
       "line 2: ", "unknown key \"whatever_else\" = 1; known: bottom_px, climbable, door"},
      {"[block.'a:b']\nhazard = 'firre'\n", "line 2: ", "hazard = \"firre\": must be one of none, fire"},
      {"[block.'a:b']\nhazard = 'firre'\n", "line 2: ", "did you mean \"fire\"?"},
      {"[block.'a:b']\nhazard = 3\n", "line 2: ", "hazard = 3: must be one of"},
      {"[block.'a:b']\ntop_px = 25\n", "line 2: ", "top_px = 25: must be a whole number of pixels from 0 to 24"},
      {"[block.'a:b']\ntop_px = -1\n", "line 2: ", "top_px = -1: must be"},
      {"[block.'a:b']\ntop_px = 1.5\n", "line 2: ", "top_px = 1.5: must be"},
      {"[block.'a:b']\ntop_px = 'high'\n", "line 2: ", "top_px = \"high\": must be"},
      {"[block.'a:b']\nslow = 'yes'\n", "line 2: ", "slow = \"yes\": must be true or false"},
      {"[block.'a:b']\nfluid = 'oil'\n", "line 2: ", "fluid = \"oil\": must be one of none, water, lava"},
      {"[block.'a:b']\ndoor = 'woden'\n", "line 2: ", "did you mean \"wooden\"?"},
      {"[block.'a:b']\nstair = 'up'\n", "line 2: ", "stair = \"up\": must be one of none, east, west, south, north"},
      {"[block.'a:b']\nbottom_px = 16\n", "line 1: ", "block \"a:b\": bottom 16 px is not below top 16 px"},
      {"[block.oak_slab]\nbottom_px = 8\n", "line 1: ", "bottom 8 px is not below top 8 px"},
      {"[block.'a:b']\nbottom_px = 2\ntop_px = 0\n", "line 1: ", "bottom_px = 2: there is no extent, the top is 0"},
      {"[block.'a:b']\nopen = true\n", "line 1: ", "open = true: only doors and gates open"},
      {"[block.'a:b']\nclimbable = true\ntop_px = 3\n", "line 1: ", "top_px = 3: a climbable has no extent"},
      {"[block.'a:b']\nlike = 'minecraft:oak_stair'\n", "line 1: ",
       "like = \"minecraft:oak_stair\": no released version has such a block; did you mean \"oak_stairs\"?"},
      {"[block.'a:b']\nlike = 'no good'\n", "line 2: ", "like = \"no good\": must be a block's name"},
      {"[block.'a:b']\nlike = 7\n", "line 2: ", "like = 7: must be a block's name"},
      {"[block.'a:b[c=d]']\nlike = 'stone'\n", "line 1: ", "goes with a whole block"},
      {"\n[block.oak_fense]\ntop_px = 3\n",
       "line 2: ", "block \"minecraft:oak_fense\": no released version has such a block"},
      {"\n[block.oak_fense]\ntop_px = 3\n", "line 2: ", "did you mean \"oak_fence\"?"},
      {"[block.'oak_slab[typ=top]']\nslow = true\n", "line 1: ", "no property \"typ\"; it has type, waterlogged"},
      {"[block.'oak_slab[type=upper]']\nslow = true\n",
       "line 1: ", "type = \"upper\": must be one of top, bottom, double"},
      {"[block.'oak_slab[type']\nslow = true\n", "line 1: ", "the properties must end with ]"},
      {"[block]\nstone = 3\n", "line 2: ", "block \"stone\" = 3: must be a table"},
      {"block = 3\n", "line 1: ", "block = 3: must be a table of blocks"},
      {"[blocks.stone]\ntop_px = 3\n", "line 1: ", "unknown key \"blocks\"; did you mean \"block\"?"},
      {"[block.stone]\ntop_px = = 3\n", "line 2: ", ""},
      {"[block.stone]\n[block.stone]\n", "line 2: ", ""},
  };
  for (const Wrong& c : cases) {
    const auto table = plain().with_overrides(c.toml);
    ASSERT_FALSE(table) << c.toml;
    EXPECT_EQ(table.error().code, ErrorCode::invalid_argument) << c.toml;
    EXPECT_THAT(table.error().message, StartsWith(std::string(c.line))) << c.toml;
    EXPECT_THAT(table.error().message, HasSubstr(std::string(c.message))) << c.toml;
  }
}

TEST(BlockOverrides, LeaveTheTableTheyBuildOnAsItWas) {
  const BlockTable before = plain();
  const auto once = before.with_overrides("[block.stone]\ntop_px = 8\n");
  ASSERT_TRUE(once);
  const auto twice = once->with_overrides("[block.stone]\nslow = true\n[block.'mymod:x']\ntop_px = 3\n");
  ASSERT_TRUE(twice);
  EXPECT_EQ(traits_in(before, "stone"), "0..16");
  EXPECT_EQ(traits_in(*once, "stone"), "0..8");
  EXPECT_EQ(traits_in(*twice, "stone"), "0..8 slow");
  EXPECT_TRUE(twice->knows("mymod:x"));
  EXPECT_FALSE(once->knows("mymod:x"));
  EXPECT_EQ(twice->version(), "1.21.4");
}

TEST(BlockOverrides, AreListedWithTheVersionsBlocks) {
  const auto table =
      plain().with_overrides("[block.'mymod:gate']\nlike = 'oak_fence_gate'\n[block.stone]\nslow = true\n");
  ASSERT_TRUE(table);
  const auto names = table->block_names();
  EXPECT_EQ(names.size(), plain().block_names().size() + 1);
  EXPECT_EQ(std::count(names.begin(), names.end(), "mymod:gate"), 1);
  EXPECT_EQ(std::count(names.begin(), names.end(), "minecraft:stone"), 1);
  const auto states = table->states_of("mymod:gate");
  EXPECT_EQ(states.size(), plain().states_of("minecraft:oak_fence_gate").size());
  EXPECT_EQ(states.front().name, "mymod:gate");
  EXPECT_EQ(traits_in(*table, "mymod:gate[open=true]"), "none door=gate open");
  EXPECT_THAT(traits_in(*table, "mymod:gate[opened=true]"), HasSubstr("no property \"opened\""));
}

// Walls and cauldrons changed their properties over the years; one file must serve chunks of all ages.
TEST(BlockOverrides, AreCheckedAgainstEveryVersion) {
  constexpr std::string_view toml =
      "[block.'cobblestone_wall[east=true]']\ntop_px = 16\n[block.'cobblestone_wall[east=low]']\ntop_px = 15\n"
      "[block.'cauldron[level=3]']\nfluid = 'water'\n";
  const Status all = BlockTable::check_overrides(toml);
  ASSERT_TRUE(all) << all.error().message;
  const BlockTable old = *BlockTable::for_version("1.14.4")->with_overrides(toml);
  EXPECT_EQ(traits_in(old, "cobblestone_wall[east=true]"), "0..16");
  EXPECT_EQ(traits_in(old, "cauldron[level=3]"), "0..16 fluid=water");
  const BlockTable now = *plain().with_overrides(toml);
  EXPECT_EQ(traits_in(now, "cobblestone_wall[east=low]"), "0..15");
  EXPECT_EQ(traits_in(now, "cobblestone_wall[east=tall]"), "0..24");
  EXPECT_EQ(traits_in(now, "cauldron"), "0..16");

  const Status never = BlockTable::check_overrides("[block.'cobblestone_wall[east=high]']\ntop_px = 16\n");
  ASSERT_FALSE(never);
  EXPECT_THAT(never.error().message, HasSubstr("east = \"high\": must be one of"));
  const Status sometimes = BlockTable::check_overrides("[block.hopper]\ntop_px = 3\n");
  ASSERT_FALSE(sometimes) << "a hopper that points sideways begins at 4 px since 1.13";
  EXPECT_THAT(sometimes.error().message, HasSubstr("bottom 4 px is not below top 3 px"));
}

TEST(BlockOverrides, LimitTheTextsLength) {
  const std::string longest(kOverridesTextMax, '#');
  EXPECT_TRUE(plain().with_overrides(longest.substr(1)));
  EXPECT_TRUE(plain().with_overrides(longest));
  const auto beyond = plain().with_overrides(longest + "#");
  ASSERT_FALSE(beyond);
  EXPECT_THAT(beyond.error().message, HasSubstr("1048577 bytes of block overrides; at most 1048576"));
}

TEST(BlockOverrides, LimitTheNumberOfBlocks) {
  const auto blocks = [](std::size_t count) {
    std::string text = "[block]\n";
    for (std::size_t i = 0; i < count; ++i) text += "'m:b" + std::to_string(i) + "' = {slow = true}\n";
    return text;
  };
  EXPECT_TRUE(plain().with_overrides(blocks(kOverrideCountMax - 1)));
  EXPECT_TRUE(plain().with_overrides(blocks(kOverrideCountMax)));
  const auto beyond = plain().with_overrides(blocks(kOverrideCountMax + 1));
  ASSERT_FALSE(beyond);
  EXPECT_THAT(beyond.error().message, HasSubstr("line 1: 4097 blocks; at most 4096"));
}

// Nobody can list the states of a block that no table knows, so overrides of some of its states may meet in one that
// was never tried.
TEST(BlockOverrides, KeepTheInvariantsWhereTheyMeet) {
  const auto table = plain().with_overrides(
      "[block.'a:b[x=1]']\nbottom_px = 10\n[block.'a:b[y=1]']\ntop_px = 8\n"
      "[block.'a:b[z=1]']\ndoor = 'iron'\nopen = true\n[block.'a:b[w=1]']\ndoor = 'none'\n");
  ASSERT_TRUE(table) << table.error().message;
  EXPECT_EQ(traits_in(*table, "a:b[x=1]"), "10..16");
  EXPECT_EQ(traits_in(*table, "a:b[y=1]"), "0..8");
  EXPECT_EQ(traits_in(*table, "a:b[x=1,y=1]"), "0..8");
  EXPECT_EQ(traits_in(*table, "a:b[z=1]"), "none door=iron open");
  EXPECT_EQ(traits_in(*table, "a:b[w=1,z=1]"), "none");
}

TEST(BlockOverrides, AMangledFileGivesATableOrAnErrorWithALine) {
  constexpr std::string_view good =
      "[block.'mymod:spikes']\nbottom_px = 2\ntop_px = 8\nhazard = 'cactus'\n[block.\"oak_slab[type=top]\"]\nslow = "
      "true\nopen = false\n";
  std::mt19937 random(7);
  int refused = 0;
  for (int i = 0; i < 3'000; ++i) {
    std::string text(good);
    for (std::size_t n = 1 + random() % 3; n > 0; --n) {
      const std::size_t at = random() % text.size();
      if (random() % 2 == 0) {
        text.erase(at, 1 + random() % 4);
      } else {
        text.insert(at, 1, "[]'\"=.\n#{}0x\xC3\0"[random() % 14]);
      }
    }
    const auto table = plain().with_overrides(text);
    if (table) continue;
    ++refused;
    ASSERT_THAT(table.error().message, StartsWith("line ")) << text;
  }
  EXPECT_GT(refused, 1'000);
}

}  // namespace
}  // namespace voxpath::world
