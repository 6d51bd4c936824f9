// Who may do what: each role and each kind of request over the wire, quotas of tokens, and folders that clients may name.
#include "server/access/role.hpp"
#include "tests/end_to_end/daemon_fixture.hpp"
#include "tests/support/scratch_folder.hpp"

#include <filesystem>
#include <map>

#include <gtest/gtest.h>

namespace voxpath::test {
namespace {

using client::BlockingClient;
using server::Role;

server::Config config_with_tokens() {
  server::Config config = test_config();
  for (const std::string_view name : server::kRoleNames) {
    const std::string text(name);
    config.access.tokens.push_back({"token of " + text, {.name = text, .role = *server::role_named(name)}});
  }
  return config;
}

/// A request of each kind that passes the door.
std::map<std::string, v1::ClientFrame> requests() {
  std::map<std::string, v1::ClientFrame> all;
  all["server_info"].mutable_server_info();
  all["list_worlds"].mutable_list_worlds();
  v1::QueryBlocks& query = *all["query_blocks"].mutable_query_blocks();
  query.set_world("flat");
  query.add_at();
  v1::LineOfSight& sight = *all["line_of_sight"].mutable_line_of_sight();
  sight.set_world("flat");
  sight.mutable_from();
  sight.mutable_to()->set_x(1);
  v1::SurfaceBelow& surface = *all["surface_below"].mutable_surface_below();
  surface.set_world("flat");
  surface.mutable_from()->set_y(70);
  *all["find_path"].mutable_find_path() = flat_path(0, 3);
  v1::FindPaths& paths = *all["find_paths"].mutable_find_paths();
  paths.set_world("flat");
  *paths.add_starts() = flat_path(0, 3).start();
  *paths.mutable_goal() = flat_path(0, 3).goal();
  v1::ValidatePath& path = *all["validate_path"].mutable_validate_path();
  path.set_world("flat");
  v1::Waypoint& waypoint = *path.add_waypoints();
  waypoint.mutable_cell()->set_y(64);
  waypoint.set_floor_px(64 * 16);
  waypoint.set_kind(v1::Waypoint::START);
  waypoint.set_medium(v1::Waypoint::GROUND);
  all["unwatch"].mutable_unwatch()->set_world("flat");
  all["unwatch"].mutable_unwatch()->set_watch(1);
  all["open_world"].mutable_open_world()->set_world("new");
  all["set_palette"].mutable_set_palette()->set_world("flat");
  all["set_palette"].mutable_set_palette()->add_blocks("minecraft:stone");
  v1::PutChunk& put = *all["put_chunk"].mutable_put_chunk();
  put.set_world("flat");
  put.add_palette("minecraft:air");
  v1::ChunkSection& section = *put.add_sections();
  section.add_blocks(0);
  v1::DropChunk& drop = *all["drop_chunk"].mutable_drop_chunk();
  drop.set_world("flat");
  drop.set_x(7);
  v1::SetBlocks& set = *all["set_blocks"].mutable_set_blocks();
  set.set_world("flat");
  v1::BlockChange& change = *set.add_changes();
  change.mutable_at()->set_y(70);
  change.set_block("minecraft:air");
  all["close_world"].mutable_close_world()->set_world("new");
  return all;
}

v1::ServerFrame answer_to(RawSocket& socket, v1::ClientFrame frame, std::uint32_t id) {
  frame.set_id(id);
  socket.send(frame);
  auto answer = socket.next_frame();
  return answer ? *answer : v1::ServerFrame();
}

TEST(Access, EachRoleMayDoWhatTheTableSaysAndNothingElse) {
  const std::map<std::string, Role> needed{
      {"server_info", Role::read},   {"list_worlds", Role::read},   {"query_blocks", Role::read},
      {"line_of_sight", Role::read}, {"surface_below", Role::read}, {"find_path", Role::path},
      {"find_paths", Role::path},    {"validate_path", Role::path}, {"unwatch", Role::path},
      {"open_world", Role::write},   {"set_palette", Role::write},  {"put_chunk", Role::write},
      {"drop_chunk", Role::write},   {"set_blocks", Role::write},   {"close_world", Role::admin}};
  const auto all = requests();
  ASSERT_EQ(all.size(), needed.size());
  RunningDaemon daemon(config_with_tokens());
  for (const std::string_view name : server::kRoleNames) {
    RawSocket socket(daemon.port());
    socket.greet("token of " + std::string(name));
    ASSERT_TRUE(socket.next_frame()->has_welcome());
    std::uint32_t id = 1;
    for (const auto& [kind, frame] : all) {
      SCOPED_TRACE(std::string(name) + " asks " + kind);
      const v1::ServerFrame answer = answer_to(socket, frame, ++id);
      ASSERT_EQ(answer.id(), id);
      const bool allowed = *server::role_named(name) >= needed.at(kind);
      EXPECT_EQ(answer.error().reason() == "role_missing", !allowed) << answer.ShortDebugString();
      if (allowed) continue;
      EXPECT_EQ(answer.error().code(), v1::Error::PERMISSION_DENIED);
      EXPECT_EQ(answer.error().limit(), server::name_of(needed.at(kind))) << "the role needed is named";
    }
    v1::ClientFrame ping;  // no role is needed for what the connection itself answers
    ping.mutable_ping()->set_payload(5);
    EXPECT_EQ(answer_to(socket, ping, ++id).pong().payload(), 5u);
  }
}

TEST(Access, WithoutTokensTheRoleOfAllHolds) {
  server::Config config = test_config();
  config.access.role = Role::path;
  RunningDaemon daemon(config);
  BlockingClient client({.port = daemon.port()});
  EXPECT_TRUE(client.find_path(flat_path(0, 5)));
  const auto refused = client.set_blocks(requests().at("set_blocks").set_blocks());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().reason(), "role_missing");
  EXPECT_NE(refused.error().message().find("write"), std::string::npos) << refused.error().message();
}

TEST(Access, ATokenHasNoMoreConnectionsThanItMay) {
  server::Config config = test_config();
  config.access.tokens = {{"one", {.name = "one", .connections_max = 1}}, {"other", {.name = "other"}}};
  RunningDaemon daemon(config);
  {
    BlockingClient first({.port = daemon.port(), .token = "one"});
    ASSERT_TRUE(first.ping());
    RawSocket second(daemon.port());
    second.greet("one");
    const auto goodbye = second.next_frame();
    ASSERT_TRUE(goodbye);
    EXPECT_EQ(goodbye->goodbye().error().reason(), "connections_full");
    EXPECT_NE(goodbye->goodbye().error().message().find("'one'"), std::string::npos);
    BlockingClient other({.port = daemon.port(), .token = "other"});
    EXPECT_TRUE(other.ping());
  }
  EXPECT_TRUE(eventually([&] { return daemon->access().connections("one") == 0; }));
  BlockingClient again({.port = daemon.port(), .token = "one"});
  EXPECT_TRUE(again.ping()) << "there is room again";
}

TEST(Access, AConnectionHasNoMoreWatchesThanItsTokenMay) {
  server::Config config = test_config();
  config.access.tokens = {{"few", {.name = "few", .watches_max = 2}}};
  RunningDaemon daemon(config);
  BlockingClient client({.port = daemon.port(), .token = "few"});
  v1::FindPath request = flat_path(0, 5);
  request.set_watch(true);
  EXPECT_NE(client.find_path(request)->watch(), 0u);
  const auto second = client.find_path(request);
  ASSERT_NE(second->watch(), 0u);
  const auto third = client.find_path(request);
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().reason(), "watches_full");
  EXPECT_EQ(third.error().limit(), "2 watches");
  v1::Unwatch end;
  end.set_world("flat");
  end.set_watch(second->watch());
  ASSERT_TRUE(client.unwatch(end)->watched());
  EXPECT_NE(client.find_path(request)->watch(), 0u) << "there is room again";
}

