// The program `voxpath`.
#include "server/cli/command.hpp"
#include "server/terminal_text.hpp"

#include <cstdio>
#include <exception>

int main(int argc, char** argv) {
  try {
    return voxpath::server::run_command_line(argc, argv, {});
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "voxpath: %s\n", voxpath::server::terminal_line(fault.what()).c_str());
    return static_cast<int>(voxpath::server::ExitCode::unavailable);
  }
}
