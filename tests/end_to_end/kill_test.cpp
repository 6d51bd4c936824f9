// The daemon is killed at random moments under write load; what it acknowledged is there when it comes back.
#include "tests/end_to_end/durable_daemon.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <random>

namespace voxpath::test {
namespace {

constexpr int kSide = 64;                     // blocks: four chunks each way
constexpr int kColumns = kSide * kSide;       // one is written by each batch
constexpr int kColumnBlocks = 32;             // high, in two sections
constexpr std::uint64_t kSetUpVersions = 16;  // one for each chunk
constexpr std::size_t kPipelined = 48;        // batches without their acknowledgement
constexpr std::array<const char*, 5> kKinds{"minecraft:stone", "minecraft:dirt", "minecraft:sand", "minecraft:glass",
                                            "minecraft:oak_planks"};

/// Batch `number`, from 1 on, makes one column of one kind: half a batch is a column of two kinds, or of none.
v1::SetBlocks batch(const std::string& world, std::uint64_t number) {
  const int column = static_cast<int>(number % kColumns);
  v1::SetBlocks request;
  request.set_world(world);
  for (int y = 0; y < kColumnBlocks; ++y)
    add_block(request, column % kSide, y, column / kSide, kKinds[number % kKinds.size()]);
  return request;
}

/// What the world holds after so many batches, as names_in() gives it: by x, then z, then y is all one here, as columns are.
std::string column_after(std::uint64_t batches, int column) {
  const std::uint64_t round = batches / kColumns, rest = batches % kColumns;
  const auto c = static_cast<std::uint64_t>(column);
  const std::uint64_t last = c <= rest ? round * kColumns + c : round == 0 ? 0 : (round - 1) * kColumns + c;
  return last == 0 ? "minecraft:air" : kKinds[last % kKinds.size()];
}

/// Sends batches for one world, many at once, and knows what was acknowledged.
class Writer {
 public:
  Writer(const DurableDaemon& daemon, std::string world) : client_(daemon.options()), world_(std::move(world)) {}

  void go_on_from(std::uint64_t version) {
    sent_ = version - kSetUpVersions;
    acknowledged_ = version;
  }
  void send_some() {
    while (!lost_ && in_flight_ < kPipelined) {
      ++in_flight_;
      client_.async().set_blocks(batch(world_, ++sent_), [this](const client::Reply<v1::Committed>& reply) {
        if (reply) {
          acknowledged_ = std::max<std::uint64_t>(acknowledged_, reply->version());
          ++acknowledgements_;
        } else {
          lost_ = true;
        }
        --in_flight_;
      });
    }
  }
  [[nodiscard]] std::uint64_t acknowledged() const { return acknowledged_; }
  [[nodiscard]] std::size_t acknowledgements() const { return acknowledgements_; }
  [[nodiscard]] std::uint64_t sent_version() const { return sent_ + kSetUpVersions; }
  [[nodiscard]] bool idle() const { return in_flight_ == 0; }

