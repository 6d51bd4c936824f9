#include "pathfinding/ready_agents.hpp"

#include "world/blocks/nearest_name.hpp"

#include <array>
#include <cassert>
#include <initializer_list>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace voxpath::pathfinding {

namespace {

using Fields = std::initializer_list<std::pair<std::string_view, std::string_view>>;

ReadyAgent made(std::string_view name, std::string_view about, Fields fields) {
  ReadyAgent ready{.name = name, .about = about, .agent = {}};
  for (const auto& [field, value] : fields) {
    [[maybe_unused]] const auto status = set_field(ready.agent, field, value);
    assert(status.ok());
  }
  return ready;
}

}  // namespace

std::span<const ReadyAgent> ready_agents() {
  static const std::array<ReadyAgent, 12> agents{
      made("zombie", "the defaults", {}),
      made("baby_zombie", "fits through gaps one block high", {{"width", "0.3"}, {"height", "0.975"}}),
      made("skeleton", "a little taller than a zombie", {{"width", "0.6"}, {"height", "1.99"}}),
      made("spider", "low and two columns wide", {{"width", "1.4"}, {"height", "0.9"}}),
      made("villager", "opens doors", {{"width", "0.6"}, {"height", "1.95"}, {"open_doors", "true"}}),
      made("iron_golem", "two columns wide, three blocks high, steps a whole block",
           {{"width", "1.4"}, {"height", "2.7"}, {"step", "1"}}),
      made("ravager", "two columns wide, steps a whole block", {{"width", "1.95"}, {"height", "2.2"}, {"step", "1"}}),
      made("slime_small", "half a block", {{"width", "0.52"}, {"height", "0.52"}}),
      made("slime_medium", "a good block: two columns wide", {{"width", "1.04"}, {"height", "1.04"}}),
      made("slime_large", "two good blocks: three columns wide", {{"width", "2.08"}, {"height", "2.08"}}),
      made("chicken", "less than a block high; flutters down from any height",
           {{"width", "0.4"}, {"height", "0.7"}, {"max_drop", "384"}}),
      made("player", "opens doors and gates, climbs ladders",
           {{"width", "0.6"}, {"height", "1.8"}, {"open_doors", "true"}, {"open_gates", "true"}, {"climb", "true"}}),
  };
  return agents;
}

world::Result<Agent> ready_agent(std::string_view name) {
  std::vector<std::string_view> names;
  std::string all;
  for (const ReadyAgent& ready : ready_agents()) {
    if (ready.name == name) return ready.agent;
    names.push_back(ready.name);
    all += fmt::format("{}{}", all.empty() ? "" : ", ", ready.name);
  }
  const std::string_view nearest = world::nearest_name(name, names);
  const std::string hint = nearest.empty() ? "" : fmt::format("did you mean {}? ", nearest);
  return world::Error{world::ErrorCode::not_found, fmt::format("agent '{}': {}there are {}", name, hint, all)};
}

}  // namespace voxpath::pathfinding
