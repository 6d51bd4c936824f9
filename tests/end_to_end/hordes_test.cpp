// Many mobs with one goal against a running daemon: find_paths, and find_path requests that are searched together.
#include "tests/end_to_end/daemon_fixture.hpp"

#include <future>
#include <memory>
#include <vector>

#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

namespace voxpath::test {
namespace {

using client::BlockingClient;
using PathReply = client::Reply<v1::PathAnswer>;
using PathsReply = client::Reply<v1::PathsAnswer>;

server::Config land_config() {
  server::Config config = test_config();
  config.worlds.front().name = "land";
  config.worlds.front().generate = "terrain:7";
  config.answers_kept_max_mib = 0;  // or the second question would be answered from the first
  return config;
}

/// Mobs around the goal, from where they fall to the ground; number 7 is sealed in, number 8 is nowhere.
v1::FindPaths horde_in(const char* world, int starts) {
  v1::FindPaths request;
  request.set_world(world);
  request.mutable_agent()->set_profile("zombie");
  for (int i = 0; i < starts; ++i) {
    v1::Position& at = *request.add_starts()->mutable_position();
    at.set_x(i * 37 % 71 - 35 + 0.5);
    at.set_y(200);
    at.set_z(i * 53 % 67 - 33 + 0.5);
  }
  if (starts > 8) {
    v1::BlockPos& sealed = *request.mutable_starts(7)->mutable_cell();
    sealed.set_x(100);
    sealed.set_y(150);
    sealed.set_z(100);
    request.mutable_starts(8)->mutable_position()->set_x(5'000);
  }
  request.mutable_goal()->mutable_position()->set_x(0.5);
  request.mutable_goal()->mutable_position()->set_y(200);
  request.mutable_goal()->mutable_position()->set_z(0.5);
  return request;
}

void fill(v1::SetBlocks& request, const char* block, std::int32_t low, std::int32_t high, std::int32_t low_y,
          std::int32_t high_y) {
  v1::BlockChange& change = *request.add_changes();
  v1::BlockPos& min = *change.mutable_box()->mutable_min();
  v1::BlockPos& max = *change.mutable_box()->mutable_max();
  min.set_x(low), min.set_y(low_y), min.set_z(low);
  max.set_x(high), max.set_y(high_y), max.set_z(high);
  change.set_block(block);
}

/// A room without a door, high above the ground, for the mob that is sealed in.
void build_room(BlockingClient& client, const char* world) {
  v1::SetBlocks request;
  request.set_world(world);
  fill(request, "stone", 99, 101, 149, 152);
  fill(request, "air", 100, 100, 150, 151);
  const auto done = client.set_blocks(request);
  ASSERT_TRUE(done) << done.error().message();
}

v1::FindPath one_of(const v1::FindPaths& horde, int start) {
  v1::FindPath request;
  request.set_world(horde.world());
  *request.mutable_agent() = horde.agent();
  *request.mutable_goal() = horde.goal();
  *request.mutable_start() = horde.starts(start);
  return request;
}

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
std::pair<client::Client::RequestId, std::future<PathsReply>> ask(BlockingClient& client, const v1::FindPaths& horde) {
  auto promise = std::make_shared<std::promise<PathsReply>>();
  auto future = promise->get_future();
  const auto id =
      client.async().find_paths(horde, [promise](PathsReply reply) { promise->set_value(std::move(reply)); });
  return {id, std::move(future)};
}

void expect_same(const v1::PathAnswer& shared, const v1::PathAnswer& own, int start) {
  EXPECT_EQ(shared.status(), own.status()) << start;
  EXPECT_EQ(shared.reason(), own.reason()) << start;
  EXPECT_EQ(shared.cost(), own.cost()) << start;
  EXPECT_EQ(shared.start_rule(), own.start_rule()) << start;
  if (own.status() != v1::PathAnswer::FOUND) return;
  const auto end = [](const v1::PathAnswer& a) { return a.waypoints(a.waypoints_size() - 1).cell().DebugString(); };
  EXPECT_EQ(shared.waypoints(0).cell().DebugString(), own.waypoints(0).cell().DebugString()) << start;
  if (!shared.truncated()) {
    EXPECT_EQ(end(shared), end(own)) << start;
  }
}

TEST(Hordes, EachStartIsAnsweredAsByARequestOfItsOwn) {
  server::Config config = land_config();
  config.share_searches = false;  // or the requests of their own would not be
  RunningDaemon daemon(config);
  BlockingClient client({.port = daemon.port()});
  build_room(client, "land");
  const v1::FindPaths horde = horde_in("land", 400);
  const PathsReply all = client.find_paths(horde);
  ASSERT_TRUE(all) << all.error().message();
  ASSERT_EQ(all->paths_size(), 400);
  EXPECT_FALSE(all->more());
  EXPECT_GT(all->shared(), 200u);
  std::vector<Asked> own;
  for (int i = 0; i < 400; ++i) own.push_back(ask(client, one_of(horde, i)));
  int found = 0;
  for (int i = 0; i < 400; ++i) {
    const PathReply reply = own[static_cast<std::size_t>(i)].reply.get();
    ASSERT_TRUE(reply) << reply.error().message();
    expect_same(all->paths(i), *reply, i);
    found += reply->status() == v1::PathAnswer::FOUND ? 1 : 0;
  }
  EXPECT_GT(found, 300);
  EXPECT_EQ(all->paths(7).status(), v1::PathAnswer::UNREACHABLE) << all->paths(7).ShortDebugString();
  EXPECT_EQ(all->paths(8).status(), v1::PathAnswer::START_INVALID);
  EXPECT_EQ(client.server_info()->jobs_shared(), 0u) << "those are find_path requests";
}

TEST(Hordes, ALongAnswerComesInSeveralFrames) {
  RunningDaemon daemon(land_config());
  RawSocket socket(daemon.port());
  socket.greet();
  const auto welcome = socket.next_frame();
  EXPECT_EQ(welcome->welcome().limits().starts_max(), protocol::kStartsMax);
  EXPECT_EQ(welcome->welcome().limits().horde_waypoints_max(), protocol::kHordeWaypointsMax);
  v1::ClientFrame frame;
  frame.set_id(9);
  *frame.mutable_find_paths() = horde_in("land", static_cast<int>(protocol::kStartsMax));
  socket.send(frame);
  std::uint32_t first = 0;
  int frames = 0;
  for (bool more = true; more; ++frames) {
    const auto part = socket.next_frame();
    ASSERT_TRUE(part && part->has_paths()) << part->ShortDebugString();
    EXPECT_EQ(part->id(), 9u);
    EXPECT_LE(part->ByteSizeLong(), protocol::kFrameSizeMaxBytes);
    EXPECT_EQ(part->paths().first(), first);
    first += static_cast<std::uint32_t>(part->paths().paths_size());
    more = part->paths().more();
    for (const v1::PathAnswer& path : part->paths().paths()) {
      EXPECT_LE(path.waypoints_size(), 64);
      EXPECT_EQ(path.truncated(), path.moves() > 63) << path.moves();
    }
  }
  EXPECT_EQ(first, protocol::kStartsMax);
  EXPECT_GT(frames, 1);
  BlockingClient client({.port = daemon.port()});
  EXPECT_EQ(client.find_paths(frame.find_paths())->paths_size(), static_cast<int>(protocol::kStartsMax));
}

TEST(Hordes, AreCancelledMidwayAndEndAtTheirDeadline) {
  server::Config config = test_config();
  config.workers = 1;
  RunningDaemon daemon(config, endless_planner());
  BlockingClient client({.port = daemon.port()});
  auto [id, cancelled] = ask(client, horde_in("flat", 300));
  ASSERT_TRUE(eventually([&] { return client.server_info()->jobs_running() == 1; }));
  client.async().cancel(id);
  const PathsReply ended = cancelled.get();
  ASSERT_TRUE(ended);
  ASSERT_EQ(ended->paths_size(), 300);
  EXPECT_EQ(ended->paths(299).status(), v1::PathAnswer::CANCELLED);
  v1::FindPaths hurried = horde_in("flat", 50);
  hurried.set_deadline_ms(20);
  const PathsReply late = client.find_paths(hurried);
  ASSERT_TRUE(late) << late.error().message();
  EXPECT_EQ(late->paths(49).status(), v1::PathAnswer::PARTIAL);
  EXPECT_EQ(late->paths(49).reason(), v1::PathAnswer::DEADLINE);
  v1::FindPaths older = horde_in("flat", 2);
  older.set_horde(5);
  auto [older_id, superseded] = ask(client, older);
  auto [newer_id, newer] = ask(client, older);
  EXPECT_EQ(superseded.get()->paths(1).reason(), v1::PathAnswer::SUPERSEDED);
  client.async().cancel(newer_id);
  EXPECT_EQ(newer.get()->paths(1).reason(), v1::PathAnswer::NO_REASON);
}

TEST(Hordes, ARealOneIsCancelledMidway) {
  server::Config config = land_config();
  config.workers = 1;
  RunningDaemon daemon(config);
  BlockingClient client({.port = daemon.port()});
  v1::FindPaths horde = horde_in("land", 1'000);
  horde.mutable_goal()->mutable_flee()->add_points();  // which no search from the goal can answer
  horde.mutable_goal()->mutable_flee()->set_distance(250);
  auto [id, reply] = ask(client, horde);
  ASSERT_TRUE(eventually([&] { return client.server_info()->jobs_running() == 1; }));
  client.async().cancel(id);
  const PathsReply answer = reply.get();
  ASSERT_TRUE(answer);
  ASSERT_EQ(answer->paths_size(), 1'000);
  for (const v1::PathAnswer& path : answer->paths()) EXPECT_NE(path.status(), v1::PathAnswer::STATUS_UNSPECIFIED);
  EXPECT_EQ(answer->paths(999).status(), v1::PathAnswer::CANCELLED);
}

TEST(Hordes, WhatIsWrongIsNamed) {
  RunningDaemon daemon;
  BlockingClient client({.port = daemon.port()});
  EXPECT_TRUE(client.find_paths(horde_in("flat", static_cast<int>(protocol::kStartsMax))));
  const auto too_many = client.find_paths(horde_in("flat", static_cast<int>(protocol::kStartsMax) + 1));
  ASSERT_FALSE(too_many);
  EXPECT_EQ(too_many.error().field(), "find_paths.starts");
  EXPECT_EQ(too_many.error().limit(), "1024 entries");
  EXPECT_EQ(client.find_paths(horde_in("flat", 0)).error().field(), "find_paths.starts");
  EXPECT_EQ(client.find_paths(horde_in("nowhere", 3)).error().field(), "find_paths.world");
  v1::FindPaths spoiled = horde_in("flat", 30);
  spoiled.mutable_starts(17)->mutable_position()->set_y(4e7);
  const auto refused = client.find_paths(spoiled);
  EXPECT_EQ(refused.error().field(), "find_paths.starts[17].position.y");
  EXPECT_EQ(refused.error().value(), "40000000");
  spoiled = horde_in("flat", 30);
  spoiled.mutable_agent()->set_profile("nobody");
  EXPECT_EQ(client.find_paths(spoiled).error().field(), "find_paths.agent.profile");
}

/// Requests of several connections that come to the workers at once.
class Riding : public testing::Test {
 protected:
  static constexpr int kClients = 3, kEach = 100;

  explicit Riding() : daemon_(config()) {
    for (int i = 0; i < kClients; ++i) {
      clients_.push_back(std::make_unique<BlockingClient>(client::ClientOptions{.port = daemon_.port()}));
    }
    build_room(*clients_.front(), "land");
  }
  static server::Config config() {
    server::Config config = land_config();
    config.workers = 1;
    config.io_threads = 2;
    return config;
  }
  /// Each client's requests; the world is busy until all are there.
  std::vector<Asked> ask_all(const v1::FindPaths& horde, bool watch = false) {
    const auto host = daemon_->worlds().find("land");
    const auto go_on = std::make_shared<std::promise<void>>();
    boost::asio::post(host->strand, [go_on] { go_on->get_future().wait(); });
    std::vector<Asked> asked;
    for (int i = 0; i < kClients * kEach; ++i) {
      v1::FindPath request = one_of(horde, i);
      request.set_mob(static_cast<std::uint64_t>(i) + 1);
      request.set_watch(watch);
      asked.push_back(ask(*clients_[static_cast<std::size_t>(i % kClients)], request));
    }
    for (const auto& client : clients_) EXPECT_TRUE(client->ping());  // what was sent before has been read
    go_on->set_value();
    return asked;
  }

  RunningDaemon daemon_;
  std::vector<std::unique_ptr<BlockingClient>> clients_;
};

TEST_F(Riding, AnswersAreThoseOfSearchesOfTheirOwn) {
  const v1::FindPaths horde = horde_in("land", kClients * kEach);
  std::vector<v1::PathAnswer> together;
  // A quick worker may have answered each before the next came.
  for (int attempt = 0; attempt < 20 && clients_.front()->server_info()->jobs_shared() == 0; ++attempt) {
    together.clear();
    std::vector<Asked> asked = ask_all(horde);
    for (Asked& one : asked) {
      const PathReply reply = one.reply.get();
      ASSERT_TRUE(reply) << reply.error().message();
      together.push_back(*reply);
    }
  }
  EXPECT_GT(clients_.front()->server_info()->jobs_shared(), 0u);
  server::Config alone = land_config();
  alone.share_searches = false;
  RunningDaemon other(alone);
  BlockingClient client({.port = other.port()});
  build_room(client, "land");
  for (int i = 0; i < kClients * kEach; ++i) {
    const PathReply own = client.find_path(one_of(horde, i));
    ASSERT_TRUE(own);
    expect_same(together[static_cast<std::size_t>(i)], *own, i);
  }
}

TEST_F(Riding, EachCanBeCancelledAndAConnectionMayGo) {
  const v1::FindPaths horde = horde_in("land", kClients * kEach);
  std::vector<Asked> asked = ask_all(horde);
  for (std::size_t i = 0; i < asked.size(); i += kClients * 4) clients_[i % kClients]->async().cancel(asked[i].id);
  clients_[1].reset();
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const PathReply reply = asked[i].reply.get();  // each has one
    if (i % kClients != 1) {
      ASSERT_TRUE(reply) << reply.error().message();
    }
  }
  EXPECT_TRUE(eventually([&] {
    const auto info = clients_[0]->server_info();
    return info->jobs_running() + info->jobs_queued() == 0;
  }));
}

TEST_F(Riding, WatchesOfRidersTellOfEdits) {
  std::vector<Asked> asked = ask_all(horde_in("land", kClients * kEach), true);
  std::uint64_t watched = 0;
  v1::BlockPos in_the_way;
  for (Asked& one : asked) {
    const PathReply reply = one.reply.get();
    ASSERT_TRUE(reply) << reply.error().message();
    if (reply->watch() != 0) ++watched;
    if (reply->status() == v1::PathAnswer::FOUND && reply->moves() > 10) in_the_way = reply->waypoints(5).cell();
  }
  EXPECT_GT(watched, 200u);
  v1::SetBlocks edit;
  edit.set_world("land");
  v1::BlockChange& change = *edit.add_changes();
  *change.mutable_box()->mutable_min() = in_the_way;
  *change.mutable_box()->mutable_max() = in_the_way;
  change.mutable_box()->mutable_max()->set_y(in_the_way.y() + 2);
  change.set_block("stone");
  ASSERT_TRUE(clients_.front()->set_blocks(edit));
  EXPECT_TRUE(eventually([&] {
    for (const auto& client : clients_) {
      const auto event = client->next_invalidated(std::chrono::milliseconds(0));
      if (event && *event && (*event)->reason() == v1::PathInvalidated::BROKEN) return true;
    }
    return false;
  }));
}

TEST(Hordes, TheEndOfTheDaemonAnswersThem) {
  RunningDaemon daemon(land_config());
  BlockingClient client({.port = daemon.port()});
  auto [id, reply] = ask(client, horde_in("land", 500));
  ASSERT_TRUE(
      eventually([&] { return client.server_info()->jobs_running() + client.server_info()->jobs_answered() > 0; }));
  daemon->stop();
  EXPECT_EQ(reply.get()->paths_size(), 500) << "what is in flight is answered";
}

}  // namespace
}  // namespace voxpath::test
