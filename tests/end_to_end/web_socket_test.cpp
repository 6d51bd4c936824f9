// WebSockets of a running daemon: the whole conversation as JSON texts, events included.
#include "tests/end_to_end/daemon_fixture.hpp"
#include "tests/end_to_end/http_client.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace voxpath::test {
namespace {

constexpr const char* kWatched =
    R"({"id":2,"findPath":{"world":"flat","start":{"cell":{"y":64}},"goal":{"cell":{"x":9,"y":64}},"watch":true}})";

TEST(WebSockets, TellsWhenAWatchedPathIsBroken) {
  RunningDaemon daemon(http_config());
  WebSocketClient socket(daemon->http_port());
  socket.greet();
  socket.send(kWatched);
  const auto path = socket.next();
  ASSERT_TRUE(path);
  EXPECT_EQ(path->id(), 2u);
  EXPECT_EQ(path->path().status(), v1::PathAnswer::FOUND);
  ASSERT_NE(path->path().watch(), 0u);

  HttpClient http(daemon->http_port());  // another client breaks it
  ASSERT_EQ(http.post("set_blocks",
                      R"({"world":"flat","changes":[{"box":{"min":{"x":4,"y":64,"z":-9},"max":{"x":4,"y":66,"z":9}},)"
                      R"("block":"minecraft:stone"}]})")
                .status,
            200u);
  const auto event = socket.next();
  ASSERT_TRUE(event);
  EXPECT_EQ(event->id(), 0u);
  EXPECT_EQ(event->path_invalidated().watch(), path->path().watch());
  EXPECT_EQ(event->path_invalidated().request_id(), 2u);
}

TEST(WebSockets, ManyRequestsAreInFlightAtOnceAndEachIsAnsweredOnce) {
  RunningDaemon daemon(http_config());
  WebSocketClient socket(daemon->http_port());
  socket.greet();
  for (int id = 10; id < 110; ++id) {
    socket.send(fmt::format(
        R"({{"id":{},"findPath":{{"world":"flat","start":{{"cell":{{"y":64}}}},"goal":{{"cell":{{"x":{},"y":64}}}}}}}})",
        id, id - 60));
  }
  std::set<std::uint32_t> answered;
  for (int i = 0; i < 100; ++i) {
    const auto frame = socket.next();
    ASSERT_TRUE(frame && frame->has_path()) << i;
    EXPECT_TRUE(answered.insert(frame->id()).second) << frame->id();
  }
  EXPECT_EQ(*answered.begin(), 10u);
  EXPECT_EQ(*answered.rbegin(), 109u);
}

TEST(WebSockets, RequestsCanBeCancelled) {
  RunningDaemon daemon(http_config(), endless_planner());
  WebSocketClient socket(daemon->http_port());
  socket.greet();
  socket.send(R"({"id":2,"findPath":{"world":"flat","start":{"cell":{"y":64}},"goal":{"cell":{"x":9,"y":64}}}})");
  socket.send(R"({"id":3,"cancel":{"requestId":2}})");
  const auto cancel = socket.next();
  ASSERT_TRUE(cancel);
  EXPECT_TRUE(cancel->cancel().in_flight());
  const auto path = socket.next();
  ASSERT_TRUE(path);
  EXPECT_EQ(path->id(), 2u);
  EXPECT_EQ(path->path().status(), v1::PathAnswer::CANCELLED);
}

TEST(WebSockets, ErrorsOfRequestsAreAnsweredAndTheConversationGoesOn) {
  RunningDaemon daemon(http_config());
  WebSocketClient socket(daemon->http_port());
  socket.greet();
  socket.send(R"({"id":2,"findPath":{"world":"none","start":{"cell":{}},"goal":{"cell":{}}}})");
  EXPECT_EQ(socket.next()->error().reason(), "world_unknown");
  socket.send(R"({"id":3,"findPath":{"start":{"cell":{}}}})");
  EXPECT_EQ(socket.next()->error().field(), "find_path.world");
  socket.send(R"({"id":4,"ping":{"payload":"7"}})");
  EXPECT_EQ(socket.next()->pong().payload(), 7u);
}

TEST(WebSockets, WhatIsNoFrameIsToldAndEnds) {
  RunningDaemon daemon(http_config());
  struct Case {
    const char *name, *text, *reason, *field;
    bool greet, binary;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"no Hello", R"({"id":1,"ping":{}})", "hello_expected", "request", false, false},
           {"no JSON", "{", "json_malformed", "", true, false},
           {"unknown field", R"({"id":2,"findPath":{"wrold":"x"}})", "json_malformed", "find_path.wrold", true, false},
           {"twice", R"({"id":2,"id":3,"ping":{}})", "json_malformed", "id", true, false},
           {"binary", R"({"id":2,"ping":{}})", "json_malformed", "frame", true, true},
           {"no id", R"({"ping":{}})", "request_id_invalid", "id", true, false},
           {"no text", "", "json_malformed", "", true, false},
       }) {
    WebSocketClient socket(daemon->http_port());
    if (c.greet) socket.greet();
    socket.send(c.text, c.binary);
    const auto frame = socket.next();
    ASSERT_TRUE(frame) << c.name;
    EXPECT_EQ(frame->goodbye().error().reason(), c.reason) << c.name << ": " << frame->ShortDebugString();
    EXPECT_EQ(frame->goodbye().error().field(), c.field) << c.name << ": " << frame->ShortDebugString();
    EXPECT_FALSE(socket.next()) << c.name;
  }
  EXPECT_TRUE(eventually([&] { return daemon->info().jobs_running() == 0; }));
}

