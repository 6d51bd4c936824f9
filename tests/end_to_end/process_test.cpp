// voxpathd as a process: its command line, its signals, its exit codes.
#include "tests/end_to_end/process.hpp"

#include "tests/end_to_end/daemon_fixture.hpp"

#include <csignal>
#include <fstream>
#include <regex>

#include <gtest/gtest.h>

namespace voxpath::test {
namespace {

std::string file_with(const ScratchFolder& folder, const std::string& text) {
  static int files = 0;
  const std::string path = folder / (std::to_string(++files) + ".toml");
  std::ofstream(path) << text;
  return path;
}

TEST(Process, EndsInGoodOrderAtSigterm) {
  Process daemon(VOXPATHD, {"--port", "0", "--flat"});
  const auto port = static_cast<std::uint16_t>(std::stoi(daemon.line("event=listening .*port=(\\d+)")));
  daemon.line("event=world_opened world=flat");
  client::BlockingClient client({.port = port, .reconnect = false});
  const auto path = client.find_path(flat_path(0, 5));
  ASSERT_TRUE(path) << path.error().message();
  EXPECT_EQ(path->cost(), 50);
  daemon.signal(SIGTERM);
  EXPECT_EQ(daemon.wait(), 0);
  EXPECT_NE(daemon.output().find("event=stopped"), std::string::npos) << daemon.output();
  const auto late = client.ping();
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().reason(), "shutting_down");
}

TEST(Process, EndsAtOnceAtASecondSignal) {
  Process daemon(VOXPATHD, {"--port", "0", "--flat"});
  const auto port = static_cast<std::uint16_t>(std::stoi(daemon.line("event=listening .*port=(\\d+)")));
  daemon.line("event=world_opened world=flat");
  // A client that does not read keeps the daemon waiting for its last words to go out.
  RawSocket socket(port);
  socket.greet();
  ASSERT_TRUE(socket.next_frame()->has_welcome());
  for (std::uint32_t id = 2; id < 50; ++id) {
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
  ASSERT_TRUE(socket.next_frame().has_value()) << "it is at work on the others";
  daemon.signal(SIGINT);
  daemon.line("event=draining");
  daemon.signal(SIGINT);
  EXPECT_EQ(daemon.wait(), 130);
}

TEST(Process, ChecksItsConfiguration) {
  const ScratchFolder scratch;
  const std::string good =
      file_with(scratch, "[server]\nport = 7555\n[[world]]\nname = \"flat\"\ngenerate = \"flat\"\n");
  Process checks(VOXPATHD, {"--config", good, "--check-config"});
  EXPECT_EQ(checks.wait(), 0);
  EXPECT_NE(checks.output().find("127.0.0.1:7555, 1 world, "), std::string::npos) << checks.output();

  const std::string bad = file_with(scratch, "[server]\nprot = 7555\n");
  Process refuses(VOXPATHD, {"--config", bad, "--check-config"});
  EXPECT_EQ(refuses.wait(), 3);
  EXPECT_NE(refuses.output().find("line 2"), std::string::npos) << refuses.output();
  EXPECT_NE(refuses.output().find("server.port"), std::string::npos) << refuses.output();

  Process folder(VOXPATHD, {"--config", ".", "--check-config"});
  EXPECT_EQ(folder.wait(), 3) << "a folder is no empty file";
  EXPECT_NE(folder.output().find("cannot read '.'"), std::string::npos) << folder.output();
}

TEST(Process, SaysItsNameAndVersion) {
  Process daemon(VOXPATHD, {"--version"});
  EXPECT_EQ(daemon.wait(), 0);
  EXPECT_TRUE(std::regex_match(daemon.output(), std::regex("voxpathd \\d+\\.\\d+\\.\\d+\n"))) << daemon.output();
}

TEST(Process, ShowsATerminalNothingThatItWouldObey) {
  const ScratchFolder scratch;
  const std::string config = file_with(scratch,
                                       "[[world]]\nname = \"w\"\nfolder = \"\\u001B[2Jnowhere\"\n"
                                       "[agent.\"\\u001B[31mred\"]\nheight = 2\n");
  Process name(VOXPATHD, {"--config", config, "--check-config"});
  EXPECT_EQ(name.wait(), 3);
  EXPECT_EQ(name.output().find('\x1b'), std::string::npos) << name.output();
  EXPECT_NE(name.output().find("\\x1b[31mred"), std::string::npos) << name.output();
  const std::string folder = file_with(scratch, "[[world]]\nname = \"w\"\nfolder = \"\\u001B[2Jnowhere\"\n");
  Process nowhere(VOXPATHD, {"--config", folder, "--check-config"});
  EXPECT_EQ(nowhere.wait(), 3);
  EXPECT_NE(nowhere.output().find("\\x1b[2Jnowhere"), std::string::npos) << nowhere.output();
  for (const char* program : {VOXPATHD, VOXPATH_CLI}) {
    Process option(program, {"--no\x1b[2Jsuch"});
    EXPECT_EQ(option.wait(), 2);
    EXPECT_EQ(option.output().find('\x1b'), std::string::npos) << option.output();
  }
}

TEST(Process, EndsAtOnceWhereNothingIsInFlight) {
  Process daemon(VOXPATHD, {"--port", "0", "--flat"});
  const auto port = static_cast<std::uint16_t>(std::stoi(daemon.line("event=listening .*port=(\\d+)")));
  RawSocket idle(port);  // it has said Hello, and neither asks nor closes
  idle.greet();
  ASSERT_TRUE(idle.next_frame()->has_welcome());
  RawSocket silent(port);
  const auto begun = std::chrono::steady_clock::now();
  daemon.signal(SIGTERM);
  EXPECT_EQ(daemon.wait(), 0);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(1))
      << "it does not wait for the client to close";
  const auto last = idle.next_frame();
  ASSERT_TRUE(last);
  EXPECT_EQ(last->goodbye().error().reason(), "shutting_down");
}

// Whoever had something in flight has its answer and its goodbye; that it keeps its socket open holds nobody up.
TEST(Process, DoesNotWaitForClientsToCloseAfterTheirLastAnswer) {
  Process daemon(VOXPATHD, {"--port", "0", "--flat"});
  const auto port = static_cast<std::uint16_t>(std::stoi(daemon.line("event=listening .*port=(\\d+)")));
  daemon.line("event=ready");
  RawSocket socket(port);
  socket.greet();
  ASSERT_TRUE(socket.next_frame()->has_welcome());
  constexpr std::uint32_t kRequests = 40;  // long ones, of which some are in flight when the signal comes
  for (std::uint32_t id = 2; id < 2 + kRequests; ++id) {
    v1::ClientFrame frame;
    frame.set_id(id);
    *frame.mutable_find_path() = flat_path(-120, 120);
    frame.mutable_find_path()->set_heuristic(v1::FindPath::ZERO);
    frame.mutable_find_path()->mutable_goal()->mutable_cell()->set_z(static_cast<int>(id));
    socket.send(frame);
  }
  ASSERT_TRUE(socket.next_frame()->has_path());
  daemon.signal(SIGTERM);
  bool goodbye = false;
  while (const auto frame = socket.next_frame()) goodbye = frame->has_goodbye();
  EXPECT_TRUE(goodbye);
  const auto told = std::chrono::steady_clock::now();
  EXPECT_EQ(daemon.wait(), 0);
  EXPECT_LT(std::chrono::steady_clock::now() - told, std::chrono::seconds(1));
}

TEST(Process, LogsAClientThatClosesAsClosed) {
  Process daemon(VOXPATHD, {"--port", "0", "--flat"});
  const auto port = static_cast<std::uint16_t>(std::stoi(daemon.line("event=listening .*port=(\\d+)")));
  RawSocket socket(port);
  socket.greet();
  ASSERT_TRUE(socket.next_frame()->has_welcome());
  socket.close();
  EXPECT_EQ(daemon.line("event=disconnected .*reason=(\\w+)"), "closed");
  daemon.signal(SIGTERM);
  EXPECT_EQ(daemon.wait(), 0);
}

// Of a world that it will have soon it never says that there is none.
TEST(Process, SaysWhenToComeBackWhileAWorldIsLoaded) {
  Process daemon(VOXPATHD, {"--port", "0", "--generate", "terrain:7"});
  const auto port = static_cast<std::uint16_t>(std::stoi(daemon.line("event=listening .*port=(\\d+)")));
  client::BlockingClient client({.port = port, .reconnect = false});
  v1::FindPath request = flat_path(0, 5);
  request.set_world("demo");
  for (auto path = client.find_path(request); !path; path = client.find_path(request)) {
    ASSERT_EQ(path.error().reason(), "world_loading") << path.error().message();
    ASSERT_EQ(path.error().retry_after_ms(), 500u);
  }
  request.set_world("other");
  EXPECT_EQ(client.find_path(request).error().reason(), "world_unknown");
}

TEST(Process, RefusesWrongArgumentsAndOpenAddresses) {
  Process unknown(VOXPATHD, {"--no-such-thing"});
  EXPECT_EQ(unknown.wait(), 2);
  Process open(VOXPATHD, {"--address", "0.0.0.0", "--port", "0"});
  EXPECT_EQ(open.wait(), 3);
  EXPECT_NE(open.output().find("token_file"), std::string::npos) << open.output();
  Process name(VOXPATHD, {"--address", "local\x1bhost", "--port", "0"});
  EXPECT_EQ(name.wait(), 3);
  EXPECT_NE(name.output().find("'local\\x1bhost', and must be an IP address"), std::string::npos) << name.output();
  Process port(VOXPATHD, {"--port", "70000"});
  EXPECT_EQ(port.wait(), 2);
  EXPECT_NE(port.output().find("--port"), std::string::npos) << port.output();
  EXPECT_NE(port.output().find("70000"), std::string::npos) << port.output();
  EXPECT_NE(port.output().find("65535"), std::string::npos) << port.output();
  RunningDaemon first;
  Process taken(VOXPATHD, {"--port", std::to_string(first.port())});
  EXPECT_EQ(taken.wait(), 4);
  EXPECT_NE(taken.output().find("cannot listen on 127.0.0.1:"), std::string::npos) << taken.output();
}

}  // namespace
}  // namespace voxpath::test
