#include "world/anvil/packed_indices.hpp"

#include "tests/support/nbt_writer.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace voxpath::world {
namespace {

/// Bit by bit, as the format is described: index i takes the bits from i * bits on, or within a word those that whole
/// indices fill.
std::vector<std::uint8_t> pack(const std::vector<std::uint16_t>& indices, unsigned bits, bool unbroken) {
  std::vector<std::uint64_t> words;
  const auto set_bit = [&](std::size_t at) {
    if (at / 64 >= words.size()) words.resize(at / 64 + 1);
    words[at / 64] |= std::uint64_t{1} << (at % 64);
  };
  const std::size_t per_word = 64 / bits;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const std::size_t from = unbroken ? i / per_word * 64 + i % per_word * bits : i * bits;
    for (unsigned b = 0; b < bits; ++b) {
      if ((indices[i] >> b & 1) != 0) set_bit(from + b);
    }
  }
  words.resize(unbroken ? (4096 + per_word - 1) / per_word : std::size_t{64} * bits);
  std::vector<std::uint8_t> bytes;
  for (const std::uint64_t word : words) test::append_big_endian(bytes, word, 8);
  return bytes;
}

std::vector<std::uint16_t> numbers(std::size_t palette) {
  std::vector<std::uint16_t> indices(kSectionVolume);
  std::uint32_t seed = 7;
  for (auto& index : indices) {
    seed = seed * 1664525u + 1013904223u;
    index = static_cast<std::uint16_t>((seed >> 8) % palette);
  }
  return indices;
}

TEST(PackedIndices, BothLayoutsAtEveryUsualWidth) {
  for (const std::size_t palette : {2u, 15u, 16u, 17u, 32u, 33u, 64u, 65u, 129u, 256u, 257u, 1000u, 2048u, 4096u}) {
    unsigned bits = 4;
    while ((std::size_t{1} << bits) < palette) ++bits;
    const auto indices = numbers(palette);
    for (const bool unbroken : {false, true}) {
      for (const bool version_says : {false, true}) {  // the number of words is what counts
        std::vector<std::uint16_t> out(kSectionVolume);
        const auto bytes = pack(indices, bits, unbroken);
        const auto status = unpack_indices(bytes, palette, version_says, SectionIndices(out.data(), kSectionVolume));
        ASSERT_TRUE(status) << palette << " " << unbroken << ": " << status.error().message;
        EXPECT_EQ(out, indices) << palette << " " << unbroken << " " << version_says;
      }
    }
  }
}

TEST(PackedIndices, FewerAndMoreBitsThanTheGameUses) {
  for (const unsigned bits : {1u, 2u, 3u, 6u, 9u, 11u}) {
    for (const std::size_t palette : {2u, 3u, 7u}) {
      if ((1u << bits) < palette) continue;
      for (const bool unbroken : {false, true}) {
        const auto indices = numbers(palette);
        std::vector<std::uint16_t> out(kSectionVolume);
        const auto status = unpack_indices(pack(indices, bits, unbroken), palette, unbroken,
                                           SectionIndices(out.data(), kSectionVolume));
        ASSERT_TRUE(status) << bits << ": " << status.error().message;
        EXPECT_EQ(out, indices) << bits << " " << palette << " " << unbroken;
      }
    }
  }
}

TEST(PackedIndices, WordsThatFitNoWidthAreRefused) {
  std::vector<std::uint16_t> out(kSectionVolume);
  for (const std::size_t words : {1u, 63u, 65u, 255u, 257u, 5000u}) {
    const auto status =
        unpack_indices(std::vector<std::uint8_t>(words * 8), 5, true, SectionIndices(out.data(), kSectionVolume));
    ASSERT_FALSE(status) << words;
    EXPECT_THAT(status.error().message, ::testing::HasSubstr("fits no width"));
  }
}

TEST(PackedIndices, AnIndexBeyondThePaletteIsRefused) {
  std::vector<std::uint16_t> out(kSectionVolume);
  auto indices = numbers(5);
  indices[4095] = 5;
  const auto status = unpack_indices(pack(indices, 4, true), 5, true, SectionIndices(out.data(), kSectionVolume));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "a section's block has index 5 into a palette of 5");
}

}  // namespace
}  // namespace voxpath::world
