// Config: what voxpathd.toml says, checked. server/README.md has the table of keys.
// Thread-safety: plain value.
// Usage: auto config = read_config("voxpathd.toml"); if (!config) puts(config.error().message.c_str());
// Invariants: every value is within its range; an unknown key is an error that names its line and the nearest known
// key; an address that is not loopback comes with tokens, with clients' certificates or with insecure = true.
#pragma once

#include "protocol/limits.hpp"
#include "server/access/access_config.hpp"
#include "server/agent_profiles.hpp"
#include "server/http/http_config.hpp"
#include "server/saving/durability.hpp"
#include "world/result.hpp"
#include "world/snapshot.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace voxpath::server {

/// A [[world]]: a folder of region files, or blocks made by voxpath.
struct WorldConfig {
  std::string name;              // also open_world.folder
  std::filesystem::path folder;  // empty: generated
  std::string generate;          // "flat"; empty: from the folder
  std::string dimension = "minecraft:overworld";
  std::string game_version;     // which table names of blocks are looked up in; empty: the newest
  std::string block_overrides;  // TOML text
  std::optional<world::Heights> heights;
  std::filesystem::path confined_to;       // not empty: no link in `folder` may lead out of this
  bool load = true;                        // at start, under its own name
  std::optional<Durability> durability{};  // nullopt: that of [store]
  friend bool operator==(const WorldConfig&, const WorldConfig&) = default;
};

struct Config {
  std::string address = "127.0.0.1";            // or kNoAddress
  std::uint16_t port = protocol::kDefaultPort;  // 0: any free one
  AccessConfig access;
  bool insecure = false;
  unsigned workers = 0;  // 0: as many as there are cores
  unsigned io_threads = 1;
  std::size_t connections_max = protocol::kConnectionsMax;
  std::size_t jobs_queued_max = protocol::kJobsQueuedMax;
  std::size_t chunks_max = protocol::kChunksMax;  // of a world, put by clients
  std::size_t jobs_per_connection_max = protocol::kInFlightMax;
  std::size_t searches_kept_max = 8;      // long ones that wait for their next turn, with their memory
  std::size_t answers_kept_max_mib = 32;  // for the same question to the same version of a world; 0: none
  bool share_searches = true;             // of path requests that wait and differ in their start only
  std::int64_t drain_timeout_ms = 5'000;
  std::int64_t handshake_timeout_ms = protocol::kHandshakeTimeoutMs;  // from accept to Hello, TLS included
  std::string log_level = "info";
  HttpConfig http;
  std::string log_format = "text";      // or "json"
  std::size_t log_repeats_max = 20;     // lines of one event in a second; the others are counted. 0: all are written
  std::filesystem::path worlds_folder;  // whose folders clients may open by their names; empty: none
  StoreConfig store;
  std::vector<WorldConfig> worlds;
  AgentProfiles profiles;
};

inline constexpr std::string_view kNoAddress = "none";  // for server.address: nothing is listened on but a path
inline constexpr unsigned kWorkersMax = 256;
inline constexpr std::size_t kLogRepeatsMax = 1'000'000;
inline constexpr unsigned kIoThreadsMax = 16;
inline constexpr std::int64_t kHandshakeTimeoutMaxMs = 60'000;
inline constexpr std::size_t kSearchesKeptMax = 256;
inline constexpr std::size_t kAnswersKeptMaxMib = 4'096;

/// `folder`: what relative paths in the text start from. Errors: invalid_argument with the line, the key and what is
/// allowed; not_found and the like for a file that it names.
world::Result<Config> parse_config(std::string_view toml_text, const std::filesystem::path& folder);
/// Errors: also not_found for the file itself.
world::Result<Config> read_config(const std::filesystem::path& file);
/// Whether the world folders are there.
world::Status check_folders(const Config& config);
/// The check that addresses off this machine are meant; for what the command line changed.
world::Status check_exposure(const Config& config);

/// Whether it is an IP address, or kNoAddress.
world::Status check_address(std::string_view address);
[[nodiscard]] bool is_loopback(std::string_view address);

}  // namespace voxpath::server
