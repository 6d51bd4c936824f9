// `voxpath lab`: published experiments on path-finding, repeated.
#include "server/cli/lab_command.hpp"

#include <CLI/CLI.hpp>

namespace voxpath::server {

void add_lab_command(CLI::App& app, Chosen& chosen) {
  CLI::App* lab = app.add_subcommand("lab", "Published experiments on path-finding, repeated");
  lab->require_subcommand(1);
  add_lab_chase(*lab, chosen);
  add_lab_star_race(*lab, chosen);
  add_lab_heap_heuristic(*lab, chosen);
}

}  // namespace voxpath::server
