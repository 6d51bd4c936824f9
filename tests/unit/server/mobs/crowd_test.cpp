// What a load test is made of, without a server: options, routes of players, the picture, the report.
#include "server/mobs/crowd_drawing.hpp"
#include "server/mobs/load_report.hpp"
#include "server/mobs/process_usage.hpp"
#include "server/plot/svg_plot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace voxpath::server {
namespace {

using mob::Point;
using testing::HasSubstr;
using testing::Not;

TEST(LoadOptions, NameOptionValueAndLimit) {
  EXPECT_TRUE(check({}));
  LoadOptions many;
  many.mobs = kLoadMobsMax + 1;
  EXPECT_EQ(check(many).error().message, "--mobs = 100001: 1 to 100000 is allowed");
  LoadOptions narrow;
  narrow.area = {0, 0, 6, 50};
  EXPECT_THAT(check(narrow).error().message, HasSubstr("--area's width = 7: 8 to 8192"));
  LoadOptions nan;
  nan.seconds = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(check(nan));
  LoadOptions watched;
  watched.mobs = 10'000;
  watched.watch = true;
  EXPECT_THAT(check(watched).error().message, HasSubstr("--watch"));
}

TEST(WalkedRoute, GoesRoundAndRound) {
  const WalkedRoute route({{0, 0, 0}, {10, 0, 0}, {10, 0, 10}, {0, 0, 0}});
  EXPECT_EQ(route.at(0), (Point{0, 0, 0}));
  EXPECT_EQ(route.at(15), (Point{10, 0, 5}));
  EXPECT_NEAR(mob::distance(route.at(route.length() + 4), {4, 0, 0}), 0, 1e-9);
  EXPECT_EQ(WalkedRoute({{1, 2, 3}}).at(5), (Point{1, 2, 3}));
}

TEST(CrowdDrawing, ShowsPlayersOverMobsOverTheGround) {
  CrowdDrawing drawing({0, 0, 7, 7}, 8, 8);
  std::vector<std::optional<Point>> heights(64);
  for (std::size_t i = 0; i < 64; ++i) heights[i] = Point{0, static_cast<double>(i / 16), 0};
  heights[63] = std::nullopt;
  drawing.shade(heights);
  const std::vector<Point> mobs{{1.5, 0, 0.5}, {2.2, 0, 0.5}, {2.8, 0, 0.1}, {5.5, 0, 5.5}, {99, 0, 99}};
  EXPECT_EQ(drawing.frame(mobs, {{5.1, 0, 5.2}}),
            " z2     \n"
            "        \n"
            "........\n"
            "........\n"
            "::::::::\n"
            ":::::P::\n"
            "--------\n"
            "-------?\n");
}

TEST(CrowdDrawing, FitsWhateverTheArea) {
  const CrowdDrawing drawing({-1000, -10, 1000, 10}, 100, 30);
  const std::string frame = drawing.frame({{-1000, 0, -10}, {1000.9, 0, 10.9}}, {});
  EXPECT_LE(frame.find('\n'), 100u);
  EXPECT_EQ(frame.front(), 'z');
  EXPECT_EQ(frame[frame.size() - 2], 'z');
  EXPECT_EQ(drawing.middles().size(),
            frame.size() - static_cast<std::size_t>(std::count(frame.begin(), frame.end(), '\n')));
}

TEST(ProcessUsage, KnowsThisProcessAndNoneThatIsNot) {
  const auto own = process_usage(getpid());
  ASSERT_TRUE(own);
  EXPECT_GT(own->rss_bytes, 1'000'000u);
  EXPECT_FALSE(process_usage(-5));
}

LoadReport report() {
  LoadReport r;
  r.server = "voxpathd at <here>";
  r.seconds = 10;
  r.asked = r.answered = 1000;
  r.found = 990;
  r.errors["queue_full"] = r.rejected = 10;
  for (std::uint64_t i = 1; i <= 1000; ++i) r.latency.record(i * 100);
  r.timeline.push_back({.at = 1, .asked = 100, .answered = 100, .p50_ms = 1, .p99_ms = 2, .max_ms = 3});
  r.timeline.push_back({.at = 2, .asked = 100, .answered = 99, .p50_ms = 1, .p99_ms = 2, .max_ms = 3});
  return r;
}

TEST(LoadReport, SaysWhatCameOfIt) {
  const std::string text = report_text(report());
  EXPECT_THAT(text, HasSubstr("1000 answered (100/s)"));
  EXPECT_THAT(text, HasSubstr("error queue_full: 10"));
  EXPECT_THAT(text, HasSubstr("rejected 10"));
  const std::string json = report_json(report());
  EXPECT_THAT(json, HasSubstr(R"("errors":{"queue_full":10})"));
  EXPECT_THAT(json, HasSubstr(R"("server_cpu_seconds":null)"));
  EXPECT_EQ(std::count(json.begin(), json.end(), '{'), std::count(json.begin(), json.end(), '}'));
}

TEST(LoadReport, ThePageNeedsNothingFromElsewhere) {
  const std::string page = report_html(report());
  EXPECT_THAT(page, HasSubstr("<svg"));
  EXPECT_THAT(page, HasSubstr("voxpathd at &lt;here&gt;"));
  EXPECT_THAT(page, Not(HasSubstr("http")));
  EXPECT_THAT(page, Not(HasSubstr("nan")));
  EXPECT_THAT(page, Not(HasSubstr("inf,")));
}

TEST(SvgPlot, DrawsValuesWhereTheAxesSay) {
  const std::string svg =
      svg_plot({.title = "t", .x_label = "x", .y_label = "y", .lines = {{"a", {{0, 0}, {10, 100}}}}});
  EXPECT_THAT(svg, HasSubstr(R"(<polyline points="70.0,268.0 620.0,45.1 ")"));
  Plot log{.title = "t", .x_label = "x", .y_label = "y", .lines = {{"a", {{1, 0}, {2, 10}}}}};
  log.log_y = true;
  EXPECT_THAT(svg_plot(log), Not(HasSubstr("inf")));
  EXPECT_THAT(svg_plot({.title = "empty", .x_label = "", .y_label = ""}), HasSubstr("empty"));
}

}  // namespace
}  // namespace voxpath::server
