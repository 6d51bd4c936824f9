// What the workloads write: a row of figures for each case, and how samples become one.
// Thread-safety: one thread.
// Invariants: times are processor time of the measuring thread, in µs; what was not measured is left out of the file ("-").
// Usage: Samples samples; { CpuTime t; ...ask...; samples.add(t.us(), answer); } figures.add("W12", "short", samples);
#pragma once

#include "pathfinding/answer.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace voxpath::bench {

/// Runs from its making.
class CpuTime {
 public:
  CpuTime() : from_(now_us()) {}
  [[nodiscard]] double us() const { return now_us() - from_; }

 private:
  static double now_us();
  double from_;
};

/// `share` of the values are not greater: 0.5 is the median. Precondition: there are values.
[[nodiscard]] double percentile(std::vector<double> values, double share);

struct Samples {
  std::vector<double> us;
  std::vector<double> expanded;
  std::vector<double> over_optimum;            // cost over that of an independent reference
  std::map<std::string, std::size_t> answers;  // how many, by status

  void add(double time_us, const pathfinding::Answer& answer);
};

/// The columns that are not about single answers.
struct Extra {
  double build_us_per_chunk = -1;
  double bytes_per_chunk = -1;
  double edit_us = -1;
  double first_pass_ms = -1;   // of all queries, in which what searches share is worked out
  double shared_percent = -1;  // of mobs whose path came from the shared search
  std::string note;
};

class Figures {
 public:
  /// Also shown on standard output.
  void add(const std::string& workload, const std::string& name, const Samples& samples, const Extra& extra = {});
  /// A workload that could not be measured here, and why.
  void leave_out(const std::string& workload, const std::string& reason);
  /// Throws when the file cannot be written.
  void write(const std::string& file) const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace voxpath::bench
