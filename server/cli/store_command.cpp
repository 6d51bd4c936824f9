// `voxpath store`: what is on disk of a durable world: checked, made smaller, written out as text.
#include "server/cli/command.hpp"
#include "server/terminal_text.hpp"
#include "world/store/lmdb_environment.hpp"
#include "world/store/store_report.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace voxpath::server {

namespace {

constexpr double kMib = 1 << 20;
constexpr char kDataFile[] = "data.mdb", kCompactFile[] = "data.mdb.compact";

struct StoreOptions {
  std::string folder;
  std::string output;
};

std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// Names the damage, and ends with the code that says whether there is any.
ExitCode tell(const world::StoreReport& report, const StoreOptions& options, const Console& console) {
  for (const std::string& problem : report.problems)
    fmt::print(console.err, "{}: {}\n", terminal_line(options.folder), terminal_line(problem));
  if (report.problems.empty()) return ExitCode::ok;
  fmt::print(console.err, "voxpath: {}, {} of {} damaged; the rest can be read\n",
             counted(report.problems.size(), "damaged value"), report.chunks_damaged, counted(report.chunks, "chunk"));
  return ExitCode::check_failed;
}

ExitCode run_check(const StoreOptions& options, const Console& console) {
  const auto report = world::check_store(options.folder);
  if (!report) return fail(console, report.error());
  if (report->about) {
    fmt::print(console.out, "world at version {}, heights {} to {}, blocks of {}{}\n", report->about->version,
               report->about->heights.min_y, report->about->heights.max_y(), report->about->game_version,
               report->about->open ? "" : ", closed");
  }
  fmt::print(console.out, "{}, {}, {}\n", counted(report->chunks, "chunk"), counted(report->sections, "section"),
             counted(report->states, "block state"));
  fmt::print(console.out, "{:.1f} MiB in values, {:.1f} MiB of file\n", static_cast<double>(report->value_bytes) / kMib,
             static_cast<double>(report->used_bytes) / kMib);
  const ExitCode code = tell(*report, options, console);
  if (code == ExitCode::ok) fmt::print(console.out, "every value is whole\n");
  return code;
}

/// In place: needs the store for itself. Elsewhere: a copy, also of one in use.
ExitCode run_compact(const StoreOptions& options, const Console& console) {
  const std::filesystem::path folder = options.folder;
  std::error_code code;
  const auto before = std::filesystem::file_size(folder / kDataFile, code);
  if (code)
    return fail(console, ExitCode::unavailable,
                fmt::format("'{}' is no store: it has no {}", options.folder, kDataFile));
  std::filesystem::path made = folder / kCompactFile;
  auto store =
      options.output.empty() ? world::LmdbEnvironment::open(folder, 0) : world::LmdbEnvironment::open_to_read(folder);
  if (!store) return fail(console, store.error());
  if (options.output.empty()) {
    std::filesystem::remove(made, code);  // of a run that was ended
  } else {
    std::filesystem::create_directories(options.output, code);
    if (code)
      return fail(console, ExitCode::unavailable, fmt::format("cannot make '{}': {}", options.output, code.message()));
    made = std::filesystem::path(options.output) / kDataFile;
  }
  if (const auto status = (*store)->copy_compact(made); !status) return fail(console, status.error());
  if (options.output.empty()) {
    std::filesystem::rename(made, folder / kDataFile, code);
    if (code) return fail(console, ExitCode::unavailable, fmt::format("cannot replace the store: {}", code.message()));
    made = folder / kDataFile;
  }
  fmt::print(console.out, "{:.1f} MiB before, {:.1f} MiB now\n", static_cast<double>(before) / kMib,
             static_cast<double>(std::filesystem::file_size(made, code)) / kMib);
  return ExitCode::ok;
}

ExitCode run_export(const StoreOptions& options, const Console& console) {
  std::FILE* out = console.out;
  if (!options.output.empty()) out = std::fopen(options.output.c_str(), "wx");
  if (out == nullptr) {
    return fail(console, ExitCode::unavailable,
                fmt::format("cannot write '{}': {}", options.output,
                            std::error_code(errno, std::generic_category()).message()));
  }
  const bool terminal = options.output.empty();
  const auto report = world::export_store(options.folder, [&](std::string_view line) {
    fmt::print(out, "{}\n", terminal ? terminal_line(line) : std::string(line));
  });
  bool written = std::fflush(out) == 0 && std::ferror(out) == 0;
  if (!options.output.empty()) written = std::fclose(out) == 0 && written;
  if (!report) return fail(console, report.error());
  if (!written) return fail(console, ExitCode::unavailable, "the export could not be written whole");
  return tell(*report, options, console);
}

using Run = ExitCode (*)(const StoreOptions&, const Console&);

CLI::App* add_one(CLI::App& parent, Chosen& chosen, const std::string& name, const std::string& about, Run run) {
  auto options = std::make_shared<StoreOptions>();
  CLI::App* command = parent.add_subcommand(name, about);
  command->add_option("folder", options->folder, "The world's folder below store.folder")
      ->type_name("FOLDER")
      ->required();
  if (name != "check") {
    command
        ->add_option("-o,--output", options->output,
                     name == "export" ? "Write to this new file" : "Write a copy to this folder")
        ->type_name(name == "export" ? "FILE" : "FOLDER")
        ->check(refuse_no_name);
  }
  command->callback(
      [options, &chosen, run] { chosen = [options, run](const Console& console) { return run(*options, console); }; });
  return command;
}

}  // namespace

void add_store_command(CLI::App& app, Chosen& chosen) {
  CLI::App* store = app.add_subcommand("store", "Look after stored worlds: check, compact, export");
  store->require_subcommand(1);
  add_one(*store, chosen, "check", "Checks every value; names what is damaged, and then ends with code 1", run_check)
      ->footer("Works while voxpathd uses the store.\n\nExample:\n  voxpath store check store/lobby");
  add_one(*store, chosen, "compact", "Writes the store anew without the free pages in it, or a copy of it", run_compact)
      ->footer(
          "In place no voxpathd may be using the store. With --output it may: so backups are made.\n\n"
          "Examples:\n  voxpath store compact store/lobby\n  voxpath store compact store/lobby --output backup/lobby");
  add_one(*store, chosen, "export", "Writes what can be read as text, the same for equal worlds", run_export)
      ->footer(
          "A line for the world, one for each chunk, one for each section that is not all air: its blocks in runs, by "
          "y,\n"
          "then z, then x. What is damaged is named on the error stream, and the code is then 1.\n\n"
          "Example:\n  voxpath store export store/lobby --output lobby.txt");
}

}  // namespace voxpath::server
