#include "tests/bench/workloads/figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <numeric>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace voxpath::bench {

namespace {

constexpr std::array kColumns{"workload",        "case",
                              "queries",         "median_us",
                              "p99_us",          "queries_per_s",
                              "expanded",        "ns_per_expansion",
                              "over_optimum",    "build_us_per_chunk",
                              "bytes_per_chunk", "edit_us",
                              "first_pass_ms",   "shared_percent",
                              "answers",         "note"};

constexpr std::size_t kAnswers = kColumns.size() - 2;

std::string number(double value) { return value < 0 ? "-" : fmt::format("{:.3f}", value); }

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

std::string answers_text(const std::map<std::string, std::size_t>& answers) {
  std::vector<std::string> parts;
  parts.reserve(answers.size());
  for (const auto& [status, count] : answers) parts.push_back(fmt::format("{} {}", status, count));
  return parts.empty() ? "-" : fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

double CpuTime::now_us() {
  std::timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_nsec) / 1e3;
}

double percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
  return values[std::clamp<std::size_t>(rank, 1, values.size()) - 1];
}

void Samples::add(double time_us, const pathfinding::Answer& answer) {
  us.push_back(time_us);
  expanded.push_back(answer.statistics.expanded);
  std::string status(name(answer.status));
  if (answer.status == pathfinding::AnswerStatus::partial) status += fmt::format(" ({})", name(answer.reason));
  ++answers[status];
}

void Figures::add(const std::string& workload, const std::string& name, const Samples& samples, const Extra& extra) {
  const bool any = !samples.us.empty();
  const double expanded = sum(samples.expanded);
  const double over =
      samples.over_optimum.empty() ? -1 : sum(samples.over_optimum) / static_cast<double>(samples.over_optimum.size());
  rows_.push_back({workload, name, std::to_string(samples.us.size()), number(any ? percentile(samples.us, 0.5) : -1),
                   number(any ? percentile(samples.us, 0.99) : -1),
                   number(any ? static_cast<double>(samples.us.size()) / sum(samples.us) * 1e6 : -1),
                   number(samples.expanded.empty() ? -1 : percentile(samples.expanded, 0.5)),
                   number(expanded > 0 ? sum(samples.us) * 1e3 / expanded : -1), number(over),
                   number(extra.build_us_per_chunk), number(extra.bytes_per_chunk), number(extra.edit_us),
                   number(extra.first_pass_ms), number(extra.shared_percent), answers_text(samples.answers),
                   extra.note.empty() ? "-" : extra.note});
  const auto& row = rows_.back();
  fmt::print("{:<4} {:<42} {:>6} queries  median {:>12} µs  p99 {:>12} µs  {}{}\n", row[0], row[1], row[2], row[3],
             row[4], row[kAnswers], extra.note.empty() ? "" : "  " + extra.note);
  std::fflush(stdout);
}

void Figures::leave_out(const std::string& workload, const std::string& reason) {
  add(workload, "left out", {}, {.note = reason});
}

void Figures::write(const std::string& file) const {
  std::ofstream out(file);
  out << fmt::format("{}\n", fmt::join(kColumns, "\t"));
  for (const auto& row : rows_) out << fmt::format("{}\n", fmt::join(row, "\t"));
  if (!out.flush()) throw std::runtime_error("cannot write " + file);
}

}  // namespace voxpath::bench
