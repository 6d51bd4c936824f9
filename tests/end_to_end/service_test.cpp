// voxpathd below a service manager: what it says to one that listens, as sd_notify(3) has it.
#include "server/search_planner.hpp"
#include "server/service_notify.hpp"
#include "tests/end_to_end/daemon_fixture.hpp"
#include "tests/end_to_end/process.hpp"
#include "tests/support/scratch_folder.hpp"

#include <array>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <fstream>
#include <mutex>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace voxpath::test {
namespace {

/// A service manager's end of NOTIFY_SOCKET.
class FakeManager {
 public:
  explicit FakeManager(const std::string& path) : path_(path), socket_(::socket(AF_UNIX, SOCK_DGRAM, 0)) {
    ::sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.data(), path.size());
    if (::bind(socket_, reinterpret_cast<::sockaddr*>(&address), sizeof(address)) != 0)
      throw std::runtime_error("bind");
  }
  ~FakeManager() { ::close(socket_); }
  FakeManager(const FakeManager&) = delete;
  FakeManager& operator=(const FakeManager&) = delete;

  /// The next datagram; empty: none came in that time.
  std::string next(std::chrono::milliseconds patience = std::chrono::minutes(1)) {
    const ::timeval limit{.tv_sec = patience.count() / 1'000, .tv_usec = patience.count() % 1'000 * 1'000};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
    std::array<char, 4'096> buffer;
    const ::ssize_t count = ::recv(socket_, buffer.data(), buffer.size(), 0);
    return count < 0 ? std::string() : std::string(buffer.data(), static_cast<std::size_t>(count));
  }
  /// The next one that is no heartbeat.
  std::string next_state() {
    while (true) {
      std::string said = next();
      if (said != "WATCHDOG=1") return said;
    }
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  const std::string path_;
  const int socket_;
};

/// Blocks its worker until it is let go.
class Gate {
 public:
  void pass() {
    std::unique_lock lock(mutex_);
    ++waiting_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_; });
  }
  void await(int waiting) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return waiting_ >= waiting; });
  }
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int waiting_ = 0;
  bool open_ = false;
};

class StuckPlanner : public server::SearchPlanner {
 public:
  explicit StuckPlanner(Gate& gate) : SearchPlanner(std::make_shared<const server::ProfileBook>()), gate_(gate) {}
  bool advance(std::uint32_t expansions) override {
    gate_.pass();
    return SearchPlanner::advance(expansions);
  }

 private:
  Gate& gate_;
};

TEST(Service, IsToldTheWholeLife) {
  const ScratchFolder scratch;
  FakeManager manager(scratch / "notify");
  std::ofstream(scratch / "c.toml") << "[server]\nport = 0\n[[world]]\nname = \"flat\"\ngenerate = \"flat\"\n";
  ::setenv("NOTIFY_SOCKET", manager.path().c_str(), 1);
  Process daemon(VOXPATHD, {"--config", scratch / "c.toml"});
  ::unsetenv("NOTIFY_SOCKET");
  EXPECT_EQ(manager.next(), "READY=1\nSTATUS=1 worlds are open");
  daemon.signal(SIGHUP);
  EXPECT_TRUE(manager.next().starts_with("RELOADING=1\nMONOTONIC_USEC="));
  EXPECT_EQ(manager.next(), "READY=1");
  daemon.signal(SIGTERM);
  EXPECT_EQ(manager.next(), "STOPPING=1");
  EXPECT_EQ(daemon.wait(), 0);
}

TEST(Service, IsReadyOnlyWhenTheWorldsAreThere) {
  const ScratchFolder scratch;
  FakeManager manager(scratch / "notify");
  ::setenv("NOTIFY_SOCKET", manager.path().c_str(), 1);
  Process daemon(VOXPATHD, {"--port", "0", "--generate", "terrain:7"});
  ::unsetenv("NOTIFY_SOCKET");
  EXPECT_TRUE(manager.next().starts_with("READY=1"));
  daemon.signal(SIGTERM);
  EXPECT_EQ(daemon.wait(), 0);
  const std::string& log = daemon.output();
  EXPECT_LT(log.find("event=listening"), log.find("event=world_opened world=demo"));
  EXPECT_LT(log.find("event=world_opened world=demo"), log.find("event=ready"));
}

