// Paths after they were answered: held against the world again, and watched.
#include "server/search_planner.hpp"
#include "tests/end_to_end/daemon_fixture.hpp"

#include <condition_variable>
#include <future>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

namespace voxpath::test {
namespace {

using client::BlockingClient;

constexpr std::chrono::minutes kPatience{1};
constexpr std::chrono::milliseconds kNow{0};

v1::SetBlocks one_block(int x, int y, int z, const std::string& block) {
  v1::SetBlocks request;
  request.set_world("flat");
  v1::BlockChange& change = *request.add_changes();
  change.mutable_at()->set_x(x);
  change.mutable_at()->set_y(y);
  change.mutable_at()->set_z(z);
  change.set_block(block);
  return request;
}

v1::FindPath watched_path(int from_x, int to_x, int z = 0, std::uint64_t mob = 0) {
  v1::FindPath request = flat_path(from_x, to_x);
  request.mutable_start()->mutable_cell()->set_z(z);
  request.mutable_goal()->mutable_cell()->set_z(z);
  request.set_mob(mob);
  request.set_watch(true);
  return request;
}

v1::ValidatePath validation_of(const v1::PathAnswer& path) {
  v1::ValidatePath request;
  request.set_world("flat");
  *request.mutable_waypoints() = path.waypoints();
  return request;
}

v1::Unwatch unwatch_of(std::uint64_t watch) {
  v1::Unwatch request;
  request.set_world("flat");
  request.set_watch(watch);
  return request;
}

/// One worker: checks run one after the other, so that a push for a later edit proves that an earlier one brought none.
server::Config one_worker() {
  server::Config config = test_config();
  config.workers = 1;
  return config;
}

std::uint64_t watch(BlockingClient& client, const v1::FindPath& request) {
  const auto path = client.find_path(request);
  EXPECT_TRUE(path) << path.error().message();
  EXPECT_GT(path->watch(), 0u);
  return path->watch();
}

/// The next event, which must come.
v1::PathInvalidated next_event(BlockingClient& client) {
  const auto event = client.next_invalidated(kPatience);
  if (!event) throw std::runtime_error("nothing was told");
  if (!*event) throw std::runtime_error(event->error().message());
  return **event;
}

/// Watches in the world "flat", those whose path is being searched among them.
std::size_t watches(RunningDaemon& daemon) {
  const auto host = daemon->worlds().find("flat");
  std::promise<std::size_t> count;
  boost::asio::post(host->strand, [&] { count.set_value(host->watches.size()); });
  return count.get_future().get();
}

/// Searches only while the gate is open.
class Gate {
 public:
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    moved_.notify_all();
  }
  void pass() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    moved_.notify_all();
    moved_.wait(lock, [this] { return open_; });
  }
  void wait_for_one() {
    std::unique_lock lock(mutex_);
    moved_.wait(lock, [this] { return waiting_ > 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable moved_;
  bool open_ = false;
  int waiting_ = 0;
};

class GatedPlanner : public server::SearchPlanner {
 public:
  explicit GatedPlanner(Gate& gate) : SearchPlanner(std::make_shared<const server::ProfileBook>()), gate_(gate) {}
  bool advance(std::uint32_t expansions) override {
    gate_.pass();
    return SearchPlanner::advance(expansions);
  }

 private:
  Gate& gate_;
};

server::PlannerFactory gated_planner(Gate& gate) {
  return [&gate] { return std::make_unique<GatedPlanner>(gate); };
}

TEST(ValidatingPaths, ValidUntilAnEditBreaksThem) {
  RunningDaemon daemon;
  BlockingClient client({.port = daemon.port()});
  for (const auto simplify : {v1::FindPath::NOTHING, v1::FindPath::STRAIGHTS, v1::FindPath::IN_SIGHT}) {
    v1::FindPath request = flat_path(-10, 10);
    request.mutable_goal()->mutable_cell()->set_z(7);
    request.set_simplify(simplify);
    const auto path = client.find_path(request);
    ASSERT_TRUE(path);
    EXPECT_EQ(path->moves(), 20u) << "whatever was left out";
    const auto valid = client.validate_path(validation_of(*path));
    ASSERT_TRUE(valid) << valid.error().message();
    EXPECT_EQ(valid->status(), v1::PathVerdict::VALID);
    EXPECT_EQ(valid->version(), path->version());
    EXPECT_FALSE(valid->has_fault());
  }
  const auto path = client.find_path(flat_path(-10, 10));
  const auto wall = client.set_blocks(one_block(3, 65, 0, "stone"));
  ASSERT_TRUE(wall);
  const auto broken = client.validate_path(validation_of(*path));
  ASSERT_TRUE(broken);
  EXPECT_EQ(broken->status(), v1::PathVerdict::BROKEN);
  EXPECT_EQ(broken->version(), wall->version());
  EXPECT_EQ(broken->fault().waypoint(), 13u);
  EXPECT_EQ(broken->fault().obstacle(), v1::Blocker::NO_ROOM);
  EXPECT_EQ(broken->fault().at().x(), 3);
  EXPECT_EQ(broken->fault().at().y(), 65);
}

TEST(ValidatingPaths, AreHeldAgainstTheMobThatIsNamed) {
  RunningDaemon daemon;
  BlockingClient client({.port = daemon.port()});
  const auto path = client.find_path(flat_path(-10, 10));
  v1::ValidatePath request = validation_of(*path);
  request.mutable_agent()->set_profile("slime_small");
  ASSERT_TRUE(client.set_blocks(one_block(3, 65, 0, "stone")));
  EXPECT_EQ(client.validate_path(request)->status(), v1::PathVerdict::VALID) << "it is half a block high";
  request.mutable_agent()->set_profile("nix");
  const auto unknown = client.validate_path(request);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().field(), "validate_path.agent.profile");
  request.set_world("nowhere");
  EXPECT_EQ(client.validate_path(request).error().field(), "validate_path.world");
}

TEST(ValidatingPaths, AreCancelledAsPathsAre) {
  RunningDaemon daemon(one_worker(), endless_planner());
  BlockingClient client({.port = daemon.port()});
  std::promise<client::Reply<v1::PathAnswer>> searched;
  const auto search = client.async().find_path(flat_path(0, 5), [&](auto reply) { searched.set_value(reply); });
  v1::ValidatePath request;
  request.set_world("flat");
  request.add_waypoints()->mutable_cell();
  request.mutable_waypoints(0)->set_kind(v1::Waypoint::START);
  request.mutable_waypoints(0)->set_medium(v1::Waypoint::GROUND);
  std::promise<client::Reply<v1::PathVerdict>> verdict;
  const auto validation = client.async().validate_path(request, [&](auto reply) { verdict.set_value(reply); });
  ASSERT_TRUE(eventually([&] { return client.server_info()->jobs_queued() == 1; })) << "it waits behind the search";
  client.async().cancel(validation);
  EXPECT_EQ(verdict.get_future().get()->status(), v1::PathVerdict::CANCELLED);
  client.async().cancel(search);
  EXPECT_EQ(searched.get_future().get()->status(), v1::PathAnswer::CANCELLED);
}

v1::ValidatePath one_waypoint() {
  v1::ValidatePath request;
  request.set_world("flat");
  request.add_waypoints()->mutable_cell();
  request.mutable_waypoints(0)->set_kind(v1::Waypoint::START);
  request.mutable_waypoints(0)->set_medium(v1::Waypoint::GROUND);
  return request;
}

TEST(ValidatingPaths, AreCancelledWhileTheyAreLookedAt) {
  RunningDaemon daemon(one_worker(), endless_planner());
  BlockingClient client({.port = daemon.port()});
  std::promise<client::Reply<v1::PathVerdict>> verdict;
  const auto id = client.async().validate_path(one_waypoint(), [&](auto reply) { verdict.set_value(reply); });
  ASSERT_TRUE(eventually([&] { return client.server_info()->jobs_running() == 1; }));
  client.async().cancel(id);
  const auto reply = verdict.get_future().get();
  ASSERT_TRUE(reply) << reply.error().message();
  EXPECT_EQ(reply->status(), v1::PathVerdict::CANCELLED);
  EXPECT_EQ(reply->version(), 1u) << "it was running";
}

TEST(ValidatingPaths, EndAtTheirDeadline) {
  RunningDaemon daemon(one_worker(), endless_planner());
  BlockingClient client({.port = daemon.port()});
  v1::ValidatePath request = one_waypoint();
  request.set_deadline_ms(1);
  const auto reply = client.validate_path(request);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().reason(), "deadline_passed");
  EXPECT_EQ(reply.error().field(), "validate_path.deadline_ms");
  EXPECT_EQ(reply.error().value(), "1");
}

TEST(Watching, AnEditOnThePathIsToldAndEndsTheWatch) {
  RunningDaemon daemon(one_worker());
  BlockingClient client({.port = daemon.port()});
  const auto path = client.find_path(watched_path(0, 10, 0, 42));
  ASSERT_TRUE(path);
  const auto edit = client.set_blocks(one_block(4, 65, 0, "stone"));
  ASSERT_TRUE(edit);
  const v1::PathInvalidated event = next_event(client);
  EXPECT_EQ(event.watch(), path->watch());
  EXPECT_GT(event.request_id(), 0u);
  EXPECT_EQ(event.mob(), 42u);
  EXPECT_EQ(event.world(), "flat");
  EXPECT_EQ(event.reason(), v1::PathInvalidated::BROKEN);
  EXPECT_EQ(event.version(), edit->version());
  EXPECT_EQ(event.fault().waypoint(), 4u);
  EXPECT_EQ(event.fault().obstacle(), v1::Blocker::NO_ROOM);
  EXPECT_EQ(event.fault().at().x(), 4);
  EXPECT_EQ(watches(daemon), 0u);
  EXPECT_FALSE(client.unwatch(unwatch_of(path->watch()))->watched());
}

TEST(Watching, EditsElsewhereAreNotTold) {
  RunningDaemon daemon(one_worker());
  BlockingClient client({.port = daemon.port()});
  watch(client, watched_path(0, 10));
  const std::uint64_t other = watch(client, watched_path(0, 10, 50));
  ASSERT_TRUE(client.set_blocks(one_block(100, 64, 100, "stone")));  // far away
  ASSERT_TRUE(client.set_blocks(one_block(4, 65, 9, "stone")));      // beside it, in a section that it depends on
  ASSERT_TRUE(client.set_blocks(one_block(4, 62, 0, "dirt")));       // below its ground
  ASSERT_TRUE(client.set_blocks(one_block(4, 65, 50, "stone")));     // on the other
  EXPECT_EQ(next_event(client).watch(), other);
  EXPECT_EQ(watches(daemon), 1u);
}

TEST(Watching, ADroppedChunkBreaksThePath) {
  RunningDaemon daemon(one_worker());
  BlockingClient client({.port = daemon.port()});
  const std::uint64_t number = watch(client, watched_path(0, 40));
  v1::DropChunk drop;
  drop.set_world("flat");
  drop.set_x(1);
  ASSERT_TRUE(client.drop_chunk(drop));
  const v1::PathInvalidated event = next_event(client);
  EXPECT_EQ(event.watch(), number);
  EXPECT_EQ(event.fault().waypoint(), 16u);
  EXPECT_EQ(event.fault().obstacle(), v1::Blocker::MISSING_CHUNK);
}

TEST(Watching, NothingIsToldAfterUnwatch) {
  RunningDaemon daemon(one_worker());
  BlockingClient client({.port = daemon.port()});
  const std::uint64_t ended = watch(client, watched_path(0, 10));
  const std::uint64_t stays = watch(client, watched_path(0, 10));
  EXPECT_TRUE(client.unwatch(unwatch_of(ended))->watched());
  EXPECT_FALSE(client.unwatch(unwatch_of(ended))->watched());
  BlockingClient other({.port = daemon.port()});
  EXPECT_FALSE(other.unwatch(unwatch_of(stays))->watched()) << "numbers are a connection's own";
  ASSERT_TRUE(client.set_blocks(one_block(4, 65, 0, "stone")));
  EXPECT_EQ(next_event(client).watch(), stays);
  ASSERT_TRUE(client.ping());
  EXPECT_FALSE(client.next_invalidated(kNow));
}

TEST(Watching, AMobThatAsksAnewIsWatchedAnew) {
  RunningDaemon daemon(one_worker());
  BlockingClient client({.port = daemon.port()});
  watch(client, watched_path(0, 10, 0, 7));
  const std::uint64_t newer = watch(client, watched_path(0, 10, 0, 7));
  EXPECT_EQ(watches(daemon), 1u);
  ASSERT_TRUE(client.set_blocks(one_block(4, 65, 0, "stone")));
  EXPECT_EQ(next_event(client).watch(), newer);
  watch(client, watched_path(0, 10, 20, 7));
  v1::FindPath unwatched = watched_path(0, 10, 20, 7);
  unwatched.set_watch(false);
  EXPECT_EQ(client.find_path(unwatched)->watch(), 0u);
  EXPECT_EQ(watches(daemon), 0u) << "it walks another path now";
}

TEST(Watching, OnlyPathsThatCanBeWalkedAreWatched) {
  RunningDaemon daemon;
  BlockingClient client({.port = daemon.port()});
  v1::FindPath request = watched_path(0, 10);
  request.mutable_start()->mutable_cell()->set_z(900);
  const auto nowhere = client.find_path(request);
  EXPECT_EQ(nowhere->status(), v1::PathAnswer::START_INVALID);
  EXPECT_EQ(nowhere->watch(), 0u);
  request = watched_path(0, 10);
  request.mutable_agent()->set_profile("nix");
  EXPECT_FALSE(client.find_path(request));
  request = watched_path(0, 100);
  request.set_expansions_max(5);
  const auto partial = client.find_path(request);
  EXPECT_EQ(partial->status(), v1::PathAnswer::PARTIAL);
  EXPECT_GT(partial->watch(), 0u);
  EXPECT_TRUE(eventually([&] { return watches(daemon) == 1; })) << "those of the others have ended";
}

TEST(Watching, AnEditBetweenTheSearchesSnapshotAndTheWatchIsTold) {
  Gate gate;
  RunningDaemon daemon(one_worker(), gated_planner(gate));
  BlockingClient client({.port = daemon.port()});
  std::promise<client::Reply<v1::PathAnswer>> promise;
  client.async().find_path(watched_path(0, 10), [&](auto reply) { promise.set_value(std::move(reply)); });
  gate.wait_for_one();  // it has its snapshot
  BlockingClient writer({.port = daemon.port()});
  const auto edit = writer.set_blocks(one_block(4, 65, 0, "stone"));
  ASSERT_TRUE(edit);
  gate.open();
  const auto path = promise.get_future().get();
  ASSERT_TRUE(path);
  EXPECT_EQ(path->status(), v1::PathAnswer::FOUND);
  EXPECT_LT(path->version(), edit->version());
  const v1::PathInvalidated event = next_event(client);
  EXPECT_EQ(event.watch(), path->watch());
  EXPECT_EQ(event.version(), edit->version());
}

TEST(Watching, AMobThatAsksAnewDuringItsSearchHasNoWatchOfTheOlder) {
  Gate gate;
  RunningDaemon daemon(one_worker(), gated_planner(gate));
  BlockingClient client({.port = daemon.port()});
  std::promise<client::Reply<v1::PathAnswer>> older, newer;
  client.async().find_path(watched_path(0, 10, 0, 7), [&](auto reply) { older.set_value(std::move(reply)); });
  gate.wait_for_one();
  client.async().find_path(watched_path(0, 12, 0, 7), [&](auto reply) { newer.set_value(std::move(reply)); });
  ASSERT_TRUE(eventually([&] { return client.server_info()->jobs_queued() == 1; }));
  gate.open();
  EXPECT_EQ(older.get_future().get()->watch(), 0u);
  EXPECT_GT(newer.get_future().get()->watch(), 0u);
  EXPECT_EQ(watches(daemon), 1u);
}

TEST(Watching, EndsWithTheConnection) {
  RunningDaemon daemon(one_worker());
  BlockingClient stays({.port = daemon.port()});
  {
    BlockingClient goes({.port = daemon.port()});
    watch(goes, watched_path(0, 10));
    watch(goes, watched_path(0, 10, 5));
    EXPECT_EQ(watches(daemon), 2u);
  }
  EXPECT_TRUE(eventually([&] { return watches(daemon) == 0; }));
  ASSERT_TRUE(stays.set_blocks(one_block(4, 65, 0, "stone"))) << "which nobody is told of";
  const std::uint64_t number = watch(stays, watched_path(0, 10, 5));
  ASSERT_TRUE(stays.set_blocks(one_block(4, 65, 5, "stone")));
  EXPECT_EQ(next_event(stays).watch(), number);
}

TEST(Watching, EndsWithTheServer) {
  auto daemon = std::make_unique<RunningDaemon>();
  BlockingClient client({.port = daemon->port(), .reconnect = false});
  watch(client, watched_path(0, 10));
  daemon.reset();
  const auto event = client.next_invalidated(kPatience);
  ASSERT_TRUE(event);
  ASSERT_FALSE(*event);
  EXPECT_EQ(event->error().code(), v1::Error::UNAVAILABLE);
}

TEST(Watching, EndsWithTheWorld) {
  RunningDaemon daemon;
  BlockingClient client({.port = daemon.port()});
  const auto first = watch(client, watched_path(0, 10));
  const auto second = watch(client, watched_path(0, 10, 5, 9));
  v1::CloseWorld close;
  close.set_world("flat");
  ASSERT_TRUE(client.close_world(close));
  for (const std::uint64_t number : {first, second}) {
    const v1::PathInvalidated event = next_event(client);
    EXPECT_EQ(event.watch(), number);
    EXPECT_EQ(event.reason(), v1::PathInvalidated::WORLD_CLOSED);
    EXPECT_EQ(event.world(), "flat");
  }
  EXPECT_EQ(client.unwatch(unwatch_of(first)).error().reason(), "world_unknown");
}

TEST(Watching, HoldsTheLimitOfAConnection) {
  RunningDaemon daemon;
  BlockingClient client({.port = daemon.port()});
  std::vector<std::future<client::Reply<v1::PathAnswer>>> replies;
  const auto ask = [&] {
    auto promise = std::make_shared<std::promise<client::Reply<v1::PathAnswer>>>();
    replies.push_back(promise->get_future());
    client.async().find_path(watched_path(0, 1), [promise](auto reply) { promise->set_value(std::move(reply)); });
  };
  for (std::size_t i = 0; i < protocol::kWatchesMax; ++i) ask();
  std::set<std::uint64_t> numbers;
  for (auto& reply : replies) {
    const auto path = reply.get();
    ASSERT_TRUE(path) << path.error().message();
    numbers.insert(path->watch());
  }
  EXPECT_EQ(numbers.size(), protocol::kWatchesMax) << "as many as there may be, each with a number of its own";
  const auto refused = client.find_path(watched_path(0, 1));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), v1::Error::RESOURCE_EXHAUSTED);
  EXPECT_EQ(refused.error().reason(), "watches_full");
  EXPECT_EQ(refused.error().field(), "find_path.watch");
  EXPECT_EQ(refused.error().limit(), "4096 watches");
  EXPECT_TRUE(client.find_path(flat_path(0, 1))) << "without a watch";
  EXPECT_TRUE(client.unwatch(unwatch_of(*numbers.begin()))->watched());
  watch(client, watched_path(0, 1));

  ASSERT_TRUE(client.set_blocks(one_block(1, 64, 0, "stone")));
  std::set<std::uint64_t> told;
  while (told.size() < protocol::kWatchesMax) EXPECT_TRUE(told.insert(next_event(client).watch()).second);
  EXPECT_EQ(watches(daemon), 0u);
}

