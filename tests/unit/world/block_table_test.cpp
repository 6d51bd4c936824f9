// BlockTable: the traits that the movement contract asks for, in every version.
#include "world/blocks/block_table.hpp"

#include "world/blocks/trait_names.hpp"

#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace voxpath::world {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

BlockState state(std::string_view text) {
  auto parsed = BlockState::parse(text);
  EXPECT_TRUE(parsed) << text;
  return *parsed;
}

BlockTable table(std::string_view version) { return *BlockTable::for_version(version); }

TEST(BlockTable, HasNineVersions) {
  EXPECT_THAT(BlockTable::versions(),
              ElementsAre("1.8", "1.12.2", "1.13.2", "1.14.4", "1.16.5", "1.18.2", "1.20.4", "1.21.4", "26.1"));
  for (const std::string_view version : BlockTable::versions()) EXPECT_EQ(table(version).version(), version);
  const auto missing = BlockTable::for_version("1.7.10");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
  EXPECT_THAT(missing.error().message, HasSubstr("1.8, 1.12.2"));
}

// The numbers are minecraft-data's: states of all blocks, from its minStateId and maxStateId.
TEST(BlockTable, HasEveryStateOfTheNamedVersions) {
  const std::pair<std::string_view, std::size_t> counts[] = {{"1.13.2", 8599},  {"1.14.4", 11271}, {"1.16.5", 17112},
                                                             {"1.18.2", 20342}, {"1.20.4", 26644}, {"1.21.4", 27866},
                                                             {"26.1", 29873}};
  for (const auto& [version, count] : counts) {
    const BlockTable t = table(version);
    std::set<std::string> states;
    for (const std::string& name : t.block_names()) {
      for (const BlockState& s : t.states_of(name)) states.insert(s.text());
    }
    EXPECT_EQ(states.size(), count) << version;
    EXPECT_EQ(t.version_state_count(), count) << version;
  }
}

// 1.8 has the ids 0..197 and 1.12.2 the ids 0..252 and 255, with 16 metas each.
TEST(BlockTable, HasEveryIdAndMetaOfTheNumericVersions) {
  const std::pair<std::string_view, std::size_t> counts[] = {{"1.8", 3168}, {"1.12.2", 4064}};
  for (const auto& [version, count] : counts) {
    const BlockTable t = table(version);
    const std::vector<std::string> names = t.block_names();
    std::size_t found = 0;
    for (std::uint32_t id = 0; id < 4096; ++id) {
      for (std::uint32_t meta = 0; meta < 16; ++meta) {
        const auto s = BlockTable::legacy_state(id, meta);
        if (!s) continue;
        EXPECT_FALSE(t.traits(*s).unknown) << id << ":" << meta;
        found += std::binary_search(names.begin(), names.end(), s->name) ? 1U : 0U;
      }
    }
    EXPECT_EQ(found, count) << version;
    EXPECT_EQ(t.version_state_count(), count) << version;
  }
}

struct Case {
  std::string_view state;
  std::string_view traits;  // as describe() says them
};

