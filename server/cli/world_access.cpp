#include "server/cli/world_access.hpp"

#include "protocol/limits.hpp"
#include "world/anvil/world_folder.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace voxpath::server {

void add_world_options(CLI::App& command, WorldOptions& options) {
  options.dimension = world::kOverworld;
  options.server = fmt::format("127.0.0.1:{}", protocol::kDefaultPort);
  auto* local = command
                    .add_option("--world", options.world,
                                "Load this here: a Minecraft world folder, a scenario file (*.scn), or a generated\n"
                                "world: terrain:SEED, maze:SEED, flat")
                    ->type_name("DIR|FILE|NAME");
  command.add_option("--dimension", options.dimension, "Which dimension of a world folder")
      ->type_name("NAME")
      ->capture_default_str();
  command.add_option("--block-overrides", options.block_overrides, "TOML file that changes or adds blocks")
      ->type_name("FILE");
  command.add_option("--threads", options.threads, "Threads for loading, 1 to 64")
      ->type_name("N")
      ->check(refuse_no_number)
      ->capture_default_str();
  auto* server = command.add_option("--server", options.server, "Ask this voxpathd, where no --world is given")
                     ->type_name("HOST:PORT|unix:PATH")
                     ->capture_default_str();
  server->excludes(local);
  command.add_option("--world-name", options.world_name, "Which of the server's worlds; left out: its only one")
      ->type_name("NAME")
      ->excludes(local);
  add_connection_options(command, options);
}

void add_connection_options(CLI::App& command, WorldOptions& options) {
  command.add_option("--token-file", options.token_file, "File with the token that the server asks for")
      ->type_name("FILE");
  command.add_flag("--tls", options.tls, "Speak TLS to the server; its certificate must be of the HOST asked for");
  command
      .add_option(
          "--ca", options.ca,
          "PEM file with the authorities whose server certificates are good, in place of the system's; means --tls")
      ->type_name("FILE");
  auto* cert = command
                   .add_option("--cert", options.cert,
                               "PEM file with this client's certificate, for servers that ask for one; means --tls")
                   ->type_name("FILE");
  auto* key = command.add_option("--key", options.key, "PEM file with its key")->type_name("FILE")->needs(cert);
  cert->needs(key);
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
  return open_remote_world(options);
}

}  // namespace voxpath::server
