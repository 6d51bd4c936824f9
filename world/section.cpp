#include "world/section.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

#include <boost/unordered/unordered_flat_map.hpp>

namespace voxpath::world {

namespace {

constexpr std::size_t kVolume = kSectionVolume;

/// The least power-of-two number of bits that tells `entries` values apart; 0 for one.
unsigned bits_for(std::size_t entries) {
  if (entries <= 1) return 0;
  const auto needed = static_cast<unsigned>(std::bit_width(entries - 1));
  return std::bit_ceil(needed);
}

/// slot_of(i) for all blocks, packed with `bits` each.
template <class SlotOf>
std::vector<std::uint64_t> pack(unsigned bits, SlotOf slot_of) {
  std::vector<std::uint64_t> words(kVolume * bits / 64);
  std::size_t i = 0;
  for (auto& word : words) {
    for (unsigned bit = 0; bit < 64; bit += bits) word |= static_cast<std::uint64_t>(slot_of(i++)) << bit;
  }
  return words;
}

/// States are numbered densely, so the number alone spreads well enough.
struct EntryHash {
  std::size_t operator()(const PaletteEntry& e) const { return boost::hash<StateId>()(e.state); }
};

}  // namespace

Section::Section(PaletteEntry fill) { become_uniform(fill); }

Section::Section(std::span<const PaletteEntry> palette, std::span<const std::uint16_t> indices) {
  assert(indices.size() == kVolume);
  constexpr std::uint16_t kUnused = 0xFFFF;
  std::vector<std::uint16_t> renumbered(palette.size(), kUnused);
  boost::unordered_flat_map<PaletteEntry, std::uint16_t, EntryHash> known;
  std::vector<std::uint16_t> slots(kVolume);
  for (std::size_t i = 0; i < kVolume; ++i) {
    auto& slot = renumbered[indices[i]];
    if (slot == kUnused) {
      const PaletteEntry& entry = palette[indices[i]];
      const auto [it, added] = known.try_emplace(entry, static_cast<std::uint16_t>(palette_.size()));
      slot = it->second;
      if (added) {
        palette_.push_back(entry);
        uses_.push_back(0);
        note(entry.traits);
      }
    }
    ++uses_[slot];
    slots[i] = slot;
  }
  palette_.shrink_to_fit();
  uses_.shrink_to_fit();
  set_bits(bits_for(palette_.size()));
  if (bits_ == 0) return;
  words_ = pack(bits_, [&](std::size_t i) { return slots[i]; });
  std::vector<Shape> shapes;
  for (const PaletteEntry& entry : palette_) shapes.push_back(shape_of(entry.traits));
  const bool any_odd = std::find(shapes.begin(), shapes.end(), Shape::odd) != shapes.end();
  shapes_.resize(any_odd ? 2 * kColumns : kColumns);
  for (std::size_t i = 0; i < kVolume; ++i) {
    const Shape shape = shapes[slots[i]];
    const auto bit = static_cast<std::uint16_t>(1u << (i >> 8));
    if (shape == Shape::cube) shapes_[i & 255] |= bit;
    if (shape == Shape::odd) shapes_[kColumns + (i & 255)] |= bit;
  }
}

void Section::set_shape(int i, Shape shape) {
  if (shapes_.empty()) {
    const Column all = uniform_column();
    shapes_.assign(all.odd != 0 ? 2 * kColumns : kColumns, all.cubes);
    if (all.odd != 0) std::fill(shapes_.begin() + kColumns, shapes_.end(), all.odd);
  }
  if (shape == Shape::odd && shapes_.size() == kColumns) shapes_.resize(2 * kColumns);
  const auto column = static_cast<std::size_t>(i & 255);
  const auto bit = static_cast<std::uint16_t>(1u << (i >> 8));
  const auto put = [bit](std::uint16_t& bits, bool on) {
    bits = static_cast<std::uint16_t>(on ? bits | bit : bits & ~bit);
  };
  put(shapes_[column], shape == Shape::cube);
  if (shapes_.size() > kColumns) put(shapes_[kColumns + column], shape == Shape::odd);
}

std::uint32_t Section::unknown_blocks() const {
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < palette_.size(); ++i) count += palette_[i].traits.unknown ? uses_[i] : 0u;
  return count;
}

