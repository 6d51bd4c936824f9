#include "server/config.hpp"

#include "protocol/checks.hpp"
#include "server/access/access_config.hpp"
#include "server/config_reader.hpp"
#include "server/loading/generated_world.hpp"
#include "world/blocks/block_table.hpp"
#include "world/choice.hpp"
#include "world/world.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <boost/asio/ip/address.hpp>
#include <fmt/format.h>
#include <toml++/toml.h>

namespace voxpath::server {

using world::Error;
using world::ErrorCode;
using world::Result;
using world::Status;

namespace {

using Reader = ConfigReader;

constexpr std::array<std::string_view, 9> kTables{"server", "http",  "log",   "limits", "store",
                                                  "world",  "agent", "token", "tls"};
constexpr std::array<std::string_view, 12> kServerKeys{
    "address",          "port",    "token_file", "insecure",         "role",           "unix_socket",
    "unix_socket_mode", "workers", "io_threads", "drain_timeout_ms", "share_searches", "worlds_folder"};
constexpr std::array<std::string_view, 4> kHttpKeys{"address", "port", "origins", "connections"};
constexpr std::array<std::string_view, 3> kLogKeys{"level", "format", "repeats_per_second"};
constexpr std::array<std::string_view, 2> kLogFormats{"text", "json"};
constexpr std::array<std::string_view, 7> kLimitKeys{
    "connections",      "jobs_queued", "jobs_queued_per_connection", "searches_kept",
    "answers_kept_mib", "chunks",      "handshake_timeout_ms"};
constexpr std::array<std::string_view, 4> kStoreKeys{"folder", "durability", "map_size_mib", "async_interval_ms"};
constexpr std::array<std::pair<std::string_view, Durability>, 3> kDurabilities{
    {{"none", Durability::none}, {"async", Durability::async}, {"sync", Durability::sync}}};
constexpr std::array<std::string_view, 10> kWorldKeys{"name",         "folder",          "generate", "dimension",
                                                      "game_version", "block_overrides", "min_y",    "height",
                                                      "load",         "durability"};
constexpr std::array<std::string_view, 7> kLogLevels{"trace", "debug", "info", "warning", "error", "critical", "off"};

void read_server(Reader table, const std::filesystem::path& folder, Config& config) {
  table.allow(kServerKeys);
  table.text("address", config.address);
  if (const Status status = check_address(config.address); !status)
    table.fail(table.at("address", status.error().message));
  table.number("port", config.port, 0, 65'535);
  table.flag("insecure", config.insecure);
  table.flag("share_searches", config.share_searches);
  table.number("workers", config.workers, 0, kWorkersMax);
  table.number("io_threads", config.io_threads, 1, kIoThreadsMax);
  table.number("drain_timeout_ms", config.drain_timeout_ms, 0, 600'000);
  std::string worlds;
  table.text("worlds_folder", worlds);
  if (!worlds.empty()) config.worlds_folder = folder / worlds;
  read_access(table, folder, config.access);
}

void read_choice(Reader& table, std::string_view key, std::span<const std::string_view> choices, std::string& out) {
  table.text(key, out);
  if (std::find(choices.begin(), choices.end(), out) != choices.end()) return;
  table.fail(table.at(key, fmt::format("{} is '{}', and must be one of {}", table.path(key), protocol::printable(out),
                                       fmt::join(choices, ", "))));
}

void read_http(Reader table, HttpConfig& config) {
  table.allow(kHttpKeys);
  table.text("address", config.address);
  boost::system::error_code code;
  boost::asio::ip::make_address(config.address, code);
  if (code) {
    return table.fail(table.at("address", fmt::format("http.address is '{}', and must be an IP address",
                                                      protocol::printable(config.address))));
  }
  if (!table.has("port")) return table.fail(table.at("port", "http.port is missing; 0 is any free one"));
  std::uint16_t port = 0;
  table.number("port", port, 0, 65'535);
  config.port = port;
  table.number("connections", config.connections_max, 1, protocol::kHttpConnectionsMax);
  table.texts("origins", config.origins);
  for (const std::string& origin : config.origins) {
    const bool fits = (origin.starts_with("http://") || origin.starts_with("https://")) && !origin.ends_with('/') &&
                      protocol::printable(origin, origin.size()) == origin;
    if (!fits) {
      return table.fail(table.at(
          "origins",
          fmt::format("http.origins has '{}', and an origin is as https://map.example", protocol::printable(origin))));
    }
  }
}

std::optional<Durability> read_durability(Reader& table, const StoreConfig& store) {
  std::string text;
  table.text("durability", text);
  if (text.empty()) return std::nullopt;
  Durability durability = Durability::none;
  if (const Status status = world::choose(durability, table.path("durability"), text, kDurabilities); !status)
    table.fail(table.at("durability", status.error().message));
  if (durability != Durability::none && store.folder.empty()) {
    table.fail(table.at("durability",
                        fmt::format("{} is '{}', for which store.folder must be set", table.path("durability"), text)));
  }
  return durability;
}

void read_store(Reader table, const std::filesystem::path& folder, Config& config) {
  table.allow(kStoreKeys);
  std::string path;
  table.text("folder", path);
  if (!path.empty()) config.store.folder = folder / path;
  table.number("map_size_mib", config.store.map_size_mib, 1, kMapSizeMaxMib);
  table.number("async_interval_ms", config.store.async_interval_ms, 1, kAsyncIntervalMaxMs);
  config.store.durability = read_durability(table, config.store).value_or(Durability::none);
}

void read_heights(Reader& table, WorldConfig& config) {
  if (!table.has("min_y") && !table.has("height")) return;
  world::Heights heights{-64, 384};
  table.number("min_y", heights.min_y, world::kWorldMinYMin, -world::kWorldMinYMin);
  table.number("height", heights.height, 16, world::kWorldHeightMax);
  if (const Status status = world::World::validate(heights); !status) {
    return table.fail(table.at(table.has("min_y") ? "min_y" : "height", status.error().message));
  }
  config.heights = heights;
}

void read_world(Reader table, const std::filesystem::path& folder, Config& config) {
  WorldConfig world;
  table.allow(kWorldKeys);
  table.text("name", world.name);
  if (const auto refused = protocol::check_name(table.path("name"), world.name, protocol::kWorldNameMaxBytes)) {
    return table.fail(table.at("name", refused->message));
  }
  for (const WorldConfig& other : config.worlds) {
    if (other.name == world.name)
      return table.fail(table.at("name", fmt::format("there are two worlds called '{}'", world.name)));
  }
  std::string path;
  table.text("folder", path);
  table.text("generate", world.generate);
  if (path.empty() == world.generate.empty()) {
    return table.fail(table.at("name", fmt::format("world '{}' needs one of folder and generate", world.name)));
  }
  if (!world.generate.empty()) {
    if (const auto status = check_generated_world(world.generate); !status) {
      return table.fail(table.at("generate", "world.generate: " + status.error().message));
    }
  }
  if (!path.empty()) world.folder = folder / path;
  table.text("dimension", world.dimension);
  table.flag("load", world.load);
  world.durability = read_durability(table, config.store);
  read_heights(table, world);

  table.text("game_version", world.game_version);
  if (!world.game_version.empty()) {
    const auto found = world::BlockTable::for_version(world.game_version);
    if (!found) return table.fail(table.at("game_version", "world.game_version: " + found.error().message));
  }
  std::string overrides;
  table.text("block_overrides", overrides);
  if (!overrides.empty()) {
    auto text = read_text(folder / overrides);
    if (!text)
      return table.fail(
          table.at("block_overrides", "world.block_overrides: " + text.error().message, text.error().code));
    const auto newest = world::BlockTable::for_version(world::BlockTable::versions().back());
    if (const auto applied = newest->with_overrides(*text); !applied) {
      return table.fail(table.at("block_overrides", fmt::format("in '{}': {}", overrides, applied.error().message)));
    }
    world.block_overrides = *std::move(text);
  }
  config.worlds.push_back(std::move(world));
}

/// [agent.NAME]: fields of an agent by their names in MOVEMENT.md.
void read_agent(const std::string& name, const toml::table& fields, Config& config, std::optional<Error>* error) {
  Reader table(fields, "agent." + name, error);
  if (const auto refused = protocol::check_name("agent's name", name, protocol::kProfileNameMaxBytes)) {
    return table.fail(error_at(fields.source(), refused->message));
  }
  pathfinding::Agent agent;
  for (const auto& [key, value] : fields) {
    std::string text;
    if (const auto string = value.value_exact<std::string>()) {
      text = *string;
    } else if (const auto flag = value.value_exact<bool>()) {
      text = *flag ? "true" : "false";
    } else if (const auto whole = value.value_exact<std::int64_t>()) {
      text = fmt::format("{}", *whole);
    } else if (const auto real = value.value_exact<double>()) {
      text = fmt::format("{}", *real);
    }
    if (const Status status = pathfinding::set_field(agent, key.str(), text); !status) {
      return table.fail(error_at(key.source(), status.error().message));
    }
  }
  if (const Status status = pathfinding::validate(agent); !status)
    return table.fail(error_at(fields.source(), status.error().message));
  config.profiles.set(name, agent);
}

void read_root(const toml::table& root, const std::filesystem::path& folder, Config& config,
               std::optional<Error>* error) {
  Reader table(root, "", error);
  table.allow(kTables);
  const auto expect_table = [&](std::string_view key) -> const toml::table* {
    const toml::node* node = root.get(key);
    if (node && !node->is_table()) table.fail(table.at(key, fmt::format("{} must be a table: [{}]", key, key)));
    return node ? node->as_table() : nullptr;
  };
  if (const toml::table* server = expect_table("server")) read_server({*server, "server", error}, folder, config);
  if (const toml::table* http = expect_table("http")) read_http({*http, "http", error}, config.http);
  if (const toml::table* limits = expect_table("limits")) {
    Reader reader(*limits, "limits", error);
    reader.allow(kLimitKeys);
    reader.number("connections", config.connections_max, 1, protocol::kConnectionsMax);
    reader.number("jobs_queued", config.jobs_queued_max, 1, protocol::kJobsQueuedMax);
    reader.number("chunks", config.chunks_max, 1, protocol::kChunksMax);
    reader.number("handshake_timeout_ms", config.handshake_timeout_ms, 1, kHandshakeTimeoutMaxMs);
    reader.number("jobs_queued_per_connection", config.jobs_per_connection_max, 1, protocol::kInFlightMax);
    reader.number("searches_kept", config.searches_kept_max, 0, kSearchesKeptMax);
    reader.number("answers_kept_mib", config.answers_kept_max_mib, 0, kAnswersKeptMaxMib);
  }
  if (const toml::table* log = expect_table("log")) {
    Reader reader(*log, "log", error);
    reader.allow(kLogKeys);
    read_choice(reader, "level", kLogLevels, config.log_level);
    read_choice(reader, "format", kLogFormats, config.log_format);
    reader.number("repeats_per_second", config.log_repeats_max, 0, kLogRepeatsMax);
  }
  if (const toml::table* store = expect_table("store")) read_store({*store, "store", error}, folder, config);
  if (const toml::node* worlds = root.get("world")) {
    if (!worlds->is_array_of_tables()) return table.fail(table.at("world", "worlds are written [[world]]"));
    if (worlds->as_array()->size() > protocol::kWorldsMax) {
      return table.fail(table.at("world", fmt::format("there are {} worlds, the limit is {}",
                                                      worlds->as_array()->size(), protocol::kWorldsMax)));
    }
    for (const toml::node& world : *worlds->as_array()) read_world({*world.as_table(), "world", error}, folder, config);
  }
  if (const toml::table* tls = expect_table("tls")) read_tls({*tls, "tls", error}, folder, config.access.tls);
  if (const toml::node* tokens = root.get("token")) {
    if (!tokens->is_array_of_tables()) return table.fail(table.at("token", "tokens are written [[token]]"));
    for (const toml::node& token : *tokens->as_array())
      read_token({*token.as_table(), "token", error}, folder, config.access.tokens);
  }
  if (const toml::table* agents = expect_table("agent")) {
    for (const auto& [name, fields] : *agents) {
      if (!fields.is_table()) return table.fail(error_at(name.source(), "an agent is written [agent.NAME]"));
      read_agent(std::string(name.str()), *fields.as_table(), config, error);
    }
  }
}

}  // namespace

Status check_address(std::string_view address) {
  boost::system::error_code code;
  boost::asio::ip::make_address(std::string(address), code);
  if (!code || address == kNoAddress) return world::ok_status();
  return Error{ErrorCode::invalid_argument,
               fmt::format("server.address is '{}', and must be an IP address", protocol::printable(address))};
}

bool is_loopback(std::string_view address) {
  boost::system::error_code code;
  const auto parsed = boost::asio::ip::make_address(std::string(address), code);
  return !code && parsed.is_loopback();
}

Status check_folders(const Config& config) {
  for (const WorldConfig& world : config.worlds) {
    std::error_code ignored;
    if (world.folder.empty() || std::filesystem::is_directory(world.folder, ignored)) continue;
    return Error{ErrorCode::not_found, fmt::format("world '{}': '{}' is no folder", world.name, world.folder.string())};
  }
  return world::ok_status();
}

namespace {

Status check_exposure(const Config& config, std::string_view table, const std::string& address, bool asks_clients) {
  const bool guarded = !config.access.tokens.empty() || asks_clients;
  if (is_loopback(address) || guarded || config.insecure) return world::ok_status();
  return Error{ErrorCode::invalid_argument,
               fmt::format("{}.address is {}, which other machines can reach: set server.token_file{}, or "
                           "server.insecure = true if anyone who can reach it may change worlds",
                           table, address, table == "server" ? " or tls.client_ca" : "")};
}

}  // namespace

Status check_exposure(const Config& config) {
  if (Status status = check_address(config.address); !status) return status;
  if (config.http.port) {
    if (Status status = check_exposure(config, "http", config.http.address, false); !status) return status;
  }
  if (config.address != kNoAddress)
    return check_exposure(config, "server", config.address, config.access.tls.asks_clients());
  if (!config.access.unix_socket.empty()) return world::ok_status();
  return Error{ErrorCode::invalid_argument,
               fmt::format("server.address is \"{}\", and there is no server.unix_socket either", kNoAddress)};
}

Result<Config> parse_config(std::string_view toml_text, const std::filesystem::path& folder) {
  toml::table root;
  try {
    root = toml::parse(toml_text);
  } catch (const toml::parse_error& fault) {
    return error_at(fault.source(), std::string(fault.description()));
  }
  Config config;
  std::optional<Error> error;
  read_root(root, folder, config, &error);
  if (error) return *error;
  if (const Status status = check_exposure(config); !status) return status.error();
  return config;
}

Result<Config> read_config(const std::filesystem::path& file) {
  const auto text = read_text(file);
  if (!text) return text.error();
  auto config = parse_config(*text, file.parent_path());
  if (!config) return Error{config.error().code, fmt::format("{}: {}", file.string(), config.error().message)};
  return config;
}

}  // namespace voxpath::server