TEST(Watching, HoldsTheLimitOfWaypointsOfAConnection) {
  RunningDaemon daemon(test_config(), long_path_planner());
  BlockingClient client({.port = daemon.port()});
  constexpr std::size_t kPaths = protocol::kWatchedWaypointsMax / protocol::kWaypointsMax;
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < kPaths; ++i) last = watch(client, watched_path(0, 5));
  const auto refused = client.find_path(watched_path(0, 5));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().reason(), "watches_full");
  EXPECT_EQ(refused.error().field(), "find_path.watch");
  EXPECT_EQ(refused.error().value(), "16384 waypoints more");
  EXPECT_EQ(refused.error().limit(), "524288 waypoints in all");
  EXPECT_EQ(watches(daemon), kPaths);
  EXPECT_TRUE(client.unwatch(unwatch_of(last))->watched());
  EXPECT_GT(watch(client, watched_path(0, 5)), 0u) << "there is room again";
}

TEST(WatchingConcurrency, SearchingConnectionsAndAWriter) {
  server::Config config = test_config();
  config.io_threads = 2;
  RunningDaemon daemon(config);
  constexpr int kClients = 4;
  constexpr int kRequests = 40;
  std::atomic<int> searching = kClients;
  std::promise<void> written;
  const std::shared_future<void> end = written.get_future().share();
  std::vector<std::thread> threads;
  for (int c = 0; c < kClients; ++c) {
    threads.emplace_back([&, c] {
      BlockingClient client({.port = daemon.port()});
      std::map<std::uint64_t, v1::PathAnswer> open;
      std::uint64_t mobs = 0;  // the watch of the one mob that has a number
      for (int i = 0; i < kRequests; ++i) {
        const bool is_mob = i % 5 == 0;
        const auto path = client.find_path(watched_path(-20 - c, 20 + i % 7, 0, is_mob ? 1 : 0));
        EXPECT_TRUE(path && path->watch() > 0) << "one after the other, none superseded while it is searched";
        if (!path) continue;
        if (is_mob) open.erase(std::exchange(mobs, path->watch()));
        open.emplace(path->watch(), *path);
        if (i % 3 == 0) {
          const std::uint64_t oldest = open.begin()->first;
          EXPECT_TRUE(client.unwatch(unwatch_of(oldest)));
          open.erase(oldest);
        }
      }
      --searching;
      end.wait();
      // What is broken now and was not told must be told yet.
      const auto take = [&](std::chrono::milliseconds patience) {
        const auto event = client.next_invalidated(patience);
        if (!event) return false;
        if (const auto known = open.find((*event)->watch()); known != open.end()) {
          EXPECT_GT((*event)->version(), known->second.version());
          open.erase(known);
        }
        return true;
      };
      while (take(kNow)) {
      }
      for (const auto& [number, path] : std::map(open)) {
        if (client.validate_path(validation_of(path))->status() == v1::PathVerdict::VALID) continue;
        while (open.contains(number)) ASSERT_TRUE(take(kPatience)) << "watch " << number << " was lost";
      }
    });
  }
  threads.emplace_back([&] {
    BlockingClient client({.port = daemon.port()});
    for (int i = 0; searching > 0 || i % 2 == 1; ++i)
      EXPECT_TRUE(client.set_blocks(one_block(i % 16, 65, i % 3 - 1, i % 2 == 0 ? "stone" : "air")));
    for (int x = 0; x < 8; ++x) EXPECT_TRUE(client.set_blocks(one_block(2 * x, 65, 0, "stone")));
    written.set_value();
  });
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(eventually([&] { return watches(daemon) == 0; })) << "all connections have gone";
}

}  // namespace
}  // namespace voxpath::test
