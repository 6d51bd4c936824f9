// JobScheduler: every job between its request and its answer, as a state machine: what happens goes in, with the time;
// what is to be done comes out. The owner has the threads, the clock and the lock.
// Thread-safety: one thread at a time. But for `stop`, a Run belongs to the worker that took it until finish() or
// give_back().
// Invariants: a job that is submitted leaves exactly once: as an Ended, or by finish(). No two have the same id. At most
// `waiting_max` wait, and one more for each worker that gave one back. At most workers + `kept_max` long searches are
// begun at a time, and so at most twice the workers + `kept_max` planners are in use. A worker that asks while something
// waits gets something.
// Usage: end(s.submit(job, now)); while (Run* run = s.take(now, ended)) { search a slice; more to do ? s.give_back(...)
// : answer(s.finish(...)); }
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

struct SchedulerLimits {
  std::size_t waiting_max = 4'096;
  std::size_t waiting_per_connection_max = 4'096;
  unsigned workers = 1;
  std::size_t kept_max = 8;  // long searches that wait for their next turn
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
    std::atomic<JobEnd> stop = JobEnd::none;

   private:
    friend class JobScheduler;
    enum class State : std::uint8_t { waiting, running, ending };
    State state = State::waiting;
    bool holds_place = false;  // of the workers + kept_max
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
  /// The worker has spent its slice, and there is more to do. What comes back is a planner whose search is given up,
  /// because no more may be kept.
  [[nodiscard]] std::unique_ptr<Planner> give_back(Run& run, std::int64_t spent_us);
  /// The worker is through with it: it answers it, and has the planner again.
  [[nodiscard]] std::unique_ptr<Run> finish(Run& run, std::int64_t spent_us);

  /// Whether take() has something.
  [[nodiscard]] bool anything_waits() const { return !ending_.empty() || queue_.ready(); }
  [[nodiscard]] std::size_t waiting() const { return queue_.size(); }
  [[nodiscard]] std::size_t waiting(std::uint64_t connection) const { return queue_.size(connection); }
  [[nodiscard]] std::size_t running() const { return runs_.size() - queue_.size(); }
  /// Long searches that are begun, kept or running.
  [[nodiscard]] std::size_t places_held() const { return places_held_; }
  [[nodiscard]] std::uint64_t set_back_count() const { return set_back_count_; }
  /// How long so many jobs will take to get out of the way, by what jobs took lately.
  [[nodiscard]] std::uint32_t wait_ms(std::size_t jobs) const;

 private:
  using Mob = std::tuple<std::uint64_t, std::string, std::uint64_t>;
  using Runs = std::map<JobId, std::unique_ptr<Run>>;

  [[nodiscard]] std::optional<Ended> refusal(const Job& job) const;
  [[nodiscard]] std::size_t places_max() const { return limits_.workers + limits_.kept_max; }
  [[nodiscard]] static JobQueue::Entry entry_of(const Run& run);
  [[nodiscard]] static Mob mob_of(const Job& job) { return {job.id.connection, job.world, job.mob}; }
  void wait(Run& run);
  void stop_waiting(Run& run);
  void end(Runs::iterator run, JobEnd how, EndedJobs& ended);
  void expire(std::int64_t now_us, EndedJobs& ended);
  [[nodiscard]] std::unique_ptr<Run> remove(Runs::iterator run);

  const SchedulerLimits limits_;
  JobQueue queue_;
  Runs runs_;
  std::deque<Run*> ending_;  // begun, ended while they waited: a worker answers them
  std::map<Mob, JobId> mobs_;
  std::set<std::pair<std::int64_t, JobId>> deadlines_;  // of those that wait
  std::uint64_t submitted_ = 0;
  std::size_t places_held_ = 0;
  std::uint64_t set_back_count_ = 0;
  double job_us_ = kSliceUs;  // what a job took lately; until then, a slice
};

}  // namespace voxpath::server
