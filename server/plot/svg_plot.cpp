#include "server/plot/svg_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace voxpath::server {

namespace {

constexpr double kWidth = 640, kHeight = 336;  // px
constexpr double kLeft = 70, kRight = 20, kTop = 34, kBottom = 68;
constexpr double kLegendLetter = 6.6, kLegendRow = 14;  // px, of the widest usual font
constexpr std::array<const char*, 8> kColours = {"#1f6fb2", "#d1495b", "#2e8b57", "#8a5fbf",
                                                 "#c77d0a", "#444444", "#00838f", "#ad1457"};

/// Values of one axis onto pixels.
struct Axis {
  double low = 0, high = 1, from_px = 0, to_px = 1;
  bool log = false;

  [[nodiscard]] double scaled(double v) const { return log ? std::log10(v) : v; }
  [[nodiscard]] bool holds(double v) const { return std::isfinite(v) && (!log || v > 0); }
  [[nodiscard]] double px(double v) const {
    return from_px + (scaled(v) - scaled(low)) / (scaled(high) - scaled(low)) * (to_px - from_px);
  }
  /// Round numbers within it.
  [[nodiscard]] std::vector<double> marks() const {
    std::vector<double> all;
    if (log) {
      for (double decade = std::pow(10, std::floor(std::log10(low))); decade <= high * 1.0001; decade *= 10) {
        for (const double m : {1.0, 2.0, 5.0}) {
          const bool few = high / low < 1000;
          if ((few || m == 1.0) && decade * m >= low * 0.9999 && decade * m <= high * 1.0001) all.push_back(decade * m);
        }
      }
      return all;
    }
    const double rough = (high - low) / 5, decade = std::pow(10, std::floor(std::log10(rough)));
    const double step = decade * (rough / decade < 2 ? 2 : rough / decade < 5 ? 5 : 10);
    for (double v = std::ceil(low / step) * step; v <= high + step * 1e-6; v += step) all.push_back(v);
    return all;
  }
};

Axis axis_over(const Plot& plot, bool x) {
  Axis axis;
  axis.log = x ? plot.log_x : plot.log_y;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const PlotLine& line : plot.lines) {
    for (const auto& [px, py] : line.points) {
      const double v = x ? px : py;
      if (!axis.holds(v)) continue;
      low = std::min(low, v);
      high = std::max(high, v);
    }
  }
  if (low > high) low = axis.log ? 1 : 0, high = axis.log ? 10 : 1;
  if (!axis.log && !x) low = std::min(low, 0.0);
  if (low == high) high = axis.log ? low * 10 : low + 1;
  axis.low = low;
  axis.high = x ? high : axis.log ? high * 1.1 : low + (high - low) * 1.05;
  axis.from_px = x ? kLeft : kHeight - kBottom;
  axis.to_px = x ? kWidth - kRight : kTop;
  return axis;
}

std::string number(double v) {
  if (std::abs(v) >= 1e6) return fmt::format("{:g}M", v / 1e6);
  if (std::abs(v) >= 1e4) return fmt::format("{:g}k", v / 1e3);
  return fmt::format("{:g}", std::round(v * 1e6) / 1e6);
}

std::string grid(const Plot& plot, const Axis& x, const Axis& y) {
  std::string svg;
  for (const double v : y.marks()) {
    svg += fmt::format(R"(<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" class="grid"/>)"
                       R"(<text x="{:.1f}" y="{:.1f}" class="mark" text-anchor="end">{}</text>)",
                       kLeft, y.px(v), kWidth - kRight, y.px(v), kLeft - 6, y.px(v) + 4, number(v));
  }
  std::vector<std::pair<double, std::string>> marks = plot.x_marks;
  if (marks.empty()) {
    for (const double v : x.marks()) marks.emplace_back(v, number(v));
  }
  for (const auto& [v, text] : marks) {
    svg += fmt::format(R"(<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" class="grid"/>)"
                       R"(<text x="{:.1f}" y="{:.1f}" class="mark" text-anchor="middle">{}</text>)",
                       x.px(v), kTop, x.px(v), kHeight - kBottom, x.px(v), kHeight - kBottom + 16, html_escaped(text));
  }
  return svg;
}

