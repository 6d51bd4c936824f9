// The HTTP door of a running daemon: calls, errors, pages, the end.
#include "server/http/method_table.hpp"
#include "tests/end_to_end/daemon_fixture.hpp"
#include "tests/end_to_end/http_client.hpp"

#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>

namespace voxpath::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kPath =
    R"({"world":"flat","agent":{"profile":"zombie"},"start":{"cell":{"x":0,"y":64}},"goal":{"cell":{"x":9,"y":64}}})";

TEST(Http, FindsThePathThatTheBinaryProtocolFinds) {
  RunningDaemon daemon(http_config());
  HttpClient http(daemon->http_port());
  const HttpReply reply = http.post("find_path", kPath);
  ASSERT_EQ(reply.status, 200u) << reply.body;
  EXPECT_EQ(reply.headers.at("content-type"), "application/json");
  auto by_http = reply.as<v1::PathAnswer>();

  client::BlockingClient binary({.port = daemon.port()});
  v1::FindPath request;
  HttpReply::read(kPath, &request);
  auto answer = binary.find_path(request);
  ASSERT_TRUE(answer);
  auto by_tcp = *answer;
  EXPECT_EQ(by_http.status(), v1::PathAnswer::FOUND);
  by_http.clear_times();
  by_tcp.clear_times();
  EXPECT_EQ(by_http.SerializeAsString(), by_tcp.SerializeAsString());
}

TEST(Http, EveryRequestOfTheProtocolHasAUrl) {
  RunningDaemon daemon(http_config());
  HttpClient http(daemon->http_port());
  for (const auto* method : server::MethodTable::get().all()) {
    const HttpReply reply = http.post(method->name(), "{}");
    EXPECT_NE(reply.status, 404u) << method->name() << reply.body;
    EXPECT_NE(reply.status, 0u) << method->name();
    EXPECT_THAT(reply.body, testing::StartsWith("{")) << method->name();
  }
}

TEST(Http, AWorldIsMadeFedAskedAndClosed) {
  RunningDaemon daemon(http_config());
  HttpClient http(daemon->http_port());
  EXPECT_EQ(http.post("open_world", R"({"world":"w","minY":0,"height":64})").as<v1::WorldInfo>().created(), true);
  EXPECT_EQ(http.post("put_chunk", R"({"world":"w","palette":["minecraft:stone"],"sections":[{"y":0,"blocks":[0]}]})")
                .as<v1::Committed>()
                .version(),
            1u);
  // Numbers of a palette belong to the connection.
  EXPECT_EQ(http.post("set_palette", R"({"world":"w","first":7,"blocks":["minecraft:dirt"]})").body, "{}\n");
  EXPECT_EQ(http.post("set_blocks", R"({"world":"w","changes":[{"at":{"x":1,"y":16,"z":1},"number":7}]})")
                .as<v1::Committed>()
                .version(),
            2u);
  EXPECT_EQ(
      http.post("surface_below", R"({"world":"w","from":{"x":1.5,"y":40,"z":1.5}})").as<v1::SurfaceAnswer>().floor_px(),
      17 * 16);
  const auto worlds = http.post("list_worlds", "").as<v1::WorldList>();
  ASSERT_EQ(worlds.worlds_size(), 2);
  EXPECT_EQ(worlds.worlds(1).version(), 2u);
  EXPECT_EQ(http.post("close_world", R"({"world":"w"})").status, 200u);
  EXPECT_EQ(http.post("close_world", R"({"world":"w"})").status, 404u);
}

