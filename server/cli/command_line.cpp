#include "server/cli/answer_json.hpp"
#include "server/cli/command.hpp"
#include "server/serve.hpp"
#include "server/terminal_text.hpp"
#include "world/blocks/error_text.hpp"
#include "world/number.hpp"

#include <cstdint>
#include <limits>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace voxpath::server {

namespace {

std::string exit_code_table() {
  std::string text = "Exit codes:\n";
  for (const ExitCodeHelp& help : kExitCodes) {
    text += fmt::format("  {}  {}\n", static_cast<int>(help.code), help.meaning);
  }
  return text;
}

/// With "did you mean path?", or the commands there are.
std::string no_command(const CLI::App& app, const std::string& word) {
  const std::string said = fmt::format("{} is no command{}", world::quoted(word),
                                       app.get_parent() != nullptr ? fmt::format(" of {}", app.get_name()) : "");
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string_view name = world::nearest_name(word, views);
  if (!name.empty()) return fmt::format("{}; did you mean {}?", said, name);
  return fmt::format("{}; there are {}", said, fmt::join(names, ", "));
}

}  // namespace

ExitCode fail(const Console& console, ExitCode code, const std::string& message, bool json) {
  if (json) fmt::print(console.out, "{}", error_json(code, message));
  fmt::print(console.err, "voxpath: {}\n", terminal_line(message));
  return code;
}

ExitCode fail(const Console& console, const world::Error& error, bool json) {
  return fail(console, exit_code_of(error), error.message, json);
}

std::string refuse_no_number(const std::string& text) {
  if (text.find_first_of("0123456789") == std::string::npos && text != "inf" && text != "nan")
    return text.empty() ? "a number is needed" : fmt::format("'{}' is no number", text);
  const std::string_view digits = std::string_view(text).substr(text.front() == '-' || text.front() == '+' ? 1 : 0);
  const bool whole = !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
  if (!whole || world::number<std::int64_t>(text.front() == '+' ? std::string(digits) : text)) return "";
  return fmt::format("{} is beyond all that is allowed, {} to {}", text, std::numeric_limits<std::int64_t>::min(),
                     std::numeric_limits<std::int64_t>::max());
}
std::string refuse_no_name(const std::string& text) { return text.empty() ? "a file is needed" : ""; }

int run_command_line(int argc, const char* const* argv, const Console& console) {
  // The daemon reads its own options, --help too.
  if (argc > 1 && std::string_view(argv[1]) == "serve") return serve(argc - 1, argv + 1);
  Chosen chosen;
  CLI::App app("How does this mob walk from here to there? Paths through worlds made of blocks.", "voxpath");
  app.require_subcommand(0, 1);
  app.set_version_flag("--version", "voxpath " VOXPATH_VERSION);
  add_path_command(app, chosen);
  add_paths_command(app, chosen);
  add_world_command(app, chosen);
  add_blocks_command(app, chosen);
  add_agents_command(app, chosen);
  add_scenario_command(app, chosen);
  add_reference_command(app, chosen);
  add_lab_command(app, chosen);
  add_mobs_command(app, chosen);
  add_store_command(app, chosen);
  app.add_subcommand("serve", "The daemon: voxpathd, with the same options and exit codes (`voxpath serve --help`)");
  app.allow_extras();  // after the commands, which would inherit it: an unknown one is told by name below
  app.footer(
      "Begin with:\n"
      "  voxpath world surface 0,200,0 --world terrain:7 --draw\n"
      "  voxpath path --world terrain:7 --from -20,200,-6 --to 20,200,8 --draw\n"
      "then with a Minecraft world folder in place of terrain:7, or without --world to ask a running voxpathd.\n"
      "`voxpath COMMAND --help` explains each command by examples.\n"
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
    std::string before;
    for (auto below = parsed; !below.empty(); below = shown->get_subcommands()) {
      before += (before.empty() ? "" : " ") + shown->get_name();
      shown = below.front();
    }
    fmt::print(console.out, "{}", shown->help(before));
    return static_cast<int>(ExitCode::ok);
  } catch (const CLI::ParseError& error) {
    const CLI::App* command = &app;
    while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
    if (command->get_require_subcommand_min() > 0 && !command->remaining().empty())
      return static_cast<int>(fail(console, ExitCode::usage, no_command(*command, command->remaining().front())));
    return static_cast<int>(
        fail(console, ExitCode::usage, fmt::format("{} (--help explains the options)", error.what())));
  }
  if (!app.remaining().empty()) {
    return static_cast<int>(fail(console, ExitCode::usage, no_command(app, app.remaining().front())));
  }
  if (!chosen) {
    fmt::print(console.err, "{}", app.help());
    return static_cast<int>(ExitCode::usage);
  }
  return static_cast<int>(chosen(console));
}

}  // namespace voxpath::server
