#include "server/config.hpp"

#include "protocol/checks.hpp"
#include "server/loading/generated_world.hpp"
#include "world/blocks/block_table.hpp"
#include "world/blocks/error_text.hpp"
#include "world/choice.hpp"
#include "world/world.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <span>
#include <sstream>
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

constexpr std::size_t kConfigBytesMax = 1 << 20;

constexpr std::array<std::string_view, 7> kTables{"server", "log", "limits", "store", "world", "agent", "token"};
constexpr std::array<std::string_view, 4> kStoreKeys{"folder", "durability", "map_size_mib", "async_interval_ms"};
constexpr std::array<std::pair<std::string_view, Durability>, 3> kDurabilities{
    {{"none", Durability::none}, {"async", Durability::async}, {"sync", Durability::sync}}};
constexpr std::array<std::string_view, 3> kTokenKeys{"file", "weight", "jobs_queued"};
constexpr std::array<std::string_view, 8> kServerKeys{"address", "port",       "token_file",       "insecure",
                                                      "workers", "io_threads", "drain_timeout_ms", "share_searches"};
constexpr std::array<std::string_view, 1> kLogKeys{"level"};
constexpr std::array<std::string_view, 6> kLimitKeys{"connections",   "jobs_queued",      "jobs_queued_per_connection",
                                                     "searches_kept", "answers_kept_mib", "chunks"};
constexpr std::array<std::string_view, 10> kWorldKeys{"name",         "folder",          "generate", "dimension",
                                                      "game_version", "block_overrides", "min_y",    "height",
                                                      "load",         "durability"};
constexpr std::array<std::string_view, 7> kLogLevels{"trace", "debug", "info", "warning", "error", "critical", "off"};

Error error_at(const toml::source_region& where, std::string message, ErrorCode code = ErrorCode::invalid_argument) {
  return {code, fmt::format("line {}: {}", where.begin.line, message)};
}

/// One table of the file: takes values out by key, and remembers the first thing that is wrong.
class Reader {
 public:
  Reader(const toml::table& table, std::string name, std::optional<Error>* error)
      : table_(table), name_(std::move(name)), error_(error) {}

  void allow(std::span<const std::string_view> known) {
    for (const auto& [key, value] : table_) {
      if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
      const std::string_view nearest = world::nearest_name(key.str(), known);
      fail(error_at(key.source(), fmt::format("there is no key '{}'{}{}", path(protocol::printable(key.str())),
                                              nearest.empty() ? "" : "; did you mean ",
                                              nearest.empty() ? "" : fmt::format("'{}'?", path(nearest)))));
    }
  }
  void text(std::string_view key, std::string& out) {
    value<std::string>(key, "a string", [&](const std::string& v) { out = v; });
  }
  void flag(std::string_view key, bool& out) {
    value<bool>(key, "true or false", [&](bool v) { out = v; });
  }
  template <class T>
  void number(std::string_view key, T& out, std::int64_t low, std::int64_t high) {
    value<std::int64_t>(key, "a whole number", [&](std::int64_t v) {
      if (v < low || v > high)
        return fail(at(key, fmt::format("{} is {}, the limit is {}..{}", path(key), v, low, high)));
      out = static_cast<T>(v);
    });
  }
  [[nodiscard]] bool has(std::string_view key) const { return table_.contains(key); }
  [[nodiscard]] Error at(std::string_view key, std::string message,
                         ErrorCode code = ErrorCode::invalid_argument) const {
    const toml::node* node = table_.get(key);
    return error_at(node ? node->source() : table_.source(), std::move(message), code);
  }
  void fail(Error error) {
    if (!*error_) *error_ = std::move(error);
  }
  [[nodiscard]] std::string path(std::string_view key) const {
    return name_.empty() ? std::string(key) : fmt::format("{}.{}", name_, key);
  }

 private:
  template <class T, class Use>
  void value(std::string_view key, std::string_view kind, Use use) {
    const toml::node* node = table_.get(key);
    if (!node) return;
    const auto v = node->value_exact<T>();
    if (!v) return fail(at(key, fmt::format("{} must be {}", path(key), kind)));
    use(*v);
  }

  const toml::table& table_;
  const std::string name_;
  std::optional<Error>* const error_;
};

Result<std::string> read_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return Error{ErrorCode::not_found, fmt::format("cannot read '{}'", file.string())};
  std::string text(kConfigBytesMax + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad()) return Error{ErrorCode::not_found, fmt::format("cannot read '{}'", file.string())};  // as of a folder
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > kConfigBytesMax) {
    return Error{ErrorCode::out_of_range, fmt::format("'{}' is longer than {} bytes", file.string(), kConfigBytesMax)};
  }
  return text;
}

/// One token a line; empty lines and those that begin with # are left out.
Result<std::vector<std::string>> read_tokens(const std::filesystem::path& file) {
  const auto text = read_text(file);
  if (!text) return text.error();
  std::vector<std::string> tokens;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (line.empty() || line.front() == '#') continue;
    if (line.size() > protocol::kTokenMaxBytes) {
      return Error{ErrorCode::out_of_range,
                   fmt::format("a token in '{}' is longer than {} bytes", file.string(), protocol::kTokenMaxBytes)};
    }
    tokens.push_back(line);
  }
  if (tokens.empty())
    return Error{ErrorCode::invalid_argument, fmt::format("there is no token in '{}'", file.string())};
  return tokens;
}