// Every clause of the contract's trait table and list of extents. All versions must agree, also those that do not have
// the block themselves.
constexpr Case kContract[] = {
    {"stone", "0..16"},
    {"oak_leaves", "0..16"},
    {"air", "none"},
    {"oak_slab[type=bottom]", "0..8"},
    {"oak_slab[type=top]", "8..16"},
    {"oak_slab[type=double]", "0..16"},
    {"oak_slab", "0..8"},
    {"smooth_stone_slab[type=top]", "8..16"},
    {"white_carpet", "0..1"},
    {"moss_carpet", "0..1"},
    {"snow[layers=1]", "none"},
    {"snow[layers=2]", "0..2"},
    {"snow[layers=3]", "0..4"},
    {"snow[layers=4]", "0..6"},
    {"snow[layers=5]", "0..8"},
    {"snow[layers=6]", "0..10"},
    {"snow[layers=7]", "0..12"},
    {"snow[layers=8]", "0..14"},
    {"snow", "none"},
    {"snow_block", "0..16"},
    {"farmland", "0..15"},
    {"farmland[moisture=7]", "0..15"},
    {"grass_path", "0..15"},
    {"dirt_path", "0..15"},
    {"honey_block", "0..15 slow"},
    {"cactus", "0..15 hazard=cactus"},
    {"soul_sand", "0..14 slow"},
    {"mud", "0..14"},
    {"chest", "0..14"},
    {"chest[type=left]", "0..14"},
    {"trapped_chest", "0..14"},
    {"ender_chest", "0..14"},
    {"waxed_copper_chest", "0..14"},
    {"red_bed[part=head]", "0..9"},
    {"red_bed[part=foot]", "0..9"},
    {"campfire[lit=true]", "0..7 hazard=campfire"},
    {"campfire[lit=false]", "0..7"},
    {"campfire", "0..7 hazard=campfire"},
    {"soul_campfire[lit=true]", "0..7 hazard=campfire"},
    {"soul_campfire[lit=false]", "0..7"},
    {"lily_pad", "0..2"},
    {"oak_fence", "0..24"},
    {"nether_brick_fence[east=true]", "0..24"},
    {"cobblestone_wall", "0..24"},
    {"mossy_cobblestone_wall[up=false]", "0..24"},
    {"deepslate_brick_wall[up=false]", "0..24"},
    {"oak_fence_gate[open=false]", "0..24 door=gate"},
    {"oak_fence_gate[open=false,in_wall=true]", "0..24 door=gate"},
    {"oak_fence_gate[open=true]", "none door=gate open"},
    {"oak_trapdoor[half=bottom,open=false]", "0..3"},
    {"oak_trapdoor[half=top,open=false]", "13..16"},
    {"oak_trapdoor[half=bottom,open=true]", "none"},
    {"oak_trapdoor[half=top,open=true]", "none"},
    {"iron_trapdoor[half=top,open=false]", "13..16"},
    {"copper_trapdoor[half=bottom,open=false]", "0..3"},
    {"oak_door[open=false,half=lower]", "0..16 door=wooden"},
    {"oak_door[open=false,half=upper]", "0..16 door=wooden"},
    {"oak_door[open=true,half=lower]", "none door=wooden open"},
    {"oak_door[half=lower]", "0..16 door=wooden"},
    {"crimson_door[open=true]", "none door=wooden open"},
    {"copper_door[open=false]", "0..16 door=wooden"},
    {"waxed_oxidized_copper_door[open=true]", "none door=wooden open"},
    {"iron_door[open=false]", "0..16 door=iron"},
    {"iron_door[open=true]", "none door=iron open"},
    {"glass_pane", "0..16"},
    {"red_stained_glass_pane[north=true]", "0..16"},
    {"iron_bars", "0..16"},
    {"oak_stairs[half=bottom,facing=east]", "0..16 stair=east"},
    {"oak_stairs[half=bottom,facing=west]", "0..16 stair=west"},
    {"oak_stairs[half=bottom,facing=south,shape=outer_left]", "0..16 stair=south"},
    {"oak_stairs[half=bottom,facing=north,shape=inner_right]", "0..16 stair=north"},
    {"oak_stairs[half=top,facing=east]", "0..16"},
    {"cut_copper_stairs[facing=west]", "0..16 stair=west"},
    {"short_grass", "none"},
    {"grass", "none"},
    {"poppy", "none"},
    {"wheat[age=7]", "none"},
    {"oak_sapling", "none"},
    {"glow_lichen", "none"},
    {"torch", "none"},
    {"wall_torch", "none"},
    {"soul_torch", "none"},
    {"redstone_wall_torch", "none"},
    {"rail", "none"},
    {"powered_rail[powered=true]", "none"},
    {"activator_rail", "none"},
    {"oak_sign", "none"},
    {"sign", "none"},
    {"wall_sign", "none"},
    {"oak_hanging_sign", "none"},
    {"oak_wall_hanging_sign", "none"},
    {"stone_pressure_plate", "none"},
    {"light_weighted_pressure_plate", "none"},
    {"water", "none fluid=water"},
    {"water[level=7]", "none fluid=water"},
    {"lava", "none fluid=lava hazard=lava"},
    {"lava[level=3]", "none fluid=lava hazard=lava"},
    {"fire", "none hazard=fire"},
    {"soul_fire", "none hazard=fire"},
    {"cobweb", "none slow"},
    {"powder_snow", "none hazard=powder_snow"},
    {"sweet_berry_bush[age=3]", "none hazard=berry_bush"},
    {"wither_rose", "none hazard=wither_rose"},
    {"magma_block", "0..16 hazard=magma"},
    {"ladder[facing=east]", "none climbable"},
    {"ladder[facing=east,waterlogged=true]", "none fluid=water climbable"},
    {"vine[north=true]", "none climbable"},
    {"scaffolding[bottom=false,distance=0]", "none climbable"},
    {"weeping_vines", "none climbable"},
    {"weeping_vines_plant", "none climbable"},
    {"twisting_vines", "none climbable"},
    {"twisting_vines_plant", "none climbable"},
    {"cave_vines[berries=true]", "none climbable"},
    {"cave_vines_plant", "none climbable"},
    {"stone_slab[type=bottom,waterlogged=true]", "0..8 fluid=water"},
    {"oak_stairs[half=bottom,facing=east,waterlogged=true]", "0..16 fluid=water stair=east"},
    {"oak_fence[waterlogged=true]", "0..24 fluid=water"},
    {"kelp", "none fluid=water"},
    {"kelp_plant", "none fluid=water"},
    {"seagrass", "none fluid=water"},
    {"tall_seagrass[half=upper]", "none fluid=water"},
    {"bubble_column", "none fluid=water"},
};

