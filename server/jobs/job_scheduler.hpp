// JobScheduler: every job between its request and its answer, as a state machine: what happens goes in, with the time;
// what is to be done comes out. The owner has the threads, the clock and the lock.
// Thread-safety: one thread at a time. But for `stop`, a Run belongs to the worker that took it until finish() or
// give_back().
// Invariants: a job that is submitted leaves exactly once: as an Ended, by finish(), or by land(). No two have the same
// id. At most `waiting_max` wait or ride, and one more for each worker that gave one back. At most workers + `kept_max` long searches are
// begun at a time, and so at most twice the workers + `kept_max` planners are in use. A worker that asks while something
// waits gets something.
// Riders: where `riders_min` jobs of one group wait, take() gives out a run of its own making, a horde, and they ride with
// it. What is asked of a horde's planner is not theirs: they can be ended at any time, whoever works on the horde.
// Usage: end(s.submit(job, now)); while (Run* run = s.take(now, ended)) { search a slice; answer(s.land(...)); more to do
// ? s.give_back(...) : answer(s.finish(...)); }
#pragma once

#include "server/jobs/job_queue.hpp"
#include "server/planner.hpp"

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <vector>

namespace voxpath::server {

inline constexpr std::size_t kRidersMin = 8;  // fewer never share: half of them would have searches of their own

struct SchedulerLimits {
  std::size_t waiting_max = 4'096;
  std::size_t waiting_per_connection_max = 4'096;
  unsigned workers = 1;
  std::size_t kept_max = 8;    // long searches that wait for their next turn
  std::size_t riders_min = 0;  // jobs of one group that are searched together where so many wait; 0: none are
};

class JobScheduler {
 public:
  explicit JobScheduler(SchedulerLimits limits) : limits_(limits) {}

  /// A job that a worker has, or that waits.
  struct Run {
    Job job;
    std::unique_ptr<Planner> planner;  // the worker puts it there; kept while the search is
    bool begun = false;                // the worker's: the planner is at work on it
    std::int64_t searched_us = 0;      // by all slices
    std::string question;              // the key that its answer is kept under
    std::uint64_t epoch = 0;           // of the answers that are kept, when it was begun
    std::atomic<JobEnd> stop = JobEnd::none;
    // Of a horde: one of its own has no riders, and the answers so far; one that take() made of others has these.
    v1::PathsAnswer paths;
    std::vector<JobId> riders;       // in the order of its starts; some may have left
    std::vector<std::size_t> asked;  // the riders that the planner is at work for
    std::uint64_t version = 0;       // of the world that these are answered by
    std::size_t answer_bytes = 0;    // that riders have had

   private:
    friend class JobScheduler;
    enum class State : std::uint8_t { waiting, running, riding, ending };
    State state = State::waiting;
    Run* horde = nullptr;  // that it rides with
    struct Aboard {
      std::size_t count = 0;
      Share share = {};
    };
    std::map<std::uint64_t, Aboard> aboard;  // a horde's riders that have not left, by connection
    bool alone = false;                      // it rode already, in vain
    bool holds_place = false;                // of the workers + kept_max
    std::uint64_t age = 0;
    JobQueue::Kind kind = JobQueue::Kind::quick;
  };
  /// A job that is to be answered without searching.
  struct Ended {
    enum class Why : std::uint8_t { cancelled, superseded, deadline_passed, queue_full, connection_full };
    Job job;
    Why why;
    std::uint32_t retry_after_ms = 0;
    std::size_t limit = 0;  // that it was refused for
  };
  using EndedJobs = std::vector<Ended>;

