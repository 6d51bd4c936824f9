// `voxpath blocks NAME`: the states and traits of a block in a version of the game.
#include "server/cli/answer_json.hpp"
#include "server/cli/text_file.hpp"
#include "world/blocks/block_table.hpp"
#include "world/blocks/trait_names.hpp"

#include <map>
#include <memory>
#include <set>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace voxpath::server {

namespace {

struct BlocksOptions {
  std::string name;
  std::string version{world::BlockTable::versions().back()};
  std::string block_overrides;
  bool all = false, json = false;
};

struct State {
  world::BlockState state;
  world::Traits traits;
};

world::Result<world::BlockTable> table_of(const BlocksOptions& options) {
  auto table = world::BlockTable::for_version(options.version);
  if (!table || options.block_overrides.empty()) return table;
  const auto text = read_text_file(options.block_overrides, world::kOverridesTextMax);
  if (!text) return text.error();
  return table->with_overrides(*text);
}

/// The properties in which two states differ that are alike but for it and have different traits.
std::set<std::string> mattering_properties(const std::vector<State>& states) {
  std::set<std::string> mattering;
  if (states.empty()) return mattering;
  for (const auto& [property, ignored] : states.front().state.properties) {
    std::map<std::string, world::Traits> traits_of_rest;
    for (const State& s : states) {
      world::BlockState rest = s.state;
      std::erase_if(rest.properties, [&](const auto& p) { return p.first == property; });
      const auto [it, added] = traits_of_rest.emplace(rest.text(), s.traits);
      if (!added && !(it->second == s.traits)) mattering.insert(property);
    }
  }
  return mattering;
}

void print_states(const std::vector<State>& states, bool all, std::FILE* out) {
  const auto mattering = mattering_properties(states);
  // The states that agree in all that matters are one line; lines keep the order of their first state.
  std::vector<std::pair<std::string, std::pair<world::Traits, int>>> lines;
  std::map<std::string, std::size_t> line_of;
  for (const State& s : states) {
    world::BlockState shown = s.state;
    if (!all) std::erase_if(shown.properties, [&](const auto& p) { return !mattering.contains(p.first); });
    const std::string text = shown.text();
    const auto [it, added] = line_of.emplace(text, lines.size());
    if (added) lines.push_back({text, {s.traits, 0}});
    ++lines[it->second].second.second;
  }
  for (const auto& [text, line] : lines) {
    const std::string count = line.second > 1 ? fmt::format("  ({} states)", line.second) : "";
    fmt::print(out, "  {}  {}{}\n", text, world::describe(line.first), count);
  }
}

ExitCode run(const BlocksOptions& options, const Console& console) {
  const auto table = table_of(options);
  if (!table) {
    const bool file = !options.block_overrides.empty() && table.error().code != world::ErrorCode::not_found;
    return file ? fail(console, table.error(), options.json)
                : fail(console, ExitCode::usage, table.error().message, options.json);
  }
  const auto asked = world::BlockState::parse(options.name);
  if (!asked) return fail(console, asked.error(), options.json);
  const auto traits = table->checked_traits(*asked);
  if (!traits) return fail(console, ExitCode::usage, traits.error().message, options.json);

  std::vector<State> states;
  for (const world::BlockState& state : table->states_of(asked->name)) {
    const bool matches = std::all_of(asked->properties.begin(), asked->properties.end(),
                                     [&](const auto& p) { return state.property(p.first) == p.second; });
    if (matches) states.push_back({state, table->traits(state)});
  }
  // Blocks that overrides add have no list of states.
  if (states.empty()) states.push_back({*asked, *traits});

  if (options.json) {
    std::vector<KnownBlock> listed;
    listed.reserve(states.size());
    for (const State& s : states) listed.push_back({s.state.text(), s.traits});
    fmt::print(console.out, "{}", states_json(options.version, listed));
    return ExitCode::ok;
  }
  fmt::print(console.out, "{} in Java {}: {} state{}\n", asked->text(), options.version, states.size(),
             states.size() == 1 ? "" : "s");
  print_states(states, options.all, console.out);
  return ExitCode::ok;
}

}  // namespace

void add_blocks_command(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<BlocksOptions>();
  CLI::App* command = app.add_subcommand("blocks", "What the planner knows of a block: its states and their traits");
  command->add_option("name", options->name, "The block; with properties only the states that have them")
      ->type_name("NAME")
      ->required();
  std::string versions;
  for (const auto v : world::BlockTable::versions()) versions += fmt::format("{}{}", versions.empty() ? "" : " ", v);
  command->add_option("--version", options->version, "Java version: " + versions)
      ->type_name("V")
      ->capture_default_str();
  command->add_option("--block-overrides", options->block_overrides, "TOML file that changes or adds blocks")
      ->type_name("FILE");
  command->add_flag("--all", options->all, "One line for each state, also where they are alike");
  command->add_flag("--json", options->json, "Print all states as JSON");
  command->footer(
      "Traits: the extent in 1/16 block above the cell's base (0..16 is a full cube, none lets bodies through), then\n"
      "what a mob must know: fluid, hazard, door, stair, climbable, slow.\n"
      "\n"
      "Examples:\n"
      "  voxpath blocks oak_stairs\n"
      "  voxpath blocks oak_slab[type=top] --version 1.13.2\n"
      "  voxpath blocks mymod:table --block-overrides blocks.toml");
  command->callback(
      [options, &chosen] { chosen = [options](const Console& console) { return run(*options, console); }; });
}

}  // namespace voxpath::server