// What the contract leaves to the block table, where it is worth a look.
constexpr Case kFromTheTable[] = {
    {"shulker_box", "0..16"},
    {"piston[extended=false,facing=up]", "0..16"},
    {"piston[extended=true,facing=up]", "0..12"},
    {"piston[extended=true,facing=down]", "4..16"},
    {"piston[extended=true,facing=east]", "0..16"},
    {"piston_head[facing=up]", "0..16"},
    {"moving_piston", "none"},
    {"azalea", "0..16"},
    {"big_dripleaf[tilt=none]", "11..15"},
    {"big_dripleaf[tilt=partial]", "11..13"},
    {"big_dripleaf[tilt=full]", "none"},
    {"big_dripleaf_stem", "none"},
    {"pointed_dripstone[thickness=base]", "0..16"},
    {"cake", "0..8"},
    {"cauldron", "0..16"},
    {"lava_cauldron", "0..16"},
    {"powder_snow_cauldron", "0..16"},
    {"lectern", "0..14"},
    {"chorus_flower", "0..16"},
    {"bamboo", "0..16"},
    {"end_portal_frame[eye=false]", "0..13"},
    {"end_portal_frame[eye=true]", "0..16"},
    {"skeleton_skull", "0..8"},
    {"skeleton_wall_skull", "4..12"},
    {"flower_pot", "0..6"},
    {"anvil", "0..16"},
    {"lightning_rod[facing=up]", "0..16"},
    {"candle", "0..6"},
    {"candle_cake", "0..14"},
    {"copper_grate", "0..16"},
    {"enchanting_table", "0..12"},
    {"daylight_detector", "0..6"},
    {"repeater", "0..2"},
    {"structure_void", "none"},
    {"barrier", "0..16"},
    {"light", "none"},
    {"nether_portal", "none"},
    {"tripwire", "none"},
    {"sugar_cane", "none"},
    {"slime_block", "0..16"},
    {"sea_pickle", "0..6 fluid=water"},
    {"tube_coral", "none fluid=water"},
    {"hanging_roots", "none"},
    {"pale_moss_carpet[bottom=true]", "0..1"},
    {"pale_moss_carpet[bottom=false]", "none"},
};

class EveryVersion : public testing::TestWithParam<std::string_view> {};

TEST_P(EveryVersion, GivesTheContractsTraits) {
  const BlockTable t = table(GetParam());
  for (const Case& c : kContract) EXPECT_EQ(describe(t.traits(state(c.state))), c.traits) << c.state;
}

