#include "server/saving/save_queue.hpp"

#include <utility>

namespace voxpath::server {

SaveQueue::SaveQueue(Durability durability, std::int64_t interval_us, Snapshot stored)
    : durability_(durability),
      interval_us_(interval_us),
      newest_(stored),
      accepted_(stored),
      stored_version_(stored->version()) {}

std::optional<SaveQueue::Answered> SaveQueue::add(const world::Commit& commit, Snapshot now, Reply reply,
                                                  std::int64_t now_us) {
  // A request without changes is answered with a version that may be on disk already.
  if (commit.version <= stored_version_) return Answered{std::move(reply), commit.version};
  newest_ = std::move(now);
  const bool room = ahead_.size() + ahead_in_batch_.size() + commit.touched.size() <= kAheadMaxSections;
  if (durability_ == Durability::async && !failing_ && waiting_.empty() && room) {
    ahead_.insert(commit.touched.begin(), commit.touched.end());
    accepted_ = newest_;
    if (!due_us_) due_us_ = now_us + interval_us_;
    return Answered{std::move(reply), commit.version};
  }
  sections_of_waiting_ += commit.touched.size();
  waiting_.push_back({commit.version, commit.touched, std::move(reply)});
  due_us_ = now_us;
  return std::nullopt;
}

std::optional<std::int64_t> SaveQueue::due_us() const { return writing_ ? std::nullopt : due_us_; }

SaveQueue::Batch SaveQueue::begin() {
  Batch batch{newest_, {ahead_.begin(), ahead_.end()}, waiting_.empty()};
  ahead_in_batch_ = batch.touched;
  ahead_.clear();
  if (failing_ && !ahead_in_batch_.empty()) {
    batch.snapshot = accepted_;
    batch.promised = true;
  } else {
    for (const Waiting& edit : waiting_)
      batch.touched.insert(batch.touched.end(), edit.touched.begin(), edit.touched.end());
  }
  batch_ = batch.snapshot;
  due_us_.reset();
  writing_ = true;
  return batch;
}

std::vector<SaveQueue::Answered> SaveQueue::done(bool beyond_limit) {
  stored_version_ = batch_->version();
  if (accepted_->version() < stored_version_) accepted_ = batch_;
  batch_.reset();
  ahead_in_batch_.clear();
  writing_ = false;
  failing_ = beyond_limit;
  std::vector<Answered> answered;
  while (!waiting_.empty() && waiting_.front().version <= stored_version_) {
    sections_of_waiting_ -= waiting_.front().touched.size();
    answered.push_back({std::move(waiting_.front().reply), waiting_.front().version});
    waiting_.pop_front();
  }
  if (!waiting_.empty()) due_us_ = 0;
  return answered;
}

SaveQueue::Refused SaveQueue::failed(std::int64_t now_us) {
  Refused refused{{}, accepted_, {}};
  for (Waiting& edit : waiting_) {
    refused.replies.push_back(std::move(edit.reply));
    refused.touched.insert(refused.touched.end(), edit.touched.begin(), edit.touched.end());
  }
  waiting_.clear();
  sections_of_waiting_ = 0;
  ahead_.insert(ahead_in_batch_.begin(), ahead_in_batch_.end());
  ahead_in_batch_.clear();
  batch_.reset();
  failing_ = true;
  due_us_.reset();
  if (accepted_->version() != stored_version_) due_us_ = now_us + kSaveRetryUs;
  return refused;
}

void SaveQueue::put_back(Snapshot now) {
  newest_ = accepted_ = std::move(now);
  writing_ = false;
}

}  // namespace voxpath::server
