// SearchOptions: what the command line says of the mob, the goal and the way to search; the same for one path and for many.
// Thread-safety: one thread.
// Usage: add_search_options(command, options); after parsing: auto question = question_of(options, remote);
#pragma once

#include "pathfinding/query.hpp"
#include "server/cli/goal_options.hpp"
#include "server/cli/world_access.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace voxpath::server {

struct SearchOptions {
  GoalOptions goal;
  std::string agent = "zombie";
  std::vector<std::string> set;
  std::string algorithm = "astar", heuristic = "octile", simplify = "none";
  std::vector<std::string> prices;
  std::int64_t limit = pathfinding::kExpansionsDefault;
  bool proof_only = false;
  bool exact = false;
  double weight = 1;
};
void add_search_options(CLI::App& command, SearchOptions& options);

/// For the footer of such a command: lines.
extern const char* const kFieldsHelp;

/// The question but for its start; `remote`: whether a server is asked, which may know mobs that are not known here.
/// Errors: invalid_argument, with the option.
[[nodiscard]] world::Result<PathQuestion> question_of(const SearchOptions& options, bool remote);

/// How a command ends that had such an answer.
[[nodiscard]] ExitCode exit_code_of(pathfinding::AnswerStatus status);

}  // namespace voxpath::server