TEST_P(EveryVersion, GivesTheTablesTraits) {
  const BlockTable t = table(GetParam());
  for (const Case& c : kFromTheTable) EXPECT_EQ(describe(t.traits(state(c.state))), c.traits) << c.state;
}

TEST_P(EveryVersion, KeepsTheInvariantsInEveryState) {
  const BlockTable t = table(GetParam());
  for (const std::string& name : t.block_names()) {
    const bool door = name.ends_with("_door");
    const bool gate = name.ends_with("_fence_gate");
    for (const BlockState& s : t.states_of(name)) {
      const Traits traits = t.traits(s);
      ASSERT_FALSE(traits.unknown) << s.text();
      if (traits.has_extent()) {
        ASSERT_LT(traits.bottom, traits.top) << s.text();
        ASSERT_LE(traits.top, kExtentTopMax) << s.text();
      } else {
        ASSERT_EQ(traits.bottom, 0) << s.text();
      }
      if (traits.climbable || traits.open) {
        ASSERT_FALSE(traits.has_extent()) << s.text();
      }
      if (s.property("waterlogged") == "true") {
        ASSERT_EQ(traits.fluid, Fluid::water) << s.text();
      }
      ASSERT_EQ(traits.door != Door::none, door || gate) << s.text();
      ASSERT_EQ(traits.open, (door || gate) && s.property("open") == "true") << s.text();
      const bool low_stair = name.ends_with("_stairs") && s.property("half") == "bottom";
      ASSERT_EQ(to_name(kStairNames, traits.stair), low_stair ? s.property("facing") : "none") << s.text();
      const auto checked = t.checked_traits(s);
      ASSERT_TRUE(checked) << checked.error().message;
      ASSERT_EQ(*checked, traits) << s.text();
    }
  }
}

