// Log lines: how the events of the log are written, as key=value or as JSON, and how often the same one is.
// Thread-safety: start_logging() before other threads are there; RepeatLimiter one thread at a time.
// Invariants: a line is one line, whatever is in it: control characters come out as \xNN. With JSON each line is one
// valid object. Lines of one event in one second are written `repeats_max` times; the others are counted, and their
// number is written with the next line of a later second, or the next flush.
// Usage: start_logging({.level = "info", .format = "json"}); spdlog::info("event=connected conn={} peer={}", id, peer);
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace voxpath::server {

struct LogOptions {
  std::string level = "info";
  std::string format = "text";   // or "json"
  std::size_t repeats_max = 20;  // of one event in one second, from level info on; 0: all are written
};
void start_logging(const LogOptions& options);

/// "event=x n=7 why=\"a b\"" as members of a JSON object: "\"event\":\"x\",\"n\":7,\"why\":\"a b\"". What is no key=value
/// comes as "message".
[[nodiscard]] std::string json_members(std::string_view line);
/// Control characters as \xNN.
[[nodiscard]] std::string one_line(std::string_view text);
/// The x of a line "event=x ...".
[[nodiscard]] std::string_view event_of(std::string_view line);

/// Counts the lines of each event in each second.
class RepeatLimiter {
 public:
  struct Sum {
    std::string event;
    std::uint64_t times = 0;
  };

  /// 0: there is no limit.
  explicit RepeatLimiter(std::size_t max_per_second) : max_(max_per_second) {}

  /// Whether this line is written.
  [[nodiscard]] bool admit(std::string_view event, std::int64_t second);
  /// Lines that were not written in seconds before this one, once.
  [[nodiscard]] std::vector<Sum> take_sums(std::int64_t second);

 private:
  void begin(std::int64_t second);

  const std::size_t max_;
  std::int64_t second_ = 0;
  std::map<std::string, std::uint64_t, std::less<>> counts_;  // of events in second_; events are few: code names them
  std::vector<Sum> sums_;                                     // of earlier seconds
};

}  // namespace voxpath::server
