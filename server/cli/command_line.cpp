#include "server/cli/answer_json.hpp"
#include "server/cli/command.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace voxpath::server {

namespace {

std::string exit_code_table() {
  std::string text = "Exit codes:\n";
  for (const ExitCodeHelp& help : kExitCodes) {
    text += fmt::format("  {}  {}\n", static_cast<int>(help.code), help.meaning);
  }
  return text;
}

}  // namespace

ExitCode fail(const Console& console, ExitCode code, const std::string& message, bool json) {
  if (json) fmt::print(console.out, "{}", error_json(code, message));
  fmt::print(console.err, "voxpath: {}\n", message);
  return code;
}

ExitCode fail(const Console& console, const world::Error& error, bool json) {
  return fail(console, exit_code_of(error), error.message, json);
}

int run_command_line(int argc, const char* const* argv, const Console& console) {
  Chosen chosen;
  CLI::App app("How does this mob walk from here to there? Paths through worlds made of blocks.", "voxpath");
  app.require_subcommand(1);
  app.set_version_flag("--version", "voxpath " VOXPATH_VERSION);
  add_path_command(app, chosen);
  add_world_command(app, chosen);
  add_blocks_command(app, chosen);
  add_agents_command(app, chosen);
  add_scenario_command(app, chosen);
  add_reference_command(app, chosen);
  app.footer(
      "Begin with:\n"
      "  voxpath path --world DIR --from 12,64,-7 --to 40,70,-30 --draw\n"
      "where DIR is a Minecraft world folder. `voxpath COMMAND --help` explains each command by examples.\n"
      "\n" +
      exit_code_table());
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked_for_help) {
    if (dynamic_cast<const CLI::CallForVersion*>(&asked_for_help) != nullptr) {
      fmt::print(console.out, "{}\n", asked_for_help.what());
      return static_cast<int>(ExitCode::ok);
    }
    const auto parsed = app.get_subcommands();
    const CLI::App* shown = &app;
    for (auto below = parsed; !below.empty(); below = shown->get_subcommands()) shown = below.front();
    fmt::print(console.out, "{}", shown->help(shown == &app ? "" : shown->get_parent()->get_name()));
    return static_cast<int>(ExitCode::ok);
  } catch (const CLI::ParseError& error) {
    return static_cast<int>(
        fail(console, ExitCode::usage, fmt::format("{} (--help explains the options)", error.what())));
  }
  return static_cast<int>(chosen(console));
}

}  // namespace voxpath::server
