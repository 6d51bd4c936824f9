#include "server/jobs/answer_cache.hpp"

#include <array>
#include <cassert>
#include <cstring>
#include <utility>

namespace voxpath::server {

namespace {

template <class Number>
void append(Number number, std::string& text) {
  std::array<char, sizeof(Number)> bytes;
  std::memcpy(bytes.data(), &number, sizeof(Number));
  text.append(bytes.data(), bytes.size());
}

}  // namespace

std::string question_key(std::uint64_t world_number, std::uint64_t version, std::string_view group,
                         const v1::Place& start) {
  std::string key;
  append(world_number, key);
  append(version, key);
  append(group.size(), key);
  key += group;
  start.AppendToString(&key);
  return key;
}

bool complete(const v1::PathAnswer& answer) {
  return answer.status() != v1::PathAnswer::CANCELLED && answer.reason() != v1::PathAnswer::DEADLINE;
}

bool AnswerCache::find(std::string_view key, v1::PathAnswer* answer) {
  std::string bytes;
  {
    const std::lock_guard lock(mutex_);
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) {
      ++misses_;
      return false;
    }
    ++hits_;
    entries_.splice(entries_.begin(), entries_, found->second);
    bytes = found->second->answer;
  }
  [[maybe_unused]] const bool whole = answer->ParseFromString(bytes);
  assert(whole);
  return true;
}

void AnswerCache::put(std::string key, const v1::PathAnswer& answer, std::uint64_t epoch) {
  assert(complete(answer) && !answer.has_times() && answer.watch() == 0);
  Entry entry{std::move(key), answer.SerializeAsString()};
  if (entry.bytes() > bytes_max_) return;
  const std::lock_guard lock(mutex_);
  if (epoch != epoch_) return;
  if (by_key_.contains(entry.key)) return;  // another worker was as quick
  bytes_ += entry.bytes();
  entries_.push_front(std::move(entry));
  by_key_.emplace(entries_.front().key, entries_.begin());
  while (bytes_ > bytes_max_) {
    bytes_ -= entries_.back().bytes();
    by_key_.erase(entries_.back().key);
    entries_.pop_back();
  }
}

void AnswerCache::forget() {
  const std::lock_guard lock(mutex_);
  ++epoch_;
  by_key_.clear();
  entries_.clear();
  bytes_ = 0;
}

AnswerCache::Counts AnswerCache::counts() const {
  const std::lock_guard lock(mutex_);
  return {hits_, misses_, entries_.size(), bytes_};
}

}  // namespace voxpath::server