TEST(Service, AWorldThatCannotBeLoadedDoesNotKeepItFromBeingReady) {
  const ScratchFolder scratch;
  FakeManager manager(scratch / "notify");
  ::setenv("NOTIFY_SOCKET", manager.path().c_str(), 1);
  Process daemon(VOXPATHD, {"--port", "0", "--world", scratch / "nowhere"});
  ::unsetenv("NOTIFY_SOCKET");
  EXPECT_EQ(manager.next(), "READY=1\nSTATUS=0 worlds are open");
  daemon.signal(SIGTERM);
  EXPECT_EQ(daemon.wait(), 0);
  EXPECT_NE(daemon.output().find("event=configured_world_failed"), std::string::npos);
}

TEST(Service, TheHeartBeatsAsLongAsTheWorkersDo) {
  const ScratchFolder scratch;
  FakeManager manager(scratch / "notify");
  Gate gate;
  server::Config config = test_config();
  server::Daemon daemon(config, [&] { return std::make_unique<StuckPlanner>(gate); });
  daemon.report_to(server::ServiceNotify(manager.path(), std::chrono::milliseconds(30)));
  ASSERT_TRUE(daemon.start());
  std::thread runner([&] { daemon.run(); });
  ASSERT_TRUE(manager.next().starts_with("READY=1"));
  for (int i = 0; i < 3; ++i) ASSERT_EQ(manager.next(), "WATCHDOG=1");

  client::BlockingClient client({.port = daemon.port()});
  std::atomic<int> answered = 0;
  for (int i = 0; i < 2; ++i) {  // both workers
    client.async().find_path(flat_path(i, i + 5), [&](client::Reply<v1::PathAnswer>) { ++answered; });
  }
  gate.await(2);
  // What was sent before the workers were stuck is read, and then nothing comes any more, for many beats' time.
  int beats = 0;
  while (!manager.next(std::chrono::milliseconds(200)).empty()) ASSERT_LT(++beats, 10) << "a dead heart beats";
  EXPECT_TRUE(client.ping()) << "though the sockets still turn";
  gate.open();
  EXPECT_EQ(manager.next(), "WATCHDOG=1") << "it is alive again";
  EXPECT_TRUE(eventually([&] { return answered == 2; }));
  daemon.stop();
  EXPECT_EQ(manager.next_state(), "STOPPING=1");
  runner.join();
}

TEST(Service, NobodyIsToldWithoutAManager) {
  EXPECT_FALSE(server::ServiceNotify().send("READY=1"));
  EXPECT_FALSE(server::ServiceNotify("/nowhere/notify").send("READY=1"));
  EXPECT_FALSE(server::ServiceNotify("/" + std::string(200, 'x')).send("READY=1"));
}

TEST(Service, TakesWhatTheManagerSaysFromTheEnvironment) {
  const auto with = [](const char* usec, const std::string& pid) {
    ::setenv("NOTIFY_SOCKET", "/nowhere", 1);
    if (usec != nullptr) ::setenv("WATCHDOG_USEC", usec, 1);
    if (!pid.empty()) ::setenv("WATCHDOG_PID", pid.c_str(), 1);
    const auto service = server::ServiceNotify::from_environment();
    for (const char* name : {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"})
      EXPECT_EQ(std::getenv(name), nullptr) << "no child is to have it";
    return service.watchdog();
  };
  EXPECT_EQ(with(nullptr, ""), std::nullopt);
  EXPECT_EQ(with("30000000", ""), std::chrono::seconds(30));
  EXPECT_EQ(with("30000000", std::to_string(::getpid())), std::chrono::seconds(30));
  EXPECT_EQ(with("30000000", "1"), std::nullopt) << "it is meant for another process";
  for (const char* wrong : {"", "0", "-5", "soon", "1x"}) EXPECT_EQ(with(wrong, ""), std::nullopt) << wrong;
}

TEST(Service, AnAbstractNameIsASocketToo) {
  const int socket = ::socket(AF_UNIX, SOCK_DGRAM, 0);
  const std::string name = "voxpath-test-" + std::to_string(::getpid());
  ::sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  const auto size = static_cast<::socklen_t>(offsetof(::sockaddr_un, sun_path) + 1 + name.size());
  ASSERT_EQ(::bind(socket, reinterpret_cast<::sockaddr*>(&address), size), 0);
  EXPECT_TRUE(server::ServiceNotify("@" + name).send("READY=1"));
  std::array<char, 64> buffer;
  EXPECT_EQ(::recv(socket, buffer.data(), buffer.size(), 0), 7);
  ::close(socket);
}

}  // namespace
}  // namespace voxpath::test