std::string test_name(const testing::TestParamInfo<std::string_view>& info) {
  std::string name(info.param);
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(BlockTable, EveryVersion,
                         testing::ValuesIn(BlockTable::versions().begin(), BlockTable::versions().end()), test_name);

// The letters of the scenario files and the states that those name.
TEST(BlockTable, ResolvesTheLettersOfScenarios) {
  constexpr Case letters[] = {
      {"stone", "0..16"},
      {"air", "none"},
      {"stone_slab[type=bottom]", "0..8"},
      {"stone_slab[type=top]", "8..16"},
      {"white_carpet", "0..1"},
      {"farmland", "0..15"},
      {"soul_sand", "0..14 slow"},
      {"oak_fence", "0..24"},
      {"cobblestone_wall", "0..24"},
      {"oak_door[open=false]", "0..16 door=wooden"},
      {"oak_door[open=true]", "none door=wooden open"},
      {"iron_door[open=false]", "0..16 door=iron"},
      {"oak_trapdoor[half=bottom,open=false]", "0..3"},
      {"oak_trapdoor[open=true]", "none"},
      {"ladder", "none climbable"},
      {"water", "none fluid=water"},
      {"lava", "none fluid=lava hazard=lava"},
      {"magma_block", "0..16 hazard=magma"},
      {"cactus", "0..15 hazard=cactus"},
      {"fire", "none hazard=fire"},
      {"sweet_berry_bush", "none hazard=berry_bush"},
      {"short_grass", "none"},
      {"oak_stairs[facing=east,half=bottom,shape=straight]", "0..16 stair=east"},
      {"oak_stairs[facing=east,half=top,shape=straight]", "0..16"},
      {"oak_fence_gate[facing=east,open=false]", "0..24 door=gate"},
      {"oak_fence_gate[facing=east,open=true]", "none door=gate open"},
      {"scaffolding[bottom=false,distance=0]", "none climbable"},
      {"stone_slab[type=bottom,waterlogged=true]", "0..8 fluid=water"},
      {"snow[layers=3]", "0..4"},
      {"torch", "none"},
      {"rail", "none"},
      {"stone_pressure_plate", "none"},
  };
  const BlockTable t = table("26.1");
  for (const Case& c : letters) {
    const auto traits = t.checked_traits(state(c.state));
    ASSERT_TRUE(traits) << traits.error().message;
    EXPECT_EQ(describe(*traits), c.traits) << c.state;
  }
}

TEST(BlockTable, TakesAnUnknownBlockForAFullCube) {
  const BlockTable t = table("1.21.4");
  for (const std::string_view name : {"mymod:pipe", "minecraft:no_such_block", "other:stone"}) {
    const Traits traits = t.traits(state(name));
    EXPECT_TRUE(traits.unknown) << name;
    EXPECT_EQ(describe(traits), "0..16 unknown") << name;
    EXPECT_FALSE(t.knows(name));
    EXPECT_TRUE(t.states_of(name).empty());
  }
  EXPECT_TRUE(t.knows("minecraft:stone"));
  EXPECT_FALSE(t.knows("stone"));
}

TEST(BlockTable, ReadsOddPropertiesOfRegionFilesAsDefaults) {
  const BlockTable t = table("1.21.4");
  EXPECT_EQ(describe(t.traits(state("oak_slab[type=sideways]"))), "0..8");
  EXPECT_EQ(describe(t.traits(state("oak_slab[colour=red]"))), "0..8");
  EXPECT_EQ(describe(t.traits(state("stone[layers=3]"))), "0..16");
}

TEST(BlockTable, RefusesWhatAPersonMistyped) {
  const BlockTable t = table("1.21.4");
  struct Wrong {
    std::string_view state;
    ErrorCode code;
    std::string_view message;
  };
  constexpr Wrong cases[] = {
      {"oak_stair", ErrorCode::not_found, "did you mean \"oak_stairs\"?"},
      {"Stone", ErrorCode::not_found, "did you mean \"stone\"?"},
      {"mymod:pipe", ErrorCode::not_found, "block \"mymod:pipe\": version 1.21.4 has no such block"},
      {"oak_slab[typ=top]", ErrorCode::invalid_argument, "no property \"typ\"; it has type, waterlogged"},
      {"stone[layers=1]", ErrorCode::invalid_argument, "no property \"layers\"; it has none"},
      {"snow[layers=9]", ErrorCode::invalid_argument, "layers = \"9\": must be one of 1, 2, 3, 4, 5, 6, 7, 8"},
  };
  for (const Wrong& c : cases) {
    const auto traits = t.checked_traits(state(c.state));
    ASSERT_FALSE(traits) << c.state;
    EXPECT_EQ(traits.error().code, c.code) << c.state;
    EXPECT_THAT(traits.error().message, HasSubstr(c.message));
  }
}

TEST(BlockTable, FitsADataVersionToTheTableThatKnowsItsBlocks) {
  const std::pair<std::int32_t, std::string_view> named[] = {
      {0, "1.13.2"},    {1451, "1.13.2"}, {1631, "1.13.2"}, {1632, "1.14.4"}, {1976, "1.14.4"}, {2230, "1.16.5"},
      {2586, "1.16.5"}, {2724, "1.18.2"}, {2865, "1.18.2"}, {2975, "1.18.2"}, {3465, "1.20.4"}, {3955, "1.21.4"},
      {4189, "1.21.4"}, {4190, "26.1"},   {4786, "26.1"},   {9999, "26.1"},   {-1, "1.13.2"}};
  for (const auto& [data_version, version] : named) {
    EXPECT_EQ(BlockTable::for_data_version(data_version).version(), version) << data_version;
  }
  const std::pair<std::int32_t, std::string_view> numeric[] = {
      {0, "1.8"}, {169, "1.12.2"}, {1343, "1.12.2"}, {1400, "1.12.2"}};
  for (const auto& [data_version, version] : numeric) {
    EXPECT_EQ(BlockTable::for_legacy(data_version).version(), version) << data_version;
  }
}

struct Numeric {
  std::uint32_t id;
  std::uint32_t meta;
  std::string_view state;
  std::string_view traits;
};

TEST(BlockTable, ReadsNumericIds) {
  constexpr Numeric cases[] = {
      {0, 0, "minecraft:air", "none"},
      {1, 1, "minecraft:granite", "0..16"},
      {1, 15, "minecraft:stone", "0..16"},
      {1, 99, "minecraft:stone", "0..16"},
      {2, 0, "minecraft:grass_block[snowy=false]", "0..16"},
      {9, 0, "minecraft:water[level=0]", "none fluid=water"},
      {11, 2, "minecraft:lava[level=2]", "none fluid=lava hazard=lava"},
      {44, 0, "minecraft:stone_slab[type=bottom,waterlogged=false]", "0..8"},
      {44, 8, "minecraft:stone_slab[type=top,waterlogged=false]", "8..16"},
      {53, 0, "minecraft:oak_stairs[facing=east,half=bottom,shape=outer_right,waterlogged=false]", "0..16 stair=east"},
      {60, 7, "minecraft:farmland[moisture=7]", "0..15"},
      {64, 4, "minecraft:oak_door[facing=east,half=lower,hinge=right,open=true,powered=false]",
       "none door=wooden open"},
      {64, 8, "minecraft:oak_door[facing=east,half=upper,hinge=left,open=false,powered=false]", "0..16 door=wooden"},
      {71, 0, "minecraft:iron_door[facing=east,half=lower,hinge=right,open=false,powered=false]", "0..16 door=iron"},
      {78, 2, "minecraft:snow[layers=3]", "0..4"},
      {85, 0, "minecraft:oak_fence[east=false,north=false,south=false,waterlogged=false,west=false]", "0..24"},
      {107, 4, "minecraft:oak_fence_gate[facing=south,in_wall=false,open=true,powered=false]", "none door=gate open"},
      {208, 0, "minecraft:grass_path", "0..15"},
      {213, 0, "minecraft:magma_block", "0..16 hazard=magma"},
      {65, 0, "minecraft:ladder[facing=north,waterlogged=false]", "none climbable"},
  };
  const BlockTable t = BlockTable::for_legacy(0);
  for (const Numeric& c : cases) {
    const auto s = BlockTable::legacy_state(c.id, c.meta);
    ASSERT_TRUE(s) << c.id;
    EXPECT_EQ(s->text(), c.state);
    EXPECT_EQ(describe(t.traits(*s)), c.traits) << c.state;
    EXPECT_TRUE(table("1.13.2").checked_traits(*s)) << c.state;
  }
  for (const std::uint32_t id : {253U, 254U, 256U, 4095U, 0xFFFFFFFFU})
    EXPECT_FALSE(BlockTable::legacy_state(id, 0)) << id;
}

// The one block whose shape changed between the numeric versions and 1.13: a hopper's spout.
TEST(BlockTable, KeepsTheShapesOfTheNumericVersions) {
  EXPECT_EQ(describe(table("1.8").traits(state("hopper[facing=east]"))), "0..16");
  EXPECT_EQ(describe(table("1.12.2").traits(state("hopper[facing=east]"))), "0..16");
  EXPECT_EQ(describe(table("1.13.2").traits(state("hopper[facing=east]"))), "4..16");
  EXPECT_EQ(describe(table("1.13.2").traits(state("hopper[facing=down]"))), "0..16");
}

TEST(BlockTable, ListsABlocksStatesInTheGamesOrder) {
  const auto states = table("1.13.2").states_of("minecraft:oak_slab");
  std::vector<std::string> texts(states.size());
  std::transform(states.begin(), states.end(), texts.begin(), [](const BlockState& s) { return s.text(); });
  EXPECT_THAT(texts, ElementsAre("minecraft:oak_slab[type=top,waterlogged=true]",
                                 "minecraft:oak_slab[type=top,waterlogged=false]",
                                 "minecraft:oak_slab[type=bottom,waterlogged=true]",
                                 "minecraft:oak_slab[type=bottom,waterlogged=false]",
                                 "minecraft:oak_slab[type=double,waterlogged=true]",
                                 "minecraft:oak_slab[type=double,waterlogged=false]"));
}

}  // namespace
}  // namespace voxpath::world
