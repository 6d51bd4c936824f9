// The experiments of `voxpath lab`, each in the file of its name.
// Thread-safety: one thread.
// Usage: as the add_ functions of command.hpp, with the command `lab` in place of the program.
#pragma once

#include "server/cli/command.hpp"

namespace voxpath::server {

void add_lab_chase(CLI::App& lab, Chosen& chosen);
void add_lab_star_race(CLI::App& lab, Chosen& chosen);
void add_lab_heap_heuristic(CLI::App& lab, Chosen& chosen);

}  // namespace voxpath::server