TEST(Http, ErrorsHaveTheStatusAndTheWordsOfTheTable) {
  RunningDaemon daemon(http_config());
  HttpClient http(daemon->http_port());
  struct Case {
    const char *name, *method, *body;
    unsigned status;
    const char *reason, *field;
  };
  for (const Case& c : std::initializer_list<Case>{
           {"no world", "find_path", R"({"start":{"cell":{}},"goal":{"cell":{}}})", 400, "field_missing",
            "find_path.world"},
           {"unknown world", "find_path", R"({"world":"x","start":{"cell":{}},"goal":{"cell":{}}})", 404,
            "world_unknown", "find_path.world"},
           {"unknown profile", "find_path",
            R"({"world":"flat","agent":{"profile":"none"},"start":{"cell":{}},"goal":{"cell":{}}})", 404,
            "profile_unknown", "find_path.agent.profile"},
           {"NaN", "find_path", R"({"world":"flat","start":{"position":{"x":"NaN"}},"goal":{"cell":{}}})", 400,
            "field_invalid", "find_path.start.position.x"},
           {"Infinity", "find_path", R"({"world":"flat","start":{"position":{"x":"-Infinity"}},"goal":{"cell":{}}})",
            400, "field_invalid", "find_path.start.position.x"},
           {"far away", "find_path", R"({"world":"flat","start":{"position":{"x":1e300}},"goal":{"cell":{}}})", 400,
            "field_out_of_range", "find_path.start.position.x"},
           {"no enum's name", "find_path", R"({"world":"flat","algorithm":"MAGIC"})", 400, "json_malformed",
            "find_path.algorithm"},
           {"no enum's number", "find_path",
            R"({"world":"flat","start":{"cell":{}},"goal":{"cell":{}},"algorithm":77})", 400, "field_invalid",
            "find_path.algorithm"},
           {"a watch", "find_path", R"({"world":"flat","watch":true})", 400, "field_invalid", "find_path.watch"},
           {"unknown field", "find_path", R"({"world":"flat","start":{"cell":{"w":1}}})", 400, "json_malformed",
            "find_path.start.cell.w"},
           {"deadline", "find_path", R"({"world":"flat","start":{"cell":{}},"goal":{"cell":{}},"deadlineMs":600001})",
            400, "field_out_of_range", "find_path.deadline_ms"},
           {"no folder", "open_world", R"({"world":"n","folder":"../etc"})", 400, "field_invalid", "open_world.folder"},
       }) {
    const HttpReply reply = http.post(c.method, c.body);
    EXPECT_EQ(reply.status, c.status) << c.name << ": " << reply.body;
    const auto error = reply.as<v1::Error>();
    EXPECT_EQ(error.reason(), c.reason) << c.name << ": " << reply.body;
    EXPECT_EQ(error.field(), c.field) << c.name << ": " << reply.body;
    EXPECT_FALSE(error.message().empty()) << c.name;
    EXPECT_TRUE(reply.keep_alive) << c.name;
  }
}

TEST(Http, UnknownUrlsListTheKnownOnesAndWrongVerbsNameTheRightOne) {
  RunningDaemon daemon(http_config());
  HttpClient http(daemon->http_port());
  for (const char* url : {"/", "/v1/", "/v1/find_paht", "/v2/find_path", "/v1/find_path/"}) {
    const HttpReply reply = http.get(url);
    EXPECT_EQ(reply.status, 404u) << url;
    EXPECT_THAT(reply.body, HasSubstr("/v1/find_path, ")) << url;
    EXPECT_EQ(reply.as<v1::Error>().reason(), "url_unknown") << url;
  }
  const HttpReply got = http.get("/v1/find_path");
  EXPECT_EQ(got.status, 405u);
  EXPECT_EQ(got.headers.at("allow"), "POST");
  const HttpReply posted = http.ask("POST", "/livez", "{}");
  EXPECT_EQ(posted.status, 405u);
  EXPECT_EQ(posted.headers.at("allow"), "GET, HEAD");
  EXPECT_EQ(http.ask("BREW", "/v1/find_path").status, 405u);
  const HttpReply options = http.ask("OPTIONS", "/v1/find_path");
  EXPECT_EQ(options.status, 204u);
  EXPECT_FALSE(options.headers.contains("access-control-allow-origin"));
  EXPECT_EQ(http.get("/v1/socket").status, 400u);
  const HttpReply head = http.ask("HEAD", "/readyz");
  EXPECT_EQ(head.status, 200u);
  EXPECT_EQ(http.get("/readyz?verbose=1").status, 200u);
}

