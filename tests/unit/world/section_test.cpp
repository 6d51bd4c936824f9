#include "world/section.hpp"

#include <array>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace voxpath::world {
namespace {

PaletteEntry numbered(StateId id) { return {id, id == kAirState ? air_traits() : full_cube_traits()}; }

void expect_equal(const Section& section, const std::vector<StateId>& model) {
  for (int i = 0; i < kSectionVolume; ++i) {
    ASSERT_EQ(section.at(i).state, model[static_cast<std::size_t>(i)]) << "at index " << i;
  }
}

TEST(Section, IndexIsYThenZThenXAndTakesNegativeCoordinates) {
  EXPECT_EQ(Section::index(1, 0, 0), 1);
  EXPECT_EQ(Section::index(0, 0, 1), 16);
  EXPECT_EQ(Section::index(0, 1, 0), 256);
  EXPECT_EQ(Section::index(-1, -1, -1), 4095);
  EXPECT_EQ(Section::index(-16, -32, 48), 0);
}

TEST(Section, DefaultIsUniformAir) {
  const Section section;
  EXPECT_TRUE(section.uniform());
  EXPECT_EQ(section.at(4095), PaletteEntry{});
}

TEST(Section, SettingTheSameBlockChangesNothing) {
  Section section(numbered(3));
  EXPECT_FALSE(section.set(17, numbered(3)));
  EXPECT_TRUE(section.uniform());
  EXPECT_TRUE(section.set(17, numbered(4)));
  EXPECT_FALSE(section.set(17, numbered(4)));
}

// Each number of entries is on one side of a change of width: 1 | 2 | 3..4 | 5..16 | 17..256 | 257..4096 entries take
// 0, 1, 2, 4, 8, 16 bits.
class SectionWidths : public ::testing::TestWithParam<int> {};

TEST_P(SectionWidths, HoldsThatManyDifferentBlocksBuiltAtOnceAndOneByOne) {
  const int entries = GetParam();
  std::vector<PaletteEntry> palette;
  for (int i = 0; i < entries; ++i) palette.push_back(numbered(static_cast<StateId>(i + 1)));
  std::vector<std::uint16_t> indices(kSectionVolume);
  std::vector<StateId> model(kSectionVolume);
  Section one_by_one(numbered(1));
  for (int i = 0; i < kSectionVolume; ++i) {
    const auto k = static_cast<std::size_t>(i);
    indices[k] = static_cast<std::uint16_t>(i * 11 % entries);  // 11 is prime to each number below: every entry is used
    model[k] = palette[indices[k]].state;
    one_by_one.set(i, palette[indices[k]]);
  }
  const Section at_once(palette, indices);
  expect_equal(at_once, model);
  expect_equal(one_by_one, model);
  EXPECT_TRUE(at_once.same_blocks(one_by_one));
  EXPECT_EQ(at_once.palette().size(), static_cast<std::size_t>(entries));
  EXPECT_EQ(at_once.uniform(), entries == 1);
}
INSTANTIATE_TEST_SUITE_P(AroundEachWidth, SectionWidths,
                         ::testing::Values(1, 2, 3, 4, 5, 15, 16, 17, 255, 256, 257, 4095, 4096));

TEST(Section, LeavesOutUnusedEntriesAndMergesEqualOnes) {
  const std::vector<PaletteEntry> palette{numbered(9), numbered(5), numbered(7), numbered(5)};
  std::vector<std::uint16_t> indices(kSectionVolume, 1);
  indices[100] = 3;
  EXPECT_TRUE(Section(palette, indices).uniform());
  indices[200] = 2;
  const Section section(palette, indices);
  EXPECT_EQ(section.palette().size(), 2u);
  EXPECT_EQ(section.at(100), numbered(5));
  EXPECT_EQ(section.at(200), numbered(7));
}

TEST(Section, EqualNumbersWithOtherTraitsStayApart) {
  const std::vector<PaletteEntry> palette{{5, full_cube_traits()}, {5, air_traits()}};
  std::vector<std::uint16_t> indices(kSectionVolume, 0);
  indices[1] = 1;
  const Section section(palette, indices);
  EXPECT_TRUE(section.traits(0).has_extent());
  EXPECT_FALSE(section.traits(1).has_extent());
}

TEST(Section, ThousandsOfStatesPassingThroughOneBlockTakeNoRoom) {
  Section section;
  for (StateId id = 1; id <= 10'000; ++id) {
    ASSERT_TRUE(section.set(77, numbered(id)));
    ASSERT_EQ(section.at(77).state, id);
  }
  EXPECT_EQ(section.at(76), PaletteEntry{});
  EXPECT_LE(section.palette().size(), 3u);
  EXPECT_LT(section.memory_bytes(), 2048u);
}

TEST(Section, FullPaletteStillTakesNewStates) {
  Section section;
  std::vector<StateId> model(kSectionVolume);
  StateId next = 1;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < kSectionVolume; ++i) {
      section.set(i, numbered(next));
      model[static_cast<std::size_t>(i)] = next++;
    }
    expect_equal(section, model);
    EXPECT_LE(section.palette().size(), static_cast<std::size_t>(kSectionVolume));
  }
}

