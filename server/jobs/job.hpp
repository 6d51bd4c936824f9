// Job: one path request on its way to an answer, with everything that decides whose turn it is.
// Thread-safety: one owner at a time.
// Invariants: times are microseconds on the owner's clock, from any beginning. A job ends by its Reply being answered.
#pragma once

#include "server/jobs/path_task.hpp"
#include "server/jobs/share.hpp"

#include <compare>
#include <cstdint>
#include <limits>
#include <string>

namespace voxpath::server {

inline constexpr std::int64_t kNoDeadline = std::numeric_limits<std::int64_t>::max();

/// A request's id may be used again as soon as it is answered; its number in the connection is not.
struct JobId {
  std::uint64_t connection = 0;
  std::uint32_t request = 0;
  std::uint64_t number = 0;
  friend auto operator<=>(const JobId&, const JobId&) = default;
};

struct Job {
  JobId id;
  Share share = {};
  std::int32_t priority = 0;  // the higher goes first
  std::int64_t arrived_us = 0;
  std::int64_t deadline_us = kNoDeadline;
  std::string world;
  std::uint64_t mob = 0;  // 0: none
  std::string group;      // group_key(), where it may be searched together with others of its group; else empty
  bool lone = false;      // its client waits for nothing else, and its search may well be short
  PathTask task;
};

/// What ends a job before its search does.
enum class JobEnd : std::uint8_t { none, cancelled, superseded, deadline };

}  // namespace voxpath::server
