// World folders: where the region files of a Minecraft world are, and what they hold, read file by file or all at once.
// Thread-safety: free functions, from any thread; load_region() from many at once with one StateRegistry.
// Usage: auto files = list_regions(folder, options.dimension); for each: load_region(file, options, states); then
// make_chunk() each.
#pragma once

#include "world/anvil/chunk_loader.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace voxpath::world {

inline constexpr std::uint64_t kRegionFileBytesMax = std::uint64_t{4} << 30;
inline constexpr std::string_view kOverworld = "minecraft:overworld";

struct LoadOptions {
  std::string dimension{kOverworld};  // or minecraft:the_nether, minecraft:the_end, or a data pack's
  std::optional<Heights> heights;     // of the world; left out: as usual for the chunks found, see usual_heights()
  std::string block_overrides;        // TOML, see BlockTable::with_overrides
};

struct RegionFile {
  std::filesystem::path path;
  RegionPos pos;
  std::uint64_t bytes = 0;
};

/// The region files of a dimension, sorted by position: in `dimensions/<namespace>/<name>/region`, else (of the game's
/// own three) in `region`, `DIM-1/region` or `DIM1/region`, else (of the overworld) in the folder itself. Errors:
/// invalid_argument (dimension), not_found, permission_denied; each names the folders looked into.
Result<std::vector<RegionFile>> list_regions(const std::filesystem::path& folder, std::string_view dimension);

/// The whole file. Errors: not_found, permission_denied, resource_exhausted (kRegionFileBytesMax), data_loss.
Result<std::vector<std::uint8_t>> read_region(const RegionFile& file);
/// Reads c.<x>.<z>.mcc in the region file's folder.
ExternalReader external_beside(const RegionFile& file);

/// Counts the file and its faults.
void note_file(LoadReport& report, const RegionFile& file, const Result<std::vector<std::uint8_t>>& bytes,
               const Region& region);

struct RegionResult {
  std::vector<DecodedChunk> chunks;  // in the table's order
  LoadReport report;
};
/// One file on the calling thread. Faults are in the report.
RegionResult load_region(const RegionFile& file, const LoadOptions& options, StateRegistry& states);

}  // namespace voxpath::world
