// LoadTest: a crowd of mobs at a voxpathd, in real time: 20 ticks a second, each mob led by its own controller.
// Thread-safety: one thread, on which all of it runs but the setting up.
// Invariants: what a mob does follows from the seed and the answers; every question is counted once, answered or not. Blocks that were
// put are taken away at the end.
// Usage: LoadTest test(endpoint, world, options, crowd); auto report = test.run({.second = ..., .frame = ...});
#pragma once

#include "protocol/clients/cpp/client.hpp"
#include "protocol/clients/cpp/mob/controller.hpp"
#include "server/mobs/crowd.hpp"
#include "server/mobs/load_report.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <sys/types.h>

namespace voxpath::server {

struct LoadEndpoint {
  client::ClientOptions client;
  v1::WorldInfo world;
  std::string about;         // for the report
  std::optional<pid_t> pid;  // of the server, where it is a process of this machine
};

/// What is there to be seen in a tick.
struct LoadFrame {
  double seconds = 0;
  const std::vector<mob::Point>* mobs = nullptr;
  const std::vector<mob::Point>* players = nullptr;
};

struct LoadWatchers {
  std::function<void(const LoadSecond&)> second = {};
  std::function<void(const LoadFrame&)> frame = {};  // each tick
  const std::atomic<bool>* interrupted = nullptr;    // true: end now, with the report so far
};

class LoadTest {
 public:
  /// `ground`: for greedy mobs, the surface of a column; may be empty otherwise.
  using Ground = std::function<std::optional<double>(std::int32_t x, std::int32_t z)>;
  LoadTest(LoadEndpoint endpoint, LoadOptions options, Crowd crowd, Ground ground);
  ~LoadTest();
  LoadTest(const LoadTest&) = delete;
  LoadTest& operator=(const LoadTest&) = delete;

  /// Errors: failed_precondition where the server cannot be reached or a connection is lost.
  world::Result<LoadReport> run(LoadWatchers watchers);

 private:
  using Clock = std::chrono::steady_clock;
  struct Mob {
    mob::Controller controller;
    std::size_t player = 0;
    bool waiting = false, helpless = false;
    std::optional<Clock::time_point> unmet = {};  // when it first meant to ask for what it has not been answered yet
  };
  struct Connection {
    std::unique_ptr<client::Client> client;
    std::unordered_map<std::uint64_t, std::size_t> mob_of_watch;
  };

  void connect();
  void next_slice();
  void tick_mobs(std::size_t first, std::size_t last, Clock::time_point meant);
  void step_greedy(std::size_t i, const mob::Step& step);
  void ask(std::size_t i, mob::Step& step, Clock::time_point meant);
  void on_answer(std::size_t i, std::uint64_t ticket, Clock::time_point meant,
                 const client::Reply<v1::PathAnswer>& reply);
  void count(const v1::PathAnswer& answer);
  void edit(Clock::time_point meant);
  void set_blocks(v1::SetBlocks request, Clock::time_point meant);
  void move_players();
  void end_second();
  void wind_up();
  void finish();
  [[nodiscard]] Clock::time_point time_of(std::uint64_t tick, std::int64_t slice) const;
  [[nodiscard]] bool measuring() const;

  LoadEndpoint endpoint_;
  const LoadOptions options_;
  Crowd crowd_;
  Ground ground_;
  LoadWatchers watchers_;
  std::uint64_t replan_ticks_;

  boost::asio::io_context io_;
  boost::asio::steady_timer timer_;
  std::vector<Connection> connections_;
  std::vector<Mob> mobs_;
  std::vector<mob::Point> at_, players_at_;
  Clock::time_point start_;
  std::uint64_t tick_ = 0, ticks_ = 0, warm_up_ticks_ = 0;
  std::int64_t slice_ = 0;
  bool winding_up_ = false;
  Clock::time_point wind_up_until_;
  std::uint64_t in_flight_ = 0, edits_in_flight_ = 0;
  double edits_due_ = 0;
  std::size_t next_edit_ = 0;
  std::vector<bool> placed_;

  LoadReport report_;
  LoadSecond second_;
  LatencyHistogram second_latency_;
  double server_cpu_before_ = 0, tester_cpu_before_ = 0;
  double server_cpu_measured_from_ = 0, tester_cpu_measured_from_ = 0;
  Clock::time_point second_began_, measured_from_;
  std::optional<v1::Error> lost_;
};

}  // namespace voxpath::server
