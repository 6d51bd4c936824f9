#include "server/metrics/metric_page.hpp"

#include <gtest/gtest.h>

namespace voxpath::server {
namespace {

TEST(MetricPage, WritesFamiliesWithTheirHelp) {
  MetricPage page;
  page.begin("a_total", "Some.", MetricPage::Type::counter);
  page.add({{"kind", "x"}}, 3);
  page.begin("b", "Others.", MetricPage::Type::gauge);
  page.add(1.5);
  EXPECT_EQ(page.text(),
            "# HELP a_total Some.\n# TYPE a_total counter\na_total{kind=\"x\"} 3\n"
            "# HELP b Others.\n# TYPE b gauge\nb 1.5\n");
}

TEST(MetricPage, ValuesOfLabelsCannotForgeLines) {
  MetricPage page;
  page.begin("a", "Some.", MetricPage::Type::gauge);
  page.add({{"world", "x\"} 1\nforged{a=\"\\"}}, 2);
  EXPECT_EQ(page.text(), "# HELP a Some.\n# TYPE a gauge\na{world=\"x\\\"} 1\\nforged{a=\\\"\\\\\"} 2\n");
}

TEST(MetricPage, CountsOfHistogramsAddUp) {
  Histogram histogram;
  histogram.observe_us(-1);  // a clock that was read twice may say so
  histogram.observe_us(100);
  histogram.observe_us(101);
  histogram.observe_us(10'000'000);
  histogram.observe_us(10'000'001);
  EXPECT_EQ(histogram.count(0), 2u);
  EXPECT_EQ(histogram.count(1), 1u);
  EXPECT_EQ(histogram.count(Histogram::kBoundsUs.size() - 1), 1u);
  EXPECT_EQ(histogram.count(Histogram::kBoundsUs.size()), 1u);
  MetricPage page;
  page.begin("h_seconds", "Some.", MetricPage::Type::histogram);
  page.add(histogram);
  const std::string text = page.text();
  EXPECT_NE(text.find("h_seconds_bucket{le=\"0.0001\"} 2\n"), std::string::npos) << text;
  EXPECT_NE(text.find("h_seconds_bucket{le=\"10\"} 4\n"), std::string::npos) << text;
  EXPECT_NE(text.find("h_seconds_bucket{le=\"+Inf\"} 5\n"), std::string::npos) << text;
  EXPECT_NE(text.find("h_seconds_count 5\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace voxpath::server
