#include "world/blocks/trait_names.hpp"

#include <fmt/format.h>

namespace voxpath::world {

std::string describe(const Traits& t) {
  std::string out = t.has_extent() ? fmt::format("{}..{}", t.bottom, t.top) : "none";
  if (t.fluid != Fluid::none) out += fmt::format(" fluid={}", to_name(kFluidNames, t.fluid));
  if (t.hazard != Hazard::none) out += fmt::format(" hazard={}", to_name(kHazardNames, t.hazard));
  if (t.door != Door::none) out += fmt::format(" door={}", to_name(kDoorNames, t.door));
  if (t.stair != StairFacing::none) out += fmt::format(" stair={}", to_name(kStairNames, t.stair));
  if (t.open) out += " open";
  if (t.climbable) out += " climbable";
  if (t.slow) out += " slow";
  if (t.unknown) out += " unknown";
  return out;
}

}  // namespace voxpath::world
