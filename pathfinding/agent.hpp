// Agent: what a mob is and can do, as plain values (MOVEMENT.md, sections 1 to 5). All lengths are pixels (1/16 block).
// Thread-safety: plain values.
// Usage: Agent a = zombie; a.max_drop_px = 16; if (auto s = validate(a); !s) report(s.error().message);
#pragma once

#include "world/blocks/traits.hpp"
#include "world/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace voxpath::pathfinding {

/// How it moves: on foot; through air; through water. MOVEMENT.md, sections 3 to 5 and the two on flyers and swimmers.
enum class Mode : std::uint8_t { walk, fly, swim };
enum class WaterMode : std::uint8_t { float_, avoid, walk };
enum class Corners : std::uint8_t { strict, never, loose };
enum class Metric : std::uint8_t { cost, moves };

inline constexpr std::int32_t kWidthPxMax = 8 * 16;         // px
inline constexpr std::int32_t kHeightPxMax = 16 * 16;       // px
inline constexpr std::int32_t kClimbHeightPxMax = 16 * 16;  // px, of a step or a jump
inline constexpr std::int32_t kDropPxMax = 4096 * 16;       // px
inline constexpr std::int32_t kLeapMax = 3;                 // cells of gap
inline constexpr std::int32_t kPriceMax = 1'000'000;
inline constexpr std::int32_t kForbidden = -1;  // as a price

struct Agent {
  std::int32_t width_px = 10;     // 1 .. kWidthPxMax; 0.6 block rounded up
  std::int32_t height_px = 32;    // 1 .. kHeightPxMax; 1.95 blocks rounded up
  std::int32_t step_px = 9;       // 0 .. kClimbHeightPxMax; 0.6 block rounded down
  std::int32_t jump_px = 18;      // 0 .. kClimbHeightPxMax; 1.125 blocks
  std::int32_t max_drop_px = 48;  // 0 .. kDropPxMax

  std::int32_t leap = 0;  // 0 .. kLeapMax: widest gap that it jumps over, in cells

  Mode mode = Mode::walk;
  WaterMode water = WaterMode::float_;
  Corners corners = Corners::strict;
  Metric metric = Metric::cost;
  bool climb = false;  // footprints of one column only
  bool open_doors = false;
  bool pass_doors = true;
  bool open_gates = false;
  std::uint16_t immune = 0;  // bit 1 << Hazard

  // Prices, each -1 (forbids) or 0 .. kPriceMax. See MOVEMENT.md, section 5.
  std::int32_t cost_cardinal = 10;
  std::int32_t cost_diagonal = 14;
  std::int32_t cost_space_diagonal = 17;  // flyers and swimmers, moves along three axes
  std::int32_t cost_climb = 20;
  std::int32_t cost_jump = 5;
  std::int32_t cost_drop = 2;  // per block
  std::int32_t cost_leap = 5;  // per cell of gap
  std::int32_t cost_water = 80;
  std::int32_t cost_near_hazard = 80;
  std::int32_t cost_slow = 10;
  std::int32_t cost_open = 10;

  /// Columns along each side of the footprint: max(1, ceil(width)).
  [[nodiscard]] constexpr int footprint() const { return width_px <= 16 ? 1 : (width_px + 15) / 16; }
  /// The exact width in blocks, for the corners of the mob's box; set from files and messages, else width_px / 16.
  double width_blocks = 0.6;

  [[nodiscard]] constexpr bool hurt_by(world::Hazard h) const {
    return h != world::Hazard::none && (immune >> static_cast<unsigned>(h) & 1u) == 0;
  }
  friend bool operator==(const Agent&, const Agent&) = default;
};

/// Whether every field is in its range; the error names the field, the value and the limit.
world::Status validate(const Agent& agent);

/// Sets a field by its name in MOVEMENT.md from text: `width`, `height`, `step`, `jump`, `max_drop` in blocks, or in px
/// with `_px`; `water`, `corners`, `metric`, `immune` (hazard names, comma separated, `none`), booleans as true or
/// false, prices as integers. Heights round up to px, step, jump and max_drop round down. Errors: invalid_argument with
/// the field, the value and what is allowed.
world::Status set_field(Agent& agent, std::string_view field, std::string_view value);

/// What set_field() takes for a length in blocks: "0.0625 to 8 blocks (1 to 128 px)". Empty: `field` is none of these.
std::string allowed_length(std::string_view field);

/// The name of a hazard as `immune` has it: fire, cactus, berry_bush, wither_rose, powder_snow, lava, magma, campfire.
std::string_view hazard_name(world::Hazard hazard);

}  // namespace voxpath::pathfinding
