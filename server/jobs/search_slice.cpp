#include "server/jobs/search_slice.hpp"

#include "server/jobs/job_answers.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include <fmt/format.h>

namespace voxpath::server {

using protocol::ErrorKind;
using protocol::Failure;

bool SearchSlice::step() {
  try {
    return step_unguarded();
  } catch (const std::exception& fault) {
    if (run_.planner) run_.planner->reset();
    result_ = {};
    result_.refused = Failure{ErrorKind::internal, fmt::format("the search failed: {}", fault.what())};
    return end();
  }
}

bool SearchSlice::end() {
  over_ = true;
  return true;
}

bool SearchSlice::step_unguarded() {
  if (!run_.begun) {
    if (const JobEnd how = run_.stop; how != JobEnd::none) {
      result_.frame = ended_frame(run_.job, how);
      return end();
    }
    return begin();
  }
  JobEnd how = run_.stop;
  if (how == JobEnd::none && clock_() >= run_.job.deadline_us) how = JobEnd::deadline;
  if (how != JobEnd::none || advance()) {
    if (std::holds_alternative<v1::ValidatePath>(run_.job.task.request)) {
      write_verdict(how);
    } else {
      write(how);
    }
    return end();
  }
  return spent_us() >= kSliceUs;
}

bool SearchSlice::advance() {
  if (std::holds_alternative<v1::ValidatePath>(run_.job.task.request)) return run_.planner->advance_check(kStepMoves);
  return run_.planner->advance(kStepExpansions);
}

bool SearchSlice::begin() {
  const PathTask& task = run_.job.task;
  const auto snapshot = task.newest();
  if (const auto* path = std::get_if<v1::ValidatePath>(&task.request)) {
    result_.refused = run_.planner->begin_check(snapshot, *path);
    if (result_.refused) return end();
    run_.begun = true;
    return false;
  }
  const auto& request = std::get<v1::FindPath>(task.request);
  if (cache_.on()) {
    run_.question = question_key(task.world_number, snapshot->version(), request);
    // A watch needs more of a search than its answer.
    if (!task.watch && cache_.find(run_.question, result_.frame.mutable_path())) {
      write_times();
      return end();
    }
  }
  result_.refused = run_.planner->begin(snapshot, request);
  if (result_.refused) return end();
  run_.begun = true;
  return false;
}

void SearchSlice::write_verdict(JobEnd how) {
  v1::PathVerdict& verdict = *result_.frame.mutable_path_verdict();
  run_.planner->end_check(&verdict);
  if (how == JobEnd::deadline) {
    result_.refused = too_late(run_.job, "the whole path was looked at");
  } else if (how != JobEnd::none) {
    verdict.set_status(v1::PathVerdict::CANCELLED);
  }
}

void SearchSlice::write(JobEnd how) {
  if (how != JobEnd::none) {
    run_.planner->stop(how == JobEnd::deadline ? Planner::Stop::deadline : Planner::Stop::cancelled);
  }
  v1::PathAnswer& answer = *result_.frame.mutable_path();
  run_.planner->write(&answer, run_.job.task.watch ? &result_.found : nullptr);
  if (how == JobEnd::superseded) answer.set_reason(v1::PathAnswer::SUPERSEDED);
  if (how == JobEnd::none && cache_.on() && complete(answer)) cache_.put(std::move(run_.question), answer);
  write_times();
}

void SearchSlice::write_times() {
  const std::int64_t searched_us = run_.searched_us + spent_us();
  const std::int64_t queued_us = clock_() - run_.job.arrived_us - searched_us;
  v1::PathTimes& times = *result_.frame.mutable_path()->mutable_times();
  times.set_queued_us(static_cast<std::uint64_t>(std::max<std::int64_t>(0, queued_us)));
  times.set_searched_us(static_cast<std::uint64_t>(searched_us));
}

}  // namespace voxpath::server
