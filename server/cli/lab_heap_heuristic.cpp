// `voxpath lab heap-heuristic`: four ways to do A* on grids beside voxpath's planner; tables, a page with plots, claims judged.
#include "server/cli/lab_command.hpp"
#include "server/cli/text_table.hpp"
#include "server/lab/heap_heuristic.hpp"
#include "server/plot/svg_plot.hpp"
#include "world/blocks/error_text.hpp"

#include <cerrno>
#include <fstream>
#include <memory>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace voxpath::server {

namespace {

struct HeapOptions {
  lab::StudyOptions study;
  std::string html;
};

using Value = std::string (*)(const lab::StudyCell&);
struct Table {
  const char* title;
  const char* unit;
  Value value;
  double (*number)(const lab::StudyCell&);
};
constexpr std::array<Table, 4> kTables = {{
    {"Time", "ms of processor time, median", [](const lab::StudyCell& c) { return fmt::format("{:.3f}", c.ms); },
     [](const lab::StudyCell& c) { return c.ms; }},
    {"Nodes visited", "mean", [](const lab::StudyCell& c) { return fmt::format("{:.0f}", c.visited); },
     [](const lab::StudyCell& c) { return c.visited; }},
    {"Path cost over the optimum", "%, mean",
     [](const lab::StudyCell& c) { return fmt::format("{:.3f}", c.over_optimum); },
     [](const lab::StudyCell& c) { return c.over_optimum; }},
    {"Turns", "mean", [](const lab::StudyCell& c) { return fmt::format("{:.1f}", c.turns); },
     [](const lab::StudyCell& c) { return c.turns; }},
}};

std::vector<std::vector<std::string>> rows_of(const lab::Study& study, const Table& table) {
  std::vector<std::vector<std::string>> rows{{"grid"}};
  for (std::size_t v = 0; v < lab::kStudyColumns; ++v) rows.front().push_back(lab::column_name(v));
  const bool time = table.title == std::string_view("Time");
  if (time) rows.front().emplace_back("voxpath, first");
  for (const lab::StudyRow& row : study.rows) {
    std::vector<std::string> cells{fmt::format("{0} x {0}, {1} % blocked", row.size, row.percent)};
    for (const lab::StudyCell& cell : row.cells) cells.push_back(table.value(cell));
    if (time) cells.push_back(fmt::format("{:.3f}", row.first_ms));
    rows.push_back(std::move(cells));
  }
  return rows;
}

/// One drawing a column: blocked cells, and the path as a line.
std::string shapes_svg(const lab::PathShapes& shapes) {
  constexpr int kCellPx = 7;
  const int side = shapes.grid.size() * kCellPx;
  std::string walls;
  for (int y = 0; y < shapes.grid.size(); ++y) {
    for (int x = 0; x < shapes.grid.size(); ++x) {
      if (!shapes.grid.free({x, y}))
        walls += fmt::format("M{} {}h{}v{}h-{}z", x * kCellPx, y * kCellPx, kCellPx, kCellPx, kCellPx);
    }
  }
  std::string html;
  for (std::size_t v = 0; v < lab::kStudyColumns; ++v) {
    const lab::GridPath& path = shapes.paths.at(v);
    std::string points;
    for (const lab::Cell c : path.cells)
      points += fmt::format("{},{} ", c.x * kCellPx + kCellPx / 2, c.y * kCellPx + kCellPx / 2);
    html += fmt::format(
        R"(<svg viewBox="0 -38 {0} {1}" width="{0}" height="{1}"><text x="0" y="-24" class="title">{2}</text>)"
        R"(<text x="0" y="-8">cost {3:.1f}, {4} turns, {5} visited</text>)"
        R"(<rect width="{0}" height="{0}" fill="#f6f6f6"/><path d="{6}" fill="#888"/>)"
        R"(<polyline points="{7}" fill="none" stroke="#d1495b" stroke-width="2.5"/></svg>)",
        side, side + 38, html_escaped(lab::column_name(v)), path.cost(), path.turns(), path.visited, walls, points);
  }
  return html;
}

std::string page_of(const lab::Study& study, const lab::StudyOptions& options) {
  std::string body = fmt::format(
      "<p>A* in eight directions, 1 and &radic;2, no diagonal past a blocked cell, from corner to corner of grids that "
      "have a way; {} grids for "
      "each size and rate. voxpath searches the same grid made of blocks.</p>\n<h2>What was claimed</h2>\n",
      options.seeds);
  std::vector<std::vector<std::string>> claims{{"claim", "verdict", "why"}};
  for (const lab::Claim& c : judge(study)) claims.push_back({c.claim, c.verdict, c.why});
  body += html_table(claims);
  for (const Table& table : kTables) {
    body += fmt::format("<h2>{} ({})</h2>\n", table.title, html_escaped(table.unit));
    for (const int percent : options.percents) {
      Plot plot{.title = fmt::format("{}, {} % blocked", table.title, percent),
                .x_label = "cells along a side",
                .y_label = table.unit};
      plot.log_y = table.number({.ms = 1}) > 0 || table.number({.visited = 1}) > 0;
      plot.log_x = true;
      for (const int size : options.sizes) plot.x_marks.emplace_back(size, fmt::format("{}", size));
      for (std::size_t v = 0; v < lab::kStudyColumns; ++v) {
        PlotLine line{lab::column_name(v), {}};
        for (const lab::StudyRow& row : study.rows) {
          if (row.percent == percent) line.points.emplace_back(row.size, table.number(row.cells.at(v)));
        }
        plot.lines.push_back(std::move(line));
      }
      body += svg_plot(plot);
    }
    body += html_table(rows_of(study, table));
  }
  constexpr int kShownSize = 40, kShownPercent = 25;
  body += "<h2>The shapes of the paths</h2>\n" + shapes_svg(lab::path_shapes(kShownSize, kShownPercent, 7));
  return html_page("The Heap-Heuristic study, repeated", body);
}

world::Status check(const lab::StudyOptions& o) {
  const auto within = [](const char* option, int value, int low, int high) -> world::Status {
    if (value >= low && value <= high) return world::ok_status();
    return world::Error{world::ErrorCode::invalid_argument,
                        fmt::format("{} = {}: {} to {} is allowed", option, value, low, high)};
  };
  for (const int size : o.sizes) {
    if (auto s = within("--sizes", size, lab::kGridSizeMin, lab::kGridSizeMax); !s) return s;
  }
  for (const int percent : o.percents) {
    if (auto s = within("--blocked", percent, 0, lab::kStudyPercentMax); !s) return s;
  }
  return within("--seeds", o.seeds, 1, lab::kStudySeedsMax);
}

ExitCode run(const HeapOptions& options, const Console& console) {
  if (auto s = check(options.study); !s) return fail(console, s.error());
  std::ofstream page;
  if (!options.html.empty()) {
    page.open(options.html, std::ios::binary);
    if (!page) {
      return fail(console, ExitCode::unavailable,
                  fmt::format("--html = {}: cannot be written: {}", world::quoted(options.html),
                              std::generic_category().message(errno)));
    }
  }
  const lab::Study study = heap_heuristic_study(options.study, [&](const lab::StudyRow& row) {
    fmt::print(console.err, "measured: {0} x {0}, {1} % blocked\n", row.size, row.percent);
  });
  for (const Table& table : kTables) {
    const auto rows = rows_of(study, table);
    TextTable text(rows.front());
    for (std::size_t i = 1; i < rows.size(); ++i) text.add(rows[i]);
    fmt::print(console.out, "{} ({})\n{}\n", table.title, table.unit, text.text());
  }
  for (const lab::Claim& c : judge(study))
    fmt::print(console.out, "Claim: {}\n  {}\n  {}\n", c.claim, c.verdict, c.why);
  if (page.is_open()) {
    page << page_of(study, options.study);
    page.close();
    if (!page)
      return fail(console, ExitCode::unavailable,
                  fmt::format("--html = {}: writing failed", world::quoted(options.html)));
  }
  return ExitCode::ok;
}

}  // namespace

