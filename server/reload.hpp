// Reload: what a new configuration changes in a server that runs, and what it cannot.
// Thread-safety: pure functions.
// Usage: const ReloadReport report = compare(running, fresh); then the server takes over what report.changed names.
#pragma once

#include "server/config.hpp"

#include <string>
#include <vector>

namespace voxpath::server {

struct ReloadReport {
  std::vector<std::string> changed;        // keys whose new values hold from now on
  std::vector<std::string> needs_restart;  // keys whose new values are read at the next start
};

[[nodiscard]] ReloadReport compare(const Config& running, const Config& fresh);
/// Takes over what can be, and leaves the rest as it is.
void take_over(const Config& fresh, Config& running);

}  // namespace voxpath::server
