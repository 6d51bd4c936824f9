#include "world/anvil/chunk_decoder.hpp"

#include "tests/support/nbt_writer.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace voxpath::world {
namespace {

using test::NbtWriter;
using ::testing::HasSubstr;

/// A finished chunk of today at 0, 0 with one section all of `block`.
NbtWriter chunk_of(const char* block, int section_y = 0, const char* status = "minecraft:full") {
  NbtWriter w;
  w.compound("").int32("DataVersion", 3465).int32("xPos", 0).int32("zPos", 0);
  if (status != nullptr) w.string("Status", status);
  w.list("sections", 10, 1).int8("Y", section_y).compound("block_states");
  w.list("palette", 10, 1).string("Name", block).end().end().end().end();
  return w;
}

class Decoding : public ::testing::Test {
 protected:
  Result<std::optional<DecodedChunk>> decode(const NbtWriter& w, ChunkPos pos = {0, 0}) {
    return decoder_.decode(w.bytes(), pos, report_);
  }
  std::string text(const DecodedChunk& chunk, std::size_t section, int index) {
    return states_.at(chunk.sections.at(section).section->at(index).state).text;
  }
  std::string why(const NbtWriter& w) {
    const auto chunk = decode(w);
    return chunk ? "no error" : chunk.error().message;
  }

  StateRegistry states_;
  ChunkDecoder decoder_{states_, ""};
  LoadReport report_;
};

TEST_F(Decoding, OnlyFinishedChunksAreTaken) {
  for (const char* status : {"full", "minecraft:full", "fullchunk", "postprocessed"}) {
    const auto chunk = decode(chunk_of("minecraft:stone", 0, status));
    ASSERT_TRUE(chunk) << chunk.error().message;
    EXPECT_TRUE(*chunk) << status;
  }
  EXPECT_TRUE(*decode(chunk_of("minecraft:stone", 0, nullptr)));
  for (const char* status : {"empty", "decorated", "minecraft:features", "Full", ""}) {
    const auto chunk = decode(chunk_of("minecraft:stone", 0, status));
    ASSERT_TRUE(chunk) << chunk.error().message;
    EXPECT_FALSE(*chunk) << status;
    EXPECT_EQ(report_.skipped[status], 1) << status;
  }
}

TEST_F(Decoding, AChunkWithoutSectionsIsAir) {
  NbtWriter w;
  w.compound("").compound("Level").int32("xPos", 0).int32("zPos", 0).end().end();
  const auto chunk = decode(w);
  ASSERT_TRUE(chunk && *chunk);
  EXPECT_TRUE((*chunk)->sections.empty());
}

TEST_F(Decoding, SomethingElseThanAChunkIsDamaged) {
  NbtWriter w;
  w.compound("").string("Entities", "none").end();
  EXPECT_THAT(why(w), HasSubstr("it is no chunk"));
}

TEST_F(Decoding, TheTableAndTheChunkMustAgreeOnItsPlace) {
  const NbtWriter w = chunk_of("minecraft:stone");
  EXPECT_TRUE(decode(w, {0, 0}));
  EXPECT_EQ(report_.moved, 0);
  EXPECT_TRUE(decode(w, {-32, 64}));  // the file was renamed
  EXPECT_EQ(report_.moved, 1);
  const auto wrong = decode(w, {1, 0});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "it says that it is chunk 0, 0");
}

TEST_F(Decoding, UnknownBlocksAreFullCubesAndCounted) {
  const auto chunk = decode(chunk_of("somemod:pipe"));
  ASSERT_TRUE(chunk && *chunk);
  const PaletteEntry& entry = (*chunk)->sections.at(0).section->at(0);
  EXPECT_TRUE(entry.traits.unknown);
  EXPECT_EQ(entry.traits.top, 16);
  EXPECT_EQ(report_.unknown_blocks["somemod:pipe"], kSectionVolume);
}

TEST_F(Decoding, SectionsOutsideTheHeightsAreCounted) {
  auto chunk = decode(chunk_of("minecraft:stone", 20));
  ASSERT_TRUE(chunk && *chunk);
  const auto column = make_chunk(DecodedChunk(**chunk), {.min_y = -64, .height = 384}, report_);
  EXPECT_EQ(report_.sections_outside[20], 1);
  const auto taller = make_chunk(*std::move(*chunk), {.min_y = -128, .height = 512}, report_);
  EXPECT_EQ(report_.sections_outside[20], 1);
  EXPECT_EQ(states_.at(taller->at(0, 320, 0).state).text, "minecraft:stone");
}

