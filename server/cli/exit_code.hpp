// ExitCode: what the program's end tells a script. The table that --help prints is made from here.
// Thread-safety: constants.
// Invariant: a code never changes its meaning.
#pragma once

#include "world/result.hpp"

#include <array>
#include <string_view>

namespace voxpath::server {

enum class ExitCode : int {
  ok = 0,
  check_failed = 1,
  usage = 2,
  no_path = 3,
  place_invalid = 4,
  unavailable = 5,
  interrupted = 130,  // as shells count: 128 + SIGINT
};

struct ExitCodeHelp {
  ExitCode code;
  std::string_view meaning;
};
inline constexpr std::array<ExitCodeHelp, 7> kExitCodes{{
    {ExitCode::ok, "done: the path was found, the check passed"},
    {ExitCode::check_failed, "a scenario or a reference row failed, a stored world is damaged"},
    {ExitCode::usage, "an option or a value is wrong; nothing was done"},
    {ExitCode::no_path, "no complete path: PARTIAL, UNREACHABLE or CANCELLED"},
    {ExitCode::place_invalid, "START_INVALID or GOAL_INVALID: no place for this mob there"},
    {ExitCode::unavailable, "a world, a file or the server cannot be read or reached"},
    {ExitCode::interrupted, "a load test was interrupted: its report is of the part before"},
}};

/// How a command ends that met this error: values at fault are the caller's to mend, all else is not there.
inline ExitCode exit_code_of(const world::Error& error) {
  const bool wrong_value =
      error.code == world::ErrorCode::invalid_argument || error.code == world::ErrorCode::out_of_range;
  return wrong_value ? ExitCode::usage : ExitCode::unavailable;
}

}  // namespace voxpath::server
