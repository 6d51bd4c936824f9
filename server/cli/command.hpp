// Command: what every command of the command line shares: where it prints, and how it joins the parser.
// Thread-safety: one thread.
// Usage: add_path_command(app, chosen); app.parse(argc, argv); return chosen(console); Each command lives in the file
// of its name; its add_ function declares the options and stores what is to be run in `chosen`.
#pragma once

#include "server/cli/exit_code.hpp"

#include <cstdio>
#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace voxpath::server {

struct Console {
  std::FILE* out = stdout;  // answers
  std::FILE* err = stderr;  // errors, progress
};

using Chosen = std::function<ExitCode(const Console&)>;

void add_path_command(CLI::App& app, Chosen& chosen);
void add_paths_command(CLI::App& app, Chosen& chosen);
void add_world_command(CLI::App& app, Chosen& chosen);
void add_blocks_command(CLI::App& app, Chosen& chosen);
void add_agents_command(CLI::App& app, Chosen& chosen);
void add_scenario_command(CLI::App& app, Chosen& chosen);
void add_reference_command(CLI::App& app, Chosen& chosen);
void add_lab_command(CLI::App& app, Chosen& chosen);
void add_mobs_command(CLI::App& app, Chosen& chosen);
void add_store_command(CLI::App& app, Chosen& chosen);

/// The whole program but for the process around it.
int run_command_line(int argc, const char* const* argv, const Console& console);

/// For options that take a number: the parser would read nothing as 0, and what is too long as the longest it knows. Empty
/// when it may be one.
std::string refuse_no_number(const std::string& text);
/// Of a file.
std::string refuse_no_name(const std::string& text);

/// "voxpath: MESSAGE" on the error stream, or as {"error": ...} on the other one for programs that asked for JSON.
ExitCode fail(const Console& console, const world::Error& error, bool json = false);
ExitCode fail(const Console& console, ExitCode code, const std::string& message, bool json = false);

}  // namespace voxpath::server
