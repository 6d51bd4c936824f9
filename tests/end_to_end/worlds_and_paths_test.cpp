// A client and a daemon over TCP: worlds, edits, queries, paths.
#include "tests/end_to_end/daemon_fixture.hpp"

#include <future>

#include <gtest/gtest.h>

namespace voxpath::test {
namespace {

using client::BlockingClient;

v1::OpenWorld world_named(const std::string& name) {
  v1::OpenWorld request;
  request.set_world(name);
  return request;
}

/// A chunk of stone below y = 16, and air.
v1::PutChunk stone_chunk(const std::string& world, int x, int z) {
  v1::PutChunk request;
  request.set_world(world);
  request.set_x(x);
  request.set_z(z);
  request.add_palette("stone");
  request.add_sections()->add_blocks(0);
  return request;
}

v1::SetBlocks one_block(const std::string& world, int x, int y, int z, const std::string& block) {
  v1::SetBlocks request;
  request.set_world(world);
  v1::BlockChange& change = *request.add_changes();
  change.mutable_at()->set_x(x);
  change.mutable_at()->set_y(y);
  change.mutable_at()->set_z(z);
  change.set_block(block);
  return request;
}

TEST(WorldsAndPaths, FromAnEmptyWorldToAPath) {
  RunningDaemon daemon;
  BlockingClient client({.port = daemon.port()});
  const auto opened = client.open_world(world_named("mine"));
  ASSERT_TRUE(opened) << opened.error().message();
  EXPECT_TRUE(opened->created());
  EXPECT_EQ(opened->version(), 0u);
  EXPECT_EQ(opened->min_y(), -64);
  EXPECT_EQ(opened->height(), 384u);
  EXPECT_FALSE(opened->game_version().empty());

  const auto put = client.put_chunk(stone_chunk("mine", 0, 0));
  ASSERT_TRUE(put) << put.error().message();
  EXPECT_EQ(put->version(), 1u);

  v1::FindPath request;
  request.set_world("mine");
  request.mutable_agent()->set_profile("zombie");
  request.mutable_start()->mutable_position()->set_x(1.5);
  request.mutable_start()->mutable_position()->set_y(16);
  request.mutable_start()->mutable_position()->set_z(8.5);
  request.mutable_goal()->mutable_cell()->set_x(5);
  request.mutable_goal()->mutable_cell()->set_y(16);
  request.mutable_goal()->mutable_cell()->set_z(8);
  auto path = client.find_path(request);
  ASSERT_TRUE(path) << path.error().message();
  EXPECT_EQ(path->status(), v1::PathAnswer::FOUND);
  EXPECT_EQ(path->cost(), 40);
  EXPECT_EQ(path->moves(), 4u);
  EXPECT_EQ(path->version(), 1u);
  ASSERT_EQ(path->waypoints_size(), 5);
  EXPECT_EQ(path->waypoints(0).kind(), v1::Waypoint::START);
  EXPECT_EQ(path->waypoints(4).cell().x(), 5);
  EXPECT_EQ(path->waypoints(4).position().x(), 5.5);
  EXPECT_EQ(path->waypoints(4).position().y(), 16.0);
  EXPECT_EQ(path->waypoints(4).floor_px(), 256);
  EXPECT_EQ(path->waypoints(4).kind(), v1::Waypoint::WALK);

  // A wall two high across the chunk but for one place makes it go round.
  v1::SetBlocks wall;
  wall.set_world("mine");
  v1::BlockChange& change = *wall.add_changes();
  change.mutable_box()->mutable_min()->set_x(3);
  change.mutable_box()->mutable_min()->set_y(16);
  change.mutable_box()->mutable_min()->set_z(0);
  change.mutable_box()->mutable_max()->set_x(3);
  change.mutable_box()->mutable_max()->set_y(17);
  change.mutable_box()->mutable_max()->set_z(14);
  change.set_block("minecraft:cobblestone");
  const auto built = client.set_blocks(wall);
  ASSERT_TRUE(built) << built.error().message();
  EXPECT_EQ(built->version(), 2u);
  path = client.find_path(request);
  ASSERT_TRUE(path);
  EXPECT_EQ(path->status(), v1::PathAnswer::FOUND);
  EXPECT_EQ(path->version(), 2u);
  EXPECT_GT(path->cost(), 100);
  bool through_the_gap = false;
  for (const auto& waypoint : path->waypoints())
    through_the_gap |= waypoint.cell().x() == 3 && waypoint.cell().z() == 15;
  EXPECT_TRUE(through_the_gap);

  ASSERT_TRUE(client.set_blocks(one_block("mine", 3, 16, 15, "cobblestone")));
  ASSERT_TRUE(client.set_blocks(one_block("mine", 3, 17, 15, "cobblestone")));
  path = client.find_path(request);
  ASSERT_TRUE(path);
  EXPECT_EQ(path->status(), v1::PathAnswer::PARTIAL)
      << "the world ends at the chunk's border, and beyond it there might be a way";
  EXPECT_EQ(path->reason(), v1::PathAnswer::MISSING_CHUNK);
  EXPECT_FALSE(path->missing_chunks().empty());
}

TEST(WorldsAndPaths, Queries) {
  RunningDaemon daemon;
  BlockingClient client({.port = daemon.port()});
  ASSERT_TRUE(client.set_blocks(one_block("flat", 5, 64, 0, "oak_fence")));

  v1::QueryBlocks request;
  request.set_world("flat");
  request.set_detail(v1::QueryBlocks::NAMES);
  const struct {
    int x, y;
    v1::BlockInfo::Solidity solidity;
    const char* name;
  } kRows[] = {{0, 63, v1::BlockInfo::SOLID, "minecraft:stone"},
               {0, 64, v1::BlockInfo::AIR, "minecraft:air"},
               {5, 64, v1::BlockInfo::SOLID, "minecraft:oak_fence"},
               {100'000, 64, v1::BlockInfo::MISSING, ""},
               {0, 0, v1::BlockInfo::SOLID, "minecraft:stone"}};
  for (const auto& row : kRows) {
    v1::BlockPos& at = *request.add_at();
    at.set_x(row.x);
    at.set_y(row.y);
  }
  const auto blocks = client.query_blocks(request);
  ASSERT_TRUE(blocks) << blocks.error().message();
  ASSERT_EQ(blocks->blocks_size(), 5);
  EXPECT_EQ(blocks->palette_size(), 4) << "different blocks are told once";
  for (int i = 0; i < 5; ++i) {
    const v1::BlockInfo& info = blocks->palette(static_cast<int>(blocks->blocks(i)));
    EXPECT_EQ(info.solidity(), kRows[i].solidity) << i;
    EXPECT_EQ(info.name(), kRows[i].name) << i;
  }
  EXPECT_EQ(blocks->palette(static_cast<int>(blocks->blocks(2))).top_px(), 24u);

  v1::LineOfSight sight;
  sight.set_world("flat");
  sight.mutable_from()->set_x(0.5);
  sight.mutable_from()->set_y(64.5);
  sight.mutable_from()->set_z(0.5);
  *sight.mutable_to() = sight.from();
  sight.mutable_to()->set_x(9.5);
  auto seen = client.line_of_sight(sight);
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->sight(), v1::SightAnswer::BLOCKED);
  EXPECT_EQ(seen->at().x(), 5);
  sight.mutable_from()->set_y(66.5);
  sight.mutable_to()->set_y(66.5);
  seen = client.line_of_sight(sight);
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->sight(), v1::SightAnswer::CLEAR);

