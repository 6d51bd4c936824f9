// `voxpath scenario FILE...`: drawn worlds with questions, held against the planner.
#include "server/checks/scenario_check.hpp"
#include "server/cli/command.hpp"
#include "server/cli/text_file.hpp"

#include <memory>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace voxpath::server {

namespace {

struct ScenarioOptions {
  std::vector<std::string> files;
  std::string version{world::BlockTable::versions().back()};
  bool quiet = false;
};

struct Totals {
  std::size_t questions = 0, passed = 0, unreadable = 0;
};

void check_file(const std::string& file, const world::BlockTable& table, bool quiet, Totals& totals,
                const Console& console) {
  const auto text = read_text_file(file, kScenarioTextMax);
  const auto scenario = text ? read_scenario(*text, table) : world::Result<Scenario>(text.error());
  if (!scenario) {
    ++totals.unreadable;
    const std::string where = text ? file + ": " : "";  // a file that cannot be read is named in the message
    fmt::print(console.out, "UNREADABLE {}{}\n", where, scenario.error().message);
    return;
  }
  pathfinding::Search search;
  const CheckReport report = check_scenario(*scenario, search);
  totals.questions += scenario->queries.size();
  totals.passed += report.passed;
  if (report.ok() && quiet) return;
  fmt::print(console.out, "{} {}: {} ({} of {})\n", report.ok() ? "ok  " : "FAIL", file, scenario->name, report.passed,
             scenario->queries.size());
  for (const std::string& failure : report.failures) fmt::print(console.out, "     {}\n", failure);
}

ExitCode run(const ScenarioOptions& options, const Console& console) {
  const auto table = world::BlockTable::for_version(options.version);
  if (!table) return fail(console, ExitCode::usage, "--version: " + table.error().message);
  Totals totals;
  for (const std::string& file : options.files) check_file(file, *table, options.quiet, totals, console);
  fmt::print(console.out, "{} scenarios, {} questions: {} passed", options.files.size(), totals.questions,
             totals.passed);
  if (totals.passed < totals.questions) fmt::print(console.out, ", {} failed", totals.questions - totals.passed);
  if (totals.unreadable > 0) fmt::print(console.out, ", {} files unreadable", totals.unreadable);
  fmt::print(console.out, "\n");
  if (totals.passed < totals.questions) return ExitCode::check_failed;
  return totals.unreadable > 0 ? ExitCode::unavailable : ExitCode::ok;
}

}  // namespace

void add_scenario_command(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<ScenarioOptions>();
  CLI::App* command = app.add_subcommand("scenario", "Ask the questions of scenario files and check the answers");
  command->add_option("file", options->files, "Scenario files (*.scn)")->type_name("FILE")->required();
  command->add_option("--version", options->version, "Java version whose blocks the drawings name")
      ->type_name("V")
      ->capture_default_str();
  command->add_flag("--quiet", options->quiet, "Only what failed, and the summary");
  command->footer(
      "Examples:\n"
      "  voxpath scenario tests/scenarios/*.scn\n"
      "  voxpath path --world tests/scenarios/28-u-trap.scn --from 12,1,4 --to 15,1,4 --draw\n"
      "\n"
      "Ends with 0 all passed, 1 an answer is not as expected, 5 a file cannot be read.");
  command->callback(
      [options, &chosen] { chosen = [options](const Console& console) { return run(*options, console); }; });
}

}  // namespace voxpath::server
