// SIGHUP: what a running server takes over of a changed configuration, what it leaves, and one that is broken.
#include "tests/end_to_end/daemon_fixture.hpp"
#include "tests/end_to_end/http_client.hpp"
#include "tests/end_to_end/process.hpp"
#include "tests/support/certificates.hpp"
#include "tests/support/scratch_folder.hpp"

#include <csignal>
#include <fstream>

#include <gtest/gtest.h>

namespace voxpath::test {
namespace {

using client::BlockingClient;

class Reload : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const { std::ofstream(scratch_ / name) << text; }
  void start() {
    daemon_ = std::make_unique<Process>(VOXPATHD, std::vector<std::string>{"--config", scratch_ / "c.toml"});
    port_ = static_cast<std::uint16_t>(std::stoi(daemon_->line("event=listening .*port=(\\d+)")));
    daemon_->line("event=ready");
  }
  /// The line that says what came of it.
  std::string reload() const {
    daemon_->signal(SIGHUP);
    return daemon_->line("event=reload");
  }
  void expect_end() const {
    daemon_->signal(SIGTERM);
    EXPECT_EQ(daemon_->wait(), 0);
  }

  static constexpr const char* kHead = "[server]\nport = 0\ntoken_file = \"tokens\"\n";
  static constexpr const char* kFlat = "[[world]]\nname = \"flat\"\ngenerate = \"flat\"\n";
  const ScratchFolder scratch_;
  std::unique_ptr<Process> daemon_;
  std::uint16_t port_ = 0;
};

TEST_F(Reload, TokensRolesAndQuotasHoldAtOnce) {
  write("tokens", "name=keeper role=read token=a\nname=leaver role=admin token=b\n");
  write("c.toml", std::string(kHead) + kFlat);
  start();
  BlockingClient keeper({.port = port_, .token = "a"}), leaver({.port = port_, .token = "b", .reconnect = false});
  ASSERT_TRUE(keeper.ping());
  ASSERT_TRUE(leaver.ping());
  EXPECT_EQ(keeper.find_path(flat_path(0, 5)).error().reason(), "role_missing");
  write("tokens", "name=keeper role=path connections=1 token=a\nname=new role=read token=c\n");
  const std::string line = reload();
  EXPECT_NE(line.find("event=reloaded changed=\"tokens\" needs_restart=\"\""), std::string::npos) << line;
  EXPECT_TRUE(keeper.find_path(flat_path(0, 5))) << "the connection that is there has the new role";
  const auto gone = leaver.ping();
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().reason(), "token_wrong");
  EXPECT_NE(gone.error().message().find("taken back"), std::string::npos) << gone.error().message();
  BlockingClient second({.port = port_, .token = "a", .reconnect = false});
  EXPECT_EQ(second.ping().error().reason(), "connections_full") << "the new quota";
  BlockingClient fresh({.port = port_, .token = "c"});
  EXPECT_TRUE(fresh.ping());
  expect_end();
}

TEST_F(Reload, TokensHoldAtOnceAtTheHttpDoorToo) {
  write("tokens", "name=keeper role=read token=a\nname=leaver role=admin token=b\n");
  write("c.toml", std::string(kHead) + "[http]\nport = 0\n" + kFlat);
  daemon_ = std::make_unique<Process>(VOXPATHD, std::vector<std::string>{"--config", scratch_ / "c.toml"});
  const auto port = static_cast<std::uint16_t>(std::stoi(daemon_->line("event=listening door=http .*port=(\\d+)")));
  daemon_->line("event=ready");
  const HttpClient::Headers a{{"Authorization", "Bearer a"}}, b{{"Authorization", "Bearer b"}};
  constexpr const char* kPath = R"({"world":"flat","start":{"cell":{"y":64}},"goal":{"cell":{"x":5,"y":64}}})";
  HttpClient keeper(port), leaver(port);
  WebSocketClient socket(port, "", "b");
  socket.greet();
  EXPECT_EQ(keeper.post("find_path", kPath, a).status, 403u);
  EXPECT_EQ(leaver.get("/metrics", b).status, 200u);
  write("tokens", "name=keeper role=path token=a\n");
  reload();
  EXPECT_EQ(keeper.post("find_path", kPath, a).status, 200u) << "the connection that is there has the new role";
  EXPECT_EQ(leaver.get("/metrics", b).status, 401u);
  const auto goodbye = socket.next();
  ASSERT_TRUE(goodbye);
  EXPECT_EQ(goodbye->goodbye().error().reason(), "token_wrong");
  expect_end();
}

TEST_F(Reload, SaysWhatNeedsARestart) {
  write("tokens", "a\n");
  write("c.toml", std::string(kHead) + kFlat);
  start();
  write("c.toml", std::string(kHead) + "workers = 3\n[log]\nlevel = \"debug\"\nformat = \"json\"\n" + kFlat +
                      "[[world]]\nname = \"more\"\ngenerate = \"flat\"\n");
  const std::string line = reload();
  EXPECT_NE(line.find("changed=\"log.level\" needs_restart=\"server.workers log.format world\""), std::string::npos)
      << line;
  BlockingClient client({.port = port_, .token = "a"});
  ASSERT_TRUE(client.find_path(flat_path(0, 5)));
  EXPECT_NE(daemon_->line("event=request").find("level=debug"), std::string::npos) << "the level holds at once";
  EXPECT_EQ(client.list_worlds()->worlds_size(), 1) << "the worlds do not";
  expect_end();
}

