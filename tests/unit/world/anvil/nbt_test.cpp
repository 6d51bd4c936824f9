#include "world/anvil/nbt.hpp"

#include "tests/support/nbt_writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace voxpath::world::nbt {
namespace {

using test::NbtWriter;
using ::testing::HasSubstr;

NbtWriter sample() {
  NbtWriter w;
  w.compound("root").int8("byte", -3).int32("int", 70000).string("text", "stone");
  w.list("list", 10, 2).int32("a", 1).end().int32("a", 2).end();
  w.byte_array("bytes", std::vector<std::uint8_t>{1, 2, 3}).long_array("longs", std::vector<std::uint64_t>{1, 2});
  w.compound("inner").int8("deep", 9).end().end();
  return w;
}

TEST(NbtReader, PullsValuesInOrder) {
  const NbtWriter w = sample();
  Reader r(w.bytes());
  ASSERT_TRUE(r.enter_root());
  Field f;
  ASSERT_TRUE(r.next(f));
  EXPECT_EQ(f.name, "byte");
  EXPECT_EQ(r.integer(f.tag), -3);
  ASSERT_TRUE(r.next(f));
  EXPECT_EQ(r.integer(f.tag), 70000);
  ASSERT_TRUE(r.next(f));
  EXPECT_EQ(r.string(), "stone");
  ASSERT_TRUE(r.next(f));
  const ListHeader list = r.list();
  EXPECT_EQ(list.tag, Tag::compound);
  EXPECT_EQ(list.count, 2);
  for (int i = 1; i <= 2; ++i) {
    ASSERT_TRUE(r.next(f));
    EXPECT_EQ(r.integer(f.tag), i);
    EXPECT_FALSE(r.next(f));
  }
  ASSERT_TRUE(r.next(f));
  EXPECT_THAT(r.array(f.tag), ::testing::ElementsAre(1, 2, 3));
  ASSERT_TRUE(r.next(f));
  EXPECT_EQ(r.array(f.tag).size(), 16u);
  ASSERT_TRUE(r.next(f));
  EXPECT_EQ(f.name, "inner");
  EXPECT_EQ(r.skip(f.tag).size(), 9u);
  EXPECT_FALSE(r.next(f));
  EXPECT_TRUE(r.ok());
}

TEST(NbtReader, SkipsEveryTag) {
  const NbtWriter w = sample();
  Reader r(w.bytes());
  ASSERT_TRUE(r.enter_root());
  int fields = 0;
  for (Field f; r.next(f); ++fields) r.skip(f.tag);
  EXPECT_EQ(fields, 7);
  EXPECT_TRUE(r.ok());
}

TEST(NbtReader, EveryTruncationIsAFault) {
  const NbtWriter w = sample();
  for (std::size_t size = 0; size < w.bytes().size(); ++size) {
    Reader r(Bytes(w.bytes()).first(size));
    if (r.enter_root()) {
      for (Field f; r.next(f);) r.skip(f.tag);
    }
    EXPECT_FALSE(r.ok()) << size;
    EXPECT_THAT(r.error(), HasSubstr("offset")) << size;
  }
}

TEST(NbtReader, AFaultStaysAndEverythingAfterItIsEmpty) {
  NbtWriter w;
  w.compound("").head(99, "odd").int8("after", 1).end();
  Reader r(w.bytes());
  ASSERT_TRUE(r.enter_root());
  Field f;
  EXPECT_FALSE(r.next(f));
  EXPECT_EQ(r.error(), "offset 4 of the NBT: an unknown tag");
  EXPECT_FALSE(r.next(f));
  EXPECT_EQ(r.string(), "");
  EXPECT_EQ(r.list().count, 0);
  EXPECT_TRUE(r.array(Tag::int64_array).empty());
  EXPECT_EQ(r.error(), "offset 4 of the NBT: an unknown tag");
}

struct BadList {
  const char* name;
  std::uint8_t tag;
  std::int32_t count;
  const char* why;
};

TEST(NbtReader, RefusesImpossibleLists) {
  const BadList cases[] = {{"negative", 1, -1, "negative"},
                           {"of nothing", 0, 5, "list of nothing"},
                           {"longer than the data", 10, 1'000'000'000, "longer than the data"},
                           {"of an unknown tag", 13, 1, "unknown tag"}};
  for (const auto& c : cases) {
    NbtWriter w;
    w.compound("").list("l", c.tag, c.count).end();
    Reader r(w.bytes());
    ASSERT_TRUE(r.enter_root());
    Field f;
    ASSERT_TRUE(r.next(f));
    r.skip(f.tag);
    ASSERT_FALSE(r.ok()) << c.name;
    EXPECT_THAT(r.error(), HasSubstr(c.why)) << c.name;
  }
}

TEST(NbtReader, DepthHasALimit) {
  for (const int depth : {kDepthMax - 1, kDepthMax, kDepthMax + 1, 100'000}) {
    NbtWriter w;
    w.compound("");
    for (int i = 0; i < depth; ++i) w.compound("");
    for (int i = 0; i < depth; ++i) w.end();
    w.end();
    Reader r(w.bytes());
    ASSERT_TRUE(r.enter_root());
    for (Field f; r.next(f);) r.skip(f.tag);
    EXPECT_EQ(r.ok(), depth <= kDepthMax + 1) << depth;
  }
}

}  // namespace
}  // namespace voxpath::world::nbt
