// WorkerPool: threads that do what a JobScheduler says, and in between run errands.
// Thread-safety: all members from any thread. Replies are answered on a worker, or on the thread whose call ended the
// job. submit() may search for kLoneTurnUs itself, where the connection's last job took no longer: handing a short search to a thread that sleeps, and its answer back, takes longer than
// the search.
// Invariants: each job that is submitted has its Reply answered exactly once: path, error or CANCELLED. Errands and jobs
// take turns; an errand that is still waiting at the end is dropped.
#pragma once

#include "server/jobs/answer_cache.hpp"
#include "server/jobs/job_scheduler.hpp"
#include "server/jobs/search_slice.hpp"
#include "server/metrics/job_metrics.hpp"
#include "server/planner.hpp"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace voxpath::server {

/// On the clock that jobs and connections are timed by.
[[nodiscard]] std::int64_t steady_now_us();
[[nodiscard]] std::int64_t steady_now_ms();

inline constexpr std::int64_t kLoneTurnUs = 100;  // of search, on the thread that submits; then a worker goes on
inline constexpr std::uint32_t kLoneStepExpansions =
    25;  // before it looks at the clock: their moves may not be known yet

class WorkerPool {
 public:
  struct Counts {
    std::size_t queued = 0, running = 0;
    std::uint64_t answered = 0;
    std::uint64_t shared = 0;  // of them, by a search together with other jobs
  };

  /// As many threads as the limits say workers.
  WorkerPool(SchedulerLimits limits, std::size_t answers_kept_max_bytes, PlannerFactory make_planner);
  /// Cancels what is left.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Answers itself what is refused, and CANCELLED for the request that this one supersedes.
  void submit(Job job);
  /// Answers a job that was never submitted with CANCELLED.
  void give_up(Job job);
  /// Whether the job was there; it is then answered, soon if it has been begun.
  bool cancel(const JobId& id);
  void cancel_connection(std::uint64_t connection);
  void cancel_all();
  /// Begins no more of the connection's jobs, or does so again.
  void hold(std::uint64_t connection, bool on);
  /// Work of the server's own that answers nobody. Each call does a short part of it, a millisecond or two, and says whether that was the
  /// last one; other errands and jobs come in between. Whoever gives it bounds how many there are.
  void run(std::function<bool()> errand);

  [[nodiscard]] Counts counts() const;
  /// The same question has another answer from now on.
  void forget_answers() { answers_.forget(); }
  [[nodiscard]] AnswerCache::Counts answers_kept() const { return answers_.counts(); }
  [[nodiscard]] const JobMetrics& metrics() const { return metrics_; }
  /// How long the worker has been at it that has been at its turn the longest; 0: none is at one. A turn takes a
  /// millisecond or two, an errand some.
  [[nodiscard]] std::int64_t longest_turn_us() const;
  [[nodiscard]] unsigned workers() const { return static_cast<unsigned>(threads_.size()); }

 private:
  using Lock = std::unique_lock<std::mutex>;

  void work(std::atomic<std::int64_t>& turn_began_us);
  void run_errand(Lock& lock);
  [[nodiscard]] bool may_work_on(const Job& job) const;
  void run_job(Lock& lock, std::int64_t turn_us, std::uint32_t step_expansions);
  void remember(const JobScheduler::Run& run, const SearchSlice& slice, std::int64_t spent_us);
  void answer_run(JobScheduler::Run& run, SearchSlice::Result result);
  void answer_all(JobScheduler::EndedJobs ended);
  [[nodiscard]] std::unique_ptr<Planner> idle_planner();

  const PlannerFactory make_planner_;
  const Clock clock_ = steady_now_us;
  AnswerCache answers_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  JobScheduler scheduler_;                      // guarded by mutex_
  std::vector<std::unique_ptr<Planner>> idle_;  // guarded by mutex_; without a search
  std::deque<std::function<bool()>> errands_;   // guarded by mutex_
  bool ending_ = false;                         // guarded by mutex_
  std::size_t asleep_ = 0;                      // guarded by mutex_; workers
  std::uint64_t quick_ = 0;  // guarded by mutex_; the connection that was answered last, if its search was short
  std::atomic<std::uint64_t> answered_ = 0;
  JobMetrics metrics_;
  std::deque<std::atomic<std::int64_t>> turns_began_us_;  // of each worker; 0: it waits
  std::vector<std::thread> threads_;
};

}  // namespace voxpath::server
