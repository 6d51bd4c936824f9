#include "server/jobs/job_scheduler.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace voxpath::server {

namespace {

constexpr std::size_t kRetryShare = 8;  // who was refused comes again when an eighth of what waits is done
constexpr double kRetryMinMs = 5, kRetryMaxMs = 10'000;
constexpr double kNewJobsWeight = 1.0 / 32;  // in the mean of what a job took

JobScheduler::Ended::Why why_of(JobEnd end) {
  switch (end) {
    case JobEnd::superseded:
      return JobScheduler::Ended::Why::superseded;
    case JobEnd::deadline:
      return JobScheduler::Ended::Why::deadline_passed;
    default:
      return JobScheduler::Ended::Why::cancelled;
  }
}

}  // namespace

JobQueue::Entry JobScheduler::entry_of(const Run& run) {
  const Job& job = run.job;
  return {job.id, job.share.weight, job.priority, job.deadline_us, run.age, run.kind};
}

void JobScheduler::wait(Run& run) {
  run.state = Run::State::waiting;
  queue_.add(entry_of(run));
  if (run.job.deadline_us != kNoDeadline) deadlines_.emplace(run.job.deadline_us, run.job.id);
}

void JobScheduler::stop_waiting(Run& run) {
  [[maybe_unused]] const bool waited = queue_.remove(entry_of(run));
  assert(waited);
  deadlines_.erase({run.job.deadline_us, run.job.id});
}

std::unique_ptr<JobScheduler::Run> JobScheduler::remove(Runs::iterator at) {
  std::unique_ptr<Run> run = std::move(at->second);
  runs_.erase(at);
  if (run->holds_place) --places_held_;
  if (run->job.mob != 0) {
    const auto mob = mobs_.find(mob_of(run->job));
    if (mob != mobs_.end() && mob->second == run->job.id) mobs_.erase(mob);
  }
  return run;
}

/// A search that was begun is ended by a worker, whoever wants it ended: nobody else touches a planner.
void JobScheduler::end(Runs::iterator at, JobEnd how, EndedJobs& ended) {
  Run& run = *at->second;
  if (run.state == Run::State::waiting) {
    stop_waiting(run);
    if (!run.begun) {
      ended.push_back({std::move(remove(at)->job), why_of(how), 0, 0});
      return;
    }
    run.state = Run::State::ending;
    ending_.push_back(&run);
  }
  JobEnd none = JobEnd::none;
  run.stop.compare_exchange_strong(none, how);  // the first reason is the one that is told
}

std::optional<JobScheduler::Ended> JobScheduler::refusal(const Job& job) const {
  std::size_t makes_room = 0;
  if (job.mob != 0) {
    const auto older = mobs_.find(mob_of(job));
    if (older != mobs_.end() && runs_.at(older->second)->state == Run::State::waiting) makes_room = 1;
  }
  const std::size_t own = queue_.size(job.id.connection) - makes_room;
  const std::size_t own_max = job.share.jobs_waiting == 0 ? limits_.waiting_per_connection_max : job.share.jobs_waiting;
  if (own >= own_max) {
    return Ended{{}, Ended::Why::connection_full, wait_ms(own * queue_.connections() / kRetryShare), own_max};
  }
  if (queue_.size() - makes_room >= limits_.waiting_max) {
    return Ended{{}, Ended::Why::queue_full, wait_ms(queue_.size() / kRetryShare), limits_.waiting_max};
  }
  return std::nullopt;
}

JobScheduler::EndedJobs JobScheduler::submit(Job job, std::int64_t now_us) {
  EndedJobs ended;
  expire(now_us, ended);
  assert(!runs_.contains(job.id));
  if (auto refused = refusal(job)) {
    refused->job = std::move(job);
    ended.push_back(std::move(*refused));
    return ended;
  }
  if (job.mob != 0) {
    JobId& newest = mobs_.try_emplace(mob_of(job), job.id).first->second;
    if (const JobId older = std::exchange(newest, job.id); older != job.id) {
      end(runs_.find(older), JobEnd::superseded, ended);
    }
  }
  auto run = std::make_unique<Run>();
  run->job = std::move(job);
  run->age = submitted_++;
  wait(*run);
  runs_.emplace(run->job.id, std::move(run));
  return ended;
}

bool JobScheduler::cancel(const JobId& id, EndedJobs& ended) {
  const auto run = runs_.find(id);
  if (run == runs_.end()) return false;
  end(run, JobEnd::cancelled, ended);
  return true;
}

JobScheduler::EndedJobs JobScheduler::cancel_connection(std::uint64_t connection) {
  EndedJobs ended;
  queue_.hold(connection, false);
  for (auto run = runs_.lower_bound({connection, 0, 0}); run != runs_.end() && run->first.connection == connection;) {
    end(run++, JobEnd::cancelled, ended);
  }
  return ended;
}

JobScheduler::EndedJobs JobScheduler::cancel_all() {
  EndedJobs ended;
  for (auto run = runs_.begin(); run != runs_.end();) end(run++, JobEnd::cancelled, ended);
  return ended;
}

void JobScheduler::expire(std::int64_t now_us, EndedJobs& ended) {
  while (!deadlines_.empty() && deadlines_.begin()->first <= now_us) {
    end(runs_.find(deadlines_.begin()->second), JobEnd::deadline, ended);
  }
}

JobScheduler::Run* JobScheduler::take(std::int64_t now_us, EndedJobs& ended) {
  expire(now_us, ended);
  if (!ending_.empty()) {
    Run* run = ending_.front();
    ending_.pop_front();
    return run;
  }
  const auto entry = queue_.take(places_held_ < places_max());
  if (!entry) return nullptr;
  Run& run = *runs_.at(entry->id);
  deadlines_.erase({run.job.deadline_us, run.job.id});
  run.state = Run::State::running;
  if (run.kind == JobQueue::Kind::set_back) {
    run.holds_place = true;
    ++places_held_;
  }
  return &run;
}

std::unique_ptr<Planner> JobScheduler::give_back(Run& run, std::int64_t spent_us) {
  assert(run.state == Run::State::running);
  run.searched_us += spent_us;
  if (!run.holds_place && places_held_ < places_max()) {
    run.holds_place = true;
    ++places_held_;
  }
  std::unique_ptr<Planner> given_up;
  run.kind = run.holds_place ? JobQueue::Kind::begun : JobQueue::Kind::set_back;
  if (!run.holds_place) {
    given_up = std::move(run.planner);
    run.begun = false;
    ++set_back_count_;
  }
  if (run.stop == JobEnd::none) {
    wait(run);  // before it is settled, so that its connection does not seem to have had nothing to do
  } else {
    run.state = Run::State::ending;
    ending_.push_back(&run);
  }
  queue_.settle(run.job.id.connection, spent_us);
  return given_up;
}

std::unique_ptr<JobScheduler::Run> JobScheduler::finish(Run& run, std::int64_t spent_us) {
  run.searched_us += spent_us;
  if (run.state == Run::State::running) {
    queue_.settle(run.job.id.connection, spent_us);
  } else {
    queue_.charge(run.job.id.connection, spent_us);
  }
  job_us_ += (static_cast<double>(run.searched_us) - job_us_) * kNewJobsWeight;
  return remove(runs_.find(run.job.id));
}

std::uint32_t JobScheduler::wait_ms(std::size_t jobs) const {
  const double ms = static_cast<double>(jobs) * job_us_ / limits_.workers / 1'000;
  return static_cast<std::uint32_t>(std::ceil(std::clamp(ms, kRetryMinMs, kRetryMaxMs)));
}

}  // namespace voxpath::server
