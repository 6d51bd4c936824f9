#include "server/jobs/worker_pool.hpp"

#include "server/jobs/job_answers.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include <spdlog/spdlog.h>

namespace voxpath::server {

namespace {

/// Whether there is a path that a mob may be walking.
bool watchable(const v1::PathAnswer& answer) {
  return answer.status() == v1::PathAnswer::FOUND || answer.status() == v1::PathAnswer::PARTIAL;
}

}  // namespace

std::int64_t steady_now_us() {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}
std::int64_t steady_now_ms() { return steady_now_us() / 1'000; }

WorkerPool::WorkerPool(SchedulerLimits limits, std::size_t answers_kept_max_bytes, PlannerFactory make_planner)
    : make_planner_(std::move(make_planner)),
      answers_(answers_kept_max_bytes),
      scheduler_(limits),
      turns_began_us_(limits.workers) {
  for (unsigned i = 0; i < limits.workers; ++i) threads_.emplace_back([this, i] { work(turns_began_us_[i]); });
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  cancel_all();
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::submit(Job job) {
  Lock lock(mutex_);
  if (ending_) {
    lock.unlock();
    return give_up(std::move(job));
  }
  const bool here = may_work_on(job);
  JobScheduler::EndedJobs ended = scheduler_.submit(std::move(job), clock_());
  if (here && scheduler_.anything_waits()) run_job(lock, kLoneTurnUs, kLoneStepExpansions);
  const bool more = scheduler_.anything_waits();
  lock.unlock();
  if (more) wake_.notify_one();
  answer_all(std::move(ended));
}

/// Whether the thread that brings the job does as well to begin it itself: all workers sleep, nobody else asks, and it may
/// well be short. How long it is shows only when it is done: its client's last one tells.
bool WorkerPool::may_work_on(const Job& job) const {
  return job.lone && job.id.connection == quick_ && asleep_ == threads_.size() && errands_.empty() &&
         !scheduler_.anything_waits();
}

void WorkerPool::remember(const JobScheduler::Run& run, const SearchSlice& slice, std::int64_t spent_us) {
  // An answer without a search tells nothing of the next one, unless the last search was short, too.
  if (slice.over() && slice.expanded() == 0 && quick_ == run.job.id.connection) return;
  const bool was_short = slice.over() && slice.expanded() > 0 && run.searched_us + spent_us <= kLoneTurnUs;
  quick_ = was_short ? run.job.id.connection : 0;
}

void WorkerPool::give_up(Job job) {
  ++answered_;
  metrics_.ended(job, JobScheduler::Ended::Why::cancelled);
  answer({std::move(job), JobScheduler::Ended::Why::cancelled, 0, 0});
}

bool WorkerPool::cancel(const JobId& id) {
  JobScheduler::EndedJobs ended;
  bool found = false;
  {
    const std::lock_guard lock(mutex_);
    found = scheduler_.cancel(id, ended);
  }
  wake_.notify_one();
  answer_all(std::move(ended));
  return found;
}

void WorkerPool::cancel_connection(std::uint64_t connection) {
  JobScheduler::EndedJobs ended;
  {
    const std::lock_guard lock(mutex_);
    ended = scheduler_.cancel_connection(connection);
  }
  wake_.notify_all();
  answer_all(std::move(ended));
}

void WorkerPool::cancel_all() {
  JobScheduler::EndedJobs ended;
  {
    const std::lock_guard lock(mutex_);
    ended = scheduler_.cancel_all();
  }
  wake_.notify_all();
  answer_all(std::move(ended));
}

void WorkerPool::hold(std::uint64_t connection, bool on) {
  {
    const std::lock_guard lock(mutex_);
    scheduler_.hold(connection, on);
  }
  if (!on) wake_.notify_all();
}

WorkerPool::Counts WorkerPool::counts() const {
  const std::lock_guard lock(mutex_);
  return {scheduler_.waiting(), scheduler_.running(), answered_, scheduler_.landed_count()};
}

void WorkerPool::run(std::function<bool()> errand) {
  {
    const std::lock_guard lock(mutex_);
    errands_.push_back(std::move(errand));
  }
  wake_.notify_one();
}

std::int64_t WorkerPool::longest_turn_us() const {
  const std::int64_t now_us = clock_();
  std::int64_t longest_us = 0;
  for (const auto& began_us : turns_began_us_) {
    const std::int64_t at_us = began_us.load(std::memory_order_relaxed);
    if (at_us != 0) longest_us = std::max(longest_us, now_us - at_us);
  }
  return longest_us;
}

void WorkerPool::work(std::atomic<std::int64_t>& turn_began_us) {
  Lock lock(mutex_);
  bool errand_first = true;
  while (true) {
    ++asleep_;
    wake_.wait(lock, [this] { return ending_ || scheduler_.anything_waits() || !errands_.empty(); });
    --asleep_;
    if (ending_ && !scheduler_.anything_waits()) return;
    turn_began_us.store(clock_(), std::memory_order_relaxed);
    if (!errands_.empty() && (errand_first || !scheduler_.anything_waits())) {
      run_errand(lock);
    } else {
      run_job(lock, kSliceUs, kStepExpansions);
    }
    turn_began_us.store(0, std::memory_order_relaxed);
    errand_first = !errand_first;
  }
}

void WorkerPool::run_errand(Lock& lock) {
  std::function<bool()> errand = std::move(errands_.front());
  errands_.pop_front();
  lock.unlock();
  bool over = true;
  try {
    over = errand();
  } catch (const std::exception& fault) {
    spdlog::error("event=errand_failed what=\"{}\"", protocol::printable(fault.what(), 200));
  }
  if (over) errand = nullptr;  // what it held may take its time to go
  lock.lock();
  if (!over) errands_.push_back(std::move(errand));
}

std::unique_ptr<Planner> WorkerPool::idle_planner() {
  if (idle_.empty()) return make_planner_();
  std::unique_ptr<Planner> planner = std::move(idle_.back());
  idle_.pop_back();
  return planner;
}

void WorkerPool::run_job(Lock& lock, std::int64_t turn_us, std::uint32_t step_expansions) {
  JobScheduler::EndedJobs ended;
  JobScheduler::Run* run = scheduler_.take(clock_(), ended);
  if (run != nullptr && !run->planner) run->planner = idle_planner();
  lock.unlock();
  answer_all(std::move(ended));
  if (run == nullptr) return lock.lock();
  SearchSlice slice(*run, answers_, clock_, step_expansions);
  while (!slice.step() && slice.spent_us() < turn_us) {
  }
  const std::int64_t spent_us = slice.spent_us();
  metrics_.looked_at(slice.expanded());
  const bool had_riders = !run->riders.empty();
  lock.lock();
  remember(*run, slice, spent_us);
  // Forgotten before it is answered: as soon as the answer is out, the client may use the id again.
  std::vector<JobScheduler::Landed> landed = scheduler_.land(*run, slice.take_answers(), spent_us);
  std::unique_ptr<JobScheduler::Run> done;
  std::unique_ptr<Planner> given_up;
  if (slice.over()) {
    done = scheduler_.finish(*run, spent_us);
    idle_.push_back(std::move(done->planner));
  } else {
    given_up = scheduler_.give_back(*run, spent_us);
  }
  lock.unlock();
  if (had_riders) wake_.notify_all();  // they may wait again
  for (JobScheduler::Landed& one : landed) answer_run(*one.run, result_of(one, clock_()));
  if (done && done->riders.empty()) answer_run(*done, slice.take_result());
  done.reset();
  if (given_up) given_up->reset();
  lock.lock();
  if (given_up) idle_.push_back(std::move(given_up));
}

void WorkerPool::answer_run(JobScheduler::Run& run, SearchSlice::Result result) {
  ++answered_;
  metrics_.answered(run, result.frame, result.refused, clock_());
  PathTask& task = run.job.task;
  if (result.refused) {
    if (result.refused->kind == protocol::ErrorKind::internal) {
      spdlog::error("event=search_failed conn={} req={} what=\"{}\"", run.job.id.connection, run.job.id.request,
                    protocol::printable(result.refused->message, 200));
    }
    return task.reply.refuse(*result.refused);
  }
  if (task.watch && result.found.searched && watchable(result.frame.path())) {
    return task.watch->begin(std::move(result.found), std::move(result.frame), std::move(task.reply));
  }
  task.reply.answer(std::move(result.frame));
}

void WorkerPool::answer_all(JobScheduler::EndedJobs ended) {
  for (JobScheduler::Ended& job : ended) {
    ++answered_;
    metrics_.ended(job.job, job.why);
    answer(std::move(job));
  }
}

}  // namespace voxpath::server