  v1::SurfaceBelow below;
  below.set_world("flat");
  below.mutable_from()->set_x(5.5);
  below.mutable_from()->set_y(100);
  const auto surface = client.surface_below(below);
  ASSERT_TRUE(surface);
  EXPECT_EQ(surface->result(), v1::SurfaceAnswer::SURFACE);
  EXPECT_EQ(surface->floor_px(), 64 * 16 + 24);
  EXPECT_EQ(surface->block().y(), 64);
}

TEST(WorldsAndPaths, AClientsOwnNumbers) {
  RunningDaemon daemon;
  BlockingClient client({.port = daemon.port()});
  ASSERT_TRUE(client.open_world(world_named("mine")));
  v1::SetPalette palette;
  palette.set_world("mine");
  palette.set_first(100);
  palette.add_blocks("air");
  palette.add_blocks("minecraft:stone");
  ASSERT_TRUE(client.set_palette(palette));

  v1::PutChunk chunk;
  chunk.set_world("mine");
  v1::ChunkSection& section = *chunk.add_sections();
  for (int i = 0; i < 4096; ++i) section.add_blocks(i < 256 ? 101 : 100);  // one layer
  ASSERT_TRUE(client.put_chunk(chunk));
  v1::SurfaceBelow below;
  below.set_world("mine");
  below.mutable_from()->set_y(10);
  EXPECT_EQ(client.surface_below(below)->floor_px(), 16);

  section.set_blocks(7, 99);
  const auto refused = client.put_chunk(chunk);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().reason(), "palette_number_unknown");
  EXPECT_EQ(refused.error().field(), "put_chunk.sections[0].blocks");

  // Numbers are one client's own.
  BlockingClient other({.port = daemon.port()});
  section.set_blocks(7, 100);
  EXPECT_EQ(other.put_chunk(chunk).error().reason(), "palette_number_unknown");