TEST(Http, AnswersToManyStartsComeWhole) {
  RunningDaemon daemon(http_config());
  HttpClient http(daemon->http_port());
  v1::FindPaths request;
  request.set_world("flat");
  request.mutable_goal()->mutable_cell()->set_x(100);
  request.mutable_goal()->mutable_cell()->set_y(64);
  for (int i = 0; i < 1'000; ++i) {
    auto& cell = *request.add_starts()->mutable_cell();
    cell.set_x(i % 90 - 100);
    cell.set_y(64);
    cell.set_z(i / 90);
  }
  std::string body;
  ASSERT_TRUE(google::protobuf::util::MessageToJsonString(request, &body).ok());
  const HttpReply reply = http.post("find_paths", body);
  ASSERT_EQ(reply.status, 200u) << reply.body.substr(0, 300);
  const auto answer = reply.as<v1::PathsAnswer>();
  EXPECT_EQ(answer.paths_size(), 1'000);
  EXPECT_FALSE(answer.more());
  EXPECT_GT(answer.ByteSizeLong(), protocol::kFrameSizeMaxBytes) << "nothing that comes in parts was tested";
}

TEST(Http, PipelinedRequestsAreAnsweredInOrder) {
  RunningDaemon daemon(http_config());
  HttpClient http(daemon->http_port());
  std::string requests;
  for (int i = 1; i <= 2'000; ++i) {  // more than is read ahead
    const std::string body = fmt::format(R"({{"payload":"{}"}})", i);
    requests += fmt::format("POST /v1/ping HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{}", body.size(), body);
  }
  std::thread writer([&] { http.send(requests); });
  for (std::uint64_t i = 1; i <= 2'000; ++i) ASSERT_EQ(http.next().as<v1::Pong>().payload(), i);
  writer.join();
}

TEST(Http, AClosedConnectionCancelsItsJob) {
  server::Config config = http_config();
  config.workers = 1;
  RunningDaemon daemon(config, endless_planner());
  HttpClient http(daemon->http_port());
  http.send(
      fmt::format("POST /v1/find_path HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{}", std::strlen(kPath), kPath));
  ASSERT_TRUE(eventually([&] { return daemon->info().jobs_running() == 1; }));
  http.close();
  EXPECT_TRUE(eventually([&] { return daemon->info().jobs_answered() == 1; }));
  EXPECT_EQ(daemon->info().jobs_running(), 0u);
}

TEST(Http, DeadlinesAndSupersedingAreThoseOfTheMessage) {
  RunningDaemon daemon(http_config(), endless_planner());
  HttpClient http(daemon->http_port());
  const auto late = http.post("find_path", R"({"world":"flat","start":{"cell":{}},"goal":{"cell":{}},"deadlineMs":1})");
  if (late.status == 200) {
    EXPECT_EQ(late.as<v1::PathAnswer>().reason(), v1::PathAnswer::DEADLINE);
  } else {
    EXPECT_EQ(late.status, 504u) << late.body;
  }
}

TEST(Http, TokensAreThoseOfTheBinaryProtocol) {
  server::Config config = http_config();
  config.access.tokens = {{.secret = "secret"}, {.secret = "other"}};
  RunningDaemon daemon(config);
  HttpClient http(daemon->http_port());
  for (const HttpClient::Headers& wrong :
       std::initializer_list<HttpClient::Headers>{{},
                                                  {{"Authorization", "Bearer secre"}},
                                                  {{"Authorization", "secret"}},
                                                  {{"Authorization", "Basic secret"}}}) {
    const HttpReply reply = http.post("list_worlds", "{}", wrong);
    EXPECT_EQ(reply.status, 401u);
    EXPECT_EQ(reply.headers.at("www-authenticate"), "Bearer");
    EXPECT_EQ(http.get("/metrics", wrong).status, 401u);
    EXPECT_EQ(http.get("/statusz", wrong).status, 401u);
    EXPECT_EQ(http.get("/livez", wrong).status, 200u);
  }
  EXPECT_EQ(http.post("list_worlds", "{}", {{"Authorization", "Bearer secret"}}).status, 200u);
  EXPECT_EQ(http.get("/metrics", {{"Authorization", "bearer other"}}).status, 200u);
  EXPECT_EQ(http.post("list_worlds", "{}").status, 401u) << "the token of the last request is not this one's";
}

TEST(Http, PagesOfOtherOriginsMayNotAsk) {
  server::Config config = http_config();
  config.http.origins = {"https://map.example"};
  RunningDaemon daemon(config);
  HttpClient http(daemon->http_port());
  const HttpReply evil = http.post("list_worlds", "{}", {{"Origin", "https://evil.example"}});
  EXPECT_EQ(evil.status, 403u);
  EXPECT_EQ(evil.as<v1::Error>().reason(), "origin_refused");
  EXPECT_FALSE(evil.headers.contains("access-control-allow-origin"));
  const HttpReply map = http.post("list_worlds", "{}", {{"Origin", "https://map.example"}});
  EXPECT_EQ(map.status, 200u);
  EXPECT_EQ(map.headers.at("access-control-allow-origin"), "https://map.example");
  EXPECT_EQ(http.post("list_worlds", "{}", {{"Origin", "http://127.0.0.1"}}).status, 200u) << "from here";
  // A name that was made to mean this machine.
  http.send(
      "POST /v1/list_worlds HTTP/1.1\r\nHost: evil.example\r\nOrigin: http://evil.example\r\nContent-Length: "
      "0\r\n\r\n");
  EXPECT_EQ(http.next().status, 403u);
}

TEST(Http, ConnectionsBeyondTheLimitAreTold) {
  server::Config config = http_config();
  config.http.connections_max = 2;
  RunningDaemon daemon(config);
  HttpClient one(daemon->http_port()), two(daemon->http_port());
  ASSERT_EQ(one.get("/readyz").status, 200u);
  ASSERT_EQ(two.get("/readyz").status, 200u);
  HttpClient three(daemon->http_port());
  const HttpReply reply = three.next();
  EXPECT_EQ(reply.status, 429u);
  EXPECT_EQ(reply.as<v1::Error>().reason(), "connections_full");
  EXPECT_FALSE(reply.keep_alive);
  EXPECT_TRUE(three.at_end());
  EXPECT_EQ(one.get("/readyz").status, 200u);
}

TEST(Http, TheEndAnswersWhatIsInFlight) {
  server::Config config = http_config();
  config.drain_timeout_ms = 50;
  RunningDaemon daemon(config, endless_planner());
  HttpClient idle(daemon->http_port()), busy(daemon->http_port());
  ASSERT_EQ(idle.get("/readyz").status, 200u);
  busy.send(
      fmt::format("POST /v1/find_path HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{}", std::strlen(kPath), kPath));
  ASSERT_TRUE(eventually([&] { return daemon->info().jobs_running() == 1; }));
  daemon->stop();
  EXPECT_TRUE(idle.at_end());
  const HttpReply reply = busy.next();
  if (reply.status == 200) {  // cancelled by the end, and answered before its connection was refused
    EXPECT_EQ(reply.as<v1::PathAnswer>().status(), v1::PathAnswer::CANCELLED);
  } else {
    EXPECT_EQ(reply.status, 503u) << reply.body;
    EXPECT_EQ(reply.as<v1::Error>().reason(), "shutting_down");
  }
  EXPECT_FALSE(reply.keep_alive);
  busy.close();
  daemon.join();
}

TEST(Http, TheOpenApiDocumentHasEveryRequestAndEveryField) {
  RunningDaemon daemon(http_config());
  HttpClient http(daemon->http_port());
  const HttpReply reply = http.get("/v1/openapi.json");
  ASSERT_EQ(reply.status, 200u);
  EXPECT_EQ(reply.headers.at("content-type"), "application/json");
  for (const auto* method : server::MethodTable::get().all()) {
    EXPECT_THAT(reply.body, HasSubstr("\"/v1/" + method->name() + "\":{\"post\"")) << method->name();
  }
}

}  // namespace
}  // namespace voxpath::test
