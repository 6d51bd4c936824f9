// BlockTable: which traits a block state has in a given version of the game, with the user's own additions on top.
// Thread-safety: immutable after construction; share it freely (copies share their data).
// Usage: const BlockTable table = BlockTable::for_data_version(3465); Traits t = table.traits(state);
// Invariant: a block that any released version knows is never unknown. A name that the table's own version lacks is
// looked up in the newest older version that has it, then in the oldest newer one: versions between two tables keep
// their blocks.
#pragma once

#include "world/blocks/block_state.hpp"
#include "world/blocks/traits.hpp"
#include "world/result.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace voxpath::world {

inline constexpr std::size_t kOverridesTextMax = 1u << 20;  // bytes of TOML
inline constexpr std::uint32_t kLegacyMetaMax = 15;         // the meta of a numeric id

class BlockTable {
 public:
  /// Versions that have a table, oldest first: "1.8", "1.12.2", "1.13.2", ... .
  static std::span<const std::string_view> versions();

  /// The table of a released version by name. Errors: not_found, naming the versions there are.
  static Result<BlockTable> for_version(std::string_view version);
  /// For chunks with named states: the oldest table that is not older than `data_version`, or the newest. So blocks
  /// that came between two tables are known.
  static BlockTable for_data_version(std::int32_t data_version);
  /// The version whose table chunks of this DataVersion are read with.
  static std::string_view version_for(std::int32_t data_version);
  /// For chunks with numeric ids, see legacy_state(). `data_version` is 0 when the chunk has none (before 1.9).
  static BlockTable for_legacy(std::int32_t data_version);

  /// This table with a user's overrides on top: TOML text, see world/README.md. Later calls win over earlier ones.
  /// Errors: invalid_argument with the line, the key, the value and what is allowed; the first one found.
  [[nodiscard]] Result<BlockTable> with_overrides(std::string_view toml_text) const;
  /// Whether with_overrides() would take the text in every version: to refuse a bad file before any chunk is read.
  static Status check_overrides(std::string_view toml_text);

  /// The traits of a state as a region file holds it. A block that nothing names: a full cube with `unknown` set.
  /// Properties that are left out, or have a value that the version does not know, count as the default; properties
  /// that the block does not have are ignored.
  [[nodiscard]] Traits traits(const BlockState& state) const;
  /// For what a person wrote: as traits(), but a block, property or value that does not exist is an error.
  /// Errors: not_found (the block, with the nearest name), invalid_argument (the property or value, with those there
  /// are).
  [[nodiscard]] Result<Traits> checked_traits(const BlockState& state) const;
  /// Whether the block is anything but unknown. `name` with its namespace.
  [[nodiscard]] bool knows(std::string_view name) const;

  /// A numeric id and its meta as a 1.13 state with all its properties, or nullopt for an id that the game never had
  /// (ids go up to 255 in the game, up to 4095 in files). A meta that the id does not use, or beyond kLegacyMetaMax, is
  /// read as meta 0. Doors: `open` and `facing` are stored in the lower half only, `hinge` and `powered` in the upper.
  /// What is given here for the other half is a guess, so a loader must copy the lower half's `open` and `facing` to
  /// the upper half of the same door directly above it.
  [[nodiscard]] static std::optional<BlockState> legacy_state(std::uint32_t id, std::uint32_t meta);

  /// All states of one block in the version's own order (for listings and tests); empty for an unknown block.
  [[nodiscard]] std::vector<BlockState> states_of(std::string_view name) const;
  /// The blocks of the version itself and those of the overrides, sorted, with namespace.
  [[nodiscard]] std::vector<std::string> block_names() const;
  [[nodiscard]] std::string_view version() const;
  /// How many states the version has by the data that the table was made from; for numeric ids, pairs of id and meta.
  [[nodiscard]] std::size_t version_state_count() const;

 private:
  struct Data;
  explicit BlockTable(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  static BlockTable of_version(std::size_t index);

  std::shared_ptr<const Data> data_;
};

}  // namespace voxpath::world