  v1::SetBlocks change;
  change.set_world("mine");
  change.add_changes()->mutable_at()->set_y(1);
  change.mutable_changes(0)->set_number(101);
  ASSERT_TRUE(client.set_blocks(change));
  EXPECT_EQ(client.surface_below(below)->floor_px(), 32);
  change.mutable_changes(0)->set_number(102);
  EXPECT_EQ(client.set_blocks(change).error().field(), "set_blocks.changes[0].number");
}

TEST(WorldsAndPaths, SectionsOfAChunkAndDroppingIt) {
  RunningDaemon daemon;
  BlockingClient client({.port = daemon.port()});
  v1::PutChunk part = stone_chunk("flat", 0, 0);
  part.set_only_these_sections(true);
  part.mutable_sections(0)->set_y(5);  // a storey above the ground
  ASSERT_TRUE(client.put_chunk(part));
  v1::SurfaceBelow below;
  below.set_world("flat");
  below.mutable_from()->set_y(200);
  EXPECT_EQ(client.surface_below(below)->floor_px(), 96 * 16);
  below.mutable_from()->set_y(70);
  EXPECT_EQ(client.surface_below(below)->floor_px(), 64 * 16) << "the sections left out stayed";

  part.mutable_sections(0)->set_y(24);
  const auto refused = client.put_chunk(part);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().reason(), "field_out_of_range");
  EXPECT_EQ(refused.error().field(), "put_chunk.sections[0].y");

  v1::DropChunk drop;
  drop.set_world("flat");
  ASSERT_TRUE(client.drop_chunk(drop));
  EXPECT_EQ(client.surface_below(below)->result(), v1::SurfaceAnswer::MISSING_CHUNK);
  const auto late = client.set_blocks(one_block("flat", 0, 64, 0, "stone"));
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().reason(), "chunk_unknown");
}

TEST(WorldsAndPaths, OpeningListingClosing) {
  RunningDaemon daemon;
  BlockingClient client({.port = daemon.port()});
  v1::OpenWorld request = world_named("nether");
  request.set_min_y(0);
  request.set_height(256);
  request.set_game_version("1.16.5");
  ASSERT_TRUE(client.open_world(request));
  const auto again = client.open_world(world_named("nether"));
  ASSERT_TRUE(again) << "nothing that was asked for differs";
  EXPECT_FALSE(again->created());
  request.set_height(128);
  const auto differs = client.open_world(request);
  ASSERT_FALSE(differs);
  EXPECT_EQ(differs.error().code(), v1::Error::ALREADY_EXISTS);
  EXPECT_EQ(differs.error().field(), "open_world.height");
  EXPECT_EQ(differs.error().limit(), "256");

  request = world_named("other");
  request.set_folder("home");
  EXPECT_EQ(client.open_world(request).error().code(), v1::Error::PERMISSION_DENIED);
  request.set_folder("flat");
  const auto copy = client.open_world(request);
  ASSERT_TRUE(copy) << "a configured world under a name of one's own";
  EXPECT_EQ(copy->chunks(), 256u);
  request = world_named("future");
  request.set_game_version("9.9");
  EXPECT_EQ(client.open_world(request).error().field(), "open_world.game_version");

  const auto list = client.list_worlds();
  ASSERT_TRUE(list);
  ASSERT_EQ(list->worlds_size(), 3);
  EXPECT_EQ(list->worlds(0).world(), "flat");
  EXPECT_EQ(list->worlds(1).world(), "nether");
  EXPECT_EQ(list->worlds(2).world(), "other");
  ASSERT_EQ(list->folders_size(), 1);
  EXPECT_EQ(list->folders(0), "flat");

  v1::CloseWorld close;
  close.set_world("nether");
  ASSERT_TRUE(client.close_world(close));
  EXPECT_EQ(client.close_world(close).error().code(), v1::Error::NOT_FOUND);
  EXPECT_EQ(client.list_worlds()->worlds_size(), 2);
  EXPECT_EQ(client.server_info()->worlds(), 2u);
}

TEST(WorldsAndPaths, HoldsTheLimitOfWorlds) {
  RunningDaemon daemon;
  BlockingClient client({.port = daemon.port()});
  for (std::size_t i = 1; i < protocol::kWorldsMax; ++i)
    ASSERT_TRUE(client.open_world(world_named("w" + std::to_string(i))));
  const auto one_more = client.open_world(world_named("one_more"));
  ASSERT_FALSE(one_more);
  EXPECT_EQ(one_more.error().reason(), "worlds_full");
}

