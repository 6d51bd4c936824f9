#include "server/metrics/job_metrics.hpp"

#include <algorithm>
#include <variant>

namespace voxpath::server {

using protocol::ErrorKind;

namespace {

constexpr std::size_t kCancelled = 5;
constexpr std::size_t kValid = 6;
constexpr std::size_t kBroken = 7;
constexpr std::size_t kAnswered = 8;
static_assert(JobMetrics::kResults[kCancelled] == "cancelled" && JobMetrics::kResults[kValid] == "valid" &&
              JobMetrics::kResults[kBroken] == "broken" && JobMetrics::kResults[kAnswered] == "answered");
// The first ones are the statuses of a path, in their order.
static_assert(v1::PathAnswer::FOUND == 1 && v1::PathAnswer::CANCELLED == kCancelled + 1);

std::size_t kind_of(const Job& job) {
  if (std::holds_alternative<HordeRequest>(job.task.request)) return 1;
  return std::holds_alternative<v1::ValidatePath>(job.task.request) ? 2 : 0;
}

std::size_t result_of(const v1::ServerFrame& frame) {
  if (frame.has_path()) return std::min<std::size_t>(static_cast<std::size_t>(frame.path().status()) - 1, kCancelled);
  if (frame.has_path_verdict()) {
    switch (frame.path_verdict().status()) {
      case v1::PathVerdict::VALID:
        return kValid;
      case v1::PathVerdict::BROKEN:
        return kBroken;
      default:
        return kCancelled;
    }
  }
  const auto& paths = frame.paths().paths();
  const bool any = std::any_of(paths.begin(), paths.end(),
                               [](const v1::PathAnswer& path) { return path.status() != v1::PathAnswer::CANCELLED; });
  return any ? kAnswered : kCancelled;
}

}  // namespace

void JobMetrics::answered(const JobScheduler::Run& run, const v1::ServerFrame& answer,
                          const std::optional<protocol::Failure>& refused, std::int64_t now_us) {
  waited_.observe_us(now_us - run.job.arrived_us - run.searched_us);
  searched_.observe_us(run.searched_us);
  const std::size_t kind = kind_of(run.job);
  if (refused) return errors_[kind][static_cast<std::size_t>(refused->kind)].add();
  if (answer.has_error()) {
    const protocol::ErrorRow* row = protocol::row_of(answer.error().reason());
    return errors_[kind][static_cast<std::size_t>(row != nullptr ? row->kind : ErrorKind::internal)].add();
  }
  results_[kind][result_of(answer)].add();
}

void JobMetrics::ended(const Job& job, JobScheduler::Ended::Why why) {
  using Why = JobScheduler::Ended::Why;
  const std::size_t kind = kind_of(job);
  const auto error = [&](ErrorKind e) { errors_[kind][static_cast<std::size_t>(e)].add(); };
  switch (why) {
    case Why::cancelled:
    case Why::superseded:
      return results_[kind][kCancelled].add();
    case Why::deadline_passed:
      return error(ErrorKind::deadline_passed);
    case Why::queue_full:
      return error(ErrorKind::queue_full);
    case Why::connection_full:
      return error(ErrorKind::quota_full);
  }
}

}  // namespace voxpath::server
