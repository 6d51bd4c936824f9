// JobMetrics: what became of path jobs, how long they waited and how long they were searched.
// Thread-safety: as Counter; it is counted where a job is answered.
// Invariant: each job that is answered is counted once.
#pragma once

#include "protocol/errors.hpp"
#include "server/jobs/job_scheduler.hpp"
#include "server/metrics/counter.hpp"
#include "server/metrics/door_metrics.hpp"

#include <array>
#include <string_view>

namespace voxpath::server {

class JobMetrics {
 public:
  static constexpr std::array<std::string_view, 3> kKinds{"find_path", "find_paths", "validate_path"};
  /// Of answers; errors are counted by their kind.
  static constexpr std::array<std::string_view, 9> kResults{
      "found", "partial", "unreachable", "start_invalid", "goal_invalid", "cancelled", "valid", "broken", "answered"};

  /// It had a worker. `answer` is looked at where it was not refused.
  void answered(const JobScheduler::Run& run, const v1::ServerFrame& answer,
                const std::optional<protocol::Failure>& refused, std::int64_t now_us);
  /// It had none.
  void ended(const Job& job, JobScheduler::Ended::Why why);

  [[nodiscard]] std::uint64_t count(std::size_t kind, std::size_t result) const {
    return results_[kind][result].value();
  }
  [[nodiscard]] std::uint64_t count(std::size_t kind, protocol::ErrorKind error) const {
    return errors_[kind][static_cast<std::size_t>(error)].value();
  }
  [[nodiscard]] const Histogram& waited() const { return waited_; }
  [[nodiscard]] const Histogram& searched() const { return searched_; }
  /// Nodes that searches have looked at.
  void looked_at(std::uint64_t nodes) { expansions_.add(nodes); }
  [[nodiscard]] std::uint64_t expansions() const { return expansions_.value(); }

 private:
  std::array<std::array<Counter, kResults.size()>, kKinds.size()> results_;
  std::array<std::array<Counter, kErrorKinds>, kKinds.size()> errors_;
  Histogram waited_, searched_;
  Counter expansions_;
};

}  // namespace voxpath::server
