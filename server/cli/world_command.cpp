// `voxpath world info|blocks|surface`: what is in a world, without looking for a path.
#include "server/cli/answer_json.hpp"
#include "server/cli/place_text.hpp"
#include "server/cli/world_drawing.hpp"
#include "server/terminal_text.hpp"
#include "world/blocks/block_table.hpp"
#include "world/blocks/release_names.hpp"
#include "world/blocks/trait_names.hpp"

#include <memory>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace voxpath::server {

namespace {

constexpr double kKilobyte = 1024.0;
constexpr double kMegabyte = 1024.0 * 1024.0;

struct WorldCommandOptions {
  WorldOptions world;
  std::vector<std::string> places;
  std::string box;
  int radius = 16;
  bool json = false, draw = false;
};

/// "1.20.4", or "1.17.1 (blocks as of 1.18.2)" where that version has no block table of its own.
std::string version_text(std::int32_t data_version) {
  const std::string name = world::release_name(data_version);
  const std::string_view table = world::BlockTable::version_for(data_version);
  return name == table || data_version <= 0 ? name : fmt::format("{} (blocks as of {})", name, table);
}

/// That, or "1.12.2 to 1.20.4".
std::string versions_text(const world::DataVersions& versions) {
  const std::string oldest = version_text(versions.oldest);
  return versions.oldest == versions.newest ? oldest : fmt::format("{} to {}", oldest, version_text(versions.newest));
}

ExitCode run_info(const WorldCommandOptions& options, const Console& console) {
  const auto world = open_world(options.world, console);
  if (!world) return fail(console, world.error(), options.json);
  const auto info = (*world)->info();
  if (!info) return fail(console, info.error(), options.json);
  if (options.json) {
    fmt::print(console.out, "{}", info_json(*info));
    return ExitCode::ok;
  }
  fmt::print(console.out, "{}\n  heights {} to {}, {} chunks, version {}\n", terminal_line(info->name),
             info->heights.min_y, info->heights.max_y(), info->chunks, info->version);
  if (info->data_versions) fmt::print(console.out, "  written by Java {}\n", versions_text(*info->data_versions));
  if (info->extent) {
    fmt::print(console.out, "  known blocks lie within x {} to {}, z {} to {}\n", info->extent->min.x,
               info->extent->max.x, info->extent->min.z, info->extent->max.z);
  }
  if (info->memory_bytes && info->chunks > 0) {
    const auto bytes = static_cast<double>(*info->memory_bytes);
    fmt::print(console.out, "  {:.1f} MB in memory, {:.1f} KB a column\n", bytes / kMegabyte,
               bytes / kKilobyte / static_cast<double>(info->chunks));
  }
  fmt::print(console.out, "{}", terminal_lines(info->summary));
  return ExitCode::ok;
}

world::Result<std::vector<world::Box>> boxes_of(const WorldCommandOptions& options) {
  std::vector<world::Box> boxes;
  for (const std::string& text : options.places) {
    const auto place = parse_place("place", text);
    if (!place) return place.error();
    boxes.push_back({cell_of(*place), cell_of(*place)});
  }
  if (!options.box.empty()) {
    const auto box = parse_box("--box", options.box);
    if (!box) return box.error();
    boxes.push_back(*box);
  }
  if (boxes.empty()) {
    return world::Error{world::ErrorCode::invalid_argument, "no places: give X,Y,Z ... or --box X,Y,Z..X,Y,Z"};
  }
  return boxes;
}

/// Calls visit(place, block or nullptr) for each block of the box.
template <class Visit>
void for_each_block(const BlockBox& blocks, Visit&& visit) {
  const world::Box& box = blocks.box;
  for (int y = box.min.y; y <= box.max.y; ++y) {
    for (int z = box.min.z; z <= box.max.z; ++z) {
      for (int x = box.min.x; x <= box.max.x; ++x) visit(world::BlockPos{x, y, z}, blocks.at({x, y, z}));
    }
  }
}

ExitCode run_blocks(const WorldCommandOptions& options, const Console& console) {
  const auto boxes = boxes_of(options);
  if (!boxes) return fail(console, boxes.error(), options.json);
  const auto world = open_world(options.world, console);
  if (!world) return fail(console, world.error(), options.json);
  std::vector<BlockBox> found;
  for (const world::Box& box : *boxes) {
    auto blocks = (*world)->blocks(box);
    if (!blocks) return fail(console, blocks.error(), options.json);
    found.push_back(*std::move(blocks));
  }
  std::vector<PlacedBlock> placed;
  for (const BlockBox& blocks : found) {
    for_each_block(blocks, [&](world::BlockPos at, const KnownBlock* block) { placed.push_back({at, block}); });
  }
  if (options.json) {
    fmt::print(console.out, "{}", blocks_json(placed));
    return ExitCode::ok;
  }
  for (const PlacedBlock& p : placed) {
    const std::string what =
        p.block == nullptr ? "missing chunk"
                           : fmt::format("{}  {}", terminal_line(p.block->name), world::describe(p.block->traits));
    fmt::print(console.out, "{:<16} {}\n", to_text(p.at), what);
  }
  return ExitCode::ok;
}

std::string surface_text(const std::optional<world::Surface>& surface, WorldAccess& world) {
  if (!surface) return "nothing between there and the void";
  if (surface->missing) return "missing chunk";
  const auto block = world.blocks({surface->block, surface->block});
  const KnownBlock* found = block ? block->at(surface->block) : nullptr;
  return fmt::format("ground at {} ({} px): {} at {}", blocks_text(surface->floor_px), surface->floor_px,
                     found == nullptr ? "?" : terminal_line(found->name), to_text(surface->block));
}

ExitCode run_surface(const WorldCommandOptions& options, const Console& console) {
  std::vector<pathfinding::Place> places;
  for (const std::string& text : options.places) {
    const auto place = parse_place("place", text);
    if (!place) return fail(console, place.error(), options.json);
    places.push_back(*place);
  }
  if (options.radius < 0 || options.radius > kSurfaceRadiusMax) {
    return fail(console, ExitCode::usage,
                fmt::format("--radius = {}: 0 to {} is allowed", options.radius, kSurfaceRadiusMax), options.json);
  }
  const auto world = open_world(options.world, console);
  if (!world) return fail(console, world.error(), options.json);
  std::vector<PlacedSurface> surfaces;
  std::string drawing;
  for (const pathfinding::Place& place : places) {
    const auto surface = (*world)->surface_below(position_of(place));
    if (!surface) return fail(console, surface.error(), options.json);
    surfaces.push_back({position_of(place), *surface});
    if (!options.draw) continue;
    const auto drawn = draw_surface(cell_of(place), options.radius, **world);
    if (!drawn) return fail(console, drawn.error(), options.json);
    drawing += *drawn;
  }
  if (options.json) {
    fmt::print(console.out, "{}", surfaces_json(surfaces, drawing));
    return ExitCode::ok;
  }
  for (std::size_t i = 0; i < surfaces.size(); ++i) {
    fmt::print(console.out, "{:<16} {}\n", to_text(places[i]), surface_text(surfaces[i].surface, **world));
  }
  fmt::print(console.out, "{}", drawing);
  return ExitCode::ok;
}

using Run = ExitCode (*)(const WorldCommandOptions&, const Console&);

CLI::App* add_one(CLI::App& parent, Chosen& chosen, const std::string& name, const std::string& about,
                  const std::shared_ptr<WorldCommandOptions>& options, Run run) {
  CLI::App* command = parent.add_subcommand(name, about);
  add_world_options(*command, options->world);
  command->add_flag("--json", options->json, "Print it as JSON");
  command->callback(
      [options, &chosen, run] { chosen = [options, run](const Console& console) { return run(*options, console); }; });
  return command;
}

}  // namespace