std::string lines(const Plot& plot, const Axis& x, const Axis& y) {
  std::string svg;
  double legend_x = kLeft, legend_y = kHeight - 6 - kLegendRow;
  for (std::size_t i = 0; i < plot.lines.size(); ++i) {
    const char* colour = kColours.at(i % kColours.size());
    std::string points;
    for (const auto& [px, py] : plot.lines[i].points) {
      if (x.holds(px) && y.holds(py)) points += fmt::format("{:.1f},{:.1f} ", x.px(px), y.px(py));
    }
    // Every other one in dashes, so that a line shows that lies on another.
    svg += fmt::format(R"(<polyline points="{}" fill="none" stroke="{}" stroke-width="1.6"{}/>)", points, colour,
                       i % 2 == 1 ? R"( stroke-dasharray="7 5")" : "");
    const double legend_width = 22 + kLegendLetter * static_cast<double>(plot.lines[i].name.size());
    if (legend_x > kLeft && legend_x + legend_width > kWidth) {
      legend_x = kLeft;
      legend_y += kLegendRow;
    }
    svg += fmt::format(R"(<text x="{:.1f}" y="{:.1f}" class="mark" fill="{}">&#9632; {}</text>)", legend_x, legend_y,
                       colour, html_escaped(plot.lines[i].name));
    legend_x += legend_width;
  }
  return svg;
}

}  // namespace

std::string html_escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string svg_plot(const Plot& plot) {
  const Axis x = axis_over(plot, true), y = axis_over(plot, false);
  return fmt::format(R"(<svg viewBox="0 0 {0} {1}" width="{0}" height="{1}" role="img" aria-label="{2}">)"
                     R"(<text x="{3}" y="18" class="title">{2}</text>{4}{5})"
                     R"(<text x="{6:.1f}" y="{7:.1f}" class="mark" text-anchor="end">{8}</text>)"
                     R"(<text x="{3}" y="{9:.1f}" class="mark">{10}</text></svg>)",
                     kWidth, kHeight, html_escaped(plot.title), kLeft, grid(plot, x, y), lines(plot, x, y),
                     kWidth - kRight, kHeight - kBottom + 32, html_escaped(plot.x_label), kTop - 4,
                     html_escaped(plot.y_label));
}

std::string html_table(const std::vector<std::vector<std::string>>& rows) {
  std::string html = "<table>\n";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    html += "<tr>";
    for (const std::string& cell : rows[i]) {
      const bool words = i > 0 && cell.find_first_of("0123456789-") != 0;
      html +=
          fmt::format("<{0}{2}>{1}</{0}>", i == 0 ? "th" : "td", html_escaped(cell), words ? R"( class="words")" : "");
    }
    html += "</tr>\n";
  }
  return html + "</table>\n";
}

std::string html_page(const std::string& title, const std::string& body) {
  return fmt::format(R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{0}</title>
<style>
body {{ font: 15px/1.5 system-ui, sans-serif; max-width: 1360px; margin: 2em auto; padding: 0 1em; color: #222; background: #fff; }}
h1 {{ font-size: 1.5em; }} h2 {{ font-size: 1.15em; margin-top: 1.6em; }}
table {{ border-collapse: collapse; margin: 0.6em 0; }}
th, td {{ padding: 0.15em 0.8em; text-align: right; border-bottom: 1px solid #ddd; }}
th:first-child, td:first-child, .words {{ text-align: left; }}
svg {{ margin: 0.4em 0.8em 0.4em 0; max-width: 100%; height: auto; }}
svg text {{ font: 11px system-ui, sans-serif; }} svg .title {{ font-size: 14px; font-weight: 600; }}
svg .grid {{ stroke: #e4e4e4; }}
pre {{ line-height: 1.1; font-size: 11px; }} .note {{ color: #555; }}
</style></head><body>
<h1>{0}</h1>
{1}
</body></html>
)",
                     html_escaped(title), body);
}

}  // namespace voxpath::server
