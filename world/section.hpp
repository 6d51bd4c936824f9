// Section: 16 x 16 x 16 blocks as a palette and packed indices; immutable once it is part of a snapshot.
// Thread-safety: const members from any thread. set() only by a writer that holds the only reference.
// Layout: index i = y << 8 | z << 4 | x; 0, 1, 2, 4, 8 or 16 bits a block, never across a 64-bit word; a palette entry
// is a state number and its traits side by side, so that a reader of traits touches the words and the palette only.
#pragma once

#include "world/blocks/traits.hpp"
#include "world/position.hpp"
#include "world/shared_count.hpp"
#include "world/state_registry.hpp"

#include <bitset>
#include <cstdint>
#include <span>
#include <vector>

namespace voxpath::world {

struct PaletteEntry {
  StateId state = kAirState;
  Traits traits;
  friend bool operator==(const PaletteEntry&, const PaletteEntry&) = default;
};

class Section : public SharedCount {
 public:
  static constexpr int index(int x, int y, int z) { return (y & 15) << 8 | (z & 15) << 4 | (x & 15); }

  /// All blocks alike.
  explicit Section(PaletteEntry fill = {});
  /// `indices` has kSectionVolume entries into `palette`. Entries that no block uses are left out, equal ones merged.
  /// Precondition: every index < palette.size().
  Section(std::span<const PaletteEntry> palette, std::span<const std::uint16_t> indices);

  [[nodiscard]] const PaletteEntry& at(int i) const { return palette_[slot(i)]; }
  [[nodiscard]] const Traits& traits(int i) const { return palette_[slot(i)].traits; }
  [[nodiscard]] bool uniform() const { return bits_ == 0; }
  /// Entries that may occur, at most kSectionVolume. One that no block uses any more can remain after edits, until its
  /// slot is needed.
  [[nodiscard]] std::span<const PaletteEntry> palette() const { return palette_; }
  [[nodiscard]] std::size_t slot(int i) const {
    if (bits_ == 0) return 0;
    const auto bit = static_cast<unsigned>(i) << shift_;
    return static_cast<std::size_t>(words_[bit >> 6] >> (bit & 63)) & mask_;
  }

  /// False: no block here is a hazard. True says nothing: the block may be gone.
  [[nodiscard]] bool may_hurt() const { return may_hurt_; }
  /// Blocks that no table names.
  [[nodiscard]] std::uint32_t unknown_blocks() const;

  /// The blocks of a column (z << 4 | x) by shape: bit y says whether the block is a plain cube, or is odd.
  struct Column {
    std::uint16_t cubes = 0;
    std::uint16_t odd = 0;
  };
  [[nodiscard]] Column column(int column) const {
    if (shapes_.empty()) return uniform_column();
    const auto c = static_cast<std::size_t>(column);
    return {shapes_[c], shapes_.size() > kColumns ? shapes_[c + kColumns] : std::uint16_t{0}};
  }
  /// The same for all columns: the 256 words of cubes, and behind them, if there ever were any, those of odd blocks. Empty while uniform.
  [[nodiscard]] std::span<const std::uint16_t> columns() const { return shapes_; }
  [[nodiscard]] Column uniform_column() const {
    const Shape shape = shape_of(palette_.front().traits);
    return {shape == Shape::cube ? std::uint16_t{0xFFFF} : std::uint16_t{0},
            shape == Shape::odd ? std::uint16_t{0xFFFF} : std::uint16_t{0}};
  }
  /// Sets bit z << 4 | x for each column in which a block's traits may differ: all that do, and perhaps some that do not.
  void differing_columns(const Section& other, std::bitset<256>& columns) const;
  [[nodiscard]] std::size_t memory_bytes() const;
  /// Whether every block is the same in both, however they are packed.
  [[nodiscard]] bool same_blocks(const Section& other) const;

  /// Writer only, see above. Returns whether the block changed.
  bool set(int i, const PaletteEntry& entry);

 private:
  std::size_t slot_for(const PaletteEntry& entry);
  void become_uniform(PaletteEntry entry);
  void set_bits(unsigned bits);
  void set_shape(int i, Shape shape);
  void note(const Traits& traits) { may_hurt_ = may_hurt_ || traits.hazard != Hazard::none; }

  std::vector<PaletteEntry> palette_;
  std::vector<std::uint16_t> uses_;  // blocks per palette entry; 0: the slot is free
  std::vector<std::uint64_t> words_;
  static constexpr std::size_t kColumns = 256;
  std::vector<std::uint16_t> shapes_;  // see columns()
  std::uint16_t mask_ = 0;
  std::uint8_t bits_ = 0;
  std::uint8_t shift_ = 0;  // log2 of bits_
  bool may_hurt_ = false;
};

}  // namespace voxpath::world