void Section::set_bits(unsigned bits) {
  bits_ = static_cast<std::uint8_t>(bits);
  shift_ = static_cast<std::uint8_t>(bits == 0 ? 0 : std::countr_zero(bits));
  mask_ = static_cast<std::uint16_t>((1u << bits) - 1);
}

void Section::become_uniform(PaletteEntry entry) {
  // New vectors give the old ones' memory back, which assigning to them would not.
  palette_ = std::vector<PaletteEntry>{entry};
  uses_ = std::vector<std::uint16_t>{static_cast<std::uint16_t>(kVolume)};
  words_ = std::vector<std::uint64_t>();
  shapes_ = std::vector<std::uint16_t>();
  set_bits(0);
  may_hurt_ = false;
  note(entry.traits);
}

std::size_t Section::memory_bytes() const {
  return sizeof(Section) + palette_.capacity() * sizeof(palette_[0]) + uses_.capacity() * sizeof(uses_[0]) +
         words_.capacity() * sizeof(words_[0]) + shapes_.capacity() * sizeof(shapes_[0]);
}

std::size_t Section::slot_for(const PaletteEntry& entry) {
  const auto found = static_cast<std::size_t>(std::find(palette_.begin(), palette_.end(), entry) - palette_.begin());
  if (found != palette_.size()) return found;
  note(entry.traits);
  const auto unused = static_cast<std::size_t>(std::find(uses_.begin(), uses_.end(), 0) - uses_.begin());
  if (unused != uses_.size()) {
    palette_[unused] = entry;
    return unused;
  }
  palette_.push_back(entry);
  uses_.push_back(0);
  const unsigned bits = bits_for(palette_.size());
  if (bits != bits_) {
    words_ = pack(bits, [this](std::size_t i) { return slot(static_cast<int>(i)); });
    set_bits(bits);
  }
  return found;
}

bool Section::set(int i, const PaletteEntry& entry) {
  const std::size_t before = slot(i);
  if (palette_[before] == entry) return false;
  set_shape(i, shape_of(entry.traits));
  --uses_[before];  // first, so that the block's own slot can be taken over: the palette never outgrows the section's
                    // volume
  const std::size_t after = slot_for(entry);
  if (++uses_[after] == kVolume) {
    become_uniform(entry);
    return true;
  }
  const auto bit = static_cast<unsigned>(i) << shift_;
  auto& word = words_[bit >> 6];
  word = (word & ~(std::uint64_t{mask_} << (bit & 63))) | std::uint64_t{after} << (bit & 63);
  return true;
}

void Section::differing_columns(const Section& other, std::bitset<256>& columns) const {
  const std::size_t common = std::min(palette_.size(), other.palette_.size());
  const bool same_code =
      bits_ == other.bits_ &&
      std::equal(palette_.begin(), palette_.begin() + static_cast<std::ptrdiff_t>(common), other.palette_.begin());
  if (!same_code) {
    for (int i = 0; i < kSectionVolume; ++i) {
      if (traits(i) != other.traits(i)) columns.set(static_cast<std::size_t>(i & 255));
    }
    return;
  }
  for (std::size_t w = 0; w < words_.size(); ++w) {
    std::uint64_t changed = words_[w] ^ other.words_[w];
    for (; changed != 0; changed &= changed - 1) {
      const std::size_t block = (w * 64 + static_cast<std::size_t>(std::countr_zero(changed))) >> shift_;
      columns.set(block & 255);
    }
  }
}

bool Section::same_blocks(const Section& other) const {
  if (uniform() && other.uniform()) return at(0) == other.at(0);
  for (int i = 0; i < kSectionVolume; ++i) {
    if (at(i) != other.at(i)) return false;
  }
  return true;
}

}  // namespace voxpath::world
