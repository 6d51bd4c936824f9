#include "server/jobs/job_queue.hpp"

#include <algorithm>
#include <cassert>

namespace voxpath::server {

void JobQueue::add(const Entry& entry) {
  assert(entry.weight >= 1 && entry.weight <= kShareWeightMax);
  const auto [lane, is_new] = lanes_.try_emplace(entry.id.connection);
  if (is_new) forget_idle_but(lane->first);
  Lane& l = lane->second;
  l.weight = entry.weight;
  // One that had nothing waiting saves up no time by it, not even while a worker was at its only job: or it would have all
  // workers to itself later, for the share that it could not use.
  if (l.waiting() == 0) l.tag = std::max(l.tag, now_);
  l.held = held_.contains(lane->first);
  [[maybe_unused]] const bool added = l.jobs(entry.kind).emplace(rank_of(entry), entry).second;
  assert(added);
  ++size_;
  if (l.ready()) order_.emplace(l.tag, lane->first);
}

void JobQueue::hold(std::uint64_t connection, bool on) {
  if (on) {
    held_.insert(connection);
  } else {
    held_.erase(connection);
  }
  const auto lane = lanes_.find(connection);
  if (lane == lanes_.end() || lane->second.held == on) return;
  const std::int64_t tag = lane->second.tag;
  order_.erase({tag, connection});
  lane->second.held = on;
  move_to(lane, on ? tag : std::max(tag, now_));
}

JobQueue::Jobs* JobQueue::choose(Lane& lane, bool set_back) {
  Jobs* longer = lane.begun.empty() ? nullptr : &lane.begun;
  if (lane.held) return longer;
  if (set_back && !lane.set_back.empty() &&
      (longer == nullptr || lane.set_back.begin()->first < longer->begin()->first)) {
    longer = &lane.set_back;
  }
  if (lane.quick.empty()) return longer;
  if (longer == nullptr) return &lane.quick;
  const std::int32_t quick_priority = lane.quick.begin()->second.priority;
  const std::int32_t long_priority = longer->begin()->second.priority;
  if (quick_priority != long_priority) return quick_priority > long_priority ? &lane.quick : longer;
  return lane.quick_in_a_row < kQuickInARow ? &lane.quick : longer;
}

std::optional<JobQueue::Entry> JobQueue::take(bool set_back) {
  for (const auto& [tag, connection] : order_) {
    const auto lane = lanes_.find(connection);
    Lane& l = lane->second;
    Jobs* jobs = choose(l, set_back);
    if (jobs == nullptr) continue;
    const Entry entry = jobs->begin()->second;
    l.quick_in_a_row = entry.kind == Kind::quick ? l.quick_in_a_row + 1 : 0;
    now_ = std::max(now_, l.tag);
    ++l.taken;
    ++taken_;
    jobs->erase(jobs->begin());
    --size_;
    // Charged in advance, or several workers at once would all serve the same connection.
    move_to(lane, l.tag + virtual_time(l, kSliceUs));
    return entry;
  }
  return std::nullopt;
}

bool JobQueue::may_ride(const Entry& entry) const {
  const Lane& lane = lanes_.at(entry.id.connection);
  return !lane.held && lane.tag - now_ <= virtual_time(lane, kRideAheadUs);
}

void JobQueue::take_along(const Entry& entry) {
  step_up(entry.id.connection);  // before it is removed, or the lane might be forgotten
  [[maybe_unused]] const bool waited = remove(entry);
  assert(waited);
}

void JobQueue::step_up(std::uint64_t connection) {
  ++lanes_.at(connection).taken;
  ++taken_;
}

void JobQueue::step_down(std::uint64_t connection) {
  const auto lane = lanes_.find(connection);
  assert(lane != lanes_.end() && lane->second.taken > 0);
  --lane->second.taken;
  --taken_;
  forget_if_idle(lane);
}

void JobQueue::settle(std::uint64_t connection, std::int64_t spent_us) {
  const auto lane = lanes_.find(connection);
  assert(lane != lanes_.end() && lane->second.taken > 0);
  --lane->second.taken;
  --taken_;
  move_to(lane, lane->second.tag + virtual_time(lane->second, spent_us - kSliceUs));
  forget_if_idle(lane);
}

void JobQueue::charge(std::uint64_t connection, std::int64_t spent_us) {
  const auto lane = lanes_.find(connection);
  if (lane != lanes_.end()) move_to(lane, lane->second.tag + virtual_time(lane->second, spent_us));
}

bool JobQueue::remove(const Entry& entry) {
  const auto lane = lanes_.find(entry.id.connection);
  if (lane == lanes_.end() || lane->second.jobs(entry.kind).erase(rank_of(entry)) == 0) return false;
  --size_;
  move_to(lane, lane->second.tag);
  forget_if_idle(lane);
  return true;
}

std::size_t JobQueue::size(std::uint64_t connection) const {
  const auto lane = lanes_.find(connection);
  return lane == lanes_.end() ? 0 : lane->second.waiting();
}

/// Gives the lane its place in the order; none where nothing in it is ready.
void JobQueue::move_to(Lanes::iterator lane, std::int64_t tag) {
  order_.erase({lane->second.tag, lane->first});
  lane->second.tag = tag;
  if (lane->second.ready()) order_.emplace(tag, lane->first);
}

/// Connections that went while they were ahead leave lanes behind; virtual time has caught up with most of them.
void JobQueue::forget_idle_but(std::uint64_t connection) {
  if (lanes_.size() < kLanesKept + 2 * order_.size()) return;
  std::erase_if(lanes_, [&](const auto& lane) {
    return lane.first != connection && lane.second.idle() && lane.second.tag <= now_;
  });
}

/// A lane without jobs is kept while it is ahead of the others, or its connection would gain by pausing.
void JobQueue::forget_if_idle(Lanes::iterator lane) {
  if (size_ == 0 && taken_ == 0) {  // nobody is ahead of anybody
    lanes_.clear();
    now_ = 0;
    return;
  }
  if (lane->second.idle() && lane->second.tag <= now_) lanes_.erase(lane);
}

}  // namespace voxpath::server
