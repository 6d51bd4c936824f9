#include "world/section.hpp"

#include <algorithm>
#include <bit>

namespace voxpath::world {

namespace {

/// The least power-of-two number of bits that tells `entries` values apart; 0 for one.
unsigned bits_for(std::size_t entries) {
  if (entries <= 1) return 0;
  const auto needed = static_cast<unsigned>(std::bit_width(entries - 1));
  return std::bit_ceil(needed);
}

void put(std::vector<std::uint64_t>& words, int i, unsigned shift, std::uint64_t mask, std::size_t value) {
  const auto bit = static_cast<unsigned>(i) << shift;
  auto& word = words[bit >> 6];
  word = (word & ~(mask << (bit & 63))) | static_cast<std::uint64_t>(value) << (bit & 63);
}

}  // namespace

Section::Section(PaletteEntry fill) : palette_{fill} { note(fill.traits); }

Section::Section(std::span<const PaletteEntry> palette, std::span<const std::uint16_t> indices) {
  constexpr std::uint16_t kUnused = 0xFFFF;
  std::vector<std::uint16_t> renumbered(palette.size(), kUnused);
  std::vector<std::uint16_t> slots(kSectionVolume);
  for (int i = 0; i < kSectionVolume; ++i) {
    auto& slot = renumbered[indices[static_cast<std::size_t>(i)]];
    if (slot == kUnused) {
      const PaletteEntry& entry = palette[indices[static_cast<std::size_t>(i)]];
      const auto same = std::find(palette_.begin(), palette_.end(), entry);
      slot = static_cast<std::uint16_t>(same - palette_.begin());
      if (same == palette_.end()) {
        palette_.push_back(entry);
        note(entry.traits);
      }
    }
    slots[static_cast<std::size_t>(i)] = slot;
  }
  palette_.shrink_to_fit();
  repack(bits_for(palette_.size()));
  if (bits_ == 0) return;
  for (int i = 0; i < kSectionVolume; ++i) put(words_, i, shift_, mask_, slots[static_cast<std::size_t>(i)]);
}

void Section::repack(unsigned bits) {
  const unsigned shift = bits == 0 ? 0 : static_cast<unsigned>(std::countr_zero(bits));
  const auto mask = static_cast<std::uint16_t>((1u << bits) - 1);
  std::vector<std::uint64_t> words(std::size_t{kSectionVolume} * bits / 64);
  if (bits_ != 0) {
    for (int i = 0; i < kSectionVolume; ++i) put(words, i, shift, mask, slot(i));
  }
  words_ = std::move(words);
  bits_ = static_cast<std::uint8_t>(bits);
  shift_ = static_cast<std::uint8_t>(shift);
  mask_ = mask;
}

std::size_t Section::memory_bytes() const {
  return sizeof(Section) + palette_.capacity() * sizeof(PaletteEntry) + words_.capacity() * sizeof(std::uint64_t);
}

bool Section::set(int i, const PaletteEntry& entry) {
  if (at(i) == entry) return false;
  auto found = static_cast<std::size_t>(std::find(palette_.begin(), palette_.end(), entry) - palette_.begin());
  if (found == palette_.size()) {
    if (palette_.size() >= kSectionVolume) {
      // Entries that no block uses any more have filled the palette: build it anew from what is in use.
      std::vector<std::uint16_t> slots(kSectionVolume);
      for (int k = 0; k < kSectionVolume; ++k) slots[static_cast<std::size_t>(k)] = static_cast<std::uint16_t>(slot(k));
      const Section tidy(palette_, slots);
      palette_ = tidy.palette_;
      words_ = tidy.words_;
      bits_ = tidy.bits_;
      shift_ = tidy.shift_;
      mask_ = tidy.mask_;
      found = palette_.size();
    }
    palette_.push_back(entry);
    note(entry.traits);
    const unsigned bits = bits_for(palette_.size());
    if (bits != bits_) repack(bits);
  }
  put(words_, i, shift_, mask_, found);
  return true;
}

}  // namespace voxpath::world
