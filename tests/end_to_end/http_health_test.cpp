// What the HTTP door says of the server: /livez, /readyz, /metrics, /statusz, when it is well and when it is not.
#include "tests/end_to_end/daemon_fixture.hpp"
#include "tests/end_to_end/http_client.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/shared_data.hpp"

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <future>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace voxpath::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kPath = R"({"world":"flat","start":{"cell":{"y":64}},"goal":{"cell":{"x":9,"y":64}}})";

std::string post(std::string_view method, std::string_view body) {
  return fmt::format("POST /v1/{} HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{}", method, body.size(), body);
}

/// Its workers are stuck in begin() until they are let go.
class Gate {
 public:
  server::PlannerFactory planner() {
    return endless_planner([this] {
      entered_ = true;
      gate_.wait();
    });
  }
  [[nodiscard]] bool entered() const { return entered_; }
  void open() { promise_.set_value(); }

 private:
  std::promise<void> promise_;
  std::shared_future<void> gate_ = promise_.get_future().share();
  std::atomic<bool> entered_ = false;
};

TEST(HttpHealth, IsAliveAndReadyWhenItServes) {
  RunningDaemon daemon(http_config());
  HttpClient http(daemon->http_port());
  const HttpReply live = http.get("/livez");
  EXPECT_EQ(live.status, 200u);
  EXPECT_EQ(live.body, "main loop: ok\nworkers: ok\n");
  const HttpReply ready = http.get("/readyz");
  EXPECT_EQ(ready.status, 200u);
  EXPECT_EQ(ready.body, "serving: ok\nworlds: ok\nqueue: ok\n");
}

TEST(HttpHealth, AWorkerThatIsStuckIsNotAlive) {
  Gate gate;  // outlives the daemon
  server::Config config = http_config();
  config.http.live_timeout_ms = 20;
  RunningDaemon daemon(config, gate.planner());
  HttpClient http(daemon->http_port()), stuck(daemon->http_port());
  EXPECT_TRUE(eventually([&] { return http.get("/livez").status == 200; }));
  stuck.send(post("find_path", kPath));
  ASSERT_TRUE(eventually([&] { return gate.entered(); }));
  // One of two is stuck: the other still does what it is asked to.
  ASSERT_TRUE(eventually([&] { return http.get("/livez").status == 503; }));
  EXPECT_TRUE(eventually(
      [&] { return http.get("/livez").body.find("workers: one has been at its turn for ") != std::string::npos; }));
  gate.open();
  EXPECT_TRUE(eventually([&] { return http.get("/livez").status == 200; }));
  stuck.close();
}

TEST(HttpHealth, WithoutAFreeWorkerItIsNotAlive) {
  Gate gate;
  server::Config config = http_config();
  config.workers = 1;
  config.http.live_timeout_ms = 20;
  RunningDaemon daemon(config, gate.planner());
  HttpClient http(daemon->http_port()), stuck(daemon->http_port());
  stuck.send(post("find_path", kPath));
  ASSERT_TRUE(eventually([&] { return gate.entered(); }));
  EXPECT_TRUE(
      eventually([&] { return http.get("/livez").body == "main loop: ok\nworkers: none was free for 20 ms\n"; }));
  EXPECT_EQ(http.get("/livez").status, 503u);
  gate.open();
  EXPECT_TRUE(eventually([&] { return http.get("/livez").status == 200; }));
  stuck.close();
}

TEST(HttpHealth, AMainLoopThatIsStuckIsNotAlive) {
  std::promise<void> promise;
  const auto gate = promise.get_future().share();
  std::atomic<bool> entered = false;
  server::Config config = http_config();
  config.http.live_timeout_ms = 20;
  RunningDaemon daemon(config);
  HttpClient http(daemon->http_port());
  EXPECT_TRUE(eventually([&] { return http.get("/livez").status == 200; }));
  boost::asio::post(daemon->worlds().find("flat")->strand, [&] {
    entered = true;
    gate.wait();
  });
  ASSERT_TRUE(eventually([&] { return entered.load(); }));
  const HttpReply live = http.get("/livez");
  promise.set_value();
  EXPECT_EQ(live.status, 503u);
  EXPECT_THAT(live.body, HasSubstr("main loop: has not turned for 20 ms\n"));
  EXPECT_TRUE(eventually([&] { return http.get("/livez").status == 200; }));
}

