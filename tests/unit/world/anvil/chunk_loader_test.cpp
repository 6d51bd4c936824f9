// Region files with every fault: the faulty chunk is named, the others load.
#include "world/anvil/chunk_loader.hpp"

#include "tests/support/nbt_writer.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace voxpath::world {
namespace {

using test::NbtWriter;
using test::RegionWriter;
using ::testing::HasSubstr;

constexpr std::uint8_t kNone = 3;

/// An empty chunk at 0, 0; `padding` makes its document longer.
test::ByteVector air_chunk(int x, int z, std::size_t padding = 0) {
  NbtWriter w;
  w.compound("").int32("xPos", x).int32("zPos", z).string("padding", std::string(padding, '.')).end();
  return w.bytes();
}

class Regions : public ::testing::Test {
 protected:
  /// How many chunks came of it.
  int load(const test::ByteVector& bytes, RegionPos pos = {0, 0}) {
    const Region region(pos, bytes);
    fault_ = region.fault();
    int loaded = 0;
    for (const RegionSlot& slot : region.slots()) loaded += loader_.load(region, slot, "r.0.0.mca", external_) ? 1 : 0;
    EXPECT_EQ(loader_.report().loaded, loaded);
    EXPECT_EQ(loader_.report().listed(), static_cast<std::int64_t>(region.slots().size()));
    return loaded;
  }
  /// What the report says of the one damaged chunk.
  std::string damage() {
    const auto& damaged = loader_.report().damaged;
    return damaged.size() == 1 ? damaged.front().why : std::to_string(damaged.size()) + " damaged chunks";
  }

