// voxpathd as a process: its command line, its signals, its exit codes.
#include "tests/end_to_end/daemon_fixture.hpp"

#include <csignal>
#include <cstdio>
#include <fstream>
#include <regex>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace voxpath::test {
namespace {

/// A child process whose output can be read as it comes.
class Process {
 public:
  explicit Process(std::vector<std::string> arguments) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("pipe");
    pid_ = fork();
    if (pid_ == 0) {
      dup2(ends[1], STDOUT_FILENO);
      dup2(ends[1], STDERR_FILENO);
      ::close(ends[0]);
      ::close(ends[1]);
      std::vector<char*> argv{const_cast<char*>(VOXPATHD)};
      for (std::string& argument : arguments) argv.push_back(argument.data());
      argv.push_back(nullptr);
      execv(VOXPATHD, argv.data());
      _exit(127);
    }
    ::close(ends[1]);
    out_ = fdopen(ends[0], "r");
  }
  ~Process() {
    if (!exited_) {
      kill(pid_, SIGKILL);
      wait();
    }
    std::fclose(out_);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Reads up to the first line that matches; its first group, or the line.
  std::string line(const std::string& pattern) {
    const std::regex regex(pattern);
    char* buffer = nullptr;
    std::size_t size = 0;
    std::string found = "(no line matches " + pattern + ")";
    while (getline(&buffer, &size, out_) > 0) {
      const std::string text(buffer);
      output_ += text;
      std::smatch match;
      if (!std::regex_search(text, match, regex)) continue;
      found = match.size() > 1 ? match[1].str() : text;
      break;
    }
    std::free(buffer);
    return found;
  }
  void signal(int number) const { kill(pid_, number); }
  /// The exit code, or minus the signal.
  int wait() {
    int status = 0;
    waitpid(pid_, &status, 0);
    exited_ = true;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  const std::string& output() {
    line("a line that never comes");
    return output_;
  }

 private:
  pid_t pid_ = 0;
  std::FILE* out_ = nullptr;
  bool exited_ = false;
  std::string output_;
};

std::string file_with(const std::string& name, const std::string& text) {
  const std::string path = ::testing::TempDir() + name;
  std::ofstream(path) << text;
  return path;
}

TEST(Process, EndsInGoodOrderAtSigterm) {
  Process daemon({"--port", "0", "--flat"});
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
  Process daemon({"--port", "0", "--flat"});
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
  daemon.signal(SIGINT);
  daemon.line("event=draining");
  daemon.signal(SIGINT);
  EXPECT_EQ(daemon.wait(), 130);
}

TEST(Process, ChecksItsConfiguration) {
  const std::string good =
      file_with("good.toml", "[server]\nport = 7555\n[[world]]\nname = \"flat\"\ngenerate = \"flat\"\n");
  Process checks({"--config", good, "--check-config"});
  EXPECT_EQ(checks.wait(), 0);
  EXPECT_NE(checks.output().find("127.0.0.1:7555, 1 worlds"), std::string::npos) << checks.output();

  const std::string bad = file_with("bad.toml", "[server]\nprot = 7555\n");
  Process refuses({"--config", bad, "--check-config"});
  EXPECT_EQ(refuses.wait(), 3);
  EXPECT_NE(refuses.output().find("line 2"), std::string::npos) << refuses.output();
  EXPECT_NE(refuses.output().find("server.port"), std::string::npos) << refuses.output();
}

TEST(Process, RefusesWrongArgumentsAndOpenAddresses) {
  Process unknown({"--no-such-thing"});
  EXPECT_EQ(unknown.wait(), 2);
  Process open({"--address", "0.0.0.0", "--port", "0"});
  EXPECT_EQ(open.wait(), 3);
  EXPECT_NE(open.output().find("token_file"), std::string::npos) << open.output();
  RunningDaemon first;
  Process taken({"--port", std::to_string(first.port())});
  EXPECT_EQ(taken.wait(), 4);
  EXPECT_NE(taken.output().find("cannot listen on 127.0.0.1:"), std::string::npos) << taken.output();
}

}  // namespace
}  // namespace voxpath::test
