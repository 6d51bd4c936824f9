// The program `voxpath`.
#include "server/cli/command.hpp"

#include <cstdio>
#include <exception>

int main(int argc, char** argv) {
  try {
    return voxpath::server::run_command_line(argc, argv, {});
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "voxpath: %s\n", fault.what());
    return static_cast<int>(voxpath::server::ExitCode::unavailable);
  }
}
