// Overrides: a user's changes and additions to a block table, read from TOML.
// Thread-safety: plain values; reading is a pure function.
// Usage: read_overrides(text) gives the entries in the order in which they apply; BlockTable::with_overrides() checks
// them against its blocks and applies them. The format is explained in world/README.md.
#pragma once

#include "world/blocks/block_state.hpp"
#include "world/blocks/traits.hpp"
#include "world/result.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace voxpath::world {

inline constexpr std::size_t kOverrideCountMax = 4096;  // [block."..."] tables of one file

/// One [block."..."] table. What is not given stays as it was.
struct Override {
  std::size_t line = 0;
  BlockState selector;  // the block; with properties: only its states that have them
  std::string like;     // the known block whose states and traits this one has, or empty
  std::optional<int> bottom_px;
  std::optional<int> top_px;
  std::optional<Fluid> fluid;
  std::optional<Hazard> hazard;
  std::optional<Door> door;
  std::optional<StairFacing> stair;
  std::optional<bool> open;
  std::optional<bool> climbable;
  std::optional<bool> slow;

  /// The traits with these changes. They keep the invariant of Traits: climbables and open doors have no extent, only
  /// doors and gates are open, a bottom that is not below the top is 0.
  [[nodiscard]] Traits applied_to(Traits traits) const;
  /// Whether the changes make sense on these traits, without being bent as applied_to() does.
  /// Errors: invalid_argument with the line, the key and the value.
  [[nodiscard]] Status check(const Traits& traits) const;

 private:
  [[nodiscard]] Traits changed(Traits traits) const;
};

/// Sorted as they apply: fewer properties first, then by line. Errors: invalid_argument with line, key, value and what
/// is allowed.
Result<std::vector<Override>> read_overrides(std::string_view toml_text);

/// An error that begins with "line N: ".
Error override_error(std::size_t line, const std::string& what);

}  // namespace voxpath::world
