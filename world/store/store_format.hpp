// The bytes of a stored world: keys, and values with their checksums. README.md beside this file describes them.
// Thread-safety: pure functions.
// Invariants: seal() and unseal() undo each other, as encode and decode do; whatever bytes come in, the decoders answer
// with a value or with an error that says what is wrong, and never read beyond them.
// Source of the checksum: XXH3 of 64 bits, seeded with that of the key, so that a value below another key is damaged.
#pragma once

#include "world/chunk.hpp"
#include "world/position.hpp"
#include "world/result.hpp"
#include "world/snapshot.hpp"
#include "world/state_registry.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace voxpath::world {

/// Of the folder as a whole: which tables there are, and what their keys are.
inline constexpr std::uint32_t kStoreFormat = 1;
/// The first byte of a value.
inline constexpr std::uint8_t kValuePlain = 1, kValueLz4 = 2;
inline constexpr std::size_t kValueHeadBytes = 9;          // format and checksum
inline constexpr std::size_t kPayloadMaxBytes = 1u << 20;  // of any value; a section has 24,578 at most

[[nodiscard]] std::string section_key(SectionPos pos);
[[nodiscard]] std::string chunk_key(ChunkPos pos);
[[nodiscard]] std::string state_key(std::uint32_t number);
/// nullopt: no such key.
[[nodiscard]] std::optional<SectionPos> section_of_key(std::string_view key);
[[nodiscard]] std::optional<ChunkPos> chunk_of_key(std::string_view key);
[[nodiscard]] std::optional<std::uint32_t> state_of_key(std::string_view key);

/// The value for a key: compressed where that saves an eighth of it. Precondition: at most kPayloadMaxBytes.
[[nodiscard]] std::string seal(std::string_view key, std::string_view payload);
/// Errors: data_loss: too short, an unknown format, a wrong checksum, bytes that do not decompress.
[[nodiscard]] Result<std::string> unseal(std::string_view key, std::string_view value);

/// What a store knows of its world besides the blocks.
struct StoredWorld {
  std::uint64_t version = 0;
  Heights heights = {};
  bool open = true;               // false: it was closed, and is not opened again by itself
  std::uint64_t table = 0;        // XXH3 of what the traits were made with; another one: they are looked up anew
  std::string game_version = {};  // at most kStoredTextMaxBytes
  std::string folder = {};        // its name in the configuration; empty: none
  friend bool operator==(const StoredWorld&, const StoredWorld&) = default;
};
inline constexpr std::size_t kStoredTextMaxBytes = 1024;

/// XXH3 of 64 bits.
[[nodiscard]] std::uint64_t text_hash(std::string_view text);

[[nodiscard]] std::string encode_world(const StoredWorld& world);
[[nodiscard]] Result<StoredWorld> decode_world(std::string_view payload);

[[nodiscard]] std::string encode_state(const RegisteredState& state);
[[nodiscard]] Result<RegisteredState> decode_state(std::string_view payload);

/// Which of a column's sections are stored, from the lowest up; those that are not are air.
[[nodiscard]] std::string encode_chunk(const std::vector<bool>& stored);
[[nodiscard]] Result<std::vector<bool>> decode_chunk(std::string_view payload, Heights heights);

/// `number`: of the store, for a state of the world.
using NumberOfState = std::function<std::uint32_t(StateId)>;
[[nodiscard]] std::string encode_section(const Section& section, const NumberOfState& number);
/// `entry`: of the world, for a number of the store; nullopt: the store does not have it.
using EntryOfNumber = std::function<std::optional<PaletteEntry>(std::uint32_t)>;
[[nodiscard]] Result<Ref<Section>> decode_section(std::string_view payload, const EntryOfNumber& entry);

}  // namespace voxpath::world
