#include "server/mobs/load_report.hpp"

#include "server/plot/svg_plot.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace voxpath::server {

namespace {

constexpr std::array<double, 5> kPercents = {50, 90, 99, 99.9, 100};

double ms(std::uint64_t us) { return static_cast<double>(us) / 1000; }
double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}
double per_second(std::uint64_t count, double seconds) {
  return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}
std::string percent_name(double percent) { return percent == 100 ? "max" : fmt::format("p{:g}", percent); }

std::vector<std::vector<std::string>> latency_rows(const LoadReport& r) {
  std::vector<std::vector<std::string>> rows{{"ms", "p50", "p90", "p99", "p99.9", "max", "mean", "count"}};
  const auto add = [&](const char* name, const LatencyHistogram& h) {
    std::vector<std::string> row{name};
    for (const double p : kPercents) row.push_back(fmt::format("{:.2f}", ms(h.percentile_us(p))));
    row.push_back(fmt::format("{:.2f}", h.mean_us() / 1000));
    row.push_back(fmt::format("{}", h.count()));
    rows.push_back(std::move(row));
  };
  add("path, as the mob sees it", r.latency);
  add("  in the server's queue", r.queued);
  add("  searching", r.searched);
  if (r.edits > 0) add("edit", r.edit_latency);
  return rows;
}

std::string table_text(const std::vector<std::vector<std::string>>& rows) {
  std::string text;
  for (const auto& row : rows) {
    text += fmt::format("  {:<26}", row.front());
    for (std::size_t i = 1; i < row.size(); ++i) text += fmt::format("{:>10}", row[i]);
    text += '\n';
  }
  return text;
}

std::string histogram_json(const LatencyHistogram& h) {
  std::string json = fmt::format(R"({{"count":{},"mean":{:.3f})", h.count(), h.mean_us() / 1000);
  for (const double p : kPercents) json += fmt::format(R"(,"{}":{:.3f})", percent_name(p), ms(h.percentile_us(p)));
  return json + "}";
}

std::string json_text(const std::string& text) {
  std::string json = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') json += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      json += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      json += c;
    }
  }
  return json + "\"";
}

std::string what_was_asked(const LoadReport& r) {
  const LoadOptions& o = r.options;
  const std::string rate = o.replans_per_second > 0 ? fmt::format("{:g} re-plans/s each", o.replans_per_second)
                                                    : std::string("asking when it is worth it");
  return fmt::format("{} mobs ({}, {}), {} players, {}, {:g} edits/s, {} connections, seed {}, crowd {:016x}", o.mobs,
                     o.agent, mob::name(o.strategy), o.players, rate, o.edits_per_second, o.connections, o.seed,
                     r.fingerprint);
}

PlotLine over_time(const LoadReport& r, const char* name, double (*value)(const LoadSecond&)) {
  PlotLine line{name, {}};
  for (const LoadSecond& s : r.timeline) line.points.emplace_back(s.at, value(s));
  return line;
}

/// The curve that shows how the worst answers differ from the rest: each step to the right is ten times rarer.
Plot percentile_plot(const LoadReport& r) {
  Plot plot{.title = "Latency by percentile", .x_label = "percentile", .y_label = "ms"};
  plot.log_y = true;
  const auto place = [](double percent) { return -std::log10(1 - std::min(percent, 99.9999) / 100); };
  const auto line = [&](const char* name, const LatencyHistogram& h) {
    PlotLine l{name, {}};
    for (const auto& [percent, us] : h.curve_us()) l.points.emplace_back(place(percent), std::max(us, 1.0) / 1000);
    plot.lines.push_back(std::move(l));
  };
  line("as the mob sees it", r.latency);
  line("in the queue", r.queued);
  line("searching", r.searched);
  for (const double p : {0.0, 50.0, 90.0, 99.0, 99.9, 99.99})
    plot.x_marks.emplace_back(place(p), fmt::format("{:g} %", p));
  return plot;
}

}  // namespace

