// What a job is answered with that was not searched, or was given up.
// Thread-safety: pure functions; answering is the Reply's matter.
// Invariant: after these the job's Reply owes nothing.
#pragma once

#include "server/jobs/job_scheduler.hpp"

namespace voxpath::server {

/// CANCELLED for the kind of request that it is; a deadline: the error.
[[nodiscard]] protocol::Failure too_late(const Job& job, const char* before_what);
[[nodiscard]] v1::ServerFrame ended_frame(const Job& job, JobEnd how);
void answer(JobScheduler::Ended ended);

}  // namespace voxpath::server
