#include "server/cli/world_access.hpp"

#include "world/anvil/world_folder.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace voxpath::server {

void add_world_options(CLI::App& command, WorldOptions& options) {
  options.dimension = world::kOverworld;
  command.add_option("--world", options.world, "Load this here: a Minecraft world folder, or a scenario file (*.scn)")
      ->type_name("DIR|FILE");
  command.add_option("--dimension", options.dimension, "Which dimension of a world folder")
      ->type_name("NAME")
      ->capture_default_str();
  command.add_option("--block-overrides", options.block_overrides, "TOML file that changes or adds blocks")
      ->type_name("FILE");
  command.add_option("--threads", options.threads, "Threads for loading, 1 to 64")
      ->type_name("N")
      ->capture_default_str();
}

const KnownBlock* BlockBox::at(world::BlockPos pos) const {
  const auto width = static_cast<std::size_t>(box.max.x - box.min.x + 1);
  const auto depth = static_cast<std::size_t>(box.max.z - box.min.z + 1);
  const std::size_t index =
      (static_cast<std::size_t>(pos.y - box.min.y) * depth + static_cast<std::size_t>(pos.z - box.min.z)) * width +
      static_cast<std::size_t>(pos.x - box.min.x);
  const std::uint32_t number = cells[index];
  return number == kMissing ? nullptr : &palette[number];
}

world::Result<std::unique_ptr<WorldAccess>> open_world(const WorldOptions& options, const Console& console) {
  if (!options.world.empty()) return open_local_world(options, console);
  return world::Error{world::ErrorCode::invalid_argument, "no world: give --world DIR"};
}

}  // namespace voxpath::server
