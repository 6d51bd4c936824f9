// `voxpath lab chase`: the maze chase beside its published numbers, and the questions it left open.
#include "server/cli/lab_command.hpp"
#include "server/cli/text_table.hpp"
#include "server/lab/chase_study.hpp"

#include <cmath>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace voxpath::server {

namespace {

/// One decimal, halves up, as the figures were published.
std::string rounded(double value) { return fmt::format("{:.1f}", std::floor(value * 10 + 0.5) / 10); }

struct ChaseOptions {
  bool open_questions = false;
  int effort = 10;
};

ExitCode run_published(const Console& console) {
  TextTable connected({"21 x 21 mazes, 25 openings", "connected", "published"});
  bool equal = true;
  for (const lab::ConnectedRow& row : lab::connected_mazes()) {
    connected.add({row.where == lab::Openings::anywhere ? "any wall may be broken" : "walls between corridors only",
                   fmt::format("{}/{}", row.connected, row.mazes), fmt::format("{}/{}", row.published, row.mazes)});
    equal = equal && row.connected == row.published;
  }
  fmt::print(console.out, "{}\n", connected.text());
  TextTable table({"speed", "pursuer", "caught", "published", "turns", "published"});
  lab::PlannerTally tally;
  for (const lab::ChaseRow& row : lab::published_chases(tally)) {
    table.add({fmt::format("{}", row.speed), std::string(name(row.pursuit)), rounded(row.percent()) + " %",
               rounded(row.published_percent) + " %", rounded(row.turns_mean()), rounded(row.published_turns)});
    equal = equal && row.as_published();
  }
  fmt::print(console.out, "{}\n", table.text());
  fmt::print(
      console.out,
      "BFS walks by the maze's own search, planner by voxpath's in the same maze made of blocks: {} paths, {} of "
      "another length.\n{}\n",
      tally.paths, tally.other_length,
      equal && tally.other_length == 0 ? "All numbers are the published ones."
                                       : "NOT all numbers are the published ones.");
  return equal && tally.other_length == 0 ? ExitCode::ok : ExitCode::no_path;
}

ExitCode run_chase(const ChaseOptions& options, const Console& console) {
  if (options.effort < 1 || options.effort > 10) {
    return fail(console, ExitCode::usage, fmt::format("--effort = {}: 1 to 10 is allowed", options.effort));
  }
  if (!options.open_questions) return run_published(console);
  const auto progress = [&](const std::string& question) { fmt::print(console.err, "answered: {}\n", question); };
  for (const lab::Finding& finding : lab::open_questions(options.effort, progress)) {
    TextTable table(finding.head);
    for (const auto& row : finding.rows) table.add(row);
    fmt::print(console.out, "{}\n{}{}\n\n", finding.question, table.text(), finding.answer);
  }
  return ExitCode::ok;
}

}  // namespace

void add_lab_chase(CLI::App& lab, Chosen& chosen) {
  auto options = std::make_shared<ChaseOptions>();
  CLI::App* chase = lab.add_subcommand("chase", "Pursuers after an evader in mazes: greedy, shortest path, random");
  CLI::Option* open =
      chase->add_flag("--open-questions", options->open_questions,
                      "Answer what the article left open: A*, larger mazes, many enemies, tactics, why some escape");
  chase->add_option("--effort", options->effort, "How many of the chases behind --open-questions, in tenths, 1 to 10")
      ->type_name("N")
      ->check(refuse_no_number)
      ->capture_default_str()
      ->needs(open);
  chase->footer(
      "In each turn the evader steps to where the maze is farthest from the enemy, then the enemy makes 1 or 2 steps.\n"
      "300 mazes, 200 turns; random numbers are mulberry32's from seed 7, those of the connection counts from 2026.\n"
      "\n"
      "Examples:\n"
      "  voxpath lab chase\n"
      "  voxpath lab chase --open-questions --effort 2\n"
      "\n"
      "Ends with 0 when every number is the published one, else with 3.");
  chase->callback(
      [options, &chosen] { chosen = [options](const Console& console) { return run_chase(*options, console); }; });
}

}  // namespace voxpath::server