 private:
  std::uint64_t sent_ = 0;
  std::atomic<std::uint64_t> acknowledged_{0};
  std::atomic<std::size_t> acknowledgements_{0}, in_flight_{0};
  std::atomic<bool> lost_{false};
  client::BlockingClient client_;  // last: its callbacks end before the counts do
  const std::string world_;
};

void set_up(client::BlockingClient& client, const std::string& world, const std::string& folder) {
  v1::OpenWorld open = open_request(world);
  open.set_folder(folder);
  ASSERT_TRUE(client.open_world(open));
  for (int x = 0; x < kSide / 16; ++x) {
    for (int z = 0; z < kSide / 16; ++z) {
      v1::PutChunk chunk;
      chunk.set_world(world);
      chunk.set_x(x);
      chunk.set_z(z);
      ASSERT_TRUE(client.put_chunk(chunk));
    }
  }
}

/// The world's version, which its content must be that of.
std::uint64_t checked_version(client::BlockingClient& client, const std::string& world) {
  const v1::WorldInfo info = info_of(client, world);
  const std::vector<std::string> names = names_in(client, world, 0, 0, 0, kSide - 1, kColumnBlocks - 1, kSide - 1);
  std::size_t wrong = 0;
  const auto expected = [&](std::size_t i) {  // y, then z, then x
    return column_after(info.version() - kSetUpVersions, static_cast<int>(i % kColumns));
  };
  for (std::size_t i = 0; i < names.size(); ++i) wrong += names[i] != expected(i) ? 1 : 0;
  EXPECT_EQ(names.size(), static_cast<std::size_t>(kColumns * kColumnBlocks));
  EXPECT_EQ(wrong, 0u) << "blocks of " << world << " are not those of version " << info.version();
  EXPECT_EQ(info.chunks_damaged(), 0u);
  return info.version();
}

TEST(KilledDaemon, HasEveryAcknowledgedSyncEditAndNothingHalfApplied) {
  const char* const seed_text = std::getenv("VOXPATH_SEED");
  const int rounds = std::getenv("VOXPATH_LONG") != nullptr ? 50 : 12;
  const auto seed = seed_text != nullptr ? static_cast<std::uint32_t>(std::atol(seed_text)) : 20'240u;
  RecordProperty("seed", static_cast<int>(seed));
  std::mt19937 random(seed);
  const ScratchFolder folder;
  const std::string sync = "arena", async = "loose";
  std::uint64_t sync_version = kSetUpVersions, async_version = kSetUpVersions, sync_lost = 0;
  {
    DurableDaemon daemon(folder, "sync");
    client::BlockingClient client(daemon.options());
    set_up(client, sync, "");
    daemon->signal(SIGTERM);
    ASSERT_EQ(daemon->wait(), 0);
  }
  {
    DurableDaemon daemon(folder, "async");
    client::BlockingClient client(daemon.options());
    set_up(client, async, "");
    daemon->signal(SIGTERM);
    ASSERT_EQ(daemon->wait(), 0);
  }
  const std::string more = "[[world]]\nname = \"arena\"\ngenerate = \"flat\"\ndurability = \"sync\"\n";
  for (int round = 0; round < rounds; ++round) {
    SCOPED_TRACE(fmt::format("round {}, seed {}", round, seed));
    DurableDaemon daemon(folder, "async", more);
    client::BlockingClient client(daemon.options());
    ASSERT_EQ(info_of(client, sync).durability(), v1::WorldInfo::SYNC);
    ASSERT_EQ(info_of(client, async).durability(), v1::WorldInfo::ASYNC);
    const std::uint64_t sync_found = checked_version(client, sync), async_found = checked_version(client, async);
    ASSERT_GE(sync_found, sync_version) << "an acknowledged edit is gone";
    ASSERT_GE(async_found, kSetUpVersions);
    ASSERT_LE(async_found, async_version);

    Writer writer(daemon, sync), loose(daemon, async);
    writer.go_on_from(sync_found);
    loose.go_on_from(async_found);
    const std::size_t moment = random() % 400;
    const auto spin = static_cast<std::uint32_t>(random() % 20'000);
    while (writer.acknowledgements() < moment) {
      writer.send_some();
      loose.send_some();
      std::this_thread::yield();
    }
    writer.send_some();
    for (std::atomic<std::uint32_t> turns{0}; turns < spin;) ++turns;  // so that it is not always at an acknowledgement
    daemon->signal(SIGKILL);
    ASSERT_EQ(daemon->wait(), -SIGKILL);
    ASSERT_TRUE(eventually([&] { return writer.idle() && loose.idle(); }));
    sync_version = writer.acknowledged();
    async_version = loose.sent_version();
    sync_lost += writer.sent_version() - writer.acknowledged();
  }
  EXPECT_GT(sync_lost, 0u) << "no kill came while an edit was under way";
  DurableDaemon daemon(folder, "async", more);
  client::BlockingClient client(daemon.options());
  EXPECT_GE(checked_version(client, sync), sync_version);
  checked_version(client, async);
}

}  // namespace
}  // namespace voxpath::test