TEST(WorldsAndPaths, RefusalsNameFieldValueAndLimit) {
  RunningDaemon daemon;
  BlockingClient client({.port = daemon.port()});
  v1::FindPath request = flat_path(0, 5);
  request.set_world("nowhere");
  auto refused = client.find_path(request);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), v1::Error::NOT_FOUND);
  EXPECT_EQ(refused.error().field(), "find_path.world");
  EXPECT_EQ(refused.error().value(), "nowhere");

  request = flat_path(0, 5);
  request.mutable_agent()->set_profile("dragon");
  refused = client.find_path(request);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().reason(), "profile_unknown");
  EXPECT_NE(refused.error().limit().find("zombie"), std::string::npos);

  request = flat_path(0, 5);
  request.mutable_agent()->set_height(17);
  refused = client.find_path(request);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().field(), "find_path.agent.height");

  request = flat_path(0, 5);
  request.set_expansions_max(protocol::kExpansionsMax + 1);
  refused = client.find_path(request);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), v1::Error::OUT_OF_RANGE);
  EXPECT_EQ(refused.error().value(), "1000001");
  EXPECT_EQ(refused.error().limit(), "0..1000000 expansions");

  const auto bad_block = client.set_blocks(one_block("flat", 0, 64, 0, "Stone Brick!"));
  ASSERT_FALSE(bad_block);
  EXPECT_EQ(bad_block.error().field(), "set_blocks.changes[0].block");
}

TEST(WorldsAndPaths, APathSeesTheEditsSentBeforeIt) {
  RunningDaemon daemon;
  BlockingClient client({.port = daemon.port()});
  // Nothing is waited for in between: each path is asked for while its edit is still on its way.
  std::vector<std::future<std::pair<std::uint64_t, std::uint64_t>>> rounds;
  for (int i = 0; i < 50; ++i) {
    auto versions = std::make_shared<std::pair<std::uint64_t, std::uint64_t>>();
    auto promise = std::make_shared<std::promise<std::pair<std::uint64_t, std::uint64_t>>>();
    auto missing = std::make_shared<std::atomic<int>>(2);
    const auto done = [versions, promise, missing] {
      if (--*missing == 0) promise->set_value(*versions);
    };
    client.async().set_blocks(one_block("flat", 50, 70, i, "stone"), [=](client::Reply<v1::Committed> reply) {
      versions->first = reply ? reply->version() : 0;
      done();
    });
    client.async().find_path(flat_path(0, 5), [=](client::Reply<v1::PathAnswer> reply) {
      versions->second = reply ? reply->version() : 0;
      done();
    });
    rounds.push_back(promise->get_future());
  }
  for (auto& round : rounds) {
    const auto [edit, path] = round.get();
    EXPECT_GT(edit, 0u);
    EXPECT_GE(path, edit);
  }
}

TEST(WorldsAndPaths, EveryGoalGetsThrough) {
  RunningDaemon daemon;
  BlockingClient client({.port = daemon.port()});
  const auto expect_found = [&](const char* name, const std::function<void(v1::Goal&)>& set, std::int64_t cost) {
    SCOPED_TRACE(name);
    v1::FindPath request = flat_path(0, 0);
    request.clear_goal();
    set(*request.mutable_goal());
    const auto path = client.find_path(request);
    ASSERT_TRUE(path) << path.error().message();
    EXPECT_EQ(path->status(), v1::PathAnswer::FOUND);
    EXPECT_EQ(path->cost(), cost);
  };
  const auto cell = [](v1::BlockPos* p, int x) {
    p->set_x(x);
    p->set_y(64);
  };
  const auto position = [](v1::Position* p, double x) {
    p->set_x(x);
    p->set_y(64);
    p->set_z(0.5);
  };
  expect_found("cell", [&](v1::Goal& g) { cell(g.mutable_cell(), 4); }, 40);
  expect_found("position", [&](v1::Goal& g) { position(g.mutable_position(), 4.5); }, 40);
  expect_found(
      "any of",
      [&](v1::Goal& g) {
        cell(g.mutable_any_of()->add_places()->mutable_cell(), 9);
        position(g.mutable_any_of()->add_places()->mutable_position(), 3.5);
      },
      30);
  expect_found(
      "radius",
      [&](v1::Goal& g) {
        position(g.mutable_radius()->mutable_centre(), 10.5);
        g.mutable_radius()->set_radius(3);
      },
      70);
  expect_found("column", [&](v1::Goal& g) { g.mutable_column()->set_x(-6); }, 60);
  expect_found("level", [&](v1::Goal& g) { g.set_level(64); }, 0);
  expect_found("next to", [&](v1::Goal& g) { cell(g.mutable_next_to(), 6); }, 50);
  expect_found(
      "flee",
      [&](v1::Goal& g) {
        position(g.mutable_flee()->add_points(), -1.5);
        g.mutable_flee()->set_distance(5);
      },
      30);
  expect_found(
      "sight",
      [&](v1::Goal& g) {
        position(g.mutable_sight()->mutable_point(), 20.5);
        g.mutable_sight()->mutable_point()->set_y(65);
        g.mutable_sight()->set_range(10.5);
      },
      100);
}

}  // namespace
}  // namespace voxpath::test
