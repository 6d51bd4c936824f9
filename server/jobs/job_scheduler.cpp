#include "server/jobs/job_scheduler.hpp"

#include "protocol/limits.hpp"

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
  if (may_ride(run)) groups_[{run.job.task.world_number, run.job.group}].emplace(run.age, run.job.id);
  if (run.job.deadline_us != kNoDeadline) deadlines_.emplace(run.job.deadline_us, run.job.id);
}

void JobScheduler::stop_waiting(Run& run) {
  [[maybe_unused]] const bool waited = queue_.remove(entry_of(run));
  assert(waited);
  deadlines_.erase({run.job.deadline_us, run.job.id});
  forget_in_group(run);
}

std::unique_ptr<JobScheduler::Run> JobScheduler::remove(Runs::iterator at) {
  std::unique_ptr<Run> run = std::move(at->second);
  runs_.erase(at);
  if (run->horde != nullptr) leave(*run);
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
  if (run.state == Run::State::riding) {
    // The search is not its own: nobody needs to look at a planner.
    deadlines_.erase({run.job.deadline_us, run.job.id});
    ended.push_back({std::move(remove(at)->job), why_of(how), 0, 0});
    return;
  }
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
    const auto frees = [](const Run& run) {
      return run.state == Run::State::waiting || run.state == Run::State::riding;
    };
    if (older != mobs_.end() && frees(*runs_.at(older->second))) makes_room = 1;
  }
  // Riders may have to wait again, and keep their places.
  std::size_t own = queue_.size(job.id.connection);
  std::size_t all = queue_.size();
  for (const auto& [id, horde] : hordes_) {
    for (const auto& [connection, riders] : horde->aboard) {
      all += riders.count;
      if (connection == job.id.connection) own += riders.count;
    }
  }
  own -= makes_room;
  all -= makes_room;
  const std::size_t own_max = job.share.jobs_waiting == 0 ? limits_.waiting_per_connection_max : job.share.jobs_waiting;
  if (own >= own_max) {
    return Ended{{}, Ended::Why::connection_full, wait_ms(own * queue_.connections() / kRetryShare), own_max};
  }
  if (all >= limits_.waiting_max) {
    return Ended{{}, Ended::Why::queue_full, wait_ms(all / kRetryShare), limits_.waiting_max};
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
  const auto horde = entry->id.request == 0 ? hordes_.find(entry->id.number) : hordes_.end();
  Run& run = horde != hordes_.end() ? *horde->second : *runs_.at(entry->id);
  deadlines_.erase({run.job.deadline_us, run.job.id});
  forget_in_group(run);
  if (Run* made = gather(run)) return made;
  run.state = Run::State::running;
  if (run.kind == JobQueue::Kind::set_back) {
    run.holds_place = true;
    ++places_held_;
  }
  return &run;
}

std::unique_ptr<Planner> JobScheduler::give_back(Run& run, std::int64_t spent_us) {
  assert(run.state == Run::State::running);
  const bool room = run.holds_place || places_held_ < places_max();
  if (!run.riders.empty() && (!room || run.aboard.empty())) return std::move(finish(run, spent_us)->planner);
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
  const std::uint64_t served = run.job.id.connection;
  if (!run.riders.empty()) take_turns_with_the_most_served(run);
  if (run.stop == JobEnd::none) {
    wait(run);  // before it is settled, so that its connection does not seem to have had nothing to do
  } else {
    run.state = Run::State::ending;
    ending_.push_back(&run);
  }
  queue_.settle(served, run.riders.empty() ? spent_us : 0);
  return given_up;
}

/// From the second slice on a horde has its turn when that of the connection comes which is ahead the most: so nobody has
/// more time than its share by riding with others.
void JobScheduler::take_turns_with_the_most_served(Run& horde) const {
  const auto most = std::max_element(horde.aboard.begin(), horde.aboard.end(), [this](const auto& a, const auto& b) {
    return queue_.tag(a.first) < queue_.tag(b.first);
  });
  horde.job.id.connection = most->first;
  horde.job.share = most->second.share;
}

std::unique_ptr<JobScheduler::Run> JobScheduler::finish(Run& run, std::int64_t spent_us) {
  run.searched_us += spent_us;
  if (!run.riders.empty()) dissolve(run);
  const std::int64_t own_us = run.riders.empty() ? spent_us : 0;  // the riders have borne it
  if (run.state == Run::State::running) {
    queue_.settle(run.job.id.connection, own_us);
  } else {
    queue_.charge(run.job.id.connection, own_us);
  }
  if (!run.riders.empty()) {
    const auto at = hordes_.find(run.job.id.number);
    std::unique_ptr<Run> horde = std::move(at->second);
    hordes_.erase(at);
    if (horde->holds_place) --places_held_;
    return horde;
  }
  count(run.searched_us);
  return remove(runs_.find(run.job.id));
}

void JobScheduler::count(std::int64_t searched_us) {
  job_us_ += (static_cast<double>(searched_us) - job_us_) * kNewJobsWeight;
}

bool JobScheduler::may_ride(const Run& run) const {
  return limits_.riders_min > 0 && !run.alone && !run.job.group.empty() && run.kind == JobQueue::Kind::quick;
}

void JobScheduler::forget_in_group(const Run& run) {
  if (!may_ride(run)) return;
  const auto group = groups_.find({run.job.task.world_number, run.job.group});
  if (group == groups_.end()) return;
  group->second.erase(run.age);
  if (group->second.empty()) groups_.erase(group);
}

