// Worlds that outlive the daemon: what was acknowledged is there again, at its version, however the daemon ended.
#include "tests/end_to_end/daemon_fixture.hpp"
#include "tests/end_to_end/process.hpp"

#include <atomic>
#include <fstream>
#include <memory>
#include <random>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace voxpath::test {
namespace {

constexpr const char* kEmptyWorld = "arena";

/// A voxpathd of its own with a store in `folder`; `more` is added to its configuration.
class DurableDaemon {
 public:
  DurableDaemon(const ScratchFolder& folder, const std::string& durability, const std::string& more = "",
                int map_size_mib = 64) {
    const auto file = folder / "voxpathd.toml";
    std::ofstream(file) << fmt::format(
        "[server]\nport = 0\nworkers = 1\n[store]\nfolder = \"store\"\ndurability = \"{}\"\nmap_size_mib = {}\n{}",
        durability, map_size_mib, more);
    process_ = std::make_unique<Process>(VOXPATHD, std::vector<std::string>{"--config", file.string()});
    port_ = static_cast<std::uint16_t>(std::stoi(process_->line("event=listening .*port=(\\d+)")));
  }
  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] client::ClientOptions options() const { return {.port = port_, .reconnect = false}; }
  Process* operator->() { return process_.get(); }

 private:
  std::unique_ptr<Process> process_;
  std::uint16_t port_ = 0;
};

v1::OpenWorld open_request(const std::string& name, std::int32_t min_y = 0, std::uint32_t height = 64) {
  v1::OpenWorld request;
  request.set_world(name);
  request.set_min_y(min_y);
  request.set_height(height);
  return request;
}

v1::PutChunk chunk_of(const std::string& world, int x, int z, const std::string& block) {
  v1::PutChunk request;
  request.set_world(world);
  request.set_x(x);
  request.set_z(z);
  request.add_palette(block);
  v1::ChunkSection& section = *request.add_sections();
  section.set_y(0);
  section.add_blocks(0);
  return request;
}

void add_block(v1::SetBlocks& request, int x, int y, int z, const std::string& block) {
  v1::BlockChange& change = *request.add_changes();
  change.mutable_at()->set_x(x);
  change.mutable_at()->set_y(y);
  change.mutable_at()->set_z(z);
  change.set_block(block);
}

/// The names of the blocks of a box, from low to high.
std::vector<std::string> names_in(client::BlockingClient& client, const std::string& world, int x0, int y0, int z0,
                                  int x1, int y1, int z1) {
  v1::QueryBlocks request;
  request.set_world(world);
  request.set_detail(v1::QueryBlocks::NAMES);
  v1::BlockPos& low = *request.mutable_box()->mutable_min();
  low.set_x(x0), low.set_y(y0), low.set_z(z0);
  v1::BlockPos& high = *request.mutable_box()->mutable_max();
  high.set_x(x1), high.set_y(y1), high.set_z(z1);
  std::vector<std::string> names;
  const auto answer = client.query_blocks(request);
  EXPECT_TRUE(answer) << answer.error().message();
  if (!answer) return names;
  for (const std::uint32_t number : answer->blocks()) {
    const v1::BlockInfo& block = answer->palette(static_cast<int>(number));
    names.push_back(block.solidity() == v1::BlockInfo::MISSING ? "missing" : block.name());
  }
  return names;
}

/// What a client is told of a world, once it is there.
v1::WorldInfo info_of(client::BlockingClient& client, const std::string& name) {
  v1::WorldInfo found;
  EXPECT_TRUE(eventually([&] {
    const auto list = client.list_worlds();
    if (!list) return true;
    for (const v1::WorldInfo& info : list->worlds()) {
      if (info.world() == name) found = info;
    }
    return !found.world().empty();
  }));
  return found;
}

