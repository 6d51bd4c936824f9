#include "server/metrics/metric_page.hpp"

#include <prometheus/text_serializer.h>

namespace voxpath::server {

namespace {

prometheus::MetricType type_of(MetricPage::Type type) {
  switch (type) {
    case MetricPage::Type::counter:
      return prometheus::MetricType::Counter;
    case MetricPage::Type::gauge:
      return prometheus::MetricType::Gauge;
    case MetricPage::Type::histogram:
      break;
  }
  return prometheus::MetricType::Histogram;
}

constexpr double kUsPerSecond = 1e6;

}  // namespace

void MetricPage::begin(std::string name, std::string help, Type type) {
  families_.push_back({std::move(name), std::move(help), type_of(type), {}});
}

void MetricPage::add(const Labels& labels, double value) {
  prometheus::ClientMetric& metric = families_.back().metric.emplace_back();
  for (const auto& [name, text] : labels) metric.label.push_back({std::string(name), std::string(text)});
  if (families_.back().type == prometheus::MetricType::Counter) {
    metric.counter.value = value;
  } else {
    metric.gauge.value = value;
  }
}

void MetricPage::add(const Histogram& histogram) {
  prometheus::ClientMetric::Histogram& out = families_.back().metric.emplace_back().histogram;
  for (std::size_t i = 0; i < Histogram::kBoundsUs.size(); ++i) {
    out.sample_count += histogram.count(i);
    out.bucket.push_back({out.sample_count, static_cast<double>(Histogram::kBoundsUs[i]) / kUsPerSecond});
  }
  out.sample_count += histogram.count(Histogram::kBoundsUs.size());
  out.sample_sum = static_cast<double>(histogram.sum_us()) / kUsPerSecond;
}

std::string MetricPage::text() const { return prometheus::TextSerializer().Serialize(families_); }

}  // namespace voxpath::server
