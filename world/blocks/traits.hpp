// Traits: all that a path-finder knows of a block state (MOVEMENT.md, section 2).
// Thread-safety: plain values.
// Invariant: has_extent() means 0 <= bottom < top <= 24; heights are pixels (1/16 block) above the cell's base. A
// climbable has no extent.
#pragma once

#include <cstdint>

namespace voxpath::world {

enum class Fluid : std::uint8_t { none, water, lava };  // water also for waterlogged blocks

/// What hurts a body. See hurts_inside() and hurts_on_top() for where.
enum class Hazard : std::uint8_t { none, fire, cactus, berry_bush, wither_rose, powder_snow, lava, magma, campfire };
inline constexpr int kHazardKinds = 9;  // including none

enum class Door : std::uint8_t { none, wooden, iron, gate };

/// The low side of a bottom-half stair: a mob that moves in `facing`'s direction enters it from there. The value is the
/// state's facing.
enum class StairFacing : std::uint8_t { none, east, west, south, north };  // +x, -x, +z, -z

inline constexpr std::uint8_t kExtentTopMax = 24;  // px: fences, walls, closed gates

struct Traits {
  std::uint8_t bottom = 0;  // px
  std::uint8_t top = 0;     // px; 0: no extent
  Fluid fluid = Fluid::none;
  Hazard hazard = Hazard::none;
  Door door = Door::none;
  StairFacing stair = StairFacing::none;
  bool open : 1 = false;       // doors and gates
  bool climbable : 1 = false;  // ladder, vines, scaffolding and the like
  bool slow : 1 = false;       // soul sand, honey, cobweb
  bool unknown : 1 = false;    // a block that no table names; treated as a full cube

  [[nodiscard]] constexpr bool has_extent() const { return top != 0; }
  friend constexpr bool operator==(const Traits&, const Traits&) = default;
};

constexpr Traits air_traits() { return {}; }
constexpr Traits full_cube_traits() {
  Traits t;
  t.top = 16;
  return t;
}

/// How much of its traits a block has to be asked for: most blocks of a world are plain air or plain cubes, and a search
/// that meets nothing else needs no more than bits.
enum class Shape : std::uint8_t { air, cube, odd };
constexpr Shape shape_of(Traits t) {
  t.unknown = false;  // treated as a cube
  if (t == air_traits()) return Shape::air;
  return t == full_cube_traits() ? Shape::cube : Shape::odd;
}

/// Fire, cactus, berry bush, wither rose, powder snow and lava hurt a body in their cell.
constexpr bool hurts_inside(Hazard h) { return h != Hazard::none && h != Hazard::magma && h != Hazard::campfire; }
/// Magma, lit campfire and cactus hurt whoever stands on them.
constexpr bool hurts_on_top(Hazard h) { return h == Hazard::magma || h == Hazard::campfire || h == Hazard::cactus; }

}  // namespace voxpath::world
