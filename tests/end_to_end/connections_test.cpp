// Connections to a daemon: strangers, bad frames, tokens, limits, and a client that loses its server.
#include "tests/end_to_end/daemon_fixture.hpp"

#include <future>
#include <set>

#include <gtest/gtest.h>

namespace voxpath::test {
namespace {

using client::BlockingClient;

TEST(Connections, BadFramesAreToldWhyBeforeTheEnd) {
  RunningDaemon daemon;
  const struct {
    const char* name;
    std::string bytes;
    const char* reason;
  } kRows[] = {
      {"garbage", std::string(100, '\xff'), "frame_malformed"},
      {"no hello", std::string("\x02\x08\x07", 3), "hello_expected"},
      {"huge first frame", std::string("\x81\x20", 2), "frame_too_big"},
      {"wrong magic", std::string("\x0c\x08\x01\x12\x08\x0a\x02hi\x10\x01\x18\x01", 13), "not_voxpath"},
  };
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    RawSocket socket(daemon.port());
    socket.send(row.bytes);
    const auto goodbye = socket.next_frame();
    ASSERT_TRUE(goodbye);
    EXPECT_EQ(goodbye->goodbye().error().reason(), row.reason);
    EXPECT_FALSE(socket.next_frame());
  }
  // The daemon is none the worse for it.
  BlockingClient client({.port = daemon.port()});
  EXPECT_TRUE(client.find_path(flat_path(0, 5)));
}

TEST(Connections, OtherProtocolsGetAClearEnd) {
  RunningDaemon daemon;
  RawSocket http(daemon.port());
  http.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const std::string page = http.rest();
  EXPECT_TRUE(page.starts_with("HTTP/1.1 400 ")) << page;
  EXPECT_NE(page.find("binary protocol"), std::string::npos);
  RawSocket minecraft(daemon.port());
  minecraft.send(std::string("\x10\x00\xff\x05\x09localhost\x63\xdd\x01", 17));
  EXPECT_EQ(minecraft.rest(), "");
}

TEST(Connections, ADecodableFrameThatIsTooBigIsRefusedAlone) {
  RunningDaemon daemon;
  RawSocket socket(daemon.port());
  socket.greet();
  ASSERT_TRUE(socket.next_frame()->has_welcome());
  v1::ClientFrame frame;
  frame.set_id(5);
  frame.mutable_find_path()->set_world(std::string(protocol::kFrameSizeMaxBytes, 'w'));
  socket.send(frame);
  auto answer = socket.next_frame();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->id(), 5u);
  EXPECT_EQ(answer->error().reason(), "frame_too_big");
  frame.Clear();
  frame.set_id(6);
  frame.mutable_ping()->set_payload(9);
  socket.send(frame);
  answer = socket.next_frame();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->pong().payload(), 9u);
}

TEST(Connections, TokensAreAskedFor) {
  server::Config config = test_config();
  config.access.tokens = {{"open sesame"}};
  RunningDaemon daemon(config);
  BlockingClient right({.port = daemon.port(), .token = "open sesame"});
  EXPECT_TRUE(right.ping());
  BlockingClient wrong({.port = daemon.port(), .token = "open barley", .reconnect = false});
  const auto refused = wrong.ping();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().reason(), "token_wrong") << refused.error().message();
  EXPECT_EQ(refused.error().code(), v1::Error::UNAVAILABLE);
}

TEST(Connections, AreLimited) {
  server::Config config = test_config();
  config.connections_max = 2;
  RunningDaemon daemon(config);
  BlockingClient first({.port = daemon.port()});
  ASSERT_TRUE(first.ping());
  {
    BlockingClient second({.port = daemon.port()});
    ASSERT_TRUE(second.ping());
    RawSocket third(daemon.port());
    const auto goodbye = third.next_frame();
    ASSERT_TRUE(goodbye);
    EXPECT_EQ(goodbye->goodbye().error().reason(), "connections_full");
    EXPECT_FALSE(third.next_frame());
  }
  EXPECT_TRUE(eventually([&] { return first.server_info()->connections() == 1; }));
  BlockingClient again({.port = daemon.port()});
  EXPECT_TRUE(again.ping()) << "there is room again";
}

/// Sends so many requests for an answer of a quarter megabyte, and reads nothing meanwhile.
void ask_for_much(RawSocket& socket, std::uint32_t requests) {
  socket.greet();
  ASSERT_TRUE(socket.next_frame()->has_welcome());
  for (std::uint32_t id = 2; id < 2 + requests; ++id) {
    v1::ClientFrame frame;
    frame.set_id(id);
    v1::QueryBlocks& query = *frame.mutable_query_blocks();
    query.set_world("flat");
    query.mutable_box()->mutable_min();
    query.mutable_box()->mutable_max()->set_x(63);
    query.mutable_box()->mutable_max()->set_y(63);
    query.mutable_box()->mutable_max()->set_z(63);
    socket.send(frame);
  }
}

TEST(Connections, ASlowReaderWithinTheLimitLosesNothing) {
  RunningDaemon daemon;
  RawSocket socket(daemon.port());
  constexpr std::uint32_t kRequests = 30;  // 7.5 MiB of answers
  ask_for_much(socket, kRequests);
  std::set<std::uint32_t> answered;
  while (answered.size() < kRequests) {
    const auto frame = socket.next_frame();
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->blocks().blocks_size(), 64 * 64 * 64);
    EXPECT_TRUE(answered.insert(frame->id()).second) << "answered twice";
  }
}