TEST(HttpHealth, IsNotReadyWithAFullQueue) {
  server::Config config = http_config();
  config.workers = 1;
  config.jobs_queued_max = 10;
  config.share_searches = false;
  RunningDaemon daemon(config, endless_planner());
  HttpClient http(daemon->http_port());
  std::vector<std::unique_ptr<HttpClient>> clients;
  for (std::size_t i = 0; i < 10; ++i) {  // one runs, nine wait: the shed point
    clients.push_back(std::make_unique<HttpClient>(daemon->http_port()));
    clients.back()->send(post("find_path", kPath));
  }
  ASSERT_TRUE(eventually([&] { return daemon->info().jobs_queued() >= 9; }));
  const HttpReply ready = http.get("/readyz");
  EXPECT_EQ(ready.status, 503u);
  // The one that runs waits, too, between its slices.
  EXPECT_THAT(ready.body, testing::MatchesRegex("serving: ok\nworlds: ok\nqueue: (9|10) of 10 jobs wait\n"));
  EXPECT_EQ(http.get("/livez").status, 200u) << "busy is not stuck";
  clients.clear();
  EXPECT_TRUE(eventually([&] { return http.get("/readyz").status == 200; }));
}

TEST(HttpHealth, IsNotReadyWhereAConfiguredWorldIsMissing) {
  server::Config config = http_config();
  server::WorldConfig world;
  world.name = "gone";
  world.folder = "/nonexistent";
  config.worlds.push_back(world);
  RunningDaemon daemon(config);
  HttpClient http(daemon->http_port());
  const HttpReply ready = http.get("/readyz");
  EXPECT_EQ(ready.status, 503u);
  EXPECT_THAT(ready.body, HasSubstr("worlds: 1 of the configuration could not be loaded"));
}

/// A metric's value by its name with labels.
std::map<std::string, double> metrics(HttpClient& http) {
  const HttpReply reply = http.get("/metrics");
  EXPECT_EQ(reply.status, 200u);
  EXPECT_EQ(reply.headers.at("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  std::map<std::string, double> values;
  std::istringstream lines(reply.body);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('#')) values[line.substr(0, line.rfind(' '))] = std::stod(line.substr(line.rfind(' ')));
  }
  return values;
}

TEST(HttpHealth, MetricsCountWhatHappens) {
  RunningDaemon daemon(http_config());
  HttpClient http(daemon->http_port());
  const auto before = metrics(http);
  client::BlockingClient binary({.port = daemon.port()});
  ASSERT_TRUE(binary.find_path(flat_path(0, 9)));
  ASSERT_EQ(http.post("find_path", kPath).status, 200u);
  ASSERT_EQ(http.post("find_path", R"({"world":"none","start":{"cell":{}},"goal":{"cell":{}}})").status, 404u);
  ASSERT_EQ(http.post("find_path", "{").status, 400u);
  ASSERT_EQ(http.post("find_path", R"({"world":"flat","agent":{"profile":"x"},"start":{"cell":{}},"goal":{"cell":{}}})")
                .status,
            404u);
  ASSERT_EQ(http.post("set_blocks", R"({"world":"flat","changes":[{"at":{"y":70},"block":"minecraft:stone"}]})").status,
            200u);
  auto after = metrics(http);
  const auto grown = [&](const std::string& name) {
    const auto was = before.find(name);
    EXPECT_TRUE(after.contains(name)) << name;
    return after[name] - (was != before.end() ? was->second : 0);
  };
  EXPECT_EQ(grown(R"(voxpath_jobs_total{request="find_path",result="found"})"), 2);
  EXPECT_EQ(grown(R"(voxpath_jobs_total{request="find_path",result="profile_unknown"})"), 1);
  EXPECT_EQ(grown("voxpath_job_wait_seconds_count"), 3);
  EXPECT_EQ(grown("voxpath_job_search_seconds_count"), 3);
  EXPECT_EQ(after[R"(voxpath_job_wait_seconds_bucket{le="+Inf"})"], after["voxpath_job_wait_seconds_count"]);
  EXPECT_GT(grown("voxpath_search_expansions_total"), 0);
  EXPECT_EQ(grown(R"(voxpath_rejections_total{reason="world_unknown"})"), 1);
  EXPECT_EQ(grown(R"(voxpath_rejections_total{reason="json_malformed"})"), 1);
  EXPECT_EQ(grown(R"(voxpath_rejections_total{reason="profile_unknown"})"), 1);
  EXPECT_EQ(grown("voxpath_edits_total"), 1);
  EXPECT_EQ(grown(R"(voxpath_world_version{world="flat"})"), 1);
  EXPECT_EQ(after[R"(voxpath_world_chunks{world="flat"})"], 256);
  EXPECT_GT(after[R"(voxpath_world_sections{world="flat"})"], 0);
  EXPECT_EQ(after[R"(voxpath_connections{door="tcp"})"], 1);
  EXPECT_EQ(after[R"(voxpath_connections{door="http"})"], 1);
  EXPECT_GT(grown(R"(voxpath_received_bytes_total{door="tcp"})"), 0);
  EXPECT_GT(grown(R"(voxpath_sent_bytes_total{door="tcp"})"), 0);
  EXPECT_GT(grown(R"(voxpath_received_bytes_total{door="http"})"), 0);
  EXPECT_GT(grown(R"(voxpath_sent_bytes_total{door="http"})"), 0);
}

