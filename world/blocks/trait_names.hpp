// Trait names: the words that block tables, configuration and listings use for the values of Traits.
// Thread-safety: constants and pure functions.
// Invariant: an enumeration's words stand in the order of its values.
#pragma once

#include "world/blocks/traits.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace voxpath::world {

inline constexpr std::array<std::string_view, 3> kFluidNames{"none", "water", "lava"};
inline constexpr std::array<std::string_view, kHazardKinds> kHazardNames{
    "none", "fire", "cactus", "berry_bush", "wither_rose", "powder_snow", "lava", "magma", "campfire"};
inline constexpr std::array<std::string_view, 4> kDoorNames{"none", "wooden", "iron", "gate"};
inline constexpr std::array<std::string_view, 5> kStairNames{"none", "east", "west", "south", "north"};

/// The value whose word this is.
template <class Enum>
std::optional<Enum> from_name(std::span<const std::string_view> names, std::string_view word) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == word) return static_cast<Enum>(i);
  }
  return std::nullopt;
}
template <class Enum>
std::string_view to_name(std::span<const std::string_view> names, Enum value) {
  return names[static_cast<std::size_t>(value)];
}

/// One line for people: "0..16 fluid=water stair=east", "none climbable".
std::string describe(const Traits& traits);

}  // namespace voxpath::world