TEST(WebSockets, ATextOverTheLimitEnds) {
  RunningDaemon daemon(http_config());
  WebSocketClient socket(daemon->http_port());
  socket.greet();
  socket.send(std::string(protocol::kUploadSizeMaxBytes + 1, ' '));
  EXPECT_FALSE(socket.next());
}

TEST(WebSockets, TokensComeInHelloOrInTheRequest) {
  server::Config config = http_config();
  config.access.tokens = {{.secret = "secret"}};
  RunningDaemon daemon(config);
  WebSocketClient with_header(daemon->http_port(), "", "secret");
  with_header.greet();
  WebSocketClient without(daemon->http_port());
  without.send(R"({"id":1,"hello":{"magic":"voxpath","minVersion":1,"maxVersion":1}})");
  EXPECT_EQ(without.next()->goodbye().error().reason(), "token_wrong");
  WebSocketClient in_hello(daemon->http_port());
  in_hello.send(R"({"id":1,"hello":{"magic":"voxpath","minVersion":1,"maxVersion":1,"token":"secret"}})");
  EXPECT_TRUE(in_hello.next()->has_welcome());
}

TEST(WebSockets, PagesOfOtherOriginsMayNot) {
  RunningDaemon daemon(http_config());
  const WebSocketClient evil(daemon->http_port(), "https://evil.example");
  EXPECT_TRUE(evil.refused());
  const WebSocketClient own(daemon->http_port(), fmt::format("http://127.0.0.1:{}", daemon->http_port()));
  EXPECT_FALSE(own.refused());
}

TEST(WebSockets, SayGoodbyeAtTheEnd) {
  RunningDaemon daemon(http_config());
  WebSocketClient socket(daemon->http_port());
  socket.greet();
  daemon->stop();
  const auto frame = socket.next();
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->goodbye().error().reason(), "shutting_down");
  EXPECT_FALSE(socket.next());
  daemon.join();
}

TEST(WebSockets, AClosedOneCancelsItsJobs) {
  server::Config config = http_config();
  config.workers = 1;
  RunningDaemon daemon(config, endless_planner());
  {
    WebSocketClient socket(daemon->http_port());
    socket.greet();
    socket.send(R"({"id":2,"findPath":{"world":"flat","start":{"cell":{"y":64}},"goal":{"cell":{"x":9,"y":64}}}})");
    ASSERT_TRUE(eventually([&] { return daemon->info().jobs_running() == 1; }));
  }
  EXPECT_TRUE(eventually([&] { return daemon->info().jobs_answered() == 1; }));
}

}  // namespace
}  // namespace voxpath::test