TEST(DurableWorlds, AreThereAgainAtTheSameVersionWithTheSameAnswers) {
  const ScratchFolder folder;
  const std::string more = "[[world]]\nname = \"land\"\ngenerate = \"terrain:7\"\n";
  v1::FindPath question = flat_path(0, 20);
  question.set_world("land");
  std::string path_before;
  std::vector<std::string> land_before, arena_before;
  std::uint64_t land_version = 0, arena_version = 0;
  {
    DurableDaemon daemon(folder, "sync", more);
    client::BlockingClient client(daemon.options());
    EXPECT_EQ(info_of(client, "land").durability(), v1::WorldInfo::SYNC);
    v1::SetBlocks edit;
    edit.set_world("land");
    add_block(edit, 5, 70, 0, "minecraft:oak_fence[waterlogged=true]");
    add_block(edit, -3, 71, -9, "mymod:unheard_of");
    ASSERT_TRUE(client.set_blocks(edit));
    ASSERT_TRUE(client.open_world(open_request(kEmptyWorld, -64, 128)));
    ASSERT_TRUE(client.put_chunk(chunk_of(kEmptyWorld, -2, 3, "minecraft:stone")));
    ASSERT_TRUE(client.put_chunk(chunk_of(kEmptyWorld, 9, 9, "minecraft:dirt")));
    v1::DropChunk drop;
    drop.set_world(kEmptyWorld);
    drop.set_x(9);
    drop.set_z(9);
    ASSERT_TRUE(client.drop_chunk(drop));
    const auto path = client.find_path(question);
    ASSERT_TRUE(path) << path.error().message();
    auto kept = *path;
    kept.clear_times();
    path_before = kept.SerializeAsString();
    land_before = names_in(client, "land", -16, 60, -16, 15, 80, 15);
    arena_before = names_in(client, kEmptyWorld, -33, 0, 47, -31, 2, 49);
    land_version = info_of(client, "land").version();
    arena_version = info_of(client, kEmptyWorld).version();
    EXPECT_EQ(info_of(client, kEmptyWorld).stored_version(), arena_version);
    daemon->signal(SIGKILL);
    daemon->wait();
  }
  DurableDaemon daemon(folder, "sync", more);
  client::BlockingClient client(daemon.options());
  const v1::WorldInfo land = info_of(client, "land"), arena = info_of(client, kEmptyWorld);
  EXPECT_EQ(land.version(), land_version);
  EXPECT_TRUE(land.restored());
  EXPECT_EQ(arena.version(), arena_version);
  EXPECT_EQ(arena.chunks(), 1u);
  EXPECT_EQ(arena.min_y(), -64);
  EXPECT_EQ(arena.height(), 128u);
  EXPECT_EQ(names_in(client, "land", -16, 60, -16, 15, 80, 15), land_before);
  EXPECT_EQ(names_in(client, kEmptyWorld, -33, 0, 47, -31, 2, 49), arena_before);
  EXPECT_EQ(names_in(client, kEmptyWorld, 144, 0, 144, 144, 0, 144), std::vector<std::string>{"missing"});
  const auto path = client.find_path(question);
  ASSERT_TRUE(path) << path.error().message();
  auto kept = *path;
  kept.clear_times();
  EXPECT_EQ(kept.SerializeAsString(), path_before);
}

TEST(DurableWorlds, ThatAreClosedStayClosedUntilTheyAreOpenedAndForgottenOnesAreGone) {
  const ScratchFolder folder;
  v1::CloseWorld close;
  close.set_world(kEmptyWorld);
  {
    DurableDaemon daemon(folder, "sync");
    client::BlockingClient client(daemon.options());
    ASSERT_TRUE(client.open_world(open_request(kEmptyWorld)));
    ASSERT_TRUE(client.put_chunk(chunk_of(kEmptyWorld, 0, 0, "minecraft:stone")));
    ASSERT_TRUE(client.close_world(close));
    EXPECT_EQ(client.close_world(close).error().reason(), "world_unknown");
    const auto again = client.open_world(open_request(kEmptyWorld));
    ASSERT_TRUE(again) << again.error().message();
    EXPECT_TRUE(again->restored());
    EXPECT_EQ(again->version(), 1u);
    ASSERT_TRUE(client.close_world(close));
    daemon->signal(SIGTERM);
    EXPECT_EQ(daemon->wait(), 0);
  }
  DurableDaemon daemon(folder, "sync");
  client::BlockingClient client(daemon.options());
  ASSERT_TRUE(client.list_worlds());
  EXPECT_EQ(client.list_worlds()->worlds_size(), 0);
  EXPECT_EQ(client.open_world(open_request(kEmptyWorld, -64, 384)).error().reason(), "world_differs");
  const auto opened = client.open_world(open_request(kEmptyWorld));
  ASSERT_TRUE(opened) << opened.error().message();
  EXPECT_EQ(opened->version(), 1u);
  EXPECT_EQ(opened->chunks(), 1u);
  close.set_forget(true);
  ASSERT_TRUE(client.close_world(close));
  EXPECT_FALSE(std::filesystem::exists(folder / "store" / kEmptyWorld));
  const auto anew = client.open_world(open_request(kEmptyWorld));
  ASSERT_TRUE(anew) << anew.error().message();
  EXPECT_FALSE(anew->restored());
  EXPECT_EQ(anew->version(), 0u);
}

}  // namespace
}  // namespace voxpath::test
