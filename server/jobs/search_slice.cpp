#include "server/jobs/search_slice.hpp"

#include "protocol/limits.hpp"
#include "server/jobs/job_answers.hpp"

#include <algorithm>
#include <exception>
#include <string_view>
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
  const auto* horde = std::get_if<HordeRequest>(&run_.job.task.request);
  if (!run_.begun) {
    if (const JobEnd how = run_.stop; how != JobEnd::none) {
      result_.frame = ended_frame(run_.job, how);
      return end();
    }
    return horde != nullptr ? begin_horde(*horde) : begin();
  }
  if (horde != nullptr) return step_horde();
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
  return run_.planner->advance(step_expansions_);
}

bool SearchSlice::begin() {
  PathTask& task = run_.job.task;
  const auto snapshot = task.newest();
  if (const auto* path = std::get_if<v1::ValidatePath>(&task.request)) {
    result_.refused = run_.planner->begin_check(snapshot, *path);
    if (result_.refused) return end();
    run_.begun = true;
    return false;
  }
  auto& request = std::get<v1::FindPath>(task.request);
  run_.epoch = cache_.epoch();
  if (cache_.on()) {
    const std::string& group = run_.job.group;
    run_.question = question_key(task.world_number, snapshot->version(), group.empty() ? group_key(request) : group,
                                 request.start());
    // A watch needs more of a search than its answer.
    if (!task.watch && cache_.find(run_.question, result_.frame.mutable_path())) {
      *result_.frame.mutable_path()->mutable_times() = times();
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
  expanded_ = answer.expanded();
  if (how == JobEnd::superseded) answer.set_reason(v1::PathAnswer::SUPERSEDED);
  if (how == JobEnd::none && cache_.on() && complete(answer)) cache_.put(std::move(run_.question), answer, run_.epoch);
  *answer.mutable_times() = times();
}

v1::PathTimes SearchSlice::times() const {
  return path_times(clock_() - run_.job.arrived_us, run_.searched_us + spent_us());
}

v1::PathTimes path_times(std::int64_t since_arrival_us, std::int64_t searched_us) {
  v1::PathTimes times;
  times.set_queued_us(static_cast<std::uint64_t>(std::max<std::int64_t>(0, since_arrival_us - searched_us)));
  times.set_searched_us(static_cast<std::uint64_t>(searched_us));
  return times;
}

SearchSlice::Result result_of(JobScheduler::Landed& landed, std::int64_t now_us) {
  SearchSlice::Result result;
  *result.frame.mutable_path() = std::move(landed.answer.answer);
  const JobScheduler::Run& run = *landed.run;
  *result.frame.mutable_path()->mutable_times() = path_times(now_us - run.job.arrived_us, run.searched_us);
  if (run.job.task.watch) result.found = std::move(landed.answer.found);
  return result;
}

bool SearchSlice::begin_horde(const HordeRequest& request) {
  const PathTask& task = run_.job.task;
  const auto snapshot = task.newest();
  run_.asked.clear();
  run_.epoch = cache_.epoch();
  run_.paths.Clear();
  if (run_.riders.empty()) {
    for (int i = 0; i < request.starts.size(); ++i) run_.paths.add_paths();
    const std::size_t most = waypoints_max(static_cast<std::size_t>(request.starts.size()));
    result_.refused = run_.planner->begin_horde(snapshot, request, {.waypoints_max = most, .found = false});
    if (result_.refused) {
      constexpr std::string_view kOfOne = "find_path.";
      if (result_.refused->field.starts_with(kOfOne)) result_.refused->field.insert(kOfOne.size() - 1, "s");
      return end();
    }
  } else {
    HordeRequest asked{request.question, {}};
    for (int i = 0; i < request.starts.size(); ++i) {
      const auto rider = static_cast<std::size_t>(i);
      if (cache_.on() && !request.question.watch()) {
        Planner::HordeAnswer kept{rider, {}, {}};
        const auto key = question_key(task.world_number, snapshot->version(), run_.job.group, request.starts[i]);
        if (cache_.find(key, &kept.answer)) {
          give(std::move(kept));
          if (run_.answer_bytes > protocol::kOutboundPauseBytes) return end();
          continue;
        }
      }
      run_.asked.push_back(rider);
      *asked.starts.Add() = request.starts[i];
    }
    if (run_.asked.empty()) return end();
    const Planner::HordeOptions options{.waypoints_max = protocol::kWaypointsMax, .found = request.question.watch()};
    if (run_.planner->begin_horde(snapshot, asked, options)) return end();  // each is told by a search of its own
    run_.version = snapshot->version();
  }
  run_.begun = true;
  return false;
}

bool SearchSlice::step_horde() {
  JobEnd how = run_.stop;
  if (how == JobEnd::none && clock_() >= run_.job.deadline_us) how = JobEnd::deadline;
  const bool done = how == JobEnd::none && run_.planner->advance_horde(step_expansions_);
  collect();
  if (!run_.riders.empty()) {
    const bool enough = done || run_.planner->one_by_one() || run_.answer_bytes > protocol::kOutboundPauseBytes;
    if (how == JobEnd::none && !enough) return spent_us() >= kSliceUs;
    expanded_ = run_.planner->expanded();
    run_.planner->reset();
    return end();
  }
  if (how == JobEnd::none && !done) return spent_us() >= kSliceUs;
  write_horde(how);
  return end();
}

/// The answers that the planner has, to whom they are for.
void SearchSlice::collect() {
  const PathTask& task = run_.job.task;
  for (Planner::HordeAnswer& came : run_.planner->take_answers()) {
    if (run_.riders.empty()) {
      run_.paths.mutable_paths(static_cast<int>(came.start))->Swap(&came.answer);
      continue;
    }
    came.start = run_.asked[came.start];
    if (cache_.on() && complete(came.answer)) {
      const auto& starts = std::get<HordeRequest>(task.request).starts;
      cache_.put(question_key(task.world_number, run_.version, run_.job.group, starts[static_cast<int>(came.start)]),
                 came.answer, run_.epoch);
    }
    give(std::move(came));
  }
}

void SearchSlice::give(Planner::HordeAnswer answer) {
  run_.answer_bytes += answer.answer.ByteSizeLong();
  answers_.push_back(std::move(answer));
}

void SearchSlice::write_horde(JobEnd how) {
  if (how != JobEnd::none) {
    run_.planner->stop_horde(how == JobEnd::deadline ? Planner::Stop::deadline : Planner::Stop::cancelled);
    collect();
  }
  expanded_ = run_.planner->expanded();
  run_.paths.set_shared(static_cast<std::uint32_t>(run_.planner->shared()));
  run_.planner->reset();
  if (how == JobEnd::superseded) {
    for (v1::PathAnswer& answer : *run_.paths.mutable_paths()) {
      if (answer.status() == v1::PathAnswer::CANCELLED) answer.set_reason(v1::PathAnswer::SUPERSEDED);
    }
  }
  *run_.paths.mutable_times() = times();
  result_.frame.mutable_paths()->Swap(&run_.paths);
}

}  // namespace voxpath::server
