#include "world/anvil/packed_indices.hpp"

#include "world/anvil/big_endian.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include <fmt/format.h>

namespace voxpath::world {

namespace {

constexpr unsigned kWordBits = 64;
constexpr unsigned kIndexBitsMax = 16;
constexpr unsigned kIndexBitsUsual = 4;  // the game uses no fewer; other programs do

struct Layout {
  unsigned bits = 0;
  bool unbroken = false;
};

constexpr std::size_t words_needed(Layout layout) {
  if (!layout.unbroken) return std::size_t{kSectionVolume} * layout.bits / kWordBits;
  const std::size_t per_word = kWordBits / layout.bits;
  return (kSectionVolume + per_word - 1) / per_word;
}

std::optional<Layout> find_layout(std::size_t words, std::size_t palette_size, bool unbroken) {
  const auto least = std::max(1u, static_cast<unsigned>(std::bit_width(palette_size - 1)));
  const unsigned usual = std::max(least, kIndexBitsUsual);
  for (const bool layout : {unbroken, !unbroken}) {
    if (words_needed({usual, layout}) == words) return Layout{usual, layout};
  }
  for (const bool layout : {unbroken, !unbroken}) {
    for (unsigned bits = least; bits <= kIndexBitsMax; ++bits) {
      if (words_needed({bits, layout}) == words) return Layout{bits, layout};
    }
  }
  return std::nullopt;
}

void unpack_unbroken(std::span<const std::uint8_t> words, unsigned bits, SectionIndices out) {
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  const std::size_t per_word = kWordBits / bits;
  const std::uint8_t* p = words.data();
  for (std::size_t i = 0; i < out.size(); p += sizeof(std::uint64_t)) {
    auto word = load_big_endian<std::uint64_t>(p);
    const std::size_t end = std::min(i + per_word, out.size());
    for (; i < end; ++i, word >>= bits) out[i] = static_cast<std::uint16_t>(word & mask);
  }
}

void unpack_across(std::span<const std::uint8_t> words, unsigned bits, SectionIndices out) {
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  const std::uint8_t* p = words.data();
  std::uint64_t held = 0;  // bits read and not given out yet, the next one lowest
  unsigned held_bits = 0;
  for (auto& index : out) {
    if (held_bits >= bits) {
      index = static_cast<std::uint16_t>(held & mask);
      held >>= bits;
      held_bits -= bits;
      continue;
    }
    const auto word = load_big_endian<std::uint64_t>(p);
    p += sizeof word;
    index = static_cast<std::uint16_t>((held | word << held_bits) & mask);
    const unsigned taken = bits - held_bits;
    held = word >> taken;
    held_bits = kWordBits - taken;
  }
}

}  // namespace

Status unpack_indices(std::span<const std::uint8_t> words, std::size_t palette_size, bool unbroken,
                      SectionIndices out) {
  const std::size_t count = words.size() / sizeof(std::uint64_t);
  if (palette_size == 0) return Error{ErrorCode::data_loss, "a section has an empty palette"};
  const auto layout = find_layout(count, palette_size, unbroken);
  if (!layout) {
    return Error{ErrorCode::data_loss,
                 fmt::format("a section with a palette of {} has {} words of indices, which fits no width",
                             palette_size, count)};
  }
  if (layout->unbroken) {
    unpack_unbroken(words, layout->bits, out);
  } else {
    unpack_across(words, layout->bits, out);
  }
  const std::uint16_t largest = *std::max_element(out.begin(), out.end());
  if (largest >= palette_size) {
    return Error{ErrorCode::data_loss,
                 fmt::format("a section's block has index {} into a palette of {}", largest, palette_size)};
  }
  return ok_status();
}

}  // namespace voxpath::world
