#include "world/anvil/chunk_loader.hpp"

#include <utility>

#include <fmt/format.h>

namespace voxpath::world {

Result<std::span<const std::uint8_t>> ChunkLoader::nbt_of(const ChunkRecord& record, ChunkPos pos,
                                                          const ExternalReader& external) {
  if (!record.external) return decompressor_.decompress(record.compression, record.data);
  auto bytes = external(pos);
  if (!bytes) return bytes.error();
  external_ = *std::move(bytes);
  return decompressor_.decompress(record.compression, external_);
}

std::optional<DecodedChunk> ChunkLoader::load(const Region& region, const RegionSlot& slot, const std::string& file,
                                              const ExternalReader& external) {
  const auto read = [&]() -> Result<std::optional<DecodedChunk>> {
    const auto record = region.record(slot);
    if (!record) return record.error();
    const auto once = [&](const ChunkRecord& from) -> Result<std::optional<DecodedChunk>> {
      const auto nbt = nbt_of(from, slot.pos, external);
      if (!nbt) return nbt.error();
      auto chunk = decoder_.decode(*nbt, slot.pos, report_);
      if (chunk) report_.nbt_bytes += static_cast<std::int64_t>(nbt->size());
      return chunk;
    };
    auto chunk = once(*record);
    if (chunk || record->external || record->data.size() == record->roomy.size()) return chunk;
    // Some programs write a length that is short by one. The data says itself where it ends, and has a checksum.
    ChunkRecord whole = *record;
    whole.data = record->roomy;
    auto again = once(whole);
    if (!again) return chunk;
    ++report_.repaired;
    return again;
  };

  auto chunk = read();
  if (!chunk) {
    std::string why = chunk.error().message;
    if (const auto other = region.overlapped_by(slot)) {
      why += fmt::format("; its sectors overlap those of chunk {}, {}", other->x, other->z);
    }
    report_.damaged.push_back({.file = file, .chunk = slot.pos, .offset = slot.offset, .why = std::move(why)});
    return std::nullopt;
  }
  if (*chunk) ++report_.loaded;
  return *std::move(chunk);
}

}  // namespace voxpath::world
