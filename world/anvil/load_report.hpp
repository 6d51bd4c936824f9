// LoadReport: what became of each chunk of the region files that were read, for people to read and tests to count.
// Thread-safety: plain value; every worker fills its own, merge() joins them.
// Invariant: every chunk that a region file lists is counted once: as loaded, as skipped, or as damaged.
#pragma once

#include "world/position.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace voxpath::world {

/// A chunk that is missing from the loaded world because its data could not be read.
struct DamagedChunk {
  std::string file;
  ChunkPos chunk;
  std::uint64_t offset = 0;  // bytes from the beginning of the file
  std::string why;
};

/// Which versions of the game wrote chunks, by their DataVersion; 0: from before 1.9, which names none.
struct DataVersions {
  std::int32_t oldest = 0, newest = 0;
};

struct LoadReport {
  std::int64_t files = 0;                  // region files read
  std::int64_t empty_files = 0;            // of these, without a single byte: the game leaves them behind
  std::vector<std::string> damaged_files;  // "file: why": unreadable, or cut off inside the table of chunks
  std::int64_t file_bytes = 0;
  std::int64_t nbt_bytes = 0;  // after decompression, of all chunks read

  std::int64_t loaded = 0;
  std::optional<DataVersions> data_versions{};  // of the loaded ones; nullopt: there are none
  std::map<std::string, std::int64_t> skipped;  // by Status: chunks whose generation the game had not finished
  std::vector<DamagedChunk> damaged;
  std::int64_t repaired = 0;  // read although their stated length was short: the rest lay in their sectors
  std::int64_t moved = 0;     // loaded where the file's name says, although they name a place in another region

  std::map<std::string, std::int64_t> unknown_blocks;  // name: blocks taken for full cubes
  std::map<std::int32_t, std::int64_t>
      sections_outside;  // section y: sections with blocks outside the world's heights, left out

  [[nodiscard]] std::int64_t skipped_total() const;
  [[nodiscard]] std::int64_t listed() const {
    return loaded + skipped_total() + static_cast<std::int64_t>(damaged.size());
  }
  void merge(LoadReport&& other);
  void note_version(std::int32_t data_version);
  /// Several lines; at most `lines_max` of each kind that can be long, the rest as a count.
  [[nodiscard]] std::string text(std::size_t lines_max = 20) const;
};

}  // namespace voxpath::world