TEST_F(Reload, ABrokenFileChangesNothing) {
  write("tokens", "a\n");
  write("c.toml", std::string(kHead) + kFlat);
  start();
  const struct {
    const char* name;
    const char* file;
    std::string text;
    const char* word;
  } kRows[] = {
      {"no TOML", "c.toml", "[server\n", "line 1"},
      {"an unknown key", "c.toml", std::string(kHead) + "prot = 1\n", "server.port"},
      {"a range", "c.toml", std::string(kHead) + "workers = 999\n", "0..256"},
      {"no tokens left", "tokens", "# none\n", "no token"},
  };
  BlockingClient client({.port = port_, .token = "a"});
  for (const auto& row : kRows) {
    SCOPED_TRACE(row.name);
    const std::string good = read_file(scratch_ / row.file);
    write(row.file, row.text);
    const std::string line = reload();
    EXPECT_NE(line.find("level=error event=reload_failed"), std::string::npos) << line;
    EXPECT_NE(line.find(row.word), std::string::npos) << line;
    EXPECT_NE(line.find("everything stays as it is"), std::string::npos) << line;
    EXPECT_TRUE(client.ping());
    BlockingClient fresh({.port = port_, .token = "a"});
    EXPECT_TRUE(fresh.ping());
    write(row.file, good);
  }
  std::filesystem::remove(scratch_ / "c.toml");
  EXPECT_NE(reload().find("cannot read"), std::string::npos);
  EXPECT_TRUE(client.ping());
  expect_end();
}

// The new file is fine for the address in it, and the running server would be open to the world on its own.
TEST_F(Reload, NeverOpensAnAddressThatIsListenedOn) {
  write("tokens", "a\n");
  write("c.toml", std::string(kHead) + "address = \"0.0.0.0\"\n");
  start();
  write("c.toml", "[server]\nport = 0\naddress = \"127.0.0.1\"\n");
  const std::string line = reload();
  EXPECT_NE(line.find("event=reload_failed"), std::string::npos) << line;
  EXPECT_NE(line.find("0.0.0.0"), std::string::npos) << line;
  BlockingClient stranger({.port = port_, .reconnect = false});
  EXPECT_EQ(stranger.ping().error().reason(), "token_wrong");
  expect_end();
}

TEST_F(Reload, ChangedAgentsAreWalkedWithAndOldAnswersForgotten) {
  write("tokens", "a\n");
  const std::string head = std::string(kHead) + kFlat + "[agent.mule]\ncost_cardinal = ";
  write("c.toml", head + "10\n");
  start();
  BlockingClient client({.port = port_, .token = "a"});
  v1::FindPath request = flat_path(0, 5);
  request.mutable_agent()->set_profile("mule");
  EXPECT_EQ(client.find_path(request)->cost(), 50);
  write("c.toml", head + "20\n");
  EXPECT_NE(reload().find("changed=\"agent\""), std::string::npos);
  EXPECT_EQ(client.find_path(request)->cost(), 4 * 14 + 20) << "the answer that was kept, or no zigzag";
  expect_end();
}

TEST_F(Reload, CertificatesAreReadAgain) {
  Certificates pki(scratch_.path());
  pki.make("server");
  pki.make("next", {.alt = "DNS:next.example"});
  write("tokens", "a\n");
  write("c.toml", std::string(kHead) + "[tls]\ncertificate = \"server.pem\"\nkey = \"server.key\"\n");
  start();
  const client::ClientOptions options{
      .port = port_, .tls = true, .ca_file = pki.cert("ca"), .token = "a", .reconnect = false};
  BlockingClient before(options);
  ASSERT_TRUE(before.ping());
  std::filesystem::copy_file(pki.key("next"), pki.key("server"), std::filesystem::copy_options::overwrite_existing);
  const std::string half = reload();
  EXPECT_NE(half.find("does not belong to the certificate"), std::string::npos) << half;
  BlockingClient still(options);
  EXPECT_TRUE(still.ping());
  std::filesystem::copy_file(pki.cert("next"), pki.cert("server"), std::filesystem::copy_options::overwrite_existing);
  EXPECT_NE(reload().find("event=reloaded changed=\"tls\""), std::string::npos);
  EXPECT_TRUE(before.ping()) << "connections that are there go on";
  BlockingClient after(options);
  const std::string other = after.ping().error().message();
  EXPECT_NE(other.find("not of the name"), std::string::npos) << other;
  expect_end();
}

TEST_F(Reload, WithoutAFileThereIsNothingToRead) {
  daemon_ = std::make_unique<Process>(VOXPATHD, std::vector<std::string>{"--port", "0"});
  daemon_->line("event=ready");
  EXPECT_NE(reload().find("event=reload_refused"), std::string::npos);
  expect_end();
}

}  // namespace
}  // namespace voxpath::test
