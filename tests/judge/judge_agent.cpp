#include "tests/judge/judge_agent.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace voxpath::judge {
namespace {

constexpr std::array<std::string_view, world::kHazardKinds> kHazardNames{
    "none", "fire", "cactus", "berry_bush", "wither_rose", "powder_snow", "lava", "magma", "campfire"};

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

struct Length {
  std::string_view name;
  int JudgeAgent::* field;
  bool rounds_up;
};
constexpr std::array<Length, 4> kLengths{{{"height", &JudgeAgent::height_px, true},
                                          {"step", &JudgeAgent::step_px, false},
                                          {"jump", &JudgeAgent::jump_px, false},
                                          {"max_drop", &JudgeAgent::max_drop_px, false}}};

constexpr std::array<std::pair<std::string_view, bool JudgeAgent::*>, 4> kSwitches{
    {{"climb", &JudgeAgent::climb},
     {"open_doors", &JudgeAgent::open_doors},
     {"pass_doors", &JudgeAgent::pass_doors},
     {"open_gates", &JudgeAgent::open_gates}}};

constexpr std::array<std::pair<std::string_view, std::int64_t JudgeAgent::*>, 11> kPrices{
    {{"cost_cardinal", &JudgeAgent::cost_cardinal},
     {"cost_diagonal", &JudgeAgent::cost_diagonal},
     {"cost_space_diagonal", &JudgeAgent::cost_space_diagonal},
     {"cost_climb", &JudgeAgent::cost_climb},
     {"cost_jump", &JudgeAgent::cost_jump},
     {"cost_drop", &JudgeAgent::cost_drop},
     {"cost_leap", &JudgeAgent::cost_leap},
     {"cost_water", &JudgeAgent::cost_water},
     {"cost_near_hazard", &JudgeAgent::cost_near_hazard},
     {"cost_slow", &JudgeAgent::cost_slow},
     {"cost_open", &JudgeAgent::cost_open}}};

constexpr std::array<std::string_view, 3> kWaterNames{"float", "avoid", "walk"};
constexpr std::array<std::string_view, 3> kCornerNames{"strict", "loose", "never"};
constexpr std::array<std::string_view, 2> kMetricNames{"cost", "moves"};
constexpr std::array<std::string_view, 3> kModeNames{"walk", "fly", "swim"};

template <class Enum, std::size_t N>
std::optional<std::string> set_named(Enum& field, const std::array<std::string_view, N>& names, std::string_view name,
                                     std::string_view value) {
  const auto* const found = std::find(names.begin(), names.end(), value);
  if (found == names.end()) {
    return fmt::format("{}: '{}' is none of {}", name, value, fmt::join(names, ", "));
  }
  field = static_cast<Enum>(found - names.begin());
  return std::nullopt;
}

std::optional<std::string> set_immune(JudgeAgent& agent, std::string_view list) {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view name = list.substr(0, comma);
    const auto* const found = std::find(kHazardNames.begin() + 1, kHazardNames.end(), name);
    if (found == kHazardNames.end()) return fmt::format("immune: '{}' is no hazard", name);
    agent.immune.at(static_cast<std::size_t>(found - kHazardNames.begin())) = true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return std::nullopt;
}

}  // namespace

int JudgeAgent::footprint() const { return std::max(1, static_cast<int>(std::ceil(width))); }

bool JudgeAgent::is_hazard(const world::Traits& traits) const {
  const world::Hazard hazard = traits.fluid == world::Fluid::lava ? world::Hazard::lava : traits.hazard;
  return hazard != world::Hazard::none && !immune.at(static_cast<std::size_t>(hazard));
}

std::optional<std::string> set_field(JudgeAgent& agent, std::string_view name, std::string_view value) {
  if (name == "water") return set_named(agent.water, kWaterNames, name, value);
  if (name == "corners") return set_named(agent.corners, kCornerNames, name, value);
  if (name == "metric") return set_named(agent.metric, kMetricNames, name, value);
  if (name == "mode") return set_named(agent.mode, kModeNames, name, value);
  if (name == "immune") return set_immune(agent, value);
  for (const auto& [key, field] : kSwitches) {
    if (key != name) continue;
    if (value != "true" && value != "false") return fmt::format("{}: '{}' is neither true nor false", name, value);
    agent.*field = value == "true";
    return std::nullopt;
  }
  const std::optional<double> v = number(value);
  if (!v) return fmt::format("{}: '{}' is no number, or there is no such field", name, value);
  if (name == "width") {
    agent.width = *v;
    return std::nullopt;
  }
  if (name == "leap") {
    agent.leap = static_cast<int>(*v);
    return std::nullopt;
  }
  for (const auto& [key, field] : kPrices) {
    if (key != name) continue;
    agent.*field = static_cast<std::int64_t>(*v);
    return std::nullopt;
  }
  for (const Length& length : kLengths) {
    if (name == length.name) {
      const double px = *v * world::kPixelsPerBlock;
      agent.*length.field = static_cast<int>(length.rounds_up ? std::ceil(px) : std::floor(px));
      return std::nullopt;
    }
    if (name.size() == length.name.size() + 3 && name.starts_with(length.name) && name.ends_with("_px")) {
      agent.*length.field = static_cast<int>(*v);
      return std::nullopt;
    }
  }
  return fmt::format("there is no agent field '{}'", name);
}

std::string describe(const JudgeAgent& agent) {
  std::string out = fmt::format("width={}", agent.width);
  for (const Length& length : kLengths) out += fmt::format(" {}_px={}", length.name, agent.*length.field);
  out += fmt::format(" water={} corners={} metric={}", kWaterNames.at(static_cast<std::size_t>(agent.water)),
                     kCornerNames.at(static_cast<std::size_t>(agent.corners)),
                     kMetricNames.at(static_cast<std::size_t>(agent.metric)));
  for (const auto& [key, field] : kSwitches) out += fmt::format(" {}={}", key, agent.*field);
  const JudgeAgent defaults;
  if (agent.leap != defaults.leap) out += fmt::format(" leap={}", agent.leap);
  if (agent.mode != defaults.mode) out += fmt::format(" mode={}", kModeNames.at(static_cast<std::size_t>(agent.mode)));
  for (const auto& [key, field] : kPrices) {
    if (agent.*field != defaults.*field) out += fmt::format(" {}={}", key, agent.*field);
  }
  std::string immune;
  for (std::size_t i = 1; i < kHazardNames.size(); ++i) {
    if (agent.immune.at(i)) immune += fmt::format("{}{}", immune.empty() ? "" : ",", kHazardNames.at(i));
  }
  return immune.empty() ? out : out + " immune=" + immune;
}

}  // namespace voxpath::judge
