// A unix-domain socket: its permissions, what stands at its path already, and what is left there afterwards.
#include "tests/end_to_end/daemon_fixture.hpp"
#include "tests/end_to_end/process.hpp"
#include "tests/support/scratch_folder.hpp"

#include <fstream>

#include <boost/asio/local/stream_protocol.hpp>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace voxpath::test {
namespace {

using client::BlockingClient;

class UnixSocket : public ::testing::Test {
 protected:
  [[nodiscard]] server::Config config(::mode_t mode = 0600) const {
    server::Config made = test_config();
    made.access.unix_socket = path_;
    made.access.unix_socket_mode = mode;
    return made;
  }
  [[nodiscard]] std::string cannot_start() const {
    server::Daemon daemon(config());
    const auto status = daemon.start();
    return status ? "" : status.error().message;
  }

  const ScratchFolder scratch_;
  const std::string path_ = scratch_ / "voxpath.sock";
};

TEST_F(UnixSocket, CarriesWhatTcpCarries) {
  server::Config made = config();
  made.address = std::string(server::kNoAddress);
  RunningDaemon daemon(made);
  EXPECT_EQ(daemon.port(), 0) << "there is no TCP";
  BlockingClient client({.unix_socket = path_});
  const auto path = client.find_path(flat_path(0, 5));
  ASSERT_TRUE(path) << path.error().message();
  EXPECT_EQ(path->cost(), 50);
}

TEST_F(UnixSocket, IsListenedOnBesideTcpAndAsksForTheSameTokens) {
  server::Config made = config();
  made.access.tokens = {{"secret"}};
  RunningDaemon daemon(made);
  BlockingClient tcp({.port = daemon.port(), .token = "secret"}), local({.unix_socket = path_, .token = "secret"});
  EXPECT_TRUE(tcp.ping());
  EXPECT_TRUE(local.ping());
  BlockingClient wrong({.unix_socket = path_, .reconnect = false});
  EXPECT_EQ(wrong.ping().error().reason(), "token_wrong");
}

TEST_F(UnixSocket, HasTheModeThatIsConfigured) {
  for (const ::mode_t mode : {0600u, 0660u, 0666u}) {
    RunningDaemon daemon(config(mode));
    struct ::stat there{};
    ASSERT_EQ(::lstat(path_.c_str(), &there), 0);
    EXPECT_TRUE(S_ISSOCK(there.st_mode));
    EXPECT_EQ(there.st_mode & 0777, mode);
  }
  EXPECT_NE(::access(path_.c_str(), F_OK), 0) << "taken away at the end";
}

TEST_F(UnixSocket, ADeadServersSocketIsReplaced) {
  {
    boost::asio::io_context io;  // closed without its path being taken away: as after a kill
    boost::asio::local::stream_protocol::acceptor dead(io, boost::asio::local::stream_protocol::endpoint(path_));
  }
  ASSERT_EQ(::access(path_.c_str(), F_OK), 0);
  RunningDaemon daemon(config());
  BlockingClient client({.unix_socket = path_});
  EXPECT_TRUE(client.ping());
}

TEST_F(UnixSocket, ALiveServersSocketIsLeftAlone) {
  RunningDaemon first(config());
  EXPECT_NE(cannot_start().find("another server listens there"), std::string::npos);
  BlockingClient client({.unix_socket = path_});
  EXPECT_TRUE(client.ping()) << "the first one goes on";
}

TEST_F(UnixSocket, WhatIsNoSocketIsLeftAlone) {
  std::ofstream(path_) << "precious";
  EXPECT_NE(cannot_start().find("no socket"), std::string::npos);
  EXPECT_EQ(read_file(path_), "precious");
}

TEST_F(UnixSocket, ALinkAtThePathIsLeftAlone) {
  const std::string target = scratch_ / "target";
  std::ofstream(target) << "precious";
  std::filesystem::create_symlink(target, path_);
  EXPECT_NE(cannot_start().find("no socket"), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_symlink(path_));
  EXPECT_EQ(read_file(target), "precious");
}

TEST_F(UnixSocket, APathThatIsTooLongIsNamed) {
  server::Config made = config();
  made.access.unix_socket = scratch_ / std::string(200, 'x');
  server::Daemon daemon(made);
  const auto status = daemon.start();
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("107"), std::string::npos) << status.error().message;
  BlockingClient client({.unix_socket = std::string(200, 'x'), .reconnect = false});
  EXPECT_NE(client.ping().error().message().find("107"), std::string::npos);
}

TEST_F(UnixSocket, ANewerServersSocketIsNotTakenAway) {
  auto first = std::make_unique<RunningDaemon>(config());
  std::filesystem::remove(path_);  // as an operator would
  RunningDaemon second(config());
  first.reset();
  BlockingClient client({.unix_socket = path_});
  EXPECT_TRUE(client.ping());
}

TEST_F(UnixSocket, IsASubjectOfTheCommandLine) {
  RunningDaemon daemon(config());
  const Ended ended = run({"path", "--server", "unix:" + path_, "--from=0,64,0", "--to=5,64,0"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  const Ended nothing = run({"path", "--server", "unix:", "--from=0,64,0", "--to=5,64,0"});
  EXPECT_EQ(nothing.code, 2);
  EXPECT_NE(nothing.err.find("the path is missing"), std::string::npos) << nothing.err;
  const Ended tls = run({"path", "--server", "unix:" + path_, "--tls", "--from=0,64,0", "--to=5,64,0"});
  EXPECT_EQ(tls.code, 2);
  EXPECT_NE(tls.err.find("never spoken TLS to"), std::string::npos) << tls.err;
}

}  // namespace
}  // namespace voxpath::test
