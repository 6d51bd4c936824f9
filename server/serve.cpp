#include "server/serve.hpp"

#include "server/config.hpp"
#include "server/daemon.hpp"
#include "server/loading/generated_world.hpp"
#include "server/log_lines.hpp"
#include "server/service_notify.hpp"
#include "server/terminal_text.hpp"
#include "server/version.hpp"

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <google/protobuf/stubs/common.h>
#include <google/protobuf/stubs/logging.h>
#include <spdlog/spdlog.h>

namespace voxpath::server {

namespace {

constexpr unsigned kPortMax = 65'535;

struct Options {
  std::string config_file;
  bool check_config = false;
  std::optional<std::string> address;
  std::optional<std::string> unix_socket;
  std::optional<unsigned> port;
  std::optional<unsigned> http_port;
  std::optional<unsigned> workers;
  std::string world_folder;
  bool flat = false;
  std::string generate;
};

void describe(CLI::App& app, Options& options) {
  app.set_version_flag("--version", fmt::format("voxpathd {}", kVersion));
  app.add_option("-c,--config", options.config_file, "configuration file; server/README.md has its keys");
  app.add_flag("--check-config", options.check_config, "read the configuration, say what is wrong with it, and end");
  app.add_option("--address", options.address,
                 "IP address to listen on, in place of the configuration's (default 127.0.0.1); none: a unix-domain "
                 "socket alone");
  app.add_option("--unix-socket", options.unix_socket, "path of a unix-domain socket to listen on, too");
  app.add_option(
         "--port", options.port,
         fmt::format("port, in place of the configuration's (default {}); 0: any free one", protocol::kDefaultPort))
      ->check(CLI::Range(0u, kPortMax));
  app.add_option("--http-port", options.http_port,
                 "port for HTTP and WebSockets, in place of the configuration's (default: none); 0: any free one")
      ->check(CLI::Range(0u, kPortMax));
  app.add_option("--workers", options.workers, "searching threads (default: one a core)")
      ->check(CLI::Range(0u, kWorkersMax));
  app.add_option("--world", options.world_folder, "a Minecraft world folder, opened as the world 'overworld'");
  app.add_flag("--flat", options.flat, "opens a generated flat world as the world 'flat'");
  app.add_option("--generate", options.generate,
                 "opens a generated world as the world 'demo': flat, terrain:SEED, maze:SEED");
  app.footer(
      "Ends at SIGTERM or SIGINT after answering what is in flight; a second one ends it at once. SIGHUP reads the\n"
      "configuration again.\n"
      "Exit codes: 0 ended in good order, 2 wrong arguments, 3 wrong configuration, 4 cannot listen, 130 ended by a "
      "second signal.");
}

world::Result<Config> configure(const Options& options) {
  Config config;
  if (!options.config_file.empty()) {
    auto read = read_config(options.config_file);
    if (!read) return read.error();
    config = *std::move(read);
  }
  if (options.unix_socket) config.access.unix_socket = *options.unix_socket;
  if (options.address) config.address = *options.address;
  if (options.port) config.port = static_cast<std::uint16_t>(*options.port);
  if (options.http_port) config.http.port = static_cast<std::uint16_t>(*options.http_port);
  if (options.workers) config.workers = *options.workers;
  const auto add = [&](WorldConfig world) -> world::Status {
    for (const WorldConfig& other : config.worlds) {
      if (other.name == world.name) {
        return world::Error{world::ErrorCode::already_exists,
                            fmt::format("the configuration has a world '{}' already", world.name)};
      }
    }
    config.worlds.push_back(std::move(world));
    return world::ok_status();
  };
  WorldConfig folder;
  folder.name = "overworld";
  folder.folder = options.world_folder;
  if (!options.world_folder.empty()) {
    if (auto status = add(folder); !status) return status.error();
  }
  WorldConfig flat;
  flat.name = "flat";
  flat.generate = "flat";
  if (options.flat) {
    if (auto status = add(flat); !status) return status.error();
  }
  if (!options.generate.empty()) {
    if (auto status = check_generated_world(options.generate); !status) return status.error();
    WorldConfig demo;
    demo.name = "demo";
    demo.generate = options.generate;
    if (auto status = add(demo); !status) return status.error();
  }
  if (auto status = check_exposure(config); !status) return status.error();
  return config;
}

void complain(std::string_view message) { fmt::print(stderr, "voxpathd: {}\n", terminal_line(message)); }

std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

int serve(int argc, const char* const* argv) {
  CLI::App app("voxpathd answers path requests for voxel worlds over TCP.", "voxpathd");
  Options options;
  describe(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked_for_help) {
    app.exit(asked_for_help);
    return kExitOk;
  } catch (const CLI::ParseError& error) {
    complain(fmt::format("{} (--help explains the options)", error.what()));
    return kExitUsage;
  }
  auto config = configure(options);
  if (!config) {
    complain(config.error().message);
    return kExitConfig;
  }
  if (options.check_config) {
    if (const auto status = check_folders(*config); !status) {
      complain(status.error().message);
      return kExitConfig;
    }
    fmt::print("configuration is fine: {}:{}, {}, {}\n", config->address, config->port,
               counted(config->worlds.size(), "world"), counted(config->profiles.all().size(), "agent profile"));
    return kExitOk;
  }
  start_logging({.level = config->log_level, .format = config->log_format, .repeats_max = config->log_repeats_max});
#if GOOGLE_PROTOBUF_VERSION < 4022000
  // Its lines are not of the log's form. Whom it complains of is told, and logged, when the frame is refused.
  google::protobuf::SetLogHandler(nullptr);
#endif

  Daemon daemon(*std::move(config));
  daemon.obey_signals();
  daemon.report_to(ServiceNotify::from_environment());
  if (!options.config_file.empty()) daemon.reload_from([options] { return configure(options); });
  if (auto status = daemon.start(); !status) {
    complain(status.error().message);
    return kExitListen;
  }
  daemon.run();
  if (daemon.worlds().loading()) {
    // Nothing is owed to anyone any more, and a large folder would keep the process for minutes.
    spdlog::info("event=loading_given_up");
    spdlog::shutdown();
    std::_Exit(kExitOk);
  }
  return kExitOk;
}

}  // namespace voxpath::server
