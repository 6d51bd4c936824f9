// serve(): voxpathd from its command line to its exit code; `voxpath serve` is the same.
// Thread-safety: once a process.
#pragma once

namespace voxpath::server {

/// Exit codes of voxpathd.
inline constexpr int kExitOk = 0;
inline constexpr int kExitUsage = 2;     // the command line
inline constexpr int kExitConfig = 3;    // the configuration
inline constexpr int kExitListen = 4;    // the address or port cannot be used
inline constexpr int kExitSecond = 130;  // ended at once by a second signal

/// argv[0] is the program's name.
int serve(int argc, const char* const* argv);

}  // namespace voxpath::server
