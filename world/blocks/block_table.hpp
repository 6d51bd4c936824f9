// BlockTable: which traits a block state has in a given version of the game, with the user's own additions on top.
// Thread-safety: immutable after construction; share it freely.
// Usage: BlockTable table = BlockTable::for_data_version(3465).value; Traits t = table.traits(state);
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "world/blocks/block_state.hpp"
#include "world/blocks/traits.hpp"
#include "world/result.hpp"

namespace voxpath::world {

class BlockTable {
 public:
  /// Versions that have a table, oldest first: "1.8", "1.12.2", "1.13.2", ... .
  static std::span<const std::string_view> versions();

  /// The table of a released version by name. Errors: not_found, naming the versions there are.
  static Result<BlockTable> for_version(std::string_view version);
  /// The table that fits a chunk's DataVersion: the newest one not newer than it (the oldest flattened one for none; see for_legacy()).
  static BlockTable for_data_version(std::int32_t data_version);
  /// For chunks with numeric ids. `data_version` 0 when the chunk has none (before 1.9).
  static BlockTable for_legacy(std::int32_t data_version);

  /// This table with a user's overrides: TOML text, see world/README.md. Errors: invalid_argument with line, key and what is allowed.
  [[nodiscard]] Result<BlockTable> with_overrides(std::string_view toml_text) const;

  /// The traits of a state. A block that nothing names: a full cube with `unknown` set. Properties that are left out take the defaults.
  [[nodiscard]] Traits traits(const BlockState& state) const;
  [[nodiscard]] bool knows(std::string_view name) const;

  /// The 1.13 name of a numeric id and meta (0..15). An unknown meta of a known id is read as meta 0; an unknown id gives nullopt.
  [[nodiscard]] static std::optional<BlockState> legacy_state(std::uint32_t id, std::uint32_t meta);

  /// All states of one block with their traits, in the version's own order (for `voxpath blocks` and tests).
  [[nodiscard]] std::vector<BlockState> states_of(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> block_names() const;
  [[nodiscard]] std::string_view version() const;

 private:
  struct Data;
  explicit BlockTable(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;
};

}  // namespace voxpath::world
