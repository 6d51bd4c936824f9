// StateResolver: from what a chunk says of a block, a palette entry as NBT or a number, to the state's id and traits.
// Thread-safety: none; one for each worker. They share the StateRegistry, which is asked only for what a worker has not
// seen before.
// Invariants: the answer depends on the chunk's DataVersion, as traits of one name differ between versions of the game.
// A block that no table names becomes a full cube with `unknown` set; a numeric id that no table names becomes the
// state "numeric:<id>".
#pragma once

#include "world/anvil/nbt.hpp"
#include "world/blocks/block_table.hpp"
#include "world/result.hpp"
#include "world/section.hpp"
#include "world/state_registry.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

namespace voxpath::world {

/// A block of a chunk before Java 1.13: id << 4 | meta.
using BlockNumber = std::uint16_t;

class StateResolver {
 public:
  /// `block_overrides`: TOML for BlockTable::with_overrides, or empty. `states` must outlive the resolver.
  StateResolver(StateRegistry& states, std::string block_overrides);

  /// Chooses the tables for the calls that follow. Errors: those of BlockTable::with_overrides.
  Status use_version(std::int32_t data_version, bool numeric);

  /// `entry`: the fields of a compound with Name and perhaps Properties. Errors: data_loss, resource_exhausted
  /// (kStateCountMax).
  Result<PaletteEntry> named(nbt::Bytes entry);
  Result<PaletteEntry> numbered(BlockNumber number);
  /// Half a door: before 1.13 `open` and `facing` are stored in the lower half alone, `hinge` in the upper one.
  Result<PaletteEntry> door_half(BlockNumber lower, BlockNumber upper, bool is_upper);

  [[nodiscard]] const std::string& text_of(const PaletteEntry& entry) const { return states_.at(entry.state).text; }

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  struct Version {
    std::int32_t data_version = 0;
    bool numeric = false;
    BlockTable table;
    boost::unordered_flat_map<std::string, PaletteEntry, TextHash, std::equal_to<>> by_nbt;
    boost::unordered_flat_map<std::uint64_t, PaletteEntry> by_number;  // a door's half: its pair of numbers
  };

  Result<PaletteEntry> enter(const BlockState& state);

  StateRegistry& states_;
  std::string block_overrides_;
  std::vector<std::unique_ptr<Version>> versions_;
  Version* version_ = nullptr;
};

}  // namespace voxpath::world