void read_server(Reader table, const std::filesystem::path& folder, Config& config) {
  table.allow(kServerKeys);
  table.text("address", config.address);
  boost::system::error_code code;
  boost::asio::ip::make_address(config.address, code);
  if (code) {
    table.fail(table.at("address", fmt::format("server.address is '{}', and must be an IP address",
                                               protocol::printable(config.address))));
  }
  table.number("port", config.port, 0, 65'535);
  table.flag("insecure", config.insecure);
  table.flag("share_searches", config.share_searches);
  table.number("workers", config.workers, 0, kWorkersMax);
  table.number("io_threads", config.io_threads, 1, kIoThreadsMax);
  table.number("drain_timeout_ms", config.drain_timeout_ms, 0, 600'000);
  std::string token_file;
  table.text("token_file", token_file);
  if (token_file.empty()) return;
  auto tokens = read_tokens(folder / token_file);
  if (!tokens)
    return table.fail(table.at("token_file", "server.token_file: " + tokens.error().message, tokens.error().code));
  config.tokens = *std::move(tokens);
}

std::optional<Durability> read_durability(Reader& table, const StoreConfig& store) {
  std::string text;
  table.text("durability", text);
  if (text.empty()) return std::nullopt;
  Durability durability = Durability::none;
  if (const Status status = world::choose(durability, table.path("durability"), text, kDurabilities); !status)
    table.fail(table.at("durability", status.error().message));
  if (durability != Durability::none && store.folder.empty()) {
    table.fail(table.at("durability", fmt::format("{} is '{}', for which store.folder must be set",
                                                  table.path("durability"), text)));
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

void read_token(Reader table, const std::filesystem::path& folder, Config& config) {
  table.allow(kTokenKeys);
  std::string file;
  table.text("file", file);
  if (file.empty()) return table.fail(table.at("file", "token.file is missing"));
  Share share;
  table.number("weight", share.weight, 1, kShareWeightMax);
  table.number("jobs_queued", share.jobs_waiting, 1, protocol::kInFlightMax);
  auto tokens = read_tokens(folder / file);
  if (!tokens) return table.fail(table.at("file", "token.file: " + tokens.error().message, tokens.error().code));
  for (std::string& token : *tokens) {
    if (std::find(config.tokens.begin(), config.tokens.end(), token) != config.tokens.end()) {
      return table.fail(table.at("file", fmt::format("token.file: a token in '{}' is there twice", file)));
    }
    config.tokens.push_back(std::move(token));
    config.shares.push_back(share);
  }
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
  if (const toml::table* limits = expect_table("limits")) {
    Reader reader(*limits, "limits", error);
    reader.allow(kLimitKeys);
    reader.number("connections", config.connections_max, 1, protocol::kConnectionsMax);
    reader.number("jobs_queued", config.jobs_queued_max, 1, protocol::kJobsQueuedMax);
    reader.number("chunks", config.chunks_max, 1, protocol::kChunksMax);
    reader.number("jobs_queued_per_connection", config.jobs_per_connection_max, 1, protocol::kInFlightMax);
    reader.number("searches_kept", config.searches_kept_max, 0, kSearchesKeptMax);
    reader.number("answers_kept_mib", config.answers_kept_max_mib, 0, kAnswersKeptMaxMib);
  }
  if (const toml::table* log = expect_table("log")) {
    Reader reader(*log, "log", error);
    reader.allow(kLogKeys);
    reader.text("level", config.log_level);
    if (std::find(kLogLevels.begin(), kLogLevels.end(), config.log_level) == kLogLevels.end()) {
      reader.fail(reader.at("level", fmt::format("log.level is '{}', and must be one of {}",
                                                 protocol::printable(config.log_level), fmt::join(kLogLevels, ", "))));
    }
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
  config.shares.resize(config.tokens.size());
  if (const toml::node* tokens = root.get("token")) {
    if (!tokens->is_array_of_tables()) return table.fail(table.at("token", "tokens are written [[token]]"));
    for (const toml::node& token : *tokens->as_array()) read_token({*token.as_table(), "token", error}, folder, config);
  }
  if (const toml::table* agents = expect_table("agent")) {
    for (const auto& [name, fields] : *agents) {
      if (!fields.is_table()) return table.fail(error_at(name.source(), "an agent is written [agent.NAME]"));
      read_agent(std::string(name.str()), *fields.as_table(), config, error);
    }
  }
}

}  // namespace

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

Status check_exposure(const Config& config) {
  boost::system::error_code code;
  boost::asio::ip::make_address(config.address, code);
  if (code) {
    return Error{ErrorCode::invalid_argument,
                 fmt::format("server.address is '{}', and must be an IP address", protocol::printable(config.address))};
  }
  if (is_loopback(config.address) || !config.tokens.empty() || config.insecure) return world::ok_status();
  return Error{ErrorCode::invalid_argument, fmt::format("server.address is {}, which other machines can reach: set "
                                                        "server.token_file, or server.insecure = true if anyone "
                                                        "who can reach it may change worlds",
                                                        config.address)};
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