/// Those that may be searched together with the one that was taken, and that one; empty: too few.
std::vector<JobScheduler::Run*> JobScheduler::riders_with(Run& leader) {
  if (!may_ride(leader)) return {};
  const auto group = groups_.find({leader.job.task.world_number, leader.job.group});
  if (group == groups_.end() || group->second.size() + 1 < limits_.riders_min) return {};
  std::vector<Run*> riders{&leader};
  for (const auto& [age, id] : group->second) {
    if (riders.size() == protocol::kStartsMax) break;
    Run& run = *runs_.at(id);
    if (queue_.may_ride(entry_of(run))) riders.push_back(&run);
  }
  return riders.size() < limits_.riders_min ? std::vector<Run*>{} : riders;
}

/// A horde of the one that was taken and all that may ride with it; nullptr: it goes alone.
JobScheduler::Run* JobScheduler::gather(Run& leader) {
  const std::vector<Run*> riders = riders_with(leader);
  if (riders.empty()) return nullptr;
  auto horde = std::make_unique<Run>();
  Job& job = horde->job;
  job.id = {leader.job.id.connection, 0, ++hordes_made_};  // no request has the id 0
  job.share = leader.job.share;
  job.priority = leader.job.priority;
  job.arrived_us = leader.job.arrived_us;
  job.world = leader.job.world;
  job.group = leader.job.group;
  job.task.newest = leader.job.task.newest;
  job.task.world_number = leader.job.task.world_number;
  HordeRequest request{std::get<v1::FindPath>(leader.job.task.request), {}};
  request.question.clear_start();
  request.question.clear_watch();
  horde->age = leader.age;
  horde->alone = true;  // nobody boards it later
  horde->state = Run::State::running;
  for (Run* rider : riders) {
    if (rider->job.task.watch) request.question.set_watch(true);
    *request.starts.Add() = std::get<v1::FindPath>(rider->job.task.request).start();
    board(*rider, *horde);
  }
  job.task.request = std::move(request);
  return hordes_.emplace(job.id.number, std::move(horde)).first->second.get();
}

void JobScheduler::board(Run& rider, Run& horde) {
  if (rider.state == Run::State::waiting && horde.riders.empty()) {  // the leader: it was taken
    queue_.step_up(rider.job.id.connection);
    if (rider.job.deadline_us != kNoDeadline) deadlines_.emplace(rider.job.deadline_us, rider.job.id);
  } else {
    queue_.take_along(entry_of(rider));
    forget_in_group(rider);
  }
  rider.state = Run::State::riding;
  rider.horde = &horde;
  horde.riders.push_back(rider.job.id);
  Run::Aboard& aboard = horde.aboard[rider.job.id.connection];
  ++aboard.count;
  aboard.share = rider.job.share;
}

/// The run is a rider no more. A horde whose last one left by its end is ended, too.
void JobScheduler::leave(Run& rider) {
  Run& horde = *std::exchange(rider.horde, nullptr);
  const std::uint64_t connection = rider.job.id.connection;
  if (--horde.aboard.at(connection).count == 0) horde.aboard.erase(connection);
  queue_.step_down(connection);
  if (!horde.aboard.empty()) return;
  horde.stop = JobEnd::cancelled;
  if (horde.state != Run::State::waiting) return;
  stop_waiting(horde);
  horde.state = Run::State::ending;
  ending_.push_back(&horde);
}

JobScheduler::Shares JobScheduler::shares(const Run& run, std::int64_t spent_us) {
  if (run.riders.empty()) return {{run.job.id.connection, spent_us}};
  std::size_t all = 0;
  for (const auto& [connection, riders] : run.aboard) all += riders.count;
  Shares shares;
  for (const auto& [connection, riders] : run.aboard) {
    shares.emplace_back(connection,
                        spent_us * static_cast<std::int64_t>(riders.count) / static_cast<std::int64_t>(all));
  }
  return shares;
}

std::vector<JobScheduler::Landed> JobScheduler::land(Run& run, std::vector<Planner::HordeAnswer> answers,
                                                     std::int64_t spent_us) {
  std::vector<Landed> landed;
  if (run.riders.empty()) return landed;
  for (const auto& [connection, us] : shares(run, spent_us)) queue_.charge(connection, us);
  const std::int64_t each_us = (run.searched_us + spent_us) / static_cast<std::int64_t>(run.riders.size());
  for (Planner::HordeAnswer& answer : answers) {
    const auto rider = runs_.find(run.riders[answer.start]);
    if (rider == runs_.end() || rider->second->horde != &run) continue;  // it was ended
    deadlines_.erase({rider->second->job.deadline_us, rider->first});
    rider->second->searched_us += each_us;
    count(each_us);
    ++landed_count_;
    landed.push_back({remove(rider), std::move(answer)});
  }
  return landed;
}

/// Who is still aboard waits again, for a search of its own.
void JobScheduler::dissolve(Run& horde) {
  for (const JobId& id : horde.riders) {
    const auto at = runs_.find(id);
    if (at == runs_.end() || at->second->horde != &horde) continue;
    Run& rider = *at->second;
    rider.alone = true;
    wait(rider);  // before it leaves, so that its connection does not seem to have had nothing to do
    leave(rider);
  }
}

std::size_t JobScheduler::running() const {
  const auto waits = [](const auto& horde) { return horde.second->state == Run::State::waiting; };
  return runs_.size() + static_cast<std::size_t>(std::count_if(hordes_.begin(), hordes_.end(), waits)) - queue_.size();
}

std::uint32_t JobScheduler::wait_ms(std::size_t jobs) const {
  const double ms = static_cast<double>(jobs) * job_us_ / limits_.workers / 1'000;
  return static_cast<std::uint32_t>(std::ceil(std::clamp(ms, kRetryMinMs, kRetryMaxMs)));
}

}  // namespace voxpath::server
