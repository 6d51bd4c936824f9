// ChunkDecoder: a chunk's NBT, of any Java version, to sections.
// Thread-safety: none; one for each worker. Results are the caller's.
// Usage: decode() every chunk first; when all are known, so are the world's heights, and make_chunk() puts the sections
// in a column.
#pragma once

#include "world/anvil/load_report.hpp"
#include "world/anvil/nbt.hpp"
#include "world/anvil/state_resolver.hpp"
#include "world/chunk.hpp"
#include "world/snapshot.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace voxpath::world {

struct DecodedSection {
  std::int32_t y = 0;  // counts sections, as SectionPos::y
  Ref<Section> section;
};

struct DecodedChunk {
  ChunkPos pos;
  std::int32_t data_version = 0;         // 0: the chunk names none
  std::vector<DecodedSection> sections;  // without those that are all air
};

/// Sections outside `heights` are left out and counted in `report`.
[[nodiscard]] Ref<Chunk> make_chunk(DecodedChunk&& decoded, Heights heights, LoadReport& report);

class ChunkDecoder {
 public:
  /// See StateResolver.
  ChunkDecoder(StateRegistry& states, std::string block_overrides) : resolver_(states, std::move(block_overrides)) {}

  /// `pos`: where the region's table has it; a chunk that names another place inside its region is damaged.
  /// nullopt: skipped, as it is not finished, and counted in `report`, like unknown blocks. Errors: data_loss,
  /// resource_exhausted.
  Result<std::optional<DecodedChunk>> decode(nbt::Bytes bytes, ChunkPos pos, LoadReport& report);

 private:
  struct RawSection;
  struct RawChunk;

  static void read_section(nbt::Reader& reader, RawSection& section);
  static void read_fields(nbt::Reader& reader, RawChunk& chunk);
  Result<Ref<Section>> paletted(const RawSection& raw, bool unbroken);
  Result<Ref<Section>> numeric(const RawChunk& chunk, const RawSection& raw);
  Status join_doors(const RawChunk& chunk, const RawSection& raw);
  void note_unknown(const Section& section, LoadReport& report);

  StateResolver resolver_;
  std::vector<PaletteEntry> palette_;  // of the section being decoded
  std::vector<std::uint16_t> indices_ = std::vector<std::uint16_t>(kSectionVolume);
  std::vector<std::uint16_t> slot_of_number_;  // numeric sections: BlockNumber to index in palette_
  std::vector<BlockNumber> numbers_;           // parallel to palette_
};

}  // namespace voxpath::world
