// BlockState: a block's name and properties, as text and as a value.
// Thread-safety: plain value.
// Invariant: the name has a namespace ("minecraft:" is added when left out) and the properties are sorted by key, so
// that equal states are equal text: "minecraft:oak_stairs[facing=east,half=bottom]".
#pragma once

#include "world/result.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace voxpath::world {

inline constexpr std::size_t kBlockStateTextMax = 512;  // bytes of a state's text

struct BlockState {
  std::string name;                                             // "minecraft:stone"
  std::vector<std::pair<std::string, std::string>> properties;  // sorted by key, no key twice

  /// Parses "[namespace:]name[key=value,...]", at most kBlockStateTextMax bytes. A namespace, key or value holds
  /// letters, digits and "_-.", a name also "/". Errors: invalid_argument with the text and what is wrong in it.
  static Result<BlockState> parse(std::string_view text);
  /// Sorts the properties and adds the namespace; of a key given twice the last counts. Nothing is checked: for data
  /// that was checked before, or where any text will do.
  static BlockState make(std::string_view name, std::vector<std::pair<std::string, std::string>> properties = {});

  /// The value of a property, or an empty view.
  [[nodiscard]] std::string_view property(std::string_view key) const;
  [[nodiscard]] std::string text() const;

  friend bool operator==(const BlockState&, const BlockState&) = default;
};

}  // namespace voxpath::world
