// Process usage: processor time and memory of a process on this machine, as the kernel counts them.
// Thread-safety: free functions.
#pragma once

#include <cstdint>
#include <optional>

#include <sys/types.h>

namespace voxpath::server {

struct ProcessUsage {
  double cpu_seconds = 0;  // user and system, of all its threads
  std::uint64_t rss_bytes = 0;
};
/// nullopt: there is no such process, or it cannot be looked at.
[[nodiscard]] std::optional<ProcessUsage> process_usage(pid_t pid);

}  // namespace voxpath::server
