// Path jobs against a planner that never ends by itself: cancelling, deadlines, limits, the end of connections and of the daemon.
#include "tests/end_to_end/daemon_fixture.hpp"
#include "tests/support/fake_planner.hpp"

#include <array>
#include <future>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

namespace voxpath::test {
namespace {

using client::BlockingClient;
using PathReply = client::Reply<v1::PathAnswer>;

struct Asked {
  client::Client::RequestId id;
  std::future<PathReply> reply;
};

Asked ask(BlockingClient& client, const v1::FindPath& request) {
  auto promise = std::make_shared<std::promise<PathReply>>();
  auto future = promise->get_future();
  const auto id =
      client.async().find_path(request, [promise](PathReply reply) { promise->set_value(std::move(reply)); });
  return {id, std::move(future)};
}

bool running(BlockingClient& client, std::uint32_t jobs) {
  return eventually([&] { return client.server_info()->jobs_running() == jobs; });
}
bool queued(BlockingClient& client, std::uint32_t jobs) {
  return eventually([&] { return client.server_info()->jobs_queued() == jobs; });
}

server::Config one_worker() {
  server::Config config = test_config();
  config.workers = 1;
  return config;
}

TEST(Jobs, AreCancelledWhileRunningAndWhileQueued) {
  RunningDaemon daemon(one_worker(), endless_planner());
  BlockingClient client({.port = daemon.port()});
  Asked first = ask(client, flat_path(0, 5));
  ASSERT_TRUE(running(client, 1));
  Asked second = ask(client, flat_path(0, 5));
  Asked third = ask(client, flat_path(0, 5));
  ASSERT_TRUE(queued(client, 2));

  client.async().cancel(second.id);
  EXPECT_EQ(second.reply.get()->status(), v1::PathAnswer::CANCELLED);
  client.async().cancel(first.id);
  const PathReply stopped = first.reply.get();
  EXPECT_EQ(stopped->status(), v1::PathAnswer::CANCELLED);
  EXPECT_EQ(stopped->version(), 1u) << "it was running";
  ASSERT_TRUE(running(client, 1)) << "the third has the worker now";
  client.async().cancel(third.id);
  EXPECT_EQ(third.reply.get()->status(), v1::PathAnswer::CANCELLED);
}

TEST(Jobs, ACancelSentRightAfterItsRequestFindsIt) {
  RunningDaemon daemon(test_config(), endless_planner());
  BlockingClient client({.port = daemon.port()});
  ASSERT_TRUE(client.ping());  // connected: before that a cancelled request would not even be sent
  std::vector<Asked> all;
  for (int i = 0; i < 100; ++i) {
    all.push_back(ask(client, flat_path(0, 5)));
    client.async().cancel(all.back().id);
  }
  for (Asked& one : all) EXPECT_EQ(one.reply.get()->status(), v1::PathAnswer::CANCELLED);
  EXPECT_GT(client.server_info()->jobs_answered(), 0u) << "not all were cancelled before they were sent";
}

// The cancel of an answered request is still on its way through a busy world when its id is used again.
TEST(Jobs, ADelayedCancelHitsNoOtherRequestOfTheSameId) {
  server::Config config = one_worker();
  config.io_threads = 2;
  config.worlds.push_back(config.worlds.front());
  config.worlds.back().name = "other";
  RunningDaemon daemon(config, endless_planner());
  BlockingClient watcher({.port = daemon.port()});
  RawSocket socket(daemon.port());
  socket.greet();
  ASSERT_TRUE(socket.next_frame()->has_welcome());
  const auto ask_in = [&](const char* world, std::uint32_t id, std::uint32_t deadline_ms) {
    v1::ClientFrame frame;
    frame.set_id(id);
    *frame.mutable_find_path() = flat_path(0, 5);
    frame.mutable_find_path()->set_world(world);
    frame.mutable_find_path()->set_deadline_ms(deadline_ms);
    socket.send(frame);
  };
  ask_in("flat", 7, 1'000);
  ASSERT_TRUE(running(watcher, 1));

  const auto host = daemon->worlds().find("flat");
  std::promise<void> go_on;
  boost::asio::post(host->strand, [&] { go_on.get_future().wait(); });
  v1::ClientFrame cancel;
  cancel.set_id(8);
  cancel.mutable_cancel()->set_request_id(7);
  socket.send(cancel);
  const auto cancelled = socket.next_frame();
  EXPECT_TRUE(cancelled->cancel().in_flight()) << cancelled->ShortDebugString();
  EXPECT_EQ(socket.next_frame()->path().reason(), v1::PathAnswer::DEADLINE);

  ask_in("other", 2, 0);
  ASSERT_TRUE(running(watcher, 1));
  ask_in("other", 7, 0);
  ASSERT_TRUE(queued(watcher, 1));
  go_on.set_value();
  std::promise<void> passed;
  boost::asio::post(host->strand, [&] { passed.set_value(); });
  passed.get_future().wait();
  // Both are still there. They take turns, and between two turns neither is counted as waiting.
  EXPECT_TRUE(queued(watcher, 1));
  EXPECT_TRUE(running(watcher, 1));
}

TEST(Jobs, EndAtTheirDeadline) {
  RunningDaemon daemon(one_worker(), endless_planner());
  BlockingClient client({.port = daemon.port()});
  v1::FindPath request = flat_path(0, 5);
  request.set_deadline_ms(200);
  request.set_priority(1);  // or they would take turns
  Asked runs = ask(client, request);
  ASSERT_TRUE(running(client, 1));
  request.set_deadline_ms(1);
  request.set_priority(0);
  Asked waits = ask(client, request);
  const PathReply partial = runs.reply.get();
  ASSERT_TRUE(partial);
  EXPECT_EQ(partial->status(), v1::PathAnswer::PARTIAL);
  EXPECT_EQ(partial->reason(), v1::PathAnswer::DEADLINE);
  const PathReply unsearched = waits.reply.get();
  ASSERT_FALSE(unsearched);
  EXPECT_EQ(unsearched.error().code(), v1::Error::DEADLINE_EXCEEDED);
}

TEST(Jobs, AMobsNewerRequestTakesThePlaceOfItsOlderOne) {
  RunningDaemon daemon(one_worker(), endless_planner());
  BlockingClient client({.port = daemon.port()});
  Asked runs = ask(client, flat_path(0, 5));
  ASSERT_TRUE(running(client, 1));
  v1::FindPath request = flat_path(0, 5);
  request.set_mob(77);
  Asked older = ask(client, request);
  Asked newer = ask(client, request);
  const PathReply superseded = older.reply.get();
  EXPECT_EQ(superseded->status(), v1::PathAnswer::CANCELLED);
  EXPECT_EQ(superseded->reason(), v1::PathAnswer::SUPERSEDED);
  EXPECT_TRUE(queued(client, 1));
}

TEST(Jobs, AreRefusedWhenTheQueueIsFull) {
  server::Config config = one_worker();
  config.jobs_queued_max = 2;
  RunningDaemon daemon(config, endless_planner());
  BlockingClient client({.port = daemon.port()});
  Asked runs = ask(client, flat_path(0, 5));
  ASSERT_TRUE(running(client, 1));
  Asked waits = ask(client, flat_path(0, 5));
  Asked waits_too = ask(client, flat_path(0, 5));
  const PathReply refused = ask(client, flat_path(0, 5)).reply.get();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), v1::Error::RESOURCE_EXHAUSTED);
  EXPECT_EQ(refused.error().reason(), "queue_full");
  EXPECT_EQ(refused.error().limit(), "2 jobs");
  EXPECT_GT(refused.error().retry_after_ms(), 0u);
}

TEST(Jobs, EndWithTheirConnection) {
  RunningDaemon daemon(one_worker(), endless_planner());
  BlockingClient watcher({.port = daemon.port()});
  {
    RawSocket socket(daemon.port());
    socket.greet();
    ASSERT_TRUE(socket.next_frame()->has_welcome());
    for (std::uint32_t id = 2; id < 10; ++id) {
      v1::ClientFrame frame;
      frame.set_id(id);
      *frame.mutable_find_path() = flat_path(0, 5);
      socket.send(frame);
    }
    ASSERT_TRUE(queued(watcher, 7));
  }
  EXPECT_TRUE(running(watcher, 0));
  EXPECT_TRUE(queued(watcher, 0));
  EXPECT_TRUE(eventually([&] { return watcher.server_info()->connections() == 1; }));
}

TEST(Jobs, AreAnsweredWhenTheDaemonEnds) {
  server::Config config = one_worker();
  config.drain_timeout_ms = 50;
  RunningDaemon daemon(config, endless_planner());
  BlockingClient client({.port = daemon.port(), .reconnect = false});
  std::vector<Asked> all;
  for (int i = 0; i < 5; ++i) all.push_back(ask(client, flat_path(0, 5)));
  ASSERT_TRUE(running(client, 1));
  ASSERT_TRUE(queued(client, 4));
  daemon->stop();
  daemon.join();
  for (Asked& one : all) {
    const PathReply reply = one.reply.get();
    if (reply) {
      EXPECT_EQ(reply->status(), v1::PathAnswer::CANCELLED);
    } else {
      EXPECT_EQ(reply.error().code(), v1::Error::UNAVAILABLE);
    }
  }
}

TEST(Jobs, WhatIsInFlightIsFinishedBeforeTheEnd) {
  RunningDaemon daemon;
  BlockingClient client({.port = daemon.port(), .reconnect = false});
  ASSERT_TRUE(client.ping());
  std::vector<Asked> all;
  for (int i = 0; i < 100; ++i) all.push_back(ask(client, flat_path(-100, 100)));
  EXPECT_EQ(all.front().reply.get()->status(), v1::PathAnswer::FOUND);
  daemon->stop();
  daemon.join();
  int found = 0;
  for (std::size_t i = 1; i < all.size(); ++i) {
    const PathReply reply = all[i].reply.get();
    if (reply) {
      EXPECT_EQ(reply->status(), v1::PathAnswer::FOUND);
      ++found;
    } else {  // not read any more when the end began
      EXPECT_EQ(reply.error().code(), v1::Error::UNAVAILABLE);
    }
  }
  EXPECT_GT(found, 0);
}

TEST(Jobs, ManyClientsAndAWriterAtOnce) {
  server::Config config = test_config();
  config.io_threads = 2;
  RunningDaemon daemon(config);
  constexpr int kClients = 4;
  constexpr int kRequests = 60;
  std::vector<std::thread> threads;
  std::atomic<int> answered = 0;
  for (int c = 0; c < kClients; ++c) {
    threads.emplace_back([&, c] {
      BlockingClient client({.port = daemon.port()});
      std::uint64_t version = 0;
      for (int i = 0; i < kRequests; ++i) {
        const auto path = client.find_path(flat_path(-20 - c, 20 + i));
        if (!path) continue;
        EXPECT_EQ(path->status(), v1::PathAnswer::FOUND);
        EXPECT_GE(path->version(), version) << "versions never go back";
        version = path->version();
        ++answered;
      }
    });
  }
  threads.emplace_back([&] {
    BlockingClient client({.port = daemon.port()});
    for (int i = 0; i < 2 * kRequests; ++i) {
      v1::SetBlocks request;
      request.set_world("flat");
      request.add_changes()->mutable_at()->set_x(i % 16);
      request.mutable_changes(0)->mutable_at()->set_y(64);
      request.mutable_changes(0)->set_block(i % 2 == 0 ? "stone" : "air");
      EXPECT_EQ(client.set_blocks(request)->version(), static_cast<std::uint64_t>(i) + 2);
    }
  });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(answered, kClients * kRequests);
}

/// The i-th of many questions on generated land: every kind of mob, several kinds of goal, every way to search. Starts and goals are in the
/// air, over whatever there is.
v1::FindPath question_on_land(int i) {
  constexpr std::array<const char*, 6> kMobs{"zombie", "player", "spider", "bat", "chicken", "slime_large"};
  const auto at = [](v1::Position* p, int k) {
    p->set_x(k * 37 % 200 - 100 + 0.25);
    p->set_y(120);
    p->set_z(k * 53 % 190 - 95 + 0.75);
  };
  v1::FindPath request;
  request.set_world("land");
  request.mutable_agent()->set_profile(kMobs.at(static_cast<std::size_t>(i) % kMobs.size()));
  at(request.mutable_start()->mutable_position(), i);
  if (i % 3 == 0) {
    at(request.mutable_goal()->mutable_position(), i + 1);
  } else if (i % 3 == 1) {
    at(request.mutable_goal()->mutable_flee()->add_points(), i);
    request.mutable_goal()->mutable_flee()->set_distance(20);
  } else {
    request.mutable_goal()->mutable_column()->set_x(i * 41 % 180 - 90);
    request.mutable_goal()->mutable_column()->set_z(i * 29 % 180 - 90);
  }
  request.set_algorithm(i % 5 == 4 ? v1::FindPath::DIJKSTRA : v1::FindPath::ASTAR);
  request.set_simplify(i % 2 == 0 ? v1::FindPath::NOTHING : v1::FindPath::IN_SIGHT);
  request.set_expansions_max(2'000);
  request.set_with_sections(true);
  return request;
}

TEST(Jobs, SameQuestionSameBytesWhateverTheWorkers) {
  constexpr int kQuestions = 120;
  std::vector<std::string> answers;
  int found = 0;
  for (const unsigned workers : {1u, 4u}) {
    server::Config config = test_config();
    config.workers = workers;
    server::WorldConfig land;
    land.name = "land";
    land.generate = "terrain:7";
    config.worlds.push_back(land);
    RunningDaemon daemon(config);
    BlockingClient client({.port = daemon.port()});
    std::string all;
    std::vector<Asked> asked;
    for (int i = 0; i < kQuestions; ++i) asked.push_back(ask(client, question_on_land(i)));
    for (Asked& one : asked) {
      const PathReply reply = one.reply.get();
      ASSERT_TRUE(reply) << reply.error().message();
      v1::PathAnswer path = *reply;
      found += path.status() == v1::PathAnswer::FOUND ? 1 : 0;
      path.clear_times();
      all += path.SerializeAsString();
    }
    answers.push_back(std::move(all));
  }
  EXPECT_EQ(answers[0], answers[1]);
  EXPECT_GT(found, kQuestions / 2) << "the questions must lead somewhere";
}

/// Says which thread began which search.
class ThreadTeller : public FakePlanner {
 public:
  struct Begun {
    std::mutex mutex;
    std::vector<std::pair<std::thread::id, double>> searches;  // with the mob's width
  };
  explicit ThreadTeller(Begun& told) : FakePlanner(ignored_us_), told_(told) {}
  std::optional<protocol::Failure> begin(world::Ref<const world::Snapshot> snapshot,
                                         const v1::FindPath& request) override {
    const std::lock_guard lock(told_.mutex);
    told_.searches.emplace_back(std::this_thread::get_id(), request.agent().width());
    return FakePlanner::begin(std::move(snapshot), request);
  }

 private:
  std::int64_t ignored_us_ = 0;
  Begun& told_;
};

TEST(LoneRequests, OfGiantsAreNotBegunByTheReader) {
  ThreadTeller::Begun begun;
  server::Config config = test_config();
  config.workers = 1;
  config.answers_kept_max_mib = 0;
  RunningDaemon daemon(config, [&begun] { return std::make_unique<ThreadTeller>(begun); });
  client::BlockingClient client({.port = daemon.port()});
  v1::FindPath small = flat_path(0, 5);
  small.set_expansions_max(10);
  v1::FindPath giant = small;
  giant.mutable_agent()->set_width(8);
  giant.mutable_agent()->set_height(16);
  ASSERT_TRUE(client.find_path(small));
  const std::thread::id worker = begun.searches.at(0).first;
  const auto by_reader = [&] {
    const std::lock_guard lock(begun.mutex);
    return begun.searches.back().first != worker;
  };
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(eventually([&] { return client.find_path(small) && by_reader(); }));
    ASSERT_TRUE(client.find_path(giant));
    EXPECT_FALSE(by_reader());
    EXPECT_EQ(begun.searches.back().second, 8);
  }
}

}  // namespace
}  // namespace voxpath::test
