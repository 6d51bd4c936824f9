// `voxpath paths`: the ways of many mobs of one kind to one goal, by one question.
#include "pathfinding/horde_search.hpp"
#include "protocol/limits.hpp"
#include "server/cli/answer_json.hpp"
#include "server/cli/answer_text.hpp"
#include "server/cli/place_text.hpp"
#include "server/cli/search_options.hpp"
#include "server/cli/text_file.hpp"
#include "server/cli/text_table.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace voxpath::server {

namespace {

constexpr std::size_t kStartsFileMaxBytes = std::size_t{1} << 20;

struct PathsOptions {
  WorldOptions world;
  std::vector<std::string> from;
  std::string from_file;
  SearchOptions search;
  bool json = false;
  [[nodiscard]] bool remote() const { return world.world.empty(); }
};

world::Error invalid(std::string message) { return {world::ErrorCode::invalid_argument, std::move(message)}; }

/// A place a line; what follows a # is left out, and so are lines without one.
world::Status read_starts(const std::string& file, std::vector<pathfinding::Place>& starts) {
  const auto text = read_text_file(file, kStartsFileMaxBytes);
  if (!text) return text.error();
  std::string_view rest = *text;
  for (int number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, std::min(end, rest.find('#')));
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) continue;
    line = line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
    const auto place = parse_place(fmt::format("--from-file {}, line {}", file, number), line);
    if (!place) return place.error();
    starts.push_back(*place);
  }
  return world::ok_status();
}

world::Result<HordeQuestion> question_of(const PathsOptions& options) {
  auto asked = question_of(options.search, options.remote());
  if (!asked) return asked.error();
  HordeQuestion horde{*std::move(asked), {}};
  for (const std::string& from : options.from) {
    const auto place = parse_place("--from", from);
    if (!place) return place.error();
    horde.starts.push_back(*place);
  }
  if (!options.from_file.empty()) {
    if (auto s = read_starts(options.from_file, horde.starts); !s) return s.error();
  }
  if (horde.starts.empty()) return invalid("--from: at least one start is needed, here or in --from-file");
  if (horde.starts.size() > protocol::kStartsMax) {
    return invalid(
        fmt::format("--from: {} starts given, at most {} are allowed", horde.starts.size(), protocol::kStartsMax));
  }
  for (const pathfinding::Place& start : horde.starts) {
    horde.question.query.start = start;
    if (auto s = validate(horde.question.query, horde.question.limits); !s) return s.error();
  }
  return horde;
}

std::string status_text(const pathfinding::Answer& answer) {
  std::string text(name(answer.status));
  if (answer.reason != pathfinding::PartialReason::none) text += fmt::format(" ({})", name(answer.reason));
  return text;
}

std::string horde_text(const HordeQuestion& horde, const HordeOutcome& outcome) {
  std::map<std::string, std::size_t> counts;
  TextTable table({"from", "status", "cost", "moves", "ends at"});
  for (std::size_t i = 0; i < outcome.paths.size(); ++i) {
    const pathfinding::Answer& answer = outcome.paths[i].answer;
    const std::string status = status_text(answer);
    ++counts[status];
    const bool path = !answer.path.empty();
    table.add({to_text(horde.starts[i]), status, path ? fmt::format("{}", answer.cost) : "-",
               path ? fmt::format("{}", answer.moves()) : "-", path ? to_text(answer.path.back().cell) : "-"});
  }
  std::string text = fmt::format("{} starts:", outcome.paths.size());
  for (const auto& [status, count] : counts) text += fmt::format(" {} {},", count, status);
  text += fmt::format(" {} by a search that they shared; {:.3f} ms", outcome.shared, outcome.search_ms);
  if (outcome.queue_ms > 0) text += fmt::format(" after {:.3f} ms in the queue", outcome.queue_ms);
  if (!outcome.paths.empty()) {
    text += fmt::format("; world version {}", outcome.paths.front().answer.statistics.world_version);
  }
  return text + "\n" + table.text();
}

/// That of the worst answer: no place to begin or end, no complete path, found.
ExitCode worst_of(const HordeOutcome& outcome) {
  ExitCode code = ExitCode::ok;
  for (const PathOutcome& path : outcome.paths) code = std::max(code, exit_code_of(path.answer.status));
  return code;
}

ExitCode run(const PathsOptions& options, const Console& console) {
  const auto horde = question_of(options);
  if (!horde) return fail(console, horde.error(), options.json);
  const auto world = open_world(options.world, console);
  if (!world) return fail(console, world.error(), options.json);
  const auto outcome = (*world)->find_paths(*horde);
  if (!outcome) return fail(console, outcome.error(), options.json);
  if (outcome->paths.size() != horde->starts.size()) {
    return fail(console, ExitCode::unavailable,
                fmt::format("{} answers came for {} starts", outcome->paths.size(), horde->starts.size()),
                options.json);
  }
  if (options.json) {
    std::vector<std::string> advices;
    pathfinding::Query query = horde->question.query;
    for (std::size_t i = 0; i < outcome->paths.size(); ++i) {
      query.start = horde->starts[i];
      advices.push_back(advice(query, horde->question.limits, outcome->paths[i].answer));
    }
    fmt::print(console.out, "{}", horde_json(horde->starts, *outcome, advices));
  } else {
    fmt::print(console.out, "{}", horde_text(*horde, *outcome));
  }
  return worst_of(*outcome);
}

constexpr const char* kFooter =
    "Examples:\n"
    "  voxpath paths --world terrain:7 --to 20,200,8 --from=-20,200,-6 --from=-30,200,0 --from 0,200,40\n"
    "  voxpath paths --world terrain:7 --to 20,200,8 --from-file mobs.txt --json\n"
    "  voxpath paths --server 127.0.0.1:7420 --to 20,200,8 --from-file mobs.txt\n"
    "Goals of every kind are allowed, as for `voxpath path`; mobs that have a place for their goal share a search "
    "where\n"
    "that is cheaper.\n"
    "\n"
    "Ends with 0 all found, 3 one has no complete path, 4 a start or the goal is invalid, 2 wrong option or value, 5 "
    "world\n"
    "not there.";

}  // namespace

void add_paths_command(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<PathsOptions>();
  CLI::App* command = app.add_subcommand("paths", "Find the ways of many mobs to one goal");
  command
      ->add_option("--from", options->from,
                   "A start: X,Y,Z is a cell; with a decimal point an exact position; may be given again")
      ->type_name("X,Y,Z")
      ->expected(1)
      ->take_all();
  command->add_option("--from-file", options->from_file, "More starts: a file with X,Y,Z a line; # begins a comment")
      ->type_name("FILE");
  add_search_options(*command, options->search);
  add_world_options(*command, options->world);
  command->add_flag("--json", options->json, "Print the whole answer as JSON");
  command->footer(std::string(kFieldsHelp) + "\n" + kFooter);
  command->callback(
      [options, &chosen] { chosen = [options](const Console& console) { return run(*options, console); }; });
}

}  // namespace voxpath::server
