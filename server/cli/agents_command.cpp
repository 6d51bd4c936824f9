// `voxpath agents`: the ready-made agents by name.
#include "pathfinding/profiles.hpp"
#include "server/cli/answer_json.hpp"
#include "server/cli/place_text.hpp"

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace voxpath::server {

namespace {

ExitCode run(bool json, const Console& console) {
  if (json) {
    std::vector<NamedAgent> agents;
    for (const auto& a : pathfinding::profiles())
      agents.push_back({std::string(a.name), std::string(a.about), a.agent});
    fmt::print(console.out, "{}", agents_json(agents));
    return ExitCode::ok;
  }
  fmt::print(console.out, "{:<13} {:>5} {:>6} {:>6} {:>6} {:>8}  (blocks)\n", "name", "width", "height", "step", "jump",
             "max_drop");
  for (const auto& ready : pathfinding::profiles()) {
    const pathfinding::Agent& a = ready.agent;
    fmt::print(console.out, "{:<13} {:>5} {:>6} {:>6} {:>6} {:>8}  {}\n", ready.name, a.width_blocks,
               blocks_text(a.height_px), blocks_text(a.step_px), blocks_text(a.jump_px), blocks_text(a.max_drop_px),
               ready.about);
  }
  return ExitCode::ok;
}

}  // namespace

void add_agents_command(CLI::App& app, Chosen& chosen) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("agents", "The ready-made mobs for --agent");
  command->add_flag("--json", *json, "Print them as JSON");
  command->footer("Example:\n  voxpath agents");
  command->callback([json, &chosen] { chosen = [json](const Console& console) { return run(*json, console); }; });
}

}  // namespace voxpath::server
