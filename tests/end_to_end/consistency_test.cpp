// Searches while a writer changes the world: each answer is the one of a single version of the world, and that version
// was the newest at some moment between question and answer. The writer's log, played again without threads, is the
// judge.
#include "server/hosted_world.hpp"
#include "server/loading/flat_world.hpp"
#include "server/search_planner.hpp"
#include "tests/end_to_end/daemon_fixture.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace voxpath::test {
namespace {

using client::BlockingClient;

constexpr int kSearchers = 8;
constexpr std::uint32_t kBatchEdits = 1'000;
constexpr std::int32_t kSideBlocks = 48;  // of the square that is edited and walked
constexpr world::Heights kHeights{-64, 384};

std::chrono::seconds duration() {
  const char* all = std::getenv("VOXPATH_LONG");
  return std::chrono::seconds(all != nullptr && std::string(all) != "0" ? 60 : 2);
}

/// The n-th batch: walls that come and go, and holes in the ground.
v1::SetBlocks batch(std::uint64_t n) {
  std::mt19937 random(static_cast<std::uint32_t>(n));
  v1::SetBlocks request;
  request.set_world("flat");
  for (std::uint32_t i = 0; i < kBatchEdits; ++i) {
    v1::BlockChange& change = *request.add_changes();
    change.mutable_at()->set_x(static_cast<std::int32_t>(random() % kSideBlocks));
    change.mutable_at()->set_y(63 + static_cast<std::int32_t>(random() % 3));
    change.mutable_at()->set_z(static_cast<std::int32_t>(random() % kSideBlocks));
    const bool ground = change.at().y() == 63;
    change.set_block(random() % 8 == 0 ? (ground ? "air" : "stone") : (ground ? "stone" : "air"));
  }
  return request;
}

v1::FindPath question(std::mt19937& random) {
  v1::FindPath request;
  request.set_world("flat");
  const auto at = [&](v1::BlockPos* cell) {
    cell->set_x(static_cast<std::int32_t>(random() % kSideBlocks));
    cell->set_y(64);
    cell->set_z(static_cast<std::int32_t>(random() % kSideBlocks));
  };
  at(request.mutable_start()->mutable_cell());
  at(request.mutable_goal()->mutable_cell());
  return request;
}

struct Answered {
  v1::FindPath request;
  std::uint64_t version_before;  // acknowledged to the writer before it was asked
  std::uint64_t version_after;   // the newest that the writer can have made before the answer came
  v1::PathAnswer answer;
};

/// What the world answers at one version, without threads or a daemon.
std::string answer_of(server::SearchPlanner& planner, const server::HostedWorld& world, const v1::FindPath& request) {
  EXPECT_FALSE(planner.begin(world.snapshot(), request));
  while (!planner.advance(10'000)) {
  }
  v1::PathAnswer answer;
  planner.write(&answer, nullptr);
  return answer.SerializeAsString();
}

TEST(ConsistencyConcurrency, EachAnswerIsThatOfOneVersionInItsWindow) {
  server::Config config = test_config();
  config.io_threads = 2;
  RunningDaemon daemon(config);
  std::atomic<std::uint64_t> sent = 1;          // versions that have been asked for
  std::atomic<std::uint64_t> acknowledged = 1;  // and that have been confirmed
  std::atomic<bool> enough = false;
  std::vector<std::vector<Answered>> answered(kSearchers);
  std::vector<std::thread> threads;
  for (int i = 0; i < kSearchers; ++i) {
    threads.emplace_back([&, i] {
      BlockingClient client({.port = daemon.port()});
      std::mt19937 random(static_cast<std::uint32_t>(i));
      std::vector<Answered>& mine = answered[static_cast<std::size_t>(i)];
      while (!enough) {
        Answered one{question(random), acknowledged, 0, {}};
        auto reply = client.find_path(one.request);
        one.version_after = sent;
        if (!reply) {
          ADD_FAILURE() << reply.error().message();
          return;
        }
        one.answer = *reply;
        mine.push_back(std::move(one));
      }
    });
  }
  BlockingClient writer({.port = daemon.port()});
  const auto begin = std::chrono::steady_clock::now();
  std::uint64_t batches = 0;
  while (std::chrono::steady_clock::now() - begin < duration()) {
    ++sent;
    const auto committed = writer.set_blocks(batch(batches));
    ASSERT_TRUE(committed) << committed.error().message();
    ASSERT_EQ(committed->version(), ++batches + 1);
    acknowledged = committed->version();
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  enough = true;
  for (std::thread& thread : threads) thread.join();

  std::vector<Answered> all;
  for (auto& mine : answered) {
    std::uint64_t version = 0;
    for (Answered& one : mine) {
      EXPECT_GE(one.answer.version(), version) << "versions go back on one connection";
      version = one.answer.version();
      EXPECT_GE(one.answer.version(), one.version_before) << "older than what had been acknowledged";
      EXPECT_LE(one.answer.version(), one.version_after) << "newer than anything that was written";
      one.answer.clear_times();
      all.push_back(std::move(one));
    }
  }
  std::sort(all.begin(), all.end(),
            [](const Answered& a, const Answered& b) { return a.answer.version() < b.answer.version(); });
  auto flat = server::flat_world(kHeights);
  ASSERT_TRUE(flat);
  server::HostedWorld world("flat", *std::move(flat),
                            *world::BlockTable::for_version(world::BlockTable::versions().back()), {});
  server::SearchPlanner planner(std::make_shared<const server::ProfileBook>());
  ASSERT_EQ(world.snapshot()->version(), 1u);
  std::uint64_t played = 0;
  int found = 0;
  for (const Answered& one : all) {
    for (; world.snapshot()->version() < one.answer.version(); ++played) {
      ASSERT_TRUE(std::holds_alternative<world::Commit>(world.set_blocks(1, batch(played))));
    }
    ASSERT_EQ(one.answer.SerializeAsString(), answer_of(planner, world, one.request))
        << "at version " << one.answer.version();
    found += one.answer.status() == v1::PathAnswer::FOUND ? 1 : 0;
  }
  EXPECT_GT(found, 10);
  EXPECT_GT(batches, 5u);
  RecordProperty("edits_per_second", static_cast<int>(static_cast<double>(batches * kBatchEdits) / seconds));
  RecordProperty("answers", static_cast<int>(all.size()));
}

}  // namespace
}  // namespace voxpath::test
