// JudgeAgent: every field that the movement contract gives a mob, with the contract's defaults; and reading one from name=value pairs.
// Thread-safety: plain value.
// Invariant: lengths named *_px are pixels (1/16 block); width stays in blocks, because the mob's box is not rounded. A price of -1 forbids.
#pragma once

#include "world/blocks/traits.hpp"
#include "world/position.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace voxpath::judge {

enum class Water : std::uint8_t { floats, avoids, walks };
enum class Corners : std::uint8_t { strict, loose, never };
enum class Metric : std::uint8_t { cost, moves };
enum class Mode : std::uint8_t { walk, fly, swim };

struct JudgeAgent {
  double width = 0.6;  // blocks
  int height_px = 32;
  int step_px = 9;
  int jump_px = 18;
  int max_drop_px = 48;
  int leap = 0;  // columns of gap
  Mode mode = Mode::walk;
  Water water = Water::floats;
  bool climb = false;
  Corners corners = Corners::strict;
  bool open_doors = false;
  bool pass_doors = true;
  bool open_gates = false;
  std::array<bool, world::kHazardKinds> immune{};  // by world::Hazard
  std::int64_t cost_cardinal = 10;
  std::int64_t cost_diagonal = 14;
  std::int64_t cost_space_diagonal = 17;  // flyers and swimmers
  std::int64_t cost_climb = 20;
  std::int64_t cost_jump = 5;
  std::int64_t cost_drop = 2;  // per block
  std::int64_t cost_leap = 5;  // per column of gap
  std::int64_t cost_water = 80;
  std::int64_t cost_near_hazard = 80;
  std::int64_t cost_slow = 10;
  std::int64_t cost_open = 10;
  Metric metric = Metric::cost;

  /// Columns along each side of the footprint.
  [[nodiscard]] int footprint() const;
  /// Whether this block harms this mob, be it in it or on it.
  [[nodiscard]] bool is_hazard(const world::Traits& traits) const;
};

/// Sets one field by its name in the contract; lengths in blocks, or in px with the suffix `_px`. Returns what is wrong, if anything.
[[nodiscard]] std::optional<std::string> set_field(JudgeAgent& agent, std::string_view name, std::string_view value);

/// The agent as name=value pairs that set_field() reads back: for reports of a failed case.
[[nodiscard]] std::string describe(const JudgeAgent& agent);

}  // namespace voxpath::judge
