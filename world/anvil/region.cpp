#include "world/anvil/region.hpp"

#include "world/anvil/big_endian.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace voxpath::world {

namespace {

constexpr std::size_t kTableBytes = kSectorBytes;  // 1024 entries: three bytes of offset, one of count, both in sectors
constexpr std::size_t kHeaderBytes = 2 * kSectorBytes;  // the table, and the times of the last changes
constexpr std::size_t kEntryBytes = 4;
constexpr std::size_t kRecordHeaderBytes = 5;  // a length, which counts the byte that follows it, and the compression
constexpr std::uint8_t kExternalFlag = 0x80;
constexpr std::uint32_t kSectorCountMax = 255;  // some servers mean "255 or more" by it

bool read_number(std::string_view& text, std::int32_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value >= -kRegionCoordinateMax && value <= kRegionCoordinateMax;
}

bool read_text(std::string_view& text, std::string_view expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(expected.size());
  return true;
}

Error damage(std::string why) { return {ErrorCode::data_loss, std::move(why)}; }

}  // namespace

std::optional<RegionPos> RegionPos::from_file_name(std::string_view name) {
  RegionPos pos;
  const bool good = read_text(name, "r.") && read_number(name, pos.x) && read_text(name, ".") &&
                    read_number(name, pos.z) && name == ".mca";
  return good ? std::optional(pos) : std::nullopt;
}

Region::Region(RegionPos pos, std::span<const std::uint8_t> bytes) : bytes_(bytes) {
  if (bytes.empty()) return;
  if (bytes.size() < kHeaderBytes) {
    fault_ = fmt::format("the file ends inside its header: {} bytes of {}", bytes.size(), kHeaderBytes);
  }
  const std::size_t entries = std::min(bytes.size(), kTableBytes) / kEntryBytes;
  for (std::size_t i = 0; i < entries; ++i) {
    const auto entry = load_big_endian<std::uint32_t>(bytes.data() + i * kEntryBytes);
    if (entry == 0) continue;
    const auto local = static_cast<std::int32_t>(i);
    slots_.push_back(
        {.pos = {pos.x * kRegionChunks + local % kRegionChunks, pos.z * kRegionChunks + local / kRegionChunks},
         .offset = std::uint64_t{entry >> 8} * kSectorBytes,
         .sectors = entry & kSectorCountMax});
  }
}

Result<ChunkRecord> Region::record(const RegionSlot& slot) const {
  if (slot.offset < kHeaderBytes) return damage("its sectors overlap the file's header");
  if (slot.sectors == 0) return damage("the table gives it no sectors");
  if (slot.offset >= bytes_.size() || bytes_.size() - slot.offset < kRecordHeaderBytes) {
    return damage(fmt::format("it begins beyond the end of the file, which has {} bytes", bytes_.size()));
  }
  const auto rest = bytes_.subspan(static_cast<std::size_t>(slot.offset));
  const std::size_t held = slot.sectors == kSectorCountMax
                               ? rest.size()
                               : std::min<std::size_t>(rest.size(), std::size_t{slot.sectors} * kSectorBytes);
  const auto length = load_big_endian<std::uint32_t>(rest.data());
  const std::uint8_t kind = rest[4];
  const auto compression = static_cast<std::uint8_t>(kind & ~kExternalFlag);
  if (length == 0) return damage("its length is 0");
  if (length - 1 > held - kRecordHeaderBytes) {
    return damage(fmt::format("its length is {} bytes, and {} of its {} sectors are in the file: {} bytes", length,
                              (held + kSectorBytes - 1) / kSectorBytes, slot.sectors, held));
  }
  if (compression < 1 || compression > 4) {
    return damage(fmt::format("compression {} is not known (1 gzip, 2 zlib, 3 none, 4 LZ4)", compression));
  }
  const auto roomy = rest.subspan(kRecordHeaderBytes, held - kRecordHeaderBytes);
  return ChunkRecord{.compression = Compression{compression},
                     .external = (kind & kExternalFlag) != 0,
                     .data = roomy.first(length - 1),
                     .roomy = roomy};
}

std::optional<ChunkPos> Region::overlapped_by(const RegionSlot& slot) const {
  const auto end = [](const RegionSlot& s) { return s.offset + std::uint64_t{s.sectors} * kSectorBytes; };
  for (const RegionSlot& other : slots_) {
    if (other.pos != slot.pos && other.offset < end(slot) && slot.offset < end(other)) return other.pos;
  }
  return std::nullopt;
}

}  // namespace voxpath::world
