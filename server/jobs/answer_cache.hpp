// AnswerCache: answers that were given lately, for the same question to the same version of a world.
// Thread-safety: all members from any thread.
// Invariants: what comes out is what was put in for that key, to the byte, but for what differs with each request
// (PathAnswer.times and watch, which are not kept). Keys and answers together are never larger than `bytes_max`; the one
// not asked for the longest goes first.
// Usage: key = question_key(world, version, group_key(request), request.start()); if (!cache.find(key, &answer)) { search; if (complete(answer))
// cache.put(key, answer); }
#pragma once

#include "protocol/voxpath.pb.h"

#include <atomic>
#include <cstdint>
#include <list>
#include <mutex>
#include <string>
#include <string_view>

#include <boost/unordered/unordered_flat_map.hpp>

namespace voxpath::server {

/// Everything that decides the answer; `group` is group_key() of the request. Equal keys have equal answers; equal
/// questions that are written differently may have different keys.
[[nodiscard]] std::string question_key(std::uint64_t world_number, std::uint64_t version, std::string_view group,
                                       const v1::Place& start);
/// Whether it depends on the question alone, and not on when it was asked or given up.
[[nodiscard]] bool complete(const v1::PathAnswer& answer);

class AnswerCache {
 public:
  struct Counts {
    std::uint64_t hits = 0, misses = 0;
    std::size_t answers = 0, bytes = 0;
  };

  explicit AnswerCache(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  [[nodiscard]] bool find(std::string_view key, v1::PathAnswer* answer);
  /// Precondition: complete(answer). `epoch`: epoch() before the search began; with an older one nothing is kept.
  void put(std::string key, const v1::PathAnswer& answer, std::uint64_t epoch = 0);
  /// The same question has another answer from now on: those that are kept, and those being searched for, go.
  void forget();
  [[nodiscard]] std::uint64_t epoch() const { return epoch_; }
  [[nodiscard]] bool on() const { return bytes_max_ > 0; }
  [[nodiscard]] Counts counts() const;

 private:
  struct Entry {
    std::string key, answer;
    [[nodiscard]] std::size_t bytes() const { return key.size() + answer.size() + kEntryBytes; }
  };
  static constexpr std::size_t kEntryBytes = 160;  // list node, hash slot, the strings themselves
  using Entries = std::list<Entry>;

  const std::size_t bytes_max_;
  mutable std::mutex mutex_;
  // All guarded by mutex_.
  Entries entries_;  // the most recently asked for first
  boost::unordered_flat_map<std::string_view, Entries::iterator> by_key_;
  std::size_t bytes_ = 0;
  std::uint64_t hits_ = 0, misses_ = 0;
  std::atomic<std::uint64_t> epoch_ = 0;  // changed under mutex_
};

}  // namespace voxpath::server
