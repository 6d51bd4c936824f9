// SearchSlice: a worker's turn at one job: it begins the search or goes on with it, until it is over or its time is up.
// Thread-safety: one thread at a time; it has no clock but the one that it is given. Lifetime: run, cache and clock
// outlive it.
// Invariants: cancellation, deadline and the end of the slice are looked at after every kStepExpansions or kStepMoves.
// An answer from the cache is the one that the search would give.
// Usage: SearchSlice slice(run, cache, clock); while (!slice.step()) {} slice.over() ? use slice.result() : more later
#pragma once

#include "server/jobs/answer_cache.hpp"
#include "server/jobs/job_scheduler.hpp"
#include "server/planner.hpp"

#include <functional>
#include <optional>
#include <string>

namespace voxpath::server {

inline constexpr std::uint32_t kStepExpansions = 500;  // some hundredths of a millisecond, once the moves are known

inline constexpr std::uint32_t kStepMoves = 25;  // of a path to validate

/// Microseconds from any beginning.
using Clock = std::function<std::int64_t()>;

class SearchSlice {
 public:
  struct Result {
    v1::ServerFrame frame;
    std::optional<protocol::Failure> refused;  // in place of the frame
    FoundPath found;                           // where the job has a watch, and there is a path
  };

  /// Precondition: the run has a planner, unless it is to be stopped before it has begun.
  SearchSlice(JobScheduler::Run& run, AnswerCache& cache, const Clock& clock)
      : run_(run), cache_(cache), clock_(clock), started_us_(clock()) {}

  /// Works on a little; whether the turn is over.
  bool step();
  /// Whether the job is over, too.
  [[nodiscard]] bool over() const { return over_; }
  [[nodiscard]] std::int64_t spent_us() const { return clock_() - started_us_; }
  /// Precondition: over(). Exceptions of the planner have become a refusal.
  [[nodiscard]] Result take_result() { return std::move(result_); }

 private:
  bool step_unguarded();
  bool begin();
  [[nodiscard]] bool advance();
  bool end();
  void write(JobEnd how);
  void write_verdict(JobEnd how);
  void write_times();

  JobScheduler::Run& run_;
  AnswerCache& cache_;
  const Clock& clock_;
  const std::int64_t started_us_;
  bool over_ = false;
  Result result_;
};

}  // namespace voxpath::server