  StateRegistry states_;
  ChunkLoader loader_{states_, ""};
  ExternalReader external_ = [](ChunkPos) -> Result<std::vector<std::uint8_t>> {
    return Error{ErrorCode::not_found, "no file"};
  };
  std::optional<std::string> fault_;
};

TEST_F(Regions, AFileWithoutAByteHasNoChunksAndNoFault) {
  EXPECT_EQ(load({}), 0);
  EXPECT_FALSE(fault_);
}

TEST_F(Regions, AFileCutOffInItsHeaderIsFaulty) {
  for (const std::size_t size : {1u, 4u, 4095u, 4096u, 8191u}) {
    RegionWriter w;
    w.put(0, 0, kNone, air_chunk(0, 0));
    w.bytes().resize(size);
    load(w.bytes());
    ASSERT_TRUE(fault_) << size;
    EXPECT_THAT(*fault_, HasSubstr("ends inside its header")) << size;
    loader_.report() = {};
  }
}

TEST_F(Regions, ChunksLieWhereTheTableSays) {
  RegionWriter w;
  w.put(31, 5, kNone, air_chunk(-1, -27));
  const Region region({-1, -1}, w.bytes());
  ASSERT_EQ(region.slots().size(), 1u);
  EXPECT_EQ(region.slots()[0].pos, (ChunkPos{-1, -27}));
  EXPECT_EQ(load(w.bytes(), {-1, -1}), 1);
  EXPECT_EQ(loader_.report().moved, 0);
}

TEST_F(Regions, AnySizeOfFileGoesWhenTheChunksAreInIt) {
  RegionWriter w;
  const auto nbt = air_chunk(0, 0);
  w.put(0, 0, kNone, nbt);
  w.bytes().resize(8192 + 5 + nbt.size());  // no padding after the last chunk
  EXPECT_EQ(load(w.bytes()), 1);
  loader_.report() = {};
  w.bytes().pop_back();
  EXPECT_EQ(load(w.bytes()), 0);
  EXPECT_THAT(damage(), HasSubstr("its length is"));
}

struct Fault {
  const char* name;
  void (*make)(RegionWriter&);  // of chunk 1, 0; chunk 0, 0 is good and in sector 2
  const char* why;
};
void PrintTo(const Fault& f, std::ostream* os) { *os << f.name; }

class FaultyChunk : public Regions, public ::testing::WithParamInterface<Fault> {};

TEST_P(FaultyChunk, IsNamedAndTheOthersLoad) {
  RegionWriter w;
  w.put(0, 0, kNone, air_chunk(0, 0));
  GetParam().make(w);
  EXPECT_EQ(load(w.bytes()), 1);
  EXPECT_THAT(damage(), HasSubstr(GetParam().why));
  ASSERT_EQ(loader_.report().damaged.size(), 1u);
  EXPECT_EQ(loader_.report().damaged[0].chunk, (ChunkPos{1, 0}));
  EXPECT_THAT(loader_.report().text(), HasSubstr("r.0.0.mca: chunk 1, 0 at byte"));
}

INSTANTIATE_TEST_SUITE_P(
    Anvil, FaultyChunk,
    ::testing::Values(
        Fault{"InTheHeader", [](RegionWriter& w) { w.entry(1, 0, 1, 1); }, "its sectors overlap the file's header"},
        Fault{"NoSectors", [](RegionWriter& w) { w.entry(1, 0, 3, 0); }, "gives it no sectors"},
        Fault{"BeyondTheEnd", [](RegionWriter& w) { w.entry(1, 0, 77, 1); },
              "beyond the end of the file, which has 12288 bytes"},
        Fault{"LastSector", [](RegionWriter& w) { w.entry(1, 0, 0xFFFFFF, 255); }, "beyond the end of the file"},
        Fault{"Overlapping", [](RegionWriter& w) { w.entry(1, 0, 2, 1); },
              "it says that it is chunk 0, 0; its sectors overlap those of chunk 0, 0"},
        Fault{"LengthZero", [](RegionWriter& w) { w.put(1, 0, kNone, {}, -1); }, "its length is 0"},
        Fault{"LengthTooLarge", [](RegionWriter& w) { w.put(1, 0, kNone, air_chunk(1, 0), 5000); }, "its length is"},
        Fault{"LengthHuge", [](RegionWriter& w) { w.put(1, 0, kNone, {}, -2); }, "its length is 4294967295 bytes"},
        Fault{"UnknownCompression", [](RegionWriter& w) { w.put(1, 0, 127, air_chunk(1, 0)); },
              "compression 127 is not known"},
        Fault{"NotZlib", [](RegionWriter& w) { w.put(1, 0, 2, air_chunk(1, 0)); }, "bytes of zlib data are damaged"},
        Fault{"NotGzip", [](RegionWriter& w) { w.put(1, 0, 1, air_chunk(1, 0)); }, "bytes of gzip data are damaged"},
        Fault{"NotLz4", [](RegionWriter& w) { w.put(1, 0, 4, air_chunk(1, 0)); }, "no LZ4 block begins at byte 0"},
        Fault{"NoExternalFile", [](RegionWriter& w) { w.put(1, 0, 0x80 | kNone, {}); }, "no file"},
        Fault{"NotNbt", [](RegionWriter& w) { w.put(1, 0, kNone, test::ByteVector{1, 2, 3}); }, "offset 1 of the NBT"}),
    [](const auto& test) { return test.param.name; });

TEST_F(Regions, ALengthThatIsShortByOneIsMadeUpForFromItsSectors) {
  RegionWriter w;
  w.put(0, 0, kNone, air_chunk(0, 0), -1);
  EXPECT_EQ(load(w.bytes()), 1);
  EXPECT_EQ(loader_.report().repaired, 1);
  EXPECT_THAT(loader_.report().text(), HasSubstr("1 chunks with a length too short"));
}

TEST_F(Regions, AShortLengthWithNothingBehindItIsDamage) {
  RegionWriter w;
  const std::size_t fixed = air_chunk(0, 0).size();
  w.put(0, 0, kNone, air_chunk(0, 0, RegionWriter::kSector - 5 - fixed), -1);
  ASSERT_EQ(w.bytes().size(), 3 * RegionWriter::kSector);
  w.bytes().pop_back();
  EXPECT_EQ(load(w.bytes()), 0);
  EXPECT_THAT(damage(), HasSubstr("the data ends inside a value"));
}

TEST_F(Regions, ExternalChunksAreReadByTheirPlace) {
  RegionWriter w;
  w.put(3, 4, 0x80 | kNone, {});
  external_ = [](ChunkPos pos) -> Result<std::vector<std::uint8_t>> { return air_chunk(pos.x, pos.z); };
  EXPECT_EQ(load(w.bytes()), 1);
}

TEST(RegionName, IsReadStrictly) {
  EXPECT_EQ(RegionPos::from_file_name("r.-1.12.mca"), (RegionPos{-1, 12}));
  EXPECT_EQ(RegionPos::from_file_name("r.0.0.mca"), (RegionPos{0, 0}));
  EXPECT_TRUE(RegionPos::from_file_name("r.58594.-58594.mca"));
  for (const char* name : {"r.0.mca", "r.0.0.mcr", "r.0.0.mca.bak", "r.x.0.mca", "r.0.58595.mca", "r.99999999999.0.mca",
                           "c.0.0.mcc", ""}) {
    EXPECT_FALSE(RegionPos::from_file_name(name)) << name;
  }
}

}  // namespace
}  // namespace voxpath::world