TEST(Section, BecomesUniformAgainAndGivesItsMemoryBack) {
  Section section;
  for (int i = 0; i < kSectionVolume; ++i) section.set(i, numbered(static_cast<StateId>(i)));
  const std::size_t grown = section.memory_bytes();
  for (int i = 0; i < kSectionVolume; ++i) section.set(i, numbered(2));
  EXPECT_TRUE(section.uniform());
  EXPECT_EQ(section.palette().size(), 1u);
  EXPECT_LT(section.memory_bytes(), grown / 2);
  EXPECT_TRUE(section.set(5, numbered(1)));  // and it goes on from there
  EXPECT_EQ(section.at(5), numbered(1));
  EXPECT_EQ(section.at(6), numbered(2));
}

TEST(Section, MayHurtNeverMissesAHazard) {
  Traits magma = full_cube_traits();
  magma.hazard = Hazard::magma;
  Section section;
  EXPECT_FALSE(section.may_hurt());
  section.set(9, {2, magma});
  EXPECT_TRUE(section.may_hurt());
  EXPECT_TRUE(Section({2, magma}).may_hurt());
  std::vector<std::uint16_t> indices(kSectionVolume, 0);
  const std::array<PaletteEntry, 2> palette{numbered(1), PaletteEntry{2, magma}};
  EXPECT_FALSE(Section(palette, indices).may_hurt()) << "the hazard is in the palette but no block uses it";
  indices[4000] = 1;
  EXPECT_TRUE(Section(palette, indices).may_hurt());
}

TEST(Section, CopyIsIndependent) {
  Section first;
  first.set(1, numbered(1));
  Section second(first);
  second.set(1, numbered(2));
  EXPECT_EQ(first.at(1), numbered(1));
  EXPECT_EQ(second.at(1), numbered(2));
}

TEST(Section, SameBlocksSeesOneDifferentBlock) {
  Section a;
  Section b;
  EXPECT_TRUE(a.same_blocks(b));
  b.set(4095, numbered(1));
  EXPECT_FALSE(a.same_blocks(b));
  EXPECT_FALSE(b.same_blocks(a));
  a.set(0, numbered(2));
  a.set(0, numbered(0));
  a.set(4095, numbered(1));
  EXPECT_TRUE(a.same_blocks(b)) << "the palettes differ, the blocks do not";
}

TEST(Section, RandomEditsAgreeWithAnArray) {
  std::mt19937 random(7);
  for (int round = 0; round < 40; ++round) {
    Section section;
    std::vector<StateId> model(kSectionVolume, kAirState);
    // Rounds differ in how many states and places there are, so that palettes of every size come, go and are taken
    // over.
    const auto states = StateId{1} << (round % 13);
    const int places = round % 3 == 0 ? 8 : kSectionVolume;
    for (int edit = 0; edit < 6000; ++edit) {
      const int i = static_cast<int>(random() % static_cast<unsigned>(places));
      const StateId id = static_cast<StateId>(random()) % (states + 1);
      ASSERT_EQ(section.set(i, numbered(id)), model[static_cast<std::size_t>(i)] != id);
      model[static_cast<std::size_t>(i)] = id;
    }
    expect_equal(section, model);
  }
}

}  // namespace
}  // namespace voxpath::world
