// SearchSlice: a worker's turn at one job: it begins the search or goes on with it, until it is over or its time is up.
// Thread-safety: one thread at a time; it has no clock but the one that it is given. Lifetime: run, cache and clock
// outlive it.
// Invariants: cancellation, deadline and the end of the slice are looked at after every step: kStepExpansions, where nothing else is said, or kStepMoves.
// An answer from the cache is the one that the search would give. A horde with riders is over as soon as those who are
// left are better searched for one by one, or those who are served have got about as much as may wait for one client:
// the others' turns come when it has read.
// Usage: SearchSlice slice(run, cache, clock); while (!slice.step()) {} slice.over() ? use slice.result() : more later
#pragma once

#include "server/jobs/answer_cache.hpp"
#include "server/jobs/job_scheduler.hpp"
#include "server/planner.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace voxpath::server {

inline constexpr std::uint32_t kStepExpansions = 500;  // some hundredths of a millisecond, once the moves are known

inline constexpr std::uint32_t kStepMoves = 25;  // of a path to validate

/// Microseconds from any beginning.
using Clock = std::function<std::int64_t()>;

[[nodiscard]] v1::PathTimes path_times(std::int64_t since_arrival_us, std::int64_t searched_us);

class SearchSlice {
 public:
  struct Result {
    v1::ServerFrame frame;
    std::optional<protocol::Failure> refused;  // in place of the frame
    FoundPath found;                           // where the job has a watch, and there is a path
  };

  /// Precondition: the run has a planner, unless it is to be stopped before it has begun.
  SearchSlice(JobScheduler::Run& run, AnswerCache& cache, const Clock& clock,
              std::uint32_t step_expansions = kStepExpansions)
      : run_(run), cache_(cache), clock_(clock), step_expansions_(step_expansions), started_us_(clock()) {}

  /// Works on a little; whether the turn is over.
  bool step();
  /// Whether the job is over, too.
  [[nodiscard]] bool over() const { return over_; }
  [[nodiscard]] std::int64_t spent_us() const { return clock_() - started_us_; }
  /// Precondition: over(). Exceptions of the planner have become a refusal. Of a horde with riders there is none.
  [[nodiscard]] Result take_result() { return std::move(result_); }
  /// Nodes that the searches looked at that are over.
  [[nodiscard]] std::uint64_t expanded() const { return expanded_; }
  /// Answers for riders of the run that came in this turn, by their places among the riders.
  [[nodiscard]] std::vector<Planner::HordeAnswer> take_answers() { return std::move(answers_); }

 private:
  bool step_unguarded();
  bool begin();
  [[nodiscard]] bool advance();
  bool end();
  void write(JobEnd how);
  void write_verdict(JobEnd how);
  [[nodiscard]] v1::PathTimes times() const;

  // Of a horde.
  bool step_horde();
  bool begin_horde(const HordeRequest& request);
  void collect();
  void give(Planner::HordeAnswer answer);
  void write_horde(JobEnd how);

  JobScheduler::Run& run_;
  AnswerCache& cache_;
  const Clock& clock_;
  const std::uint32_t step_expansions_;
  const std::int64_t started_us_;
  bool over_ = false;
  std::uint64_t expanded_ = 0;
  Result result_;
  std::vector<Planner::HordeAnswer> answers_;
};

/// What a rider that has landed is answered; its answer is moved from.
[[nodiscard]] SearchSlice::Result result_of(JobScheduler::Landed& landed, std::int64_t now_us);

}  // namespace voxpath::server
