#include "server/hosted_world.hpp"

#include "protocol/limits.hpp"
#include "server/world_queries.hpp"

#include <functional>

#include <gtest/gtest.h>

namespace voxpath::server {
namespace {

using protocol::Failure;

HostedWorld make_world(std::size_t chunks_max = protocol::kChunksMax) {
  auto table = world::BlockTable::for_version("1.20.4");
  return {"w",
          std::make_unique<world::World>(world::Heights{0, 64}),
          *std::move(table),
          {.game_version = "1.20.4", .folder = {}, .problems = {}},
          chunks_max};
}

v1::PutChunk layered_chunk() {
  v1::PutChunk chunk;
  chunk.set_world("w");
  chunk.add_palette("stone");
  chunk.add_palette("minecraft:oak_slab[type=bottom,waterlogged=false]");
  chunk.add_palette("air");
  v1::ChunkSection& section = *chunk.add_sections();
  for (int i = 0; i < 4096; ++i) section.add_blocks(i < 256 ? 0 : i < 512 ? 1 : 2);
  return chunk;
}

const world::PaletteEntry* block(const HostedWorld& world, int x, int y, int z) {
  return world.snapshot()->block({x, y, z});
}

TEST(HostedWorld, PutsChunksByTheirIndexOrder) {
  HostedWorld world = make_world();
  v1::PutChunk chunk = layered_chunk();
  chunk.mutable_sections(0)->set_blocks(2 * 256 + 5 * 16 + 3, 0);  // y = 2, z = 5, x = 3
  const auto put = world.put_chunk(1, chunk);
  ASSERT_TRUE(std::holds_alternative<world::Commit>(put)) << std::get<Failure>(put).message;
  EXPECT_EQ(std::get<world::Commit>(put).version, 1u);
  EXPECT_EQ(block(world, 0, 0, 0)->traits.top, 16);
  EXPECT_EQ(block(world, 0, 1, 0)->traits.top, 8);
  EXPECT_FALSE(block(world, 0, 2, 0)->traits.has_extent());
  EXPECT_EQ(block(world, 3, 2, 5)->traits.top, 16);
  EXPECT_FALSE(block(world, 5, 2, 3)->traits.has_extent());
  EXPECT_FALSE(block(world, 0, 63, 0)->traits.has_extent()) << "sections left out are air";
  EXPECT_EQ(block(world, 16, 0, 0), nullptr) << "chunks left out are unknown";
}

TEST(HostedWorld, RefusalsChangeNothing) {
  HostedWorld world = make_world();
  (void)world.put_chunk(1, layered_chunk());
  const auto before = world.snapshot()->version();
  const struct {
    const char* name;
    std::function<Outcome<world::Commit>(HostedWorld&)> act;
    const char* field;
    protocol::ErrorKind kind;
  } kRows[] = {
      {"palette text",
       [](HostedWorld& w) {
         v1::PutChunk chunk = layered_chunk();
         chunk.set_palette(1, "not a block!");
         return w.put_chunk(1, chunk);
       },
       "put_chunk.palette[1]", protocol::ErrorKind::field_invalid},
      {"section too high",
       [](HostedWorld& w) {
         v1::PutChunk chunk = layered_chunk();
         chunk.mutable_sections(0)->set_y(4);
         return w.put_chunk(1, chunk);
       },
       "put_chunk.sections[0].y", protocol::ErrorKind::field_out_of_range},
      {"section too low",
       [](HostedWorld& w) {
         v1::PutChunk chunk = layered_chunk();
         chunk.mutable_sections(0)->set_y(-1);
         return w.put_chunk(1, chunk);
       },
       "put_chunk.sections[0].y", protocol::ErrorKind::field_out_of_range},
      {"no palette at all",
       [](HostedWorld& w) {
         v1::PutChunk chunk = layered_chunk();
         chunk.clear_palette();
         return w.put_chunk(1, chunk);
       },
       "put_chunk.sections[0].blocks", protocol::ErrorKind::palette_number_unknown},
      {"an unknown chunk's block",
       [](HostedWorld& w) {
         v1::SetBlocks change;
         change.add_changes()->mutable_at();
         change.mutable_changes(0)->set_block("stone");
         change.add_changes()->mutable_at()->set_x(100);
         change.mutable_changes(1)->set_block("stone");
         return w.set_blocks(1, change);
       },
       "set_blocks.changes[1].at", protocol::ErrorKind::chunk_unknown},
      {"sections of an unknown chunk",
       [](HostedWorld& w) {
         v1::PutChunk chunk = layered_chunk();
         chunk.set_x(100);
         chunk.set_only_these_sections(true);
         return w.put_chunk(1, chunk);
       },
       "put_chunk.only_these_sections", protocol::ErrorKind::chunk_unknown},
      {"above the world",
       [](HostedWorld& w) {
         v1::SetBlocks change;
         change.add_changes()->mutable_at()->set_y(64);
         change.mutable_changes(0)->set_block("stone");
         return w.set_blocks(1, change);
       },
       "set_blocks.changes[0].at.y", protocol::ErrorKind::field_out_of_range},
      {"a box out of the world's bottom",
       [](HostedWorld& w) {
         v1::SetBlocks change;
         change.add_changes()->mutable_box()->mutable_min()->set_y(-1);
         change.mutable_changes(0)->mutable_box()->mutable_max();
         change.mutable_changes(0)->set_block("stone");
         return w.set_blocks(1, change);
       },
       "set_blocks.changes[0].box.min.y", protocol::ErrorKind::field_out_of_range},
      {"no block's text",
       [](HostedWorld& w) {
         v1::SetBlocks change;
         change.add_changes()->mutable_at();
         change.mutable_changes(0)->set_block("[oops");
         return w.set_blocks(1, change);
       },
       "set_blocks.changes[0].block", protocol::ErrorKind::field_invalid},
      {"a number never given",
       [](HostedWorld& w) {
         v1::SetBlocks change;
         change.add_changes()->mutable_at();
         change.mutable_changes(0)->set_number(3);
         return w.set_blocks(1, change);
       },
       "set_blocks.changes[0].number", protocol::ErrorKind::palette_number_unknown},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    const auto outcome = row.act(world);
    ASSERT_TRUE(std::holds_alternative<Failure>(outcome));
    EXPECT_EQ(std::get<Failure>(outcome).field, row.field) << std::get<Failure>(outcome).message;
    EXPECT_EQ(std::get<Failure>(outcome).kind, row.kind) << std::get<Failure>(outcome).message;
    EXPECT_NE(std::get<Failure>(outcome).value, "");
    EXPECT_NE(std::get<Failure>(outcome).limit, "");
    EXPECT_EQ(world.snapshot()->version(), before);
  }
  EXPECT_TRUE(std::holds_alternative<world::Commit>(world.put_chunk(1, layered_chunk())))
      << "and it goes on as if nothing had been";
}

TEST(HostedWorld, HoldsItsLimitOfChunks) {
  constexpr std::size_t kChunks = 3;
  HostedWorld world = make_world(kChunks);
  v1::PutChunk chunk = layered_chunk();
  for (int x = 0; x < static_cast<int>(kChunks); ++x) {
    chunk.set_x(x);
    ASSERT_TRUE(std::holds_alternative<world::Commit>(world.put_chunk(1, chunk))) << x;
  }
  chunk.set_x(static_cast<int>(kChunks));
  const auto one_more = world.put_chunk(1, chunk);
  ASSERT_TRUE(std::holds_alternative<Failure>(one_more));
  const auto& refused = std::get<Failure>(one_more);
  EXPECT_EQ(refused.kind, protocol::ErrorKind::chunks_full);
  EXPECT_EQ(refused.field, "put_chunk");
  EXPECT_EQ(refused.value, "chunk 3, 0 beside 3 others");
  EXPECT_EQ(refused.limit, "3 chunks");
  EXPECT_EQ(world.snapshot()->chunks().size(), kChunks);

  chunk.set_x(1);
  EXPECT_TRUE(std::holds_alternative<world::Commit>(world.put_chunk(1, chunk))) << "one in place of another";
  v1::DropChunk drop;
  drop.set_x(0);
  EXPECT_TRUE(std::holds_alternative<world::Commit>(world.drop_chunk(drop)));
  chunk.set_x(static_cast<int>(kChunks));
  EXPECT_TRUE(std::holds_alternative<world::Commit>(world.put_chunk(1, chunk))) << "one has gone";
}

TEST(HostedWorld, PalettesHaveGapsAndAreForgotten) {
  HostedWorld world = make_world();
  v1::SetPalette palette;
  palette.set_first(10);
  palette.add_blocks("stone");
  EXPECT_FALSE(world.set_palette(1, palette));
  palette.set_first(12);
  palette.set_blocks(0, "air");
  EXPECT_FALSE(world.set_palette(1, palette));
  v1::PutChunk chunk;
  chunk.add_sections()->add_blocks(10);
  EXPECT_TRUE(std::holds_alternative<world::Commit>(world.put_chunk(1, chunk)));
  chunk.mutable_sections(0)->set_blocks(0, 11);
  EXPECT_TRUE(std::holds_alternative<Failure>(world.put_chunk(1, chunk))) << "a gap";
  chunk.mutable_sections(0)->set_blocks(0, 12);
  EXPECT_TRUE(std::holds_alternative<world::Commit>(world.put_chunk(1, chunk)));
  EXPECT_TRUE(std::holds_alternative<Failure>(world.put_chunk(2, chunk))) << "another client's";
  world.forget(1);
  EXPECT_TRUE(std::holds_alternative<Failure>(world.put_chunk(1, chunk)));
  palette.set_blocks(0, "[oops");
  EXPECT_EQ(world.set_palette(1, palette)->field, "set_palette.blocks[0]");
}

TEST(HostedWorld, UnknownBlocksAreFullCubes) {
  HostedWorld world = make_world();
  v1::PutChunk chunk;
  chunk.add_palette("somemod:marble[polished=true]");
  chunk.add_sections()->add_blocks(0);
  ASSERT_TRUE(std::holds_alternative<world::Commit>(world.put_chunk(1, chunk)));
  EXPECT_TRUE(block(world, 0, 0, 0)->traits.unknown);
  EXPECT_EQ(block(world, 0, 0, 0)->traits.top, 16);
  v1::QueryBlocks query;
  query.add_at();
  query.set_detail(v1::QueryBlocks::NAMES);
  const auto answer = query_blocks(*world.snapshot(), query);
  EXPECT_EQ(std::get<v1::BlocksAnswer>(answer).palette(0).name(), "somemod:marble[polished=true]");
  EXPECT_TRUE(std::get<v1::BlocksAnswer>(answer).palette(0).unknown());
}

TEST(WorldQueries, TellBlocksInTheDetailAskedFor) {
  HostedWorld world = make_world();
  (void)world.put_chunk(1, layered_chunk());
  v1::QueryBlocks query;
  query.mutable_box()->mutable_min();
  query.mutable_box()->mutable_max()->set_x(16);
  query.mutable_box()->mutable_max()->set_y(2);
  const auto solidity = std::get<v1::BlocksAnswer>(query_blocks(*world.snapshot(), query));
  EXPECT_EQ(solidity.blocks_size(), 17 * 3);
  EXPECT_EQ(solidity.palette_size(), 3) << "solid, air, missing: stone and slab look alike";
  EXPECT_EQ(solidity.palette(static_cast<int>(solidity.blocks(16))).solidity(), v1::BlockInfo::MISSING)
      << "x is fastest";
  EXPECT_EQ(solidity.palette(static_cast<int>(solidity.blocks(17 * 2))).solidity(), v1::BlockInfo::AIR)
      << "y is slowest";
  query.set_detail(v1::QueryBlocks::TRAITS);
  const auto traits = std::get<v1::BlocksAnswer>(query_blocks(*world.snapshot(), query));
  EXPECT_EQ(traits.palette_size(), 4);
  EXPECT_EQ(traits.palette(static_cast<int>(traits.blocks(17))).top_px(), 8u);
  EXPECT_EQ(traits.palette(0).name(), "");
}

TEST(WorldQueries, ABoxOfTheLargestSizeIsAnswered) {
  HostedWorld world = make_world();
  v1::QueryBlocks query;
  query.mutable_box()->mutable_min();
  query.mutable_box()->mutable_max()->set_x(63);
  query.mutable_box()->mutable_max()->set_y(63);
  query.mutable_box()->mutable_max()->set_z(63);
  const auto answer = query_blocks(*world.snapshot(), query);
  EXPECT_EQ(std::get<v1::BlocksAnswer>(answer).blocks_size(), static_cast<int>(protocol::kQueryBlocksMax));
}

}  // namespace
}  // namespace voxpath::server