TEST(Connections, WhoAsksForMoreThanTheLimitAtOnceLosesNothing) {
  RunningDaemon daemon;
  RawSocket socket(daemon.port());
  constexpr std::uint32_t kRequests = 120;  // 30 MiB, more than the limit and what the sockets hold
  ask_for_much(socket, kRequests);
  std::set<std::uint32_t> answered;
  while (answered.size() < kRequests) {
    const auto frame = socket.next_frame();
    ASSERT_TRUE(frame);
    ASSERT_TRUE(frame->has_blocks()) << frame->ShortDebugString();
    EXPECT_TRUE(answered.insert(frame->id()).second) << "answered twice";
  }
}

TEST(Connections, ABurstOfLongPathsWaitsForItsReader) {
  RunningDaemon daemon(test_config(), long_path_planner());
  BlockingClient watcher({.port = daemon.port()});
  RawSocket socket(daemon.port());
  socket.greet();
  ASSERT_TRUE(socket.next_frame()->has_welcome());
  constexpr std::uint32_t kRequests = 100;  // some 50 MiB of answers
  std::string burst;  // read at once: what comes later is not read while so much waits for the client
  for (std::uint32_t id = 2; id < 2 + kRequests; ++id) {
    v1::ClientFrame frame;
    frame.set_id(id);
    *frame.mutable_find_path() = flat_path(0, 5);
    protocol::append_frame(frame, &burst);
  }
  socket.send(burst);
  const auto held = [&] {
    const auto info = watcher.server_info();
    return info->jobs_running() == 0 && info->jobs_queued() > 0;
  };
  EXPECT_TRUE(eventually(held)) << "no more is worked on than the client reads";
  std::set<std::uint32_t> answered;
  while (answered.size() < kRequests) {
    const auto frame = socket.next_frame();
    ASSERT_TRUE(frame) << "closed after " << answered.size();
    ASSERT_EQ(frame->path().waypoints_size(), static_cast<int>(protocol::kWaypointsMax)) << frame->ShortDebugString();
    EXPECT_TRUE(answered.insert(frame->id()).second) << "answered twice";
  }
}

TEST(Connections, AClientFindsItsServerAgain) {
  server::Config config = test_config();
  auto daemon = std::make_unique<RunningDaemon>(config, endless_planner());
  const std::uint16_t port = daemon->port();
  std::atomic<int> connected = 0, disconnected = 0;
  BlockingClient client({.port = port,
                         .reconnect_first_ms = 1,
                         .reconnect_max_ms = 20,
                         .on_connected = [&](const v1::Welcome&) { ++connected; },
                         .on_disconnected = [&](const v1::Error&) { ++disconnected; }});
  ASSERT_TRUE(client.ping());
  EXPECT_EQ(connected, 1);
  std::promise<client::Reply<v1::PathAnswer>> promise;
  client.async().find_path(flat_path(0, 5),
                           [&](client::Reply<v1::PathAnswer> reply) { promise.set_value(std::move(reply)); });
  ASSERT_TRUE(eventually([&] { return client.server_info()->jobs_running() == 1; }));
  (**daemon).stop();
  daemon.reset();
  const auto lost = promise.get_future().get();
  if (lost) {
    EXPECT_EQ(lost->status(), v1::PathAnswer::CANCELLED);
  } else {
    EXPECT_EQ(lost.error().code(), v1::Error::UNAVAILABLE);
  }
  const auto meanwhile = client.ping();
  ASSERT_FALSE(meanwhile);
  EXPECT_EQ(meanwhile.error().code(), v1::Error::UNAVAILABLE);
  EXPECT_GE(disconnected, 1);

  config.port = port;
  RunningDaemon second(config);
  EXPECT_TRUE(eventually([&] { return client.find_path(flat_path(0, 5)).ok(); }));
  EXPECT_EQ(connected, 2);
}

TEST(Connections, AClientThatCannotConnectSaysSo) {
  std::uint16_t port = 0;
  {
    RunningDaemon daemon;
    port = daemon.port();
  }
  BlockingClient client({.port = port, .reconnect = false});
  const auto reply = client.ping();
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code(), v1::Error::UNAVAILABLE);
  EXPECT_NE(reply.error().message().find("cannot connect to 127.0.0.1:" + std::to_string(port)), std::string::npos)
      << reply.error().message();
}

TEST(Connections, WhatWaitsIsAnsweredWhenTheClientIsDestroyed) {
  RunningDaemon daemon(test_config(), endless_planner());
  std::promise<client::Reply<v1::PathAnswer>> promise;
  {
    BlockingClient client({.port = daemon.port()});
    client.async().find_path(flat_path(0, 5),
                             [&](client::Reply<v1::PathAnswer> reply) { promise.set_value(std::move(reply)); });
    ASSERT_TRUE(eventually([&] { return client.server_info()->jobs_running() == 1; }));
  }
  const auto reply = promise.get_future().get();
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code(), v1::Error::UNAVAILABLE);
}

}  // namespace
}  // namespace voxpath::test