std::string report_text(const LoadReport& r) {
  std::string text = fmt::format("{}\n{}\n\n", r.server, what_was_asked(r));
  if (r.interrupted) text += "  INTERRUPTED before its time was over: what follows is of a part\n";
  text += fmt::format("  {:.1f} s measured: {} paths asked for, {} answered ({:.0f}/s), {} without an answer\n",
                      r.seconds, r.asked, r.answered, per_second(r.answered, r.seconds), r.unanswered);
  text += fmt::format(
      "  found {} ({:.1f} %), partial {}, unreachable {}, start or goal invalid {}, cancelled {}, rejected {}\n",
      r.found, share(r.found, r.answered), r.partial, r.unreachable, r.invalid, r.cancelled, r.rejected);
  for (const auto& [reason, count] : r.errors) text += fmt::format("  error {}: {}\n", reason, count);
  text += "\n" + table_text(latency_rows(r)) + "\n";
  text += fmt::format("  expansions {:.0f} a path, at most {}; waypoints {:.1f} an answer\n",
                      r.answered == 0 ? 0 : static_cast<double>(r.expansions) / static_cast<double>(r.answered),
                      r.expansions_most,
                      r.answered == 0 ? 0 : static_cast<double>(r.waypoints) / static_cast<double>(r.answered));
  text += fmt::format("  edits {} ({:.0f}/s), refused {}; watched paths broken {}\n", r.edits,
                      per_second(r.edits, r.seconds), r.edits_refused, r.invalidated);
  text += fmt::format(
      "  ticks in which a mob waited for a path: {} of {} ({:.2f} %); at the target: {:.1f} %; helpless at the end: "
      "{}\n",
      r.waited_ticks, r.mob_ticks, share(r.waited_ticks, r.mob_ticks), share(r.arrived_ticks, r.mob_ticks), r.helpless);
  if (r.server_cpu_seconds) {
    text += fmt::format("  server: {:.2f} cores, {:.0f} MiB at most; ", *r.server_cpu_seconds / r.seconds,
                        static_cast<double>(r.server_rss_most_bytes) / 1048576);
  } else {
    text += "  server: not a process of this machine that is known; ";
  }
  text +=
      fmt::format("tester: {:.2f} cores, at most {:.1f} ms late\n", r.tester_cpu_seconds / r.seconds, r.late_most_ms);
  return text;
}

std::string report_json(const LoadReport& r) {
  const LoadOptions& o = r.options;
  std::string json = fmt::format(
      R"({{"server":{},"mobs":{},"players":{},"strategy":"{}","agent":{},"replans_per_second":{},"edits_per_second":{},)"
      R"("connections":{},"slices":{},"seed":{},"crowd":"{:016x}","seconds":{:.3f},"interrupted":{},)",
      json_text(r.server), o.mobs, o.players, mob::name(o.strategy), json_text(o.agent), o.replans_per_second,
      o.edits_per_second, o.connections, o.slices, o.seed, r.fingerprint, r.seconds, r.interrupted);
  json += fmt::format(
      R"("asked":{},"answered":{},"answered_per_second":{:.1f},"unanswered":{},"found":{},"partial":{},"unreachable":{},)"
      R"("invalid":{},"cancelled":{},"rejected":{},"expansions":{},"expansions_most":{},"waypoints":{},"errors":{{)",
      r.asked, r.answered, per_second(r.answered, r.seconds), r.unanswered, r.found, r.partial, r.unreachable,
      r.invalid, r.cancelled, r.rejected, r.expansions, r.expansions_most, r.waypoints);
  const char* comma = "";
  for (const auto& [reason, count] : r.errors) {
    json += fmt::format("{}{}:{}", comma, json_text(reason), count);
    comma = ",";
  }
  json += fmt::format(R"(}},"latency_ms":{},"queued_ms":{},"searched_ms":{},"edit_ms":{},)", histogram_json(r.latency),
                      histogram_json(r.queued), histogram_json(r.searched), histogram_json(r.edit_latency));
  json += fmt::format(
      R"("edits":{},"edits_refused":{},"invalidated":{},"mob_ticks":{},"waited_ticks":{},"arrived_ticks":{},"helpless":{},)",
      r.edits, r.edits_refused, r.invalidated, r.mob_ticks, r.waited_ticks, r.arrived_ticks, r.helpless);
  json += fmt::format(
      R"("server_cpu_seconds":{},"server_rss_most_bytes":{},"tester_cpu_seconds":{:.2f},"late_most_ms":{:.2f},"timeline":[)",
      r.server_cpu_seconds ? fmt::format("{:.2f}", *r.server_cpu_seconds) : "null", r.server_rss_most_bytes,
      r.tester_cpu_seconds, r.late_most_ms);
  comma = "";
  for (const LoadSecond& s : r.timeline) {
    json += fmt::format(
        R"({}{{"at":{:.2f},"warm_up":{},"asked":{},"answered":{},"rejected":{},"edits":{},"p50_ms":{:.3f},"p99_ms":{:.3f},)"
        R"("max_ms":{:.3f},"waiting":{},"in_flight":{},"server_cores":{:.2f},"server_rss_mib":{:.1f},"late_ms":{:.2f}}})",
        comma, s.at, s.warm_up, s.asked, s.answered, s.rejected, s.edits, s.p50_ms, s.p99_ms, s.max_ms, s.waiting,
        s.in_flight, s.server_cores, s.server_rss_mib, s.late_ms);
    comma = ",";
  }
  return json + "]}\n";
}