void add_lab_heap_heuristic(CLI::App& lab, Chosen& chosen) {
  auto options = std::make_shared<HeapOptions>();
  CLI::App* command =
      lab.add_subcommand("heap-heuristic", "Open lists and estimates of A* on grids, and what was claimed for them");
  command->add_option("--sizes", options->study.sizes, "Cells along a side, 5 to 1000 each")
      ->type_name("N,N,...")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--blocked", options->study.percents, "Percent of blocked cells, 0 to 40 each")
      ->type_name("N,N,...")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--seeds", options->study.seeds, "Grids for each size and rate, 1 to 1000")
      ->type_name("N")
      ->check(refuse_no_number)
      ->capture_default_str();
  command->add_option("--html", options->html, "Also write a page with plots, and the paths side by side")
      ->type_name("FILE");
  command->footer(
      "A* with Manhattan and an unsorted list; with the list sorted by heap sort at each step; with Chebyshev and a "
      "list; with Chebyshev and a\n"
      "binary heap with decrease-key; and voxpath, in the same grid made of blocks, warm and (\"first\") in a world "
      "that no search has seen.\n"
      "`voxpath path --heuristic NAME --open-list NAME` has the same choices in the planner itself.\n"
      "\n"
      "Examples:\n"
      "  voxpath lab heap-heuristic --html study.html\n"
      "  voxpath lab heap-heuristic --sizes 20,50,100 --seeds 30\n"
      "\n"
      "The default takes about a minute.");
  command->callback(
      [options, &chosen] { chosen = [options](const Console& console) { return run(*options, console); }; });
}

}  // namespace voxpath::server