  /// Precondition: no job with its id is here.
  [[nodiscard]] EndedJobs submit(Job job, std::int64_t now_us);
  /// Whether it was here; it is in `ended` then, or a worker ends it.
  bool cancel(const JobId& id, EndedJobs& ended);
  /// The connection is held no more.
  [[nodiscard]] EndedJobs cancel_connection(std::uint64_t connection);
  [[nodiscard]] EndedJobs cancel_all();
  /// Begins no more of the connection's jobs, or does so again. Those that are begun go on: they hold places.
  void hold(std::uint64_t connection, bool on) { queue_.hold(connection, on); }
  /// The next job for a worker; nullptr: nothing waits. Where `stop` is set, only its end is left to be done.
  [[nodiscard]] Run* take(std::int64_t now_us, EndedJobs& ended);
  /// A rider that has its answer, and is forgotten.
  struct Landed {
    std::unique_ptr<Run> run;
    Planner::HordeAnswer answer;
  };
  /// What came of a turn for the riders of the run, before give_back() or finish(). They bear the turn's time together.
  [[nodiscard]] std::vector<Landed> land(Run& run, std::vector<Planner::HordeAnswer> answers, std::int64_t spent_us);
  /// Who bears so much of a turn.
  using Shares = std::vector<std::pair<std::uint64_t, std::int64_t>>;  // connection, time in us
  [[nodiscard]] static Shares shares(const Run& run, std::int64_t spent_us);
  /// The worker has spent its slice, and there is more to do. What comes back is a planner whose search is given up,
  /// because no more may be kept; a run with riders is gone then, and they wait for searches of their own.
  [[nodiscard]] std::unique_ptr<Planner> give_back(Run& run, std::int64_t spent_us);
  /// The worker is through with it: it answers it, and has the planner again. Riders that have not landed wait for searches
  /// of their own.
  [[nodiscard]] std::unique_ptr<Run> finish(Run& run, std::int64_t spent_us);

  /// Whether take() has something.
  [[nodiscard]] bool anything_waits() const { return !ending_.empty() || queue_.ready(); }
  [[nodiscard]] std::size_t waiting() const { return queue_.size(); }
  [[nodiscard]] std::size_t waiting(std::uint64_t connection) const { return queue_.size(connection); }
  [[nodiscard]] std::size_t running() const;
  /// Long searches that are begun, kept or running.
  [[nodiscard]] std::size_t places_held() const { return places_held_; }
  [[nodiscard]] std::uint64_t set_back_count() const { return set_back_count_; }
  /// Jobs that had their answer from a search together with others.
  [[nodiscard]] std::uint64_t landed_count() const { return landed_count_; }
  /// How long so many jobs will take to get out of the way, by what jobs took lately.
  [[nodiscard]] std::uint32_t wait_ms(std::size_t jobs) const;

 private:
  using Mob = std::tuple<std::uint64_t, std::string, std::uint64_t>;
  using Runs = std::map<JobId, std::unique_ptr<Run>>;
  using Group = std::pair<std::uint64_t, std::string>;  // number of the world, Job::group

  [[nodiscard]] std::optional<Ended> refusal(const Job& job) const;
  [[nodiscard]] std::size_t places_max() const { return limits_.workers + limits_.kept_max; }
  [[nodiscard]] static JobQueue::Entry entry_of(const Run& run);
  [[nodiscard]] static Mob mob_of(const Job& job) { return {job.id.connection, job.world, job.mob}; }
  void wait(Run& run);
  void stop_waiting(Run& run);
  void end(Runs::iterator run, JobEnd how, EndedJobs& ended);
  [[nodiscard]] Run* gather(Run& leader);
  [[nodiscard]] std::vector<Run*> riders_with(Run& leader);
  void board(Run& rider, Run& horde);
  void leave(Run& rider);
  void take_turns_with_the_most_served(Run& horde) const;
  void dissolve(Run& horde);
  void count(std::int64_t searched_us);
  [[nodiscard]] bool may_ride(const Run& run) const;
  void forget_in_group(const Run& run);
  void expire(std::int64_t now_us, EndedJobs& ended);
  [[nodiscard]] std::unique_ptr<Run> remove(Runs::iterator run);

  const SchedulerLimits limits_;
  JobQueue queue_;
  Runs runs_;
  std::deque<Run*> ending_;  // begun, ended while they waited: a worker answers them
  std::map<Mob, JobId> mobs_;
  std::set<std::pair<std::int64_t, JobId>> deadlines_;      // of those that wait
  std::map<Group, std::map<std::uint64_t, JobId>> groups_;  // of those that wait and may ride, by age
  std::map<std::uint64_t, std::unique_ptr<Run>> hordes_;    // of riders, by JobId::number; JobId::request is 0
  std::uint64_t submitted_ = 0;
  std::uint64_t hordes_made_ = 0, landed_count_ = 0;
  std::size_t places_held_ = 0;
  std::uint64_t set_back_count_ = 0;
  double job_us_ = kSliceUs;  // what a job took lately; until then, a slice
};

}  // namespace voxpath::server