// What a client may open is what the configuration names, and what is in the folder that it names.
TEST(Access, FoldersOutsideAreNotOpened) {
  namespace fs = std::filesystem;
  const ScratchFolder scratch;
  const fs::path root = scratch / "worlds";
  fs::create_directories(root / "good" / "region");
  fs::create_directories(scratch / "outside" / "region");
  fs::create_directory_symlink(scratch / "outside", root / "link");
  fs::create_directories(root / "trap");
  fs::create_directory_symlink(scratch / "outside" / "region", root / "trap" / "region");
  server::Config config = test_config();
  config.worlds_folder = root;
  RunningDaemon daemon(config);
  BlockingClient client({.port = daemon.port()});
  const auto open = [&](const std::string& folder) {
    v1::OpenWorld request;
    request.set_world("w" + std::to_string(folder.size()));
    request.set_folder(folder);
    return client.open_world(request);
  };
  for (const char* folder : {"link", "trap", "nothing"}) {
    const auto refused = open(folder);
    ASSERT_FALSE(refused) << folder;
    EXPECT_EQ(refused.error().reason(), "folder_unknown") << refused.error().message();
    EXPECT_EQ(refused.error().message().find("outside"), std::string::npos) << "it does not tell where a link leads";
  }
  for (const char* folder : {"..", ".", "../outside", "good/../../outside", "/etc", "link/region"}) {
    const auto refused = open(folder);
    ASSERT_FALSE(refused) << folder;
    EXPECT_EQ(refused.error().reason(), "field_invalid") << "the door lets no path in";
  }
  const auto good = open("good");
  // An empty world is read as what it is; it is the loader's to say so.
  if (!good) {
    EXPECT_EQ(good.error().reason(), "load_failed") << good.error().message();
  }

  RunningDaemon without(test_config());
  BlockingClient other({.port = without.port()});
  v1::OpenWorld request;
  request.set_world("w");
  request.set_folder("good");
  EXPECT_EQ(other.open_world(request).error().reason(), "folder_unknown") << "none are open to clients by default";
}

}  // namespace
}  // namespace voxpath::test
