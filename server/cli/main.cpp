// The program `voxpath`.
#include "server/cli/command.hpp"
#include "server/terminal_text.hpp"

#include <cstdio>
#include <exception>

int main(int argc, char** argv) {
  constexpr int kUnavailable = static_cast<int>(voxpath::server::ExitCode::unavailable);
  try {
    const int code = voxpath::server::run_command_line(argc, argv, {});
    // A full disk, say: nobody should take half an answer for a whole one.
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    std::perror("voxpath: the output could not be written");
    return kUnavailable;
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "voxpath: %s\n", voxpath::server::terminal_line(fault.what()).c_str());
    return kUnavailable;
  }
}
