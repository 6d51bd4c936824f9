// SVG plots: lines over two axes, drawn as text that a browser shows without anything else.
// Thread-safety: pure functions.
// Invariants: every value is drawn where the axes say; values that are not finite, or not positive on a logarithmic axis, are left out;
// text is escaped.
// Usage: std::string svg = svg_plot({.title = "latency", .x_label = "s", .y_label = "ms", .lines = {{"p99", points}}});
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace voxpath::server {

struct PlotLine {
  std::string name;
  std::vector<std::pair<double, double>> points;
};

struct Plot {
  std::string title, x_label, y_label;
  std::vector<PlotLine> lines = {};
  bool log_x = false, log_y = false;
  /// Names in place of numbers along x, at these values; empty: round numbers.
  std::vector<std::pair<double, std::string>> x_marks = {};
};

/// An <svg> element.
[[nodiscard]] std::string svg_plot(const Plot& plot);

/// Text as HTML and SVG show it.
[[nodiscard]] std::string html_escaped(const std::string& text);

/// A table; the first row is the head. Cells are escaped.
[[nodiscard]] std::string html_table(const std::vector<std::vector<std::string>>& rows);

/// A whole page, in one file, with nothing from elsewhere. `body` is HTML.
[[nodiscard]] std::string html_page(const std::string& title, const std::string& body);

}  // namespace voxpath::server
