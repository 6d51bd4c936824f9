// unpack_indices: a section's 4096 palette indices out of the 64-bit words that a chunk stores them in.
// Thread-safety: pure function.
// Invariant: every index given is below the palette's size. Two layouts exist: up to Java 1.15 an index may lie across
// two words, from 1.16 on (snapshot 20w17a) it never does. Files mix both, so the number of words decides, and the
// chunk's version only where that fits both.
#pragma once

#include "world/position.hpp"
#include "world/result.hpp"

#include <cstdint>
#include <span>

namespace voxpath::world {

using SectionIndices = std::span<std::uint16_t, kSectionVolume>;

/// `words`: big-endian, 8 bytes each. `unbroken`: whether the chunk's version keeps an index within one word.
/// Errors: data_loss, when no width fits the number of words or an index is beyond the palette.
Status unpack_indices(std::span<const std::uint8_t> words, std::size_t palette_size, bool unbroken, SectionIndices out);

}  // namespace voxpath::world
