// Places in a voxel world: blocks, chunk columns, sections, exact positions, and the heights in pixels (1/16 block).
// Thread-safety: plain values.
// Invariant: a position becomes a cell by floor (toward minus infinity), never by truncation: -0.5 is in cell -1, block
// -1 in chunk -1.
#pragma once

#include <cmath>
#include <compare>
#include <cstdint>
#include <initializer_list>

namespace voxpath::world {

inline constexpr int kPixelsPerBlock = 16;
inline constexpr int kSectionSize = 16;                 // blocks along each axis
inline constexpr int kSectionVolume = 16 * 16 * 16;     // blocks
inline constexpr double kCoordinateMax = 30'000'000.0;  // blocks from the origin, every axis, both signs

/// floor(v / 16) and v mod 16 (0..15), right for negative numbers.
constexpr std::int32_t floor_div16(std::int32_t v) { return v >> 4; }
constexpr std::int32_t mod16(std::int32_t v) { return v & 15; }

struct BlockPos {
  std::int32_t x = 0, y = 0, z = 0;
  friend constexpr auto operator<=>(const BlockPos&, const BlockPos&) = default;
};

/// A chunk column: 16 x 16 blocks, all heights.
struct ChunkPos {
  std::int32_t x = 0, z = 0;
  friend constexpr auto operator<=>(const ChunkPos&, const ChunkPos&) = default;
  /// The finalizer of MurmurHash3 (fmix64), a bijection: no two chunks collide. boost::hash finds it by this name.
  friend constexpr std::uint64_t hash_value(ChunkPos p) {
    std::uint64_t k =
        static_cast<std::uint64_t>(static_cast<std::uint32_t>(p.x)) << 32 | static_cast<std::uint32_t>(p.z);
    k ^= k >> 33;
    k *= 0xff51afd7ed558ccdULL;
    k ^= k >> 33;
    k *= 0xc4ceb9fe1a85ec53ULL;
    k ^= k >> 33;
    return k;
  }
};

/// A section: 16 x 16 x 16 blocks; `y` counts sections, section 0 holds blocks 0..15.
struct SectionPos {
  std::int32_t x = 0, y = 0, z = 0;
  friend constexpr auto operator<=>(const SectionPos&, const SectionPos&) = default;
};

/// A box of blocks, both corners included.
struct Box {
  BlockPos min, max;
  friend constexpr auto operator<=>(const Box&, const Box&) = default;
  [[nodiscard]] constexpr bool valid() const { return min.x <= max.x && min.y <= max.y && min.z <= max.z; }
  /// Precondition: not so big that the product overflows, see exceeds().
  [[nodiscard]] constexpr std::int64_t volume() const {
    return (std::int64_t{max.x} - min.x + 1) * (std::int64_t{max.y} - min.y + 1) * (std::int64_t{max.z} - min.z + 1);
  }
  /// Whether the box holds more than `blocks` (at most 2^31), right for boxes of any size.
  [[nodiscard]] constexpr bool exceeds(std::int64_t blocks) const {
    std::int64_t product = 1;
    for (const std::int64_t side :
         {std::int64_t{max.x} - min.x + 1, std::int64_t{max.y} - min.y + 1, std::int64_t{max.z} - min.z + 1}) {
      product = side > blocks ? blocks + 1 : product * side;
      if (product > blocks) return true;
    }
    return false;
  }
};

/// An exact position in blocks.
struct Vec3 {
  double x = 0, y = 0, z = 0;
  friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
};

constexpr ChunkPos chunk_of(BlockPos p) { return {floor_div16(p.x), floor_div16(p.z)}; }
constexpr SectionPos section_of(BlockPos p) { return {floor_div16(p.x), floor_div16(p.y), floor_div16(p.z)}; }

/// The cell that holds `p`. Precondition: every axis is finite and within +-kCoordinateMax.
inline BlockPos cell_of(const Vec3& p) {
  return {static_cast<std::int32_t>(std::floor(p.x)), static_cast<std::int32_t>(std::floor(p.y)),
          static_cast<std::int32_t>(std::floor(p.z))};
}

/// Whether every axis is finite and within +-kCoordinateMax.
inline bool is_place(const Vec3& p) {
  return std::abs(p.x) <= kCoordinateMax && std::abs(p.y) <= kCoordinateMax && std::abs(p.z) <= kCoordinateMax;
}

}  // namespace voxpath::world