TEST_F(Decoding, DamagedSectionsSayWhy) {
  const auto section = [](auto&& fields) {
    NbtWriter w;
    w.compound("").int32("DataVersion", 3465).list("sections", 10, 1);
    fields(w);
    w.end().end();
    return w;
  };
  const auto stone = [](NbtWriter& w) { w.list("palette", 10, 1).string("Name", "minecraft:stone").end(); };
  EXPECT_THAT(why(section([&](NbtWriter& w) { stone(w); })), HasSubstr("a section has no Y"));
  EXPECT_THAT(why(section([&](NbtWriter& w) { w.int8("Y", 3).list("palette", 10, 2).end().end(); })),
              HasSubstr("has no Name"));
  EXPECT_THAT(why(section([&](NbtWriter& w) {
                w.int8("Y", 3).list("palette", 10, 2).string("Name", "a").end().string("Name", "b").end();
              })),
              HasSubstr("section y 3: its palette has 2 entries and there are no indices"));
  EXPECT_THAT(why(section([&](NbtWriter& w) { w.int8("Y", 3).long_array("data", std::vector<std::uint64_t>(256)); })),
              HasSubstr("it has blocks and no palette"));
  EXPECT_THAT(why(section([&](NbtWriter& w) { w.int8("Y", 3).byte_array("Blocks", std::vector<std::uint8_t>(5)); })),
              HasSubstr("Blocks has 5 bytes of 4096"));
  EXPECT_THAT(why(section([&](NbtWriter& w) {
                w.int8("Y", 3)
                    .byte_array("Blocks", std::vector<std::uint8_t>(4096))
                    .byte_array("Data", std::vector<std::uint8_t>(1));
              })),
              HasSubstr("Data has 1 bytes of 2048"));
  EXPECT_THAT(why(section([&](NbtWriter& w) {
                stone(w.int8("Y", 3));
                w.string("padding", std::string(600, 'x'));
                w.list("Palette", 10, 1).string("Name", std::string(600, 'x')).end();
              })),
              HasSubstr("610 bytes of at most 512") /* "minecraft:" is added */);
  NbtWriter many;
  many.compound("").list("sections", 10, 600);
  for (int i = 0; i < 600; ++i) many.end();
  many.end();
  EXPECT_THAT(why(many), HasSubstr("more than 512 sections"));
}

/// A numeric chunk with an oak door (id 64) whose halves lie in two sections.
NbtWriter with_door(std::uint8_t lower_meta, std::uint8_t upper_meta) {
  std::vector<std::uint8_t> low_blocks(4096), low_data(2048), high_blocks(4096), high_data(2048);
  low_blocks[15 * 256] = 64;
  low_data[15 * 128] = lower_meta;
  high_blocks[0] = 64;
  high_data[0] = upper_meta;
  NbtWriter w;
  w.compound("").compound("Level").int32("xPos", 0).int32("zPos", 0).list("Sections", 10, 2);
  w.int8("Y", 1)
      .byte_array("Blocks", high_blocks)
      .byte_array("Data", high_data)
      .end();  // the upper one first: any order goes
  w.int8("Y", 0).byte_array("Blocks", low_blocks).byte_array("Data", low_data).end();
  w.end().end();
  return w;
}

TEST_F(Decoding, NumericDoorsJoinTheirHalves) {
  struct Case {
    std::uint8_t lower, upper;
    const char *facing, *open, *hinge;
  };
  // Lower half: the two lowest bits are the direction from east over south, bit 2 is open. Upper half: bit 3 set, bit 0
  // is the hinge.
  const Case cases[] = {{0, 8, "east", "false", "left"},
                        {4, 8, "east", "true", "left"},
                        {5, 9, "south", "true", "right"},
                        {3, 9, "north", "false", "right"}};
  for (const Case& c : cases) {
    const auto chunk = decode(with_door(c.lower, c.upper));
    ASSERT_TRUE(chunk && *chunk);
    for (const std::size_t half : {0u, 1u}) {  // the upper half's section comes first, as in the file
      const std::string state = text(**chunk, half, half == 0 ? 0 : 15 * 256);
      EXPECT_THAT(state, HasSubstr(half == 0 ? "half=upper" : "half=lower"));
      EXPECT_THAT(state, HasSubstr(std::string("facing=") + c.facing));
      EXPECT_THAT(state, HasSubstr(std::string("open=") + c.open));
      EXPECT_THAT(state, HasSubstr(std::string("hinge=") + c.hinge));
      const Traits traits = (*chunk)->sections.at(half).section->at(half == 0 ? 0 : 15 * 256).traits;
      EXPECT_EQ(traits.door, Door::wooden);
      EXPECT_EQ(traits.open, std::string(c.open) == "true");
    }
  }
}

TEST_F(Decoding, HalfADoorIsLeftAsItIs) {
  const auto chunk = decode(with_door(8, 8));  // two upper halves
  ASSERT_TRUE(chunk && *chunk);
  EXPECT_THAT(text(**chunk, 0, 0), HasSubstr("half=upper"));
  EXPECT_THAT(text(**chunk, 1, 15 * 256), HasSubstr("half=upper"));
}

TEST_F(Decoding, BlockOverridesApply) {
  ChunkDecoder decoder(states_, "[block.\"somemod:pipe\"]\nlike = \"minecraft:torch\"\n");
  const auto chunk = decoder.decode(chunk_of("somemod:pipe").bytes(), {0, 0}, report_);
  ASSERT_TRUE(chunk) << chunk.error().message;
  EXPECT_FALSE((*chunk)->sections.at(0).section->at(0).traits.has_extent());
  EXPECT_TRUE(report_.unknown_blocks.empty());
}

}  // namespace
}  // namespace voxpath::world
