// Region: the table and the chunk records of one region file (.mca), given as bytes: up to 32 x 32 chunks, still
// compressed.
// Thread-safety: immutable; it does not own the bytes, which must outlive it and the records it gives.
// Invariant: nothing outside the bytes is read, whatever the table says. Source of the format: minecraft.wiki, "Region
// file format".
#pragma once

#include "world/position.hpp"
#include "world/result.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace voxpath::world {

inline constexpr std::size_t kSectorBytes = 4096;
inline constexpr int kRegionChunks = 32;                      // chunks along each axis
inline constexpr std::int32_t kRegionCoordinateMax = 58'594;  // regions from the origin: 30,000,000 blocks

/// The values are the format's.
enum class Compression : std::uint8_t { gzip = 1, zlib = 2, none = 3, lz4 = 4 };

struct RegionPos {
  std::int32_t x = 0, z = 0;
  friend constexpr auto operator<=>(const RegionPos&, const RegionPos&) = default;
  /// Reads "r.<x>.<z>.mca". nullopt: another kind of name, or beyond kRegionCoordinateMax.
  static std::optional<RegionPos> from_file_name(std::string_view name);
};

/// A chunk that the table lists.
struct RegionSlot {
  ChunkPos pos;
  std::uint64_t offset = 0;   // bytes from the beginning of the file
  std::uint32_t sectors = 0;  // of kSectorBytes
};

/// A chunk's record in the file.
struct ChunkRecord {
  Compression compression = Compression::zlib;
  bool external = false;                // the data is in a file of its own, c.<x>.<z>.mcc
  std::span<const std::uint8_t> data;   // as many bytes as the record says it has
  std::span<const std::uint8_t> roomy;  // the same and what else its sectors hold
};

class Region {
 public:
  Region(RegionPos pos, std::span<const std::uint8_t> bytes);

  /// In the table's order: x fastest.
  [[nodiscard]] std::span<const RegionSlot> slots() const { return slots_; }
  /// What is wrong with the file as a whole; the chunks that can be read are there all the same. A file without a byte
  /// is no fault.
  [[nodiscard]] const std::optional<std::string>& fault() const { return fault_; }

  /// Errors: data_loss, saying what is wrong with the record.
  [[nodiscard]] Result<ChunkRecord> record(const RegionSlot& slot) const;
  /// Another chunk whose sectors this one's overlap.
  [[nodiscard]] std::optional<ChunkPos> overlapped_by(const RegionSlot& slot) const;

 private:
  std::span<const std::uint8_t> bytes_;
  std::vector<RegionSlot> slots_;
  std::optional<std::string> fault_;
};

}  // namespace voxpath::world
