#include "server/jobs/job_answers.hpp"

#include <utility>

#include <fmt/format.h>

namespace voxpath::server {

using protocol::ErrorKind;
using protocol::Failure;

namespace {

const char* request_name(const Job& job) {
  if (std::holds_alternative<HordeRequest>(job.task.request)) return "find_paths";
  return std::holds_alternative<v1::ValidatePath>(job.task.request) ? "validate_path" : "find_path";
}

std::uint32_t deadline_ms_of(const v1::FindPath& request) { return request.deadline_ms(); }
std::uint32_t deadline_ms_of(const v1::ValidatePath& request) { return request.deadline_ms(); }
std::uint32_t deadline_ms_of(const HordeRequest& request) { return request.question.deadline_ms(); }

void write_ended(JobEnd how, v1::PathAnswer* answer) {
  answer->set_status(v1::PathAnswer::CANCELLED);
  if (how == JobEnd::superseded) answer->set_reason(v1::PathAnswer::SUPERSEDED);
}

}  // namespace

Failure too_late(const Job& job, const char* before_what) {
  const std::uint32_t deadline_ms = std::visit([](const auto& r) { return deadline_ms_of(r); }, job.task.request);
  return {ErrorKind::deadline_passed, fmt::format("the deadline passed before {}", before_what),
          fmt::format("{}.deadline_ms", request_name(job)), fmt::format("{}", deadline_ms)};
}

v1::ServerFrame ended_frame(const Job& job, JobEnd how) {
  v1::ServerFrame frame;
  if (how == JobEnd::deadline) {
    protocol::write_error(too_late(job, "a worker was free"), frame.mutable_error());
  } else if (std::holds_alternative<v1::ValidatePath>(job.task.request)) {
    frame.mutable_path_verdict()->set_status(v1::PathVerdict::CANCELLED);
  } else if (const auto* horde = std::get_if<HordeRequest>(&job.task.request)) {
    for (int i = 0; i < horde->starts.size(); ++i) write_ended(how, frame.mutable_paths()->add_paths());
  } else {
    write_ended(how, frame.mutable_path());
  }
  return frame;
}

void answer(JobScheduler::Ended ended) {
  using Why = JobScheduler::Ended::Why;
  Job& job = ended.job;
  switch (ended.why) {
    case Why::cancelled:
      return job.task.reply.answer(ended_frame(job, JobEnd::cancelled));
    case Why::superseded:
      return job.task.reply.answer(ended_frame(job, JobEnd::superseded));
    case Why::deadline_passed:
      return job.task.reply.answer(ended_frame(job, JobEnd::deadline));
    case Why::queue_full:
      return job.task.reply.refuse({ErrorKind::queue_full, "no more jobs may wait for a worker", request_name(job), "",
                                    fmt::format("{} jobs", ended.limit), ended.retry_after_ms});
    case Why::connection_full:
      return job.task.reply.refuse({ErrorKind::quota_full, "no more jobs of this connection may wait for a worker",
                                    request_name(job), "", fmt::format("{} jobs", ended.limit), ended.retry_after_ms});
  }
}

}  // namespace voxpath::server
