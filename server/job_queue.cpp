#include "server/job_queue.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace voxpath::server {

JobQueue::Pushed JobQueue::push(Job job) {
  Pushed result;
  if (job.mob != 0) {
    if (const auto older = mobs_.find(mob_of(job)); older != mobs_.end()) result.superseded = remove(older->second);
  }
  if (places_.size() >= jobs_max_) {
    result.refused = std::move(job);
    return result;
  }
  assert(!places_.contains(job.id));
  const Rank rank{job.priority, job.deadline_ms, pushed_++};
  places_.emplace(job.id, rank);
  if (job.mob != 0) mobs_.emplace(mob_of(job), job.id);
  lanes_[job.id.connection].emplace(rank, std::move(job));
  return result;
}

std::optional<Job> JobQueue::take() {
  auto lane = lanes_.upper_bound(last_served_);
  for (std::size_t looked_at = 0; looked_at < lanes_.size(); ++looked_at, ++lane) {
    if (lane == lanes_.end()) lane = lanes_.begin();
    if (held_.contains(lane->first)) continue;
    last_served_ = lane->first;
    return take_from(lane, lane->second.begin());
  }
  return std::nullopt;
}

bool JobQueue::ready() const {
  return std::any_of(lanes_.begin(), lanes_.end(), [&](const auto& lane) { return !held_.contains(lane.first); });
}

void JobQueue::hold(std::uint64_t connection, bool on) {
  if (on) {
    held_.insert(connection);
  } else {
    held_.erase(connection);
  }
}

std::optional<Job> JobQueue::remove(const JobId& id) {
  const auto place = places_.find(id);
  if (place == places_.end()) return std::nullopt;
  const auto lane = lanes_.find(id.connection);
  return take_from(lane, lane->second.find(place->second));
}

std::vector<Job> JobQueue::remove_connection(std::uint64_t connection) {
  std::vector<Job> jobs;
  for (auto lane = lanes_.find(connection); lane != lanes_.end(); lane = lanes_.find(connection)) {
    jobs.push_back(take_from(lane, lane->second.begin()));
  }
  held_.erase(connection);
  return jobs;
}

std::vector<Job> JobQueue::remove_all() {
  std::vector<Job> jobs;
  while (!lanes_.empty()) {
    for (Job& job : remove_connection(lanes_.begin()->first)) jobs.push_back(std::move(job));
  }
  return jobs;
}

Job JobQueue::take_from(std::map<std::uint64_t, Lane>::iterator lane, Lane::iterator job) {
  Job taken = std::move(job->second);
  lane->second.erase(job);
  if (lane->second.empty()) lanes_.erase(lane);
  places_.erase(taken.id);
  if (taken.mob != 0) mobs_.erase(mob_of(taken));
  return taken;
}

}  // namespace voxpath::server
