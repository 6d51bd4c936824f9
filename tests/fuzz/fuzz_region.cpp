// Region files, chunk records and chunk NBT with any bytes: nothing may crash, read beyond its input, or lose count of
// a chunk. The first byte of an input chooses what the rest is: a region file, a record (compression and data), or NBT.
#include "world/anvil/chunk_loader.hpp"

#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace voxpath::world;
using Input = std::span<const std::uint8_t>;

constexpr std::uint8_t kWholeFile = 0;
constexpr std::uint8_t kRecord = 1;

void require(bool condition) {
  if (!condition) std::abort();
}

void look_at(const DecodedChunk& decoded) {
  LoadReport report;
  DecodedChunk copy = decoded;
  const auto chunk = make_chunk(std::move(copy), Heights{.min_y = -64, .height = 384}, report);
  for (const auto& [y, section] : decoded.sections) {
    for (int i = 0; i < kSectionVolume; ++i) require(section->slot(i) < section->palette().size());
  }
  require(chunk->height() == 384);
}

void load(Input file, ChunkLoader& loader) {
  const Region region({.x = -1, .z = 0}, file);
  const auto external = [&](ChunkPos) -> Result<std::vector<std::uint8_t>> {
    if (file.size() % 2 == 0) return Error{ErrorCode::not_found, "no such file"};
    return std::vector<std::uint8_t>(file.begin(), file.end());
  };
  for (const RegionSlot& slot : region.slots()) {
    if (const auto chunk = loader.load(region, slot, "fuzz", external)) look_at(*chunk);
  }
  require(loader.report().listed() == static_cast<std::int64_t>(region.slots().size()));
  require(!loader.report().text().empty());
}

/// A region file with one chunk, at its first place.
std::vector<std::uint8_t> file_around(Input record) {
  std::vector<std::uint8_t> file(2 * kSectorBytes);
  const std::size_t sectors = (record.size() + 4 + kSectorBytes - 1) / kSectorBytes;
  file[2] = 2;
  file[3] = static_cast<std::uint8_t>(sectors);
  for (int shift = 24; shift >= 0; shift -= 8) file.push_back(static_cast<std::uint8_t>(record.size() >> shift));
  file.insert(file.end(), record.begin(), record.end());
  return file;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Input rest(data + 1, size - 1);
  StateRegistry states;
  if (data[0] == kWholeFile) {
    ChunkLoader loader(states, {});
    load(rest, loader);
  } else if (data[0] == kRecord) {
    ChunkLoader loader(states, {});
    load(file_around(rest), loader);
  } else {
    ChunkDecoder decoder(states, {});
    LoadReport report;
    const auto chunk = decoder.decode(rest, {.x = -32, .z = 0}, report);
    if (chunk && *chunk) look_at(**chunk);
  }
  return 0;
}
