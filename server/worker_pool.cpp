#include "server/worker_pool.hpp"

#include "protocol/limits.hpp"

#include <exception>
#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace voxpath::server {

using protocol::ErrorKind;

namespace {

std::uint64_t microseconds(std::chrono::steady_clock::duration d) {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(d).count());
}

const char* request_name(const Job& job) {
  return std::holds_alternative<v1::ValidatePath>(job.task.request) ? "validate_path" : "find_path";
}

protocol::Failure too_late(const Job& job, std::uint32_t deadline_ms, const char* before_what) {
  return {ErrorKind::deadline_passed, fmt::format("the deadline passed before {}", before_what),
          fmt::format("{}.deadline_ms", request_name(job)), fmt::format("{}", deadline_ms)};
}

/// Whether there is a path that a mob may be walking.
bool watchable(const v1::PathAnswer& answer) {
  return answer.status() == v1::PathAnswer::FOUND || answer.status() == v1::PathAnswer::PARTIAL;
}

}  // namespace

std::int64_t steady_now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

WorkerPool::WorkerPool(unsigned workers, std::size_t jobs_max, const PlannerFactory& make_planner)
    : jobs_max_(jobs_max), queue_(jobs_max) {
  for (unsigned i = 0; i < workers; ++i) planners_.push_back(make_planner());
  for (const auto& planner : planners_) threads_.emplace_back([this, p = planner.get()] { work(*p); });
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_all();
  cancel_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::submit(Job job) {
  JobQueue::Pushed pushed;
  bool ending = false;
  {
    const std::lock_guard lock(mutex_);
    ending = ending_;
    if (!ending) pushed = queue_.push(std::move(job));
  }
  if (ending) return answer_cancelled(job, v1::PathAnswer::NO_REASON);
  if (pushed.superseded) answer_cancelled(*pushed.superseded, v1::PathAnswer::SUPERSEDED);
  if (pushed.refused) {
    ++answered_;
    return pushed.refused->task.reply.refuse({ErrorKind::queue_full, "no more jobs may wait for a worker",
                                              request_name(*pushed.refused), "", fmt::format("{} jobs", jobs_max_),
                                              protocol::kQueueRetryAfterMs});
  }
  wake_.notify_one();
}

bool WorkerPool::cancel(const JobId& id) {
  std::optional<Job> queued;
  {
    const std::lock_guard lock(mutex_);
    if (const auto running = running_.find(id); running != running_.end()) {
      *running->second = true;
      return true;
    }
    queued = queue_.remove(id);
  }
  if (queued) answer_cancelled(*queued, v1::PathAnswer::NO_REASON);
  return queued.has_value();
}

void WorkerPool::cancel_connection(std::uint64_t connection) {
  std::vector<Job> queued;
  {
    const std::lock_guard lock(mutex_);
    queued = queue_.remove_connection(connection);
    for (auto& [id, cancelled] : running_) {
      if (id.connection == connection) *cancelled = true;
    }
  }
  for (Job& job : queued) answer_cancelled(job, v1::PathAnswer::NO_REASON);
}

void WorkerPool::cancel_all() {
  std::vector<Job> queued;
  {
    const std::lock_guard lock(mutex_);
    queued = queue_.remove_all();
    for (auto& [id, cancelled] : running_) *cancelled = true;
  }
  for (Job& job : queued) answer_cancelled(job, v1::PathAnswer::NO_REASON);
}

void WorkerPool::hold(std::uint64_t connection, bool on) {
  {
    const std::lock_guard lock(mutex_);
    queue_.hold(connection, on);
  }
  if (!on) wake_.notify_all();
}

WorkerPool::Counts WorkerPool::counts() const {
  const std::lock_guard lock(mutex_);
  return {queue_.size(), running_.size(), answered_};
}

void WorkerPool::run(std::function<void()> errand) {
  {
    const std::lock_guard lock(mutex_);
    errands_.push_back(std::move(errand));
  }
  wake_.notify_one();
}

void WorkerPool::work(Planner& planner) {
  std::unique_lock lock(mutex_);
  bool errand_first = true;
  while (true) {
    wake_.wait(lock, [this] { return ending_ || queue_.ready() || !errands_.empty(); });
    if (ending_) return;
    if (!errands_.empty() && (errand_first || !queue_.ready())) {
      run_errand(lock);
    } else {
      run_job(lock, planner);
    }
    errand_first = !errand_first;
  }
}

void WorkerPool::run_errand(std::unique_lock<std::mutex>& lock) {
  std::function<void()> errand = std::move(errands_.front());
  errands_.pop_front();
  lock.unlock();
  try {
    errand();
  } catch (const std::exception& fault) {
    spdlog::error("event=errand_failed what=\"{}\"", protocol::printable(fault.what(), 200));
  }
  errand = nullptr;  // what it held may take its time to go
  lock.lock();
}

void WorkerPool::run_job(std::unique_lock<std::mutex>& lock, Planner& planner) {
  std::optional<Job> job = queue_.take();
  Cancelled cancelled = false;
  running_.emplace(job->id, &cancelled);
  lock.unlock();
  // Forgotten before it is answered: as soon as the answer is out, the client may use the id again.
  const JobId id = job->id;
  v1::ServerFrame frame;
  FoundPath found;
  std::optional<protocol::Failure> refused;
  try {
    if (std::holds_alternative<v1::ValidatePath>(job->task.request)) {
      refused = check(planner, *job, cancelled, frame.mutable_path_verdict());
    } else {
      refused = search(planner, *job, cancelled, frame.mutable_path(), job->task.watch ? &found : nullptr);
    }
  } catch (const std::exception& fault) {
    spdlog::error("event=search_failed conn={} req={} what=\"{}\"", id.connection, id.request,
                  protocol::printable(fault.what(), 200));
    refused = protocol::Failure{ErrorKind::internal, fmt::format("the search failed: {}", fault.what())};
  }
  lock.lock();
  running_.erase(id);
  lock.unlock();
  ++answered_;
  if (refused) {
    job->task.reply.refuse(*refused);
  } else if (job->task.watch && found.searched && watchable(frame.path())) {
    job->task.watch->begin(std::move(found), std::move(frame), std::move(job->task.reply));
  } else {
    job->task.reply.answer(std::move(frame));
  }
  job.reset();
  lock.lock();
}

std::optional<protocol::Failure> WorkerPool::search(Planner& planner, const Job& job, const Cancelled& cancelled,
                                                    v1::PathAnswer* answer, FoundPath* found) {
  const auto started = std::chrono::steady_clock::now();
  const auto& request = std::get<v1::FindPath>(job.task.request);
  if (steady_now_ms() >= job.deadline_ms) return too_late(job, request.deadline_ms(), "a worker was free");
  if (auto refused = planner.begin(job.task.newest(), request)) return refused;
  while (!planner.advance(kSliceExpansions)) {
    if (cancelled) {
      planner.stop(Planner::Stop::cancelled);
      break;
    }
    if (steady_now_ms() >= job.deadline_ms) {
      planner.stop(Planner::Stop::deadline);
      break;
    }
  }
  planner.write(answer, found);
  answer->mutable_times()->set_queued_us(microseconds(started - job.task.arrived));
  answer->mutable_times()->set_searched_us(microseconds(std::chrono::steady_clock::now() - started));
  return std::nullopt;
}

std::optional<protocol::Failure> WorkerPool::check(Planner& planner, const Job& job, const Cancelled& cancelled,
                                                   v1::PathVerdict* verdict) {
  const auto& request = std::get<v1::ValidatePath>(job.task.request);
  if (steady_now_ms() >= job.deadline_ms) return too_late(job, request.deadline_ms(), "a worker was free");
  if (auto refused = planner.begin_check(job.task.newest(), request)) return refused;
  bool over = false, late = false;
  while (!over && !late && !cancelled) {
    over = planner.advance_check(kSliceMoves);
    late = !over && steady_now_ms() >= job.deadline_ms;
  }
  planner.end_check(verdict);
  if (late) return too_late(job, request.deadline_ms(), "the whole path was looked at");
  if (!over) verdict->set_status(v1::PathVerdict::CANCELLED);
  return std::nullopt;
}

void WorkerPool::answer_cancelled(Job& job, v1::PathAnswer::Reason reason) {
  ++answered_;
  v1::ServerFrame frame;
  if (std::holds_alternative<v1::ValidatePath>(job.task.request)) {
    frame.mutable_path_verdict()->set_status(v1::PathVerdict::CANCELLED);
  } else {
    frame.mutable_path()->set_status(v1::PathAnswer::CANCELLED);
    frame.mutable_path()->set_reason(reason);
  }
  job.task.reply.answer(std::move(frame));
}

}  // namespace voxpath::server
