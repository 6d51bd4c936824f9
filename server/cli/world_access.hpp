// WorldAccess: a world to put questions to, whether it was loaded here or lives in a voxpathd.
// Thread-safety: one thread.
// Usage: auto world = open_world(options, console); auto outcome = (*world)->find_path({query, limits});
#pragma once

#include "pathfinding/path.hpp"
#include "pathfinding/query.hpp"
#include "server/cli/command.hpp"
#include "world/anvil/load_report.hpp"
#include "world/queries.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace voxpath::server {

/// What the command line says of the world; see add_world_options().
struct WorldOptions {
  std::string world;            // a folder, a scenario file or a generated world; empty: a server is asked
  std::string dimension;        // of a world folder
  std::string block_overrides;  // name of a TOML file
  unsigned threads = 2;
  std::string server;  // HOST:PORT or unix:PATH; used where `world` is empty
  bool tls = false;
  std::string ca, cert, key;  // names of PEM files; each means TLS
  std::string world_name;     // at the server; empty: the only one there
  std::string token_file;
};
void add_world_options(CLI::App& command, WorldOptions& options);
/// Those that say how a server is reached, but --server itself.
void add_connection_options(CLI::App& command, WorldOptions& options);

struct PathQuestion {
  pathfinding::Query query;
  pathfinding::Limits limits = {};
  /// A mob that only the server knows, by name; `query.agent` then holds but these fields of it, by their names.
  std::string profile = {};
  std::vector<std::string> changed_fields = {};
  bool watch = false;
};

struct PathOutcome {
  pathfinding::Answer answer;
  double search_ms = 0;
  double queue_ms = 0;      // at a server
  bool truncated = false;   // the path goes on beyond the last waypoint
  std::uint64_t watch = 0;  // 0: the path is not watched
};

/// Many mobs of one kind with one goal; `question.query.start` plays no part.
struct HordeQuestion {
  PathQuestion question;
  std::vector<pathfinding::Place> starts;
};

struct HordeOutcome {
  std::vector<PathOutcome> paths;  // in the order of the starts; without times of their own
  std::size_t shared = 0;          // of them, by a search that they shared
  double search_ms = 0;
  double queue_ms = 0;  // at a server
};

/// How a watch ended.
struct Invalidation {
  bool world_closed = false;  // else the path is broken:
  pathfinding::PathFault fault;
  std::uint64_t world_version = 0;
};

struct KnownBlock {
  std::string name;  // with its properties
  world::Traits traits;
};

/// The blocks of a box.
struct BlockBox {
  static constexpr std::uint32_t kMissing = 0xFFFFFFFFu;

  world::Box box;
  std::vector<KnownBlock> palette;
  std::vector<std::uint32_t> cells;  // numbers in palette or kMissing; y slowest, then z, then x

  /// nullptr: in a missing chunk. Precondition: the box holds pos.
  [[nodiscard]] const KnownBlock* at(world::BlockPos pos) const;
};

struct WorldInfo {
  std::string name;  // of the folder or file, or at the server
  world::Heights heights;
  std::uint64_t version = 0;
  std::size_t chunks = 0;
  std::optional<world::Box> extent;         // of the known chunks, in blocks
  std::optional<std::size_t> memory_bytes;  // of all chunks
  std::map<std::string, std::int64_t> unknown_blocks;
  std::optional<world::DataVersions> data_versions;  // of the game that wrote the chunks
  std::string summary;                               // how loading went; lines
};

class WorldAccess {
 public:
  WorldAccess() = default;
  WorldAccess(const WorldAccess&) = delete;
  WorldAccess& operator=(const WorldAccess&) = delete;
  virtual ~WorldAccess() = default;

  /// Errors of all: those of the question; failed_precondition where the server cannot be reached.
  virtual world::Result<PathOutcome> find_path(const PathQuestion& question) = 0;
  virtual world::Result<HordeOutcome> find_paths(const HordeQuestion& question) = 0;
  /// Waits so long for the end of a watch; nullopt: it has not come.
  virtual world::Result<std::optional<Invalidation>> next_invalidation(std::chrono::milliseconds patience) = 0;
  virtual world::Result<BlockBox> blocks(const world::Box& box) = 0;
  /// How many blocks one box may hold.
  virtual std::int64_t blocks_max() { return world::kQueryVolumeMax; }
  /// nullopt: nothing between there and the void.
  virtual world::Result<std::optional<world::Surface>> surface_below(const world::Vec3& from) = 0;
  virtual world::Result<WorldInfo> info() = 0;
  /// All blocks as they are here; nullptr: they are at a server.
  [[nodiscard]] virtual world::Ref<const world::Snapshot> snapshot() const { return {}; }
};

/// Loads or connects. Progress goes to the console's error stream when that is a terminal.
world::Result<std::unique_ptr<WorldAccess>> open_world(const WorldOptions& options, const Console& console);

/// The two kinds; called by open_world().
world::Result<std::unique_ptr<WorldAccess>> open_remote_world(const WorldOptions& options);
world::Result<std::unique_ptr<WorldAccess>> open_local_world(const WorldOptions& options, const Console& console);

}  // namespace voxpath::server