void add_world_command(CLI::App& app, Chosen& chosen) {
  CLI::App* world = app.add_subcommand("world", "Look into a world: info, blocks, surface");
  world->require_subcommand(1);
  const auto make = [] { return std::make_shared<WorldCommandOptions>(); };

  auto info_options = make();
  add_one(*world, chosen, "info", "What was loaded: heights, chunks, game versions, memory, unknown blocks, damage",
          info_options, run_info)
      ->footer("Example:\n  voxpath world info --world ~/.minecraft/saves/Home");

  auto block_options = make();
  CLI::App* blocks = add_one(*world, chosen, "blocks", "Names and traits of blocks", block_options, run_blocks);
  blocks->add_option("place", block_options->places, "Where: cells or positions")->type_name("X,Y,Z");
  blocks->add_option("--box", block_options->box, "All blocks between two corners, both included")
      ->type_name("X,Y,Z..X,Y,Z");
  blocks->footer(
      "Traits: the extent in 1/16 block above the cell's base (0..16 is a full cube, none lets bodies through), then\n"
      "what a mob must know: fluid, hazard, door, stair, climbable, slow.\n"
      "\n"
      "Examples:\n"
      "  voxpath world blocks 12,63,-7 12,64,-7 --world ~/.minecraft/saves/Home\n"
      "  voxpath world blocks --box -3,60,-3..3,64,3 --world ~/.minecraft/saves/Home --json");

  auto surface_options = make();
  CLI::App* surface = add_one(*world, chosen, "surface", "The ground below places, and a map of its heights",
                              surface_options, run_surface);
  surface->add_option("place", surface_options->places, "From where to look down")->type_name("X,Y,Z")->required();
  surface->add_flag("--draw", surface_options->draw, "Draw the heights around each place, seen from above");
  surface->add_option("--radius", surface_options->radius, "How far around, in blocks, 0 to 128")
      ->type_name("N")
      ->check(refuse_no_number)
      ->capture_default_str();
  surface->footer(
      "Example:\n"
      "  voxpath world surface 12,200,-7 --draw --radius 30 --world ~/.minecraft/saves/Home");
}

}  // namespace voxpath::server
