// MetricPage: numbers by name and labels, written in Prometheus' text format.
// Thread-safety: one thread at a time.
// Usage: MetricPage page; page.begin("voxpath_jobs_total", "Jobs.", MetricPage::Type::counter); page.add({{"kind", "a"}}, 3);
// puts(page.text().c_str());
// Invariants: what is added belongs to the family that was begun last; each name is begun once. Values of labels may be
// any text: they are escaped.
#pragma once

#include "server/metrics/counter.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <prometheus/metric_family.h>

namespace voxpath::server {

class MetricPage {
 public:
  enum class Type { counter, gauge, histogram };
  using Labels = std::vector<std::pair<std::string_view, std::string_view>>;

  void begin(std::string name, std::string help, Type type);
  void add(const Labels& labels, double value);
  void add(double value) { add({}, value); }
  /// In seconds.
  void add(const Histogram& histogram);

  [[nodiscard]] std::string text() const;

 private:
  std::vector<prometheus::MetricFamily> families_;
};

}  // namespace voxpath::server
