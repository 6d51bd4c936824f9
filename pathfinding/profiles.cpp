#include "pathfinding/profiles.hpp"

#include "world/blocks/error_text.hpp"

#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace voxpath::pathfinding {

namespace {

/// Width and height in blocks, as the game gives them.
Agent sized(double width, double height) {
  Agent a;
  a.width_blocks = width;
  a.width_px = static_cast<std::int32_t>(std::ceil(width * 16 - 1e-6));
  a.height_px = static_cast<std::int32_t>(std::ceil(height * 16 - 1e-6));
  return a;
}

Agent with(Agent a, void (*change)(Agent&)) {
  change(a);
  return a;
}

}  // namespace

std::span<const Profile> profiles() {
  static const std::array kProfiles = {
      Profile{"zombie", "walks, swims at the surface, does not open doors", sized(0.6, 1.95)},
      Profile{"baby_zombie", "a zombie one block high", sized(0.3, 0.975)},
      Profile{"skeleton", "as a zombie, a little taller", sized(0.6, 1.99)},
      Profile{"spider", "two blocks wide, one high", sized(1.4, 0.9)},
      Profile{"villager", "opens wooden doors", with(sized(0.6, 1.95), [](Agent& a) { a.open_doors = true; })},
      Profile{"iron_golem", "nearly three blocks high, sinks and walks on the bottom",
              with(sized(1.4, 2.7),
                   [](Agent& a) {
                     a.water = WaterMode::walk;
                     a.step_px = 16;
                   })},
      Profile{"ravager", "two wide, three high, steps up whole blocks",
              with(sized(1.95, 2.2), [](Agent& a) { a.step_px = 16; })},
      Profile{"slime_small", "half a block", sized(0.52, 0.52)},
      Profile{"slime_medium", "just over one block wide", sized(1.04, 1.04)},
      Profile{"slime_large", "just over two blocks wide", sized(2.08, 2.08)},
      Profile{"chicken", "falls any depth unharmed",
              with(sized(0.4, 0.7), [](Agent& a) { a.max_drop_px = kDropPxMax; })},
      Profile{"player", "climbs, opens doors and gates, leaps over two cells of gap",
              with(sized(0.6, 1.8),
                   [](Agent& a) {
                     a.climb = true;
                     a.open_doors = true;
                     a.open_gates = true;
                     a.leap = 2;
                   })},
      Profile{"pocketmine", "the zombie of a PocketMine plugin, without its faults (MOVEMENT.md, section 12)",
              with(sized(0.6, 2.0),
                   [](Agent& a) {
                     a.step_px = 0;
                     a.jump_px = 16;
                     a.max_drop_px = 16;
                     a.corners = Corners::loose;
                     a.water = WaterMode::walk;
                   })},
      Profile{"bat", "flies", with(sized(0.5, 0.9), [](Agent& a) { a.mode = Mode::fly; })},
      Profile{"cod", "swims under water", with(sized(0.5, 0.3), [](Agent& a) { a.mode = Mode::swim; })},
  };
  return kProfiles;
}

world::Result<Agent> profile_agent(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Profile& p : profiles()) {
    if (p.name == name) return p.agent;
    names.push_back(p.name);
  }
  const std::string_view nearest = world::nearest_name(name, names);
  return world::Error{
      world::ErrorCode::not_found,
      fmt::format("agent '{}': {}there are {}", world::quoted(name),
                  nearest.empty() ? "" : fmt::format("did you mean {}? ", nearest), fmt::join(names, ", "))};
}

}  // namespace voxpath::pathfinding
