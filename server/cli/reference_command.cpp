// `voxpath reference FILE.tsv --world DIR`: exact answers of an independent solver, held against the planner.
#include "pathfinding/search.hpp"
#include "server/checks/reference_check.hpp"
#include "server/cli/command.hpp"
#include "server/cli/text_file.hpp"
#include "server/loading/terminal_progress.hpp"
#include "server/loading/world_loader.hpp"

#include <chrono>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace voxpath::server {

namespace {

constexpr std::size_t kReferenceTextMax = 64u << 20;  // bytes

struct ReferenceOptions {
  std::string file, world;
  std::string dimension{world::kOverworld};
  unsigned threads = 2;
};

ExitCode run(const ReferenceOptions& options, const Console& console) {
  const auto text = read_text_file(options.file, kReferenceTextMax);
  if (!text) return fail(console, text.error());
  const auto rows = read_reference(*text);
  if (!rows) return fail(console, ExitCode::unavailable, options.file + ": " + rows.error().message);
  const auto loaded = load_world(options.world, {.dimension = options.dimension, .heights = {}, .block_overrides = {}},
                                 options.threads, TerminalProgress(console.err));
  if (!loaded) return fail(console, loaded.error());

  const auto started = std::chrono::steady_clock::now();
  pathfinding::Search search;
  const CheckReport report = check_reference(*rows, loaded->world->snapshot(), search);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
  for (const std::string& failure : report.failures) fmt::print(console.out, "FAIL {}\n", failure);
  fmt::print(console.out, "{} rows: {} passed", rows->size(), report.passed);
  if (!report.ok()) fmt::print(console.out, ", {} failed", report.failures.size());
  fmt::print(console.out, " ({:.2f} s; {} chunks loaded in {:.2f} s)\n", took.count(), loaded->report.loaded,
             loaded->seconds);
  return report.ok() ? ExitCode::ok : ExitCode::check_failed;
}

}  // namespace

void add_reference_command(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<ReferenceOptions>();
  CLI::App* command = app.add_subcommand("reference", "Check a table of exact answers on a real world");
  command->add_option("file", options->file, "Tab-separated table; tests/data/reference/README.md has the columns")
      ->type_name("FILE.tsv")
      ->required();
  command->add_option("--world", options->world, "The Minecraft world folder that the table is about")
      ->type_name("DIR")
      ->required();
  command->add_option("--dimension", options->dimension, "Which dimension of it")
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("--threads", options->threads, "Threads for loading, 1 to 64")
      ->type_name("N")
      ->check(refuse_no_number)
      ->capture_default_str();
  command->footer(
      "Example:\n"
      "  voxpath reference tests/data/reference/03-java1.16-mountains.tsv --world ~/worlds/03-java1.16-mountains\n"
      "\n"
      "Ends with 0 all passed, 1 a row is not as expected, 5 the table or the world cannot be read.");
  command->callback(
      [options, &chosen] { chosen = [options](const Console& console) { return run(*options, console); }; });
}

}  // namespace voxpath::server
