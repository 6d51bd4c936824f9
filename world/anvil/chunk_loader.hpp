// ChunkLoader: one worker's way from a slot of a region's table to a decoded chunk: record, decompression, NBT,
// sections.
// Thread-safety: none; one for each worker, kept from region to region for its caches and buffers. The Region may be
// shared.
// Invariant: every slot given to load() is counted once in the report, and no fault of a file goes further than its own
// chunk.
#pragma once

#include "world/anvil/chunk_decoder.hpp"
#include "world/anvil/decompressor.hpp"
#include "world/anvil/load_report.hpp"
#include "world/anvil/region.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace voxpath::world {

inline constexpr std::size_t kExternalBytesMax = kChunkNbtBytesMax;  // of a chunk's own file

/// The bytes of c.<x>.<z>.mcc beside the region file. Errors: what kept them from being read. Called from any worker.
using ExternalReader = std::function<Result<std::vector<std::uint8_t>>(ChunkPos)>;

class ChunkLoader {
 public:
  /// See StateResolver for both.
  ChunkLoader(StateRegistry& states, std::string block_overrides) : decoder_(states, std::move(block_overrides)) {}

  /// nullopt: not loaded; the report says why. `file` names the region in the report.
  std::optional<DecodedChunk> load(const Region& region, const RegionSlot& slot, const std::string& file,
                                   const ExternalReader& external);

  [[nodiscard]] LoadReport& report() { return report_; }

 private:
  Result<std::span<const std::uint8_t>> nbt_of(const ChunkRecord& record, ChunkPos pos, const ExternalReader& external);

  Decompressor decompressor_;
  ChunkDecoder decoder_;
  LoadReport report_;
  std::vector<std::uint8_t> external_;  // the file being read
};

}  // namespace voxpath::world
