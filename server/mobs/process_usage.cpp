#include "server/mobs/process_usage.hpp"

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

namespace voxpath::server {

std::optional<ProcessUsage> process_usage(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string text;
  if (!std::getline(file, text)) return std::nullopt;
  // The second field is the program's name in brackets, which may hold spaces.
  const std::size_t end_of_name = text.rfind(')');
  if (end_of_name == std::string::npos) return std::nullopt;
  std::istringstream rest(text.substr(end_of_name + 1));
  const std::vector<std::string> fields{std::istream_iterator<std::string>(rest), {}};
  constexpr std::size_t kUser = 11, kSystem = 12, kPages = 21;  // proc(5), counted from the state
  if (fields.size() <= kPages) return std::nullopt;
  const auto per_second = static_cast<double>(sysconf(_SC_CLK_TCK));
  return ProcessUsage{.cpu_seconds = (std::stod(fields[kUser]) + std::stod(fields[kSystem])) / per_second,
                      .rss_bytes = std::stoull(fields[kPages]) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE))};
}

}  // namespace voxpath::server
