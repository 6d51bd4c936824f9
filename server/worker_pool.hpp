// WorkerPool: threads that take path requests from a JobQueue and answer them, and in between run errands.
// Thread-safety: all members from any thread. Replies are answered on a worker, or on the thread whose call ended the
// job.
// Invariants: each job that is submitted has its Reply answered exactly once: path, error or CANCELLED. A worker looks
// at cancellation and deadline between slices of kSliceExpansions or kSliceMoves only. Errands and jobs take turns; an errand that is
// still waiting at the end is dropped.
#pragma once

#include "server/job_queue.hpp"
#include "server/planner.hpp"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace voxpath::server {

inline constexpr std::uint32_t kSliceExpansions = 2'000;  // some tenths of a millisecond
inline constexpr std::uint32_t kSliceMoves = 100;         // of a path to validate: some milliseconds

/// Milliseconds on the clock that deadlines of jobs are told by.
[[nodiscard]] std::int64_t steady_now_ms();

class WorkerPool {
 public:
  struct Counts {
    std::size_t queued = 0, running = 0;
    std::uint64_t answered = 0;
  };

  WorkerPool(unsigned workers, std::size_t jobs_max, const PlannerFactory& make_planner);
  /// Cancels what is left.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Answers queue_full itself when there is no room, and CANCELLED for the request that this one supersedes.
  void submit(Job job);
  /// Answers a job that was never submitted with CANCELLED.
  void give_up(Job job) { answer_cancelled(job, v1::PathAnswer::NO_REASON); }
  /// Whether the job was there; it is then answered, soon if it is being searched.
  bool cancel(const JobId& id);
  void cancel_connection(std::uint64_t connection);
  void cancel_all();
  /// Begins no more of the connection's jobs, or does so again.
  void hold(std::uint64_t connection, bool on);
  /// Work of the server's own that answers nobody. It must be short, and whoever gives it bounds how many there are.
  void run(std::function<void()> errand);

  [[nodiscard]] Counts counts() const;
  [[nodiscard]] unsigned workers() const { return static_cast<unsigned>(threads_.size()); }

 private:
  using Cancelled = std::atomic<bool>;

  void work(Planner& planner);
  void run_errand(std::unique_lock<std::mutex>& lock);
  void run_job(std::unique_lock<std::mutex>& lock, Planner& planner);
  static std::optional<protocol::Failure> search(Planner& planner, const Job& job, const Cancelled& cancelled,
                                                 v1::PathAnswer* answer, FoundPath* found);
  static std::optional<protocol::Failure> check(Planner& planner, const Job& job, const Cancelled& cancelled,
                                                v1::PathVerdict* verdict);
  void answer_cancelled(Job& job, v1::PathAnswer::Reason reason);

  const std::size_t jobs_max_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  JobQueue queue_;                             // guarded by mutex_
  std::deque<std::function<void()>> errands_;  // guarded by mutex_
  std::map<JobId, Cancelled*> running_;        // guarded by mutex_
  bool ending_ = false;                        // guarded by mutex_
  std::atomic<std::uint64_t> answered_ = 0;
  std::vector<std::unique_ptr<Planner>> planners_;
  std::vector<std::thread> threads_;
};

}  // namespace voxpath::server
