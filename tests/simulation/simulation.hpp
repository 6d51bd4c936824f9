// Simulation: the server's core with several clients and workers, in one thread, on a clock of its own, in an order of
// events that a seed decides: bytes arrive in pieces and late, clients read slowly, cancel, and go.
// Thread-safety: one test thread.
// Invariants: it is the daemon's own Connection, JobScheduler, SearchSlice and AnswerCache that run; only sockets,
// strands and threads are played. The same seed gives the same run. What must always hold is checked after every event,
// and thrown as a Violation where it does not.
// Usage: Simulation(seed).run();
#pragma once

#include "server/jobs/job_scheduler.hpp"
#include "server/jobs/search_slice.hpp"
#include "tests/simulation/simulated_client.hpp"
#include "world/world.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace voxpath::test {

class Simulation {
 public:
  /// `tell`: whether each event is written to standard error.
  explicit Simulation(std::uint64_t seed, bool tell = false);
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// Throws Violation.
  void run();

  struct Counts {
    std::uint64_t events = 0, jobs = 0, slices = 0, superseded = 0, refused = 0, dropped = 0, set_back = 0, kept = 0,
                  fairness_checks = 0, held = 0, too_slow = 0, landed = 0;
  };
  [[nodiscard]] const Counts& counts() const { return counts_; }

 private:
  using Event = std::function<void()>;
  struct Session {
    std::unique_ptr<SimulatedClient> client;
    std::deque<Event> strand;
    std::uint64_t jobs = 0;
    std::map<std::uint32_t, server::JobId> newest_job;  // by request
    bool gone = false;
    bool held = false;  // none of its jobs is to be begun
  };
  struct Worker {
    server::JobScheduler::Run* run = nullptr;
    std::unique_ptr<server::SearchSlice> slice;
  };
  /// A job that has been submitted.
  struct Tracked {
    std::uint64_t mob = 0;
    bool answered = false;
    bool must_end = false;  // it was cancelled or superseded while no worker had it
    bool stopped = false;   // it was cancelled or superseded
    int steps_after_stop = 0;
  };

  [[nodiscard]] std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  [[nodiscard]] bool chance(std::uint32_t percent) { return below(100) < percent; }

  bool step();
  void connect();
  void ask(Session& session);
  [[nodiscard]] v1::ClientFrame random_request(SimulatedClient& client);
  void drop(Session& session);
  void carry_out(Session& session);
  void submit(Session& session, const std::shared_ptr<v1::ClientFrame>& frame);
  void submit_job(Session& session, const std::shared_ptr<v1::ClientFrame>& frame, server::Reply reply);
  void cancel(server::JobId id);
  void end(server::JobScheduler::EndedJobs ended);
  void expect_end(server::JobId id);
  void work(Worker& worker);
  void take(Worker& worker);
  void finish(Worker& worker);
  void land(server::JobScheduler::Run& run, server::SearchSlice& slice, std::int64_t spent_us);
  void put_away(std::unique_ptr<server::Planner> planner);
  [[nodiscard]] bool worker_has(server::JobId id) const;
  [[nodiscard]] server::Reply reply_for(Session& session, std::uint32_t id);
  void check();
  void check_fairness();
  void check_rest();
  void say(const std::string& what);

  std::mt19937_64 random_;
  const bool tell_;
  std::int64_t now_us_ = 1'000'000;
  std::int64_t planners_clock_ = 0;  // that the planners move; the simulation's moves with each event
  const server::Clock clock_ = [this] { return now_us_; };
  Counts counts_;
  world::World world_{{0, 16}};
  const server::SchedulerLimits limits_;
  const std::size_t cache_bytes_max_;
  std::map<server::JobId, Tracked> tracked_;
  std::map<std::uint64_t, std::unique_ptr<Session>> sessions_;  // those gone, too: their answers still come
  std::deque<Event> world_strand_;
  std::vector<std::unique_ptr<server::Planner>> idle_;
  std::size_t planners_ = 0;
  server::AnswerCache cache_;
  server::JobScheduler scheduler_;
  std::vector<Worker> workers_;
  std::uint64_t last_session_ = 0;
  bool winding_down_ = false;  // nobody asks or comes any more

  std::map<std::uint64_t, std::int64_t> served_us_;  // by connection
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::pair<std::int64_t, std::int64_t>> both_waiting_since_;
  std::int64_t longest_slice_us_ = server::kSliceUs;
};

}  // namespace voxpath::test