std::string report_html(const LoadReport& r) {
  std::string body = fmt::format("<p>{}<br>{}</p>\n", html_escaped(r.server), html_escaped(what_was_asked(r)));
  body += fmt::format("<pre style=\"font-size: 13px; line-height: 1.4\">{}</pre>\n", html_escaped(report_text(r)));
  body += html_table(latency_rows(r));
  body += svg_plot(percentile_plot(r));
  Plot latency{.title = "Latency of each second", .x_label = "s", .y_label = "ms"};
  latency.log_y = true;
  latency.lines = {over_time(r, "p50", [](const LoadSecond& s) { return s.p50_ms; }),
                   over_time(r, "p99", [](const LoadSecond& s) { return s.p99_ms; }),
                   over_time(r, "max", [](const LoadSecond& s) { return s.max_ms; })};
  body += svg_plot(latency);
  body += svg_plot(
      {.title = "Paths a second",
       .x_label = "s",
       .y_label = "1/s",
       .lines = {over_time(r, "asked", [](const LoadSecond& s) { return static_cast<double>(s.asked); }),
                 over_time(r, "answered", [](const LoadSecond& s) { return static_cast<double>(s.answered); }),
                 over_time(r, "rejected", [](const LoadSecond& s) { return static_cast<double>(s.rejected); })}});
  body += svg_plot(
      {.title = "Mobs without a path, and questions under way",
       .x_label = "s",
       .y_label = "count",
       .lines = {over_time(r, "mobs waiting", [](const LoadSecond& s) { return static_cast<double>(s.waiting); }),
                 over_time(r, "in flight", [](const LoadSecond& s) { return static_cast<double>(s.in_flight); })}});
  body += svg_plot({.title = "Processor time of the server",
                    .x_label = "s",
                    .y_label = "cores",
                    .lines = {over_time(r, "server", [](const LoadSecond& s) { return s.server_cores; })}});
  body += svg_plot({.title = "Memory of the server",
                    .x_label = "s",
                    .y_label = "MiB",
                    .lines = {over_time(r, "server", [](const LoadSecond& s) { return s.server_rss_mib; })}});
  body +=
      "<p class=\"note\">Latencies run from the tick in which a mob meant to ask until it had the answer. A mob that "
      "would have asked again "
      "meanwhile is counted again with what that question would have waited at least; one that was refused has waited "
      "since it first asked. The warm-up is in the curves "
      "over time only.</p>\n";
  return html_page("voxpath load test", body);
}

}  // namespace voxpath::server