TEST(HttpHealth, MetricsCountWhatHordesLookAt) {
  RunningDaemon daemon(http_config());
  HttpClient http(daemon->http_port());
  constexpr auto kExpansions = "voxpath_search_expansions_total";
  const double before = metrics(http)[kExpansions];
  ASSERT_EQ(http.post("find_paths", R"({"world":"flat","starts":[{"cell":{"y":64}},{"cell":{"z":3,"y":64}}],)"
                                    R"("goal":{"cell":{"x":9,"y":64}}})")
                .status,
            200u);
  EXPECT_GE(metrics(http)[kExpansions] - before, 18) << "each is nine moves long at least";
}

TEST(HttpHealth, MetricsTellOfStores) {
  const ScratchFolder folder;
  server::Config config = http_config();
  config.store.folder = folder / "store";
  config.worlds.front().durability = server::Durability::sync;
  server::WorldConfig fleeting;
  fleeting.name = "fleeting";
  fleeting.generate = "flat";
  config.worlds.push_back(fleeting);
  RunningDaemon daemon(config);
  HttpClient http(daemon->http_port());
  ASSERT_EQ(http.post("set_blocks", R"({"world":"flat","changes":[{"at":{"y":70},"block":"minecraft:stone"}]})").status,
            200u);
  auto told = metrics(http);
  EXPECT_EQ(told[R"(voxpath_store_commits_total{world="flat"})"], 1);
  EXPECT_EQ(told[R"(voxpath_store_failures_total{world="flat"})"], 0);
  EXPECT_EQ(told[R"(voxpath_store_version{world="flat"})"], told[R"(voxpath_world_version{world="flat"})"]);
  EXPECT_EQ(told[R"(voxpath_store_sections_waiting{world="flat"})"], 0);
  EXPECT_GT(told[R"(voxpath_store_bytes{world="flat"})"], 0);
  EXPECT_FALSE(told.contains(R"(voxpath_store_commits_total{world="fleeting"})")) << "it has no store";
}

#ifdef VOXPATH_PROMTOOL
TEST(HttpHealth, PromtoolAcceptsTheMetrics) {
  RunningDaemon daemon(http_config());
  HttpClient http(daemon->http_port());
  ASSERT_EQ(http.post("open_world", R"({"world":"a:b.c-d_e"})").status, 200u);
  ASSERT_EQ(http.post("find_path", kPath).status, 200u);
  ASSERT_EQ(http.post("find_path", "{").status, 400u);
  const ScratchFolder folder;
  std::ofstream(folder / "metrics") << http.get("/metrics").body;
  const std::string command = fmt::format("'{}' check metrics <'{}' >'{}' 2>&1", VOXPATH_PROMTOOL,
                                          (folder / "metrics").string(), (folder / "said").string());
  const int status = std::system(command.c_str());
  EXPECT_EQ(status, 0) << read_file(folder / "said");
  EXPECT_EQ(read_file(folder / "said"), "");
}
#endif

TEST(HttpHealth, ConnectionsThatEndedAreCounted) {
  RunningDaemon daemon(http_config());
  HttpClient http(daemon->http_port());
  {
    RawSocket socket(daemon.port());
    socket.send("GET / HTTP/1.1\r\n\r\n");
    EXPECT_THAT(socket.rest(), HasSubstr("--http-port"));
  }
  EXPECT_TRUE(
      eventually([&] { return metrics(http)[R"(voxpath_connections_ended_total{reason="not_voxpath"})"] == 1; }));
  EXPECT_TRUE(eventually([&] { return metrics(http)[R"(voxpath_connections{door="tcp"})"] == 0; }));
  EXPECT_EQ(metrics(http)[R"(voxpath_connections_opened_total{door="tcp"})"], 1);
}

TEST(HttpHealth, StatusIsForPeople) {
  RunningDaemon daemon(http_config());
  HttpClient http(daemon->http_port());
  const HttpReply status = http.get("/statusz");
  EXPECT_EQ(status.status, 200u);
  EXPECT_THAT(status.headers.at("content-type"), testing::StartsWith("text/plain"));
  EXPECT_EQ(status.headers.at("x-content-type-options"), "nosniff");
  EXPECT_THAT(status.body, HasSubstr("  flat: version "));
  EXPECT_THAT(status.body, HasSubstr("connections: 0 tcp 1 http 0 websocket"));
}

}  // namespace
}  // namespace voxpath::test
