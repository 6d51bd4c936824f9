// The log of a running daemon: JSON that others can read, and a flood that does not fill the disk.
#include "tests/end_to_end/daemon_fixture.hpp"
#include "tests/end_to_end/process.hpp"
#include "tests/support/scratch_folder.hpp"

#include <csignal>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>

namespace voxpath::test {
namespace {

class Log : public ::testing::Test {
 protected:
  std::uint16_t start(const std::string& log) {
    std::ofstream(scratch_ / "c.toml")
        << "[server]\nport = 0\n[[world]]\nname = \"flat\"\ngenerate = \"flat\"\n[log]\n" + log;
    daemon_ = std::make_unique<Process>(VOXPATHD, std::vector<std::string>{"--config", scratch_ / "c.toml"});
    const auto port = daemon_->line("listening.*port\"?[=:](\\d+)");
    daemon_->line("ready");
    return static_cast<std::uint16_t>(std::stoi(port));
  }
  const std::string& end() {
    daemon_->signal(SIGTERM);
    EXPECT_EQ(daemon_->wait(), 0);
    return daemon_->output();
  }

  const ScratchFolder scratch_;
  std::unique_ptr<Process> daemon_;
};

TEST_F(Log, EveryLineIsValidJsonWhateverClientsSend) {
  const std::uint16_t port = start("level = \"debug\"\nformat = \"json\"\n");
  {
    client::BlockingClient client({.port = port, .client_name = "a \"b\"\n{\\\x1b[2J", .reconnect = false});
    ASSERT_TRUE(client.find_path(flat_path(0, 5)));
    v1::FindPath unknown = flat_path(0, 5);
    unknown.set_world("nowhere");
    ASSERT_FALSE(client.find_path(unknown));
  }
  RawSocket garbage(port);
  garbage.send("\"},{\"event\":\"forged\"}\n\xff\xfe" + std::string(40, '"'));  // as long as its first byte says
  garbage.rest();
  std::istringstream lines(end());
  std::set<std::string> events;
  bool named = false, request = false;
  for (std::string line; std::getline(lines, line);) {
    google::protobuf::Struct object;
    const auto status = google::protobuf::util::JsonStringToMessage(line, &object);
    ASSERT_TRUE(status.ok()) << status.ToString() << ": " << line;
    const auto& fields = object.fields();
    for (const char* key : {"time", "level", "event"}) ASSERT_TRUE(fields.contains(key)) << line;
    const std::string& event = fields.at("event").string_value();
    events.insert(event);
    if (event == "welcomed") named = fields.at("client").string_value() == "a \\x22b\\x22\\x0a{\\x5c\\x1b[2J";
    if (event == "request") request = fields.contains("req") && fields.at("req").number_value() > 0;
  }
  EXPECT_TRUE(named) << "a client's name comes as it was sent, escaped";
  EXPECT_TRUE(request) << "a request's line has its id";
  EXPECT_EQ(events.count("forged"), 0u);
  for (const char* event :
       {"listening", "world_opened", "ready", "connected", "request", "refused", "disconnected", "stopped"})
    EXPECT_EQ(events.count(event), 1u) << event;
}

TEST_F(Log, AFloodIsCountedAndNotWritten) {
  const std::uint16_t port = start("repeats_per_second = 5\n");
  constexpr int kFlood = 400;
  for (int i = 0; i < kFlood; ++i) {
    RawSocket socket(port);
    socket.send(std::string(20, '\xff'));
    socket.rest();
  }
  std::istringstream lines(end());
  std::map<std::string, int> written;
  int counted = 0;
  std::set<std::string> seconds;
  for (std::string line; std::getline(lines, line);) {
    const std::string event =
        line.substr(line.find("event=") + 6, line.find(' ', line.find("event=")) - line.find("event=") - 6);
    ++written[event];
    if (event == "disconnected") seconds.insert(line.substr(0, 24));  // time=2026-01-31T10:00:00
    const std::size_t of = line.find("of=disconnected times=");
    if (of != std::string::npos) counted += std::stoi(line.substr(of + 22));
  }
  EXPECT_EQ(written["disconnected"] + counted, kFlood) << "none is lost";
  EXPECT_LE(written["disconnected"], 5 * static_cast<int>(seconds.size()));
  EXPECT_GT(counted, 0);
}

TEST_F(Log, ZeroWritesAll) {
  const std::uint16_t port = start("repeats_per_second = 0\n");
  for (int i = 0; i < 50; ++i) {
    RawSocket socket(port);
    socket.send(std::string(20, '\xff'));
    socket.rest();
  }
  const std::string& log = end();
  std::size_t lines = 0;
  for (std::size_t at = log.find("event=disconnected"); at != std::string::npos;
       at = log.find("event=disconnected", at + 1))
    ++lines;
  EXPECT_EQ(lines, 50u);
}

}  // namespace
}  // namespace voxpath::test
