// LoadReport: what came of a load test, for people, for programs and as a page with plots.
// Thread-safety: plain values and pure functions.
#pragma once

#include "server/mobs/latency_histogram.hpp"
#include "server/mobs/load_options.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace voxpath::server {

/// One second of a load test.
struct LoadSecond {
  double at = 0;  // its end, since the beginning
  bool warm_up = false;
  std::uint64_t asked = 0, answered = 0, rejected = 0, edits = 0;
  double p50_ms = 0, p99_ms = 0, max_ms = 0;  // of the answers that came in it
  std::uint64_t waiting = 0;                  // mobs that had no path to walk at its end
  std::uint64_t in_flight = 0;
  double server_cores = 0;  // 0: not known
  double server_rss_mib = 0;
  double late_ms = 0;  // how far the tester itself was behind at worst
};

struct LoadReport {
  LoadOptions options;
  std::string server;  // what was tested
  std::uint64_t fingerprint = 0;
  double seconds = 0;        // measured
  bool interrupted = false;  // before its time was over

  std::uint64_t asked = 0, answered = 0, unanswered = 0;
  std::uint64_t found = 0, partial = 0, unreachable = 0, invalid = 0, cancelled = 0;
  std::map<std::string, std::uint64_t> errors;  // by reason
  std::uint64_t rejected = 0;                   // of these: the server had too much to do
  std::uint64_t expansions = 0, waypoints = 0, expansions_most = 0;

  LatencyHistogram latency;           // from when the mob meant to ask until it had the answer
  LatencyHistogram queued, searched;  // by the server's clock
  LatencyHistogram edit_latency;
  std::uint64_t edits = 0, edits_refused = 0;
  std::uint64_t invalidated = 0;  // watched paths

  std::uint64_t mob_ticks = 0, waited_ticks = 0, arrived_ticks = 0;
  std::uint64_t helpless = 0;  // mobs at the end
  std::optional<double> server_cpu_seconds;
  std::uint64_t server_rss_most_bytes = 0;
  double tester_cpu_seconds = 0, late_most_ms = 0;
  std::vector<LoadSecond> timeline;
};

/// Lines.
[[nodiscard]] std::string report_text(const LoadReport& report);
[[nodiscard]] std::string report_json(const LoadReport& report);
[[nodiscard]] std::string report_html(const LoadReport& report);

}  // namespace voxpath::server
