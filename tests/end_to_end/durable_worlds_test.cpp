// Worlds that outlive the daemon: what was acknowledged is there again, at its version, however the daemon ended.
#include "tests/end_to_end/durable_daemon.hpp"
#include "world/store/lmdb_environment.hpp"
#include "world/store/store_format.hpp"

#include <filesystem>
#include <fstream>
#include <random>

namespace voxpath::test {
namespace {

constexpr const char* kEmptyWorld = "arena";

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

/// A chunk that does not compress: some 9 KB.
v1::PutChunk noisy_chunk(int x, int z, std::uint32_t seed) {
  std::mt19937 random(seed);
  v1::PutChunk request = chunk_of(kEmptyWorld, x, z, "minecraft:stone");
  for (const char* name : {"minecraft:dirt", "minecraft:sand", "minecraft:glass"}) request.add_palette(name);
  request.clear_sections();
  for (int y = 0; y < 4; ++y) {
    v1::ChunkSection& section = *request.add_sections();
    section.set_y(y);
    for (int i = 0; i < world::kSectionVolume; ++i) section.add_blocks(static_cast<std::uint32_t>(random() % 4));
  }
  return request;
}

TEST(DurableWorlds, ThatAreFullRefuseEditsWholeAndServeTheRest) {
  for (const std::string durability : {"sync", "async"}) {
    SCOPED_TRACE(durability);
    const ScratchFolder folder;
    std::uint64_t version = 0;
    std::vector<std::string> before;
    int put = 0;
    {
      DurableDaemon daemon(folder, durability, "", 1);
      client::BlockingClient client(daemon.options());
      ASSERT_TRUE(client.open_world(open_request(kEmptyWorld)));
      v1::Error error;
      for (; put < 2'000 && error.reason().empty(); ++put) {
        const auto reply = client.put_chunk(noisy_chunk(put, 0, static_cast<std::uint32_t>(put)));
        if (!reply) error = reply.error();
      }
      ASSERT_EQ(error.reason(), "store_full") << error.message();
      EXPECT_EQ(error.code(), v1::Error::RESOURCE_EXHAUSTED);
      EXPECT_NE(error.message().find("its limit, 1 MiB (map_size_mib)"), std::string::npos) << error.message();
      --put;
      EXPECT_EQ(names_in(client, kEmptyWorld, put * 16, 0, 0, put * 16, 0, 0), std::vector<std::string>{"missing"})
          << "what was refused is not there";

      // Reads and paths go on.
      v1::SetBlocks edit;
      edit.set_world(kEmptyWorld);
      v1::FindPath question = flat_path(1, 14);
      question.set_world(kEmptyWorld);
      const auto path = client.find_path(question);
      ASSERT_TRUE(path) << path.error().message();
      EXPECT_EQ(path->status(), v1::PathAnswer::FOUND);

      // Where there is room again, edits are taken again.
      v1::DropChunk drop;
      drop.set_world(kEmptyWorld);
      for (int x = put / 2; x < put; ++x) {
        drop.set_x(x);
        const auto dropped = client.drop_chunk(drop);
        ASSERT_TRUE(dropped) << x << ": " << dropped.error().message();
      }
      const auto again = client.put_chunk(noisy_chunk(put, 0, 1));
      ASSERT_TRUE(again) << again.error().message();
      add_block(edit, 3, 63, 3, "minecraft:gold_block");
      const auto edited = client.set_blocks(edit);
      ASSERT_TRUE(edited) << edited.error().message();
      version = edited->version();
      before = names_in(client, kEmptyWorld, 0, 60, 0, 15, 63, 15);
      daemon->signal(SIGTERM);
      ASSERT_EQ(daemon->wait(), 0);
    }
    DurableDaemon daemon(folder, durability, "", 1);
    client::BlockingClient client(daemon.options());
    const v1::WorldInfo info = info_of(client, kEmptyWorld);
    EXPECT_EQ(info.version(), version);
    EXPECT_EQ(info.chunks(), static_cast<std::uint64_t>(put / 2 + 1));
    EXPECT_EQ(names_in(client, kEmptyWorld, 0, 60, 0, 15, 63, 15), before);
  }
}

TEST(DurableWorlds, WithADamagedValueServeTheRestAndSayWhere) {
  const ScratchFolder folder;
  const std::string store = folder / "store" / kEmptyWorld;
  {
    DurableDaemon daemon(folder, "async");
    client::BlockingClient client(daemon.options());
    ASSERT_TRUE(client.open_world(open_request(kEmptyWorld)));
    for (const int x : {-1, 0, 1}) ASSERT_TRUE(client.put_chunk(chunk_of(kEmptyWorld, x, 7, "minecraft:stone")));
    daemon->signal(SIGTERM);
    ASSERT_EQ(daemon->wait(), 0);
  }
  EXPECT_EQ(run({"store", "check", store}).code, 0) << "written at the end, though it was not waited for";
  const Ended whole = run({"store", "export", store});
  EXPECT_EQ(whole.code, 0) << whole.err;
  EXPECT_NE(whole.out.find("section -1 0 7 minecraft:stone*4096\n"), std::string::npos) << whole.out;
  {
    const auto files = world::LmdbEnvironment::open(store, 1u << 20);
    ASSERT_TRUE(files) << files.error().message;
    world::Transaction transaction(**files, true);
    const std::string key = world::section_key({0, 0, 7});
    std::string value(transaction.get((*files)->sections, key));
    value.back() = static_cast<char>(value.back() ^ 4);
    transaction.put((*files)->sections, key, value);
    ASSERT_EQ(transaction.commit(), 0);
  }
  const Ended checked = run({"store", "check", store});
  EXPECT_EQ(checked.code, 1);
  EXPECT_NE(checked.err.find("section 0, 0, 7: its checksum is"), std::string::npos) << checked.err;
  EXPECT_NE(checked.err.find("1 damaged value, 1 of 3 chunks damaged"), std::string::npos) << checked.err;
  const Ended exported = run({"store", "export", store});
  EXPECT_EQ(exported.code, 1);
  EXPECT_NE(exported.out.find("chunk 0 7 damaged\n"), std::string::npos) << exported.out;
  EXPECT_NE(exported.out.find("section 1 0 7 minecraft:stone*4096\n"), std::string::npos) << exported.out;
  EXPECT_EQ(run({"store", "compact", store}).code, 0);

  DurableDaemon daemon(folder, "async");
  client::BlockingClient client(daemon.options());
  const v1::WorldInfo info = info_of(client, kEmptyWorld);
  EXPECT_EQ(info.version(), 3u);
  EXPECT_EQ(info.chunks_damaged(), 1u);
  ASSERT_EQ(info.problems_size(), 1);
  EXPECT_NE(info.problems(0).find("section 0, 0, 7: its checksum is"), std::string::npos) << info.problems(0);
  EXPECT_EQ(names_in(client, kEmptyWorld, -1, 0, 112, 0, 0, 112),
            (std::vector<std::string>{"minecraft:stone", "missing"}));
  ASSERT_TRUE(client.put_chunk(chunk_of(kEmptyWorld, 0, 7, "minecraft:dirt")));
}

TEST(DurableWorlds, AreServedByOneDaemonAtATimeAndCanBeCopiedMeanwhile) {
  const ScratchFolder folder, other;
  DurableDaemon first(folder, "sync");
  client::BlockingClient client(first.options());
  ASSERT_TRUE(client.open_world(open_request(kEmptyWorld)));
  ASSERT_TRUE(client.put_chunk(chunk_of(kEmptyWorld, 0, 0, "minecraft:stone")));
  const std::string store = folder / "store" / kEmptyWorld;
  {
    DurableDaemon second(folder, "sync");
    client::BlockingClient late(second.options());
    const auto opened = late.open_world(open_request(kEmptyWorld));
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().reason(), "load_failed");
    EXPECT_NE(opened.error().message().find("is in use by process"), std::string::npos) << opened.error().message();
  }
  EXPECT_EQ(run({"store", "check", store}).code, 0);
  EXPECT_EQ(run({"store", "compact", store}).code, 5) << "not in place while it is in use";
  const std::string copy = other / "copy";
  EXPECT_EQ(run({"store", "compact", store, "--output", copy}).code, 0);
  EXPECT_EQ(run({"store", "export", copy}).out, run({"store", "export", store}).out);
  EXPECT_EQ(run({"store", "check", other / "nothing"}).code, 5);
}

TEST(DurableWorlds, SayWhyTheyCannotBeStored) {
  const ScratchFolder folder;
  std::ofstream(folder / "store") << "a file where the folder should be";
  DurableDaemon daemon(folder, "sync");
  client::BlockingClient client(daemon.options());
  const auto opened = client.open_world(open_request(kEmptyWorld));
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().reason(), "load_failed");
  EXPECT_NE(opened.error().message().find("store"), std::string::npos) << opened.error().message();
  EXPECT_TRUE(client.ping()) << "the daemon itself goes on";
}

}  // namespace
}  // namespace voxpath::test
