// load_world: a Minecraft world folder to a World, on several threads.
// Thread-safety: a free function that starts its own threads and joins them before it returns; the progress callback is
// called from the calling thread alone.
// Usage: auto loaded = load_world(folder, options, 2, TerminalProgress(stderr)); if (loaded)
// puts(loaded->summary().c_str());
#pragma once

#include "world/anvil/world_folder.hpp"
#include "world/world.hpp"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace voxpath::server {

inline constexpr unsigned kLoadThreadsMax = 64;

struct LoadProgress {
  std::size_t files_done = 0;
  std::size_t files_total = 0;
  std::uint64_t bytes_done = 0;  // of region files; of the one being read in proportion to its chunks
  std::uint64_t bytes_total = 0;
  std::int64_t chunks_done = 0;  // whatever became of them
};
using ProgressCallback = std::function<void(const LoadProgress&)>;

struct LoadedWorld {
  std::unique_ptr<world::World> world;
  world::LoadReport report;
  unsigned threads = 0;
  double seconds = 0;

  /// The report, and how fast it went. Several lines.
  [[nodiscard]] std::string summary() const;
};

/// `threads`: 1 to kLoadThreadsMax; even one region file uses them all. `progress` may be empty.
/// Errors: those of list_regions() and World::validate(); invalid_argument for threads or block overrides. What is
/// wrong with single files and chunks is in the report.
world::Result<LoadedWorld> load_world(const std::filesystem::path& folder, const world::LoadOptions& options,
                                      unsigned threads, const ProgressCallback& progress);

}  // namespace voxpath::server
