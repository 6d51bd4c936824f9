// BlockColumns: the blocks of a chunk and of a margin around it as vertical bits: plain cubes, and odd blocks.
// Thread-safety: one thread at a time.
// Invariants: a bit stands for one block; outside the world's height, and in missing chunks, there is plain air. Every rule about plain
// blocks is then a shift and a mask.
#pragma once

#include "pathfinding/engine/nav_chunk.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

namespace voxpath::pathfinding {

static_assert(std::endian::native == std::endian::little, "sections' 16 bits are read as parts of longer words");

class BlockColumns {
 public:
  /// Blocks below the world's lowest that are represented, and at least as many above its highest.
  static constexpr std::int32_t kPadding = 16;
  /// Columns x and z from -kMarginLow to 15 + margin_high are there.
  static constexpr std::int32_t kMarginLow = 1;

  /// Only the columns that lie within the margins of `wanted` are right afterwards.
  void load(const Neighbourhood& chunks, world::Heights heights, std::int32_t margin_high, const Columns& wanted);

  /// In the columns that were loaded: does any odd block occur?
  [[nodiscard]] bool any_odd() const { return any_odd_; }

  /// Bit i: the block at height t + i; t counts from kPadding below the world's lowest block.
  [[nodiscard]] std::uint64_t cubes(std::int32_t x, std::int32_t z, std::int32_t t) const {
    return at(cubes_, x, z, t);
  }
  [[nodiscard]] std::uint64_t odd(std::int32_t x, std::int32_t z, std::int32_t t) const { return at(odd_, x, z, t); }

 private:
  /// Columns x0 .. x1, z0 .. z1 of the s-th section from below.
  void take(const world::Section& section, std::int32_t s, std::int32_t x0, std::int32_t x1, std::int32_t z0,
            std::int32_t z1);
  [[nodiscard]] std::size_t first_lane(std::int32_t x, std::int32_t z) const {
    return static_cast<std::size_t>(((z + kMarginLow) * side_ + x + kMarginLow) * lanes_);
  }
  /// 48 bits at least.
  [[nodiscard]] std::uint64_t at(const std::vector<std::uint16_t>& bits, std::int32_t x, std::int32_t z,
                                 std::int32_t t) const {
    std::uint64_t word;
    std::memcpy(&word, bits.data() + first_lane(x, z) + (t >> 4), sizeof word);
    return word >> (t & 15);
  }

  std::int32_t side_ = 0;
  std::int32_t lanes_ = 0;  // of 16 blocks, a column
  bool any_odd_ = false;
  std::vector<std::uint16_t> cubes_, odd_;
};

}  // namespace voxpath::pathfinding
