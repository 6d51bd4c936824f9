#include "pathfinding/agent.hpp"

#include "world/choice.hpp"
#include "world/number.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace voxpath::pathfinding {

using world::Error;
using world::ErrorCode;
using world::Hazard;
using world::Status;

namespace {

constexpr std::array<std::string_view, world::kHazardKinds> kHazardNames = {
    "none", "fire", "cactus", "berry_bush", "wither_rose", "powder_snow", "lava", "magma", "campfire"};

struct IntField {
  std::string_view name;
  std::int32_t Agent::* member;
  std::int32_t min, max;
};

constexpr std::array kLengths = {
    IntField{"width_px", &Agent::width_px, 1, kWidthPxMax},
    IntField{"height_px", &Agent::height_px, 1, kHeightPxMax},
    IntField{"step_px", &Agent::step_px, 0, kClimbHeightPxMax},
    IntField{"jump_px", &Agent::jump_px, 0, kClimbHeightPxMax},
    IntField{"max_drop_px", &Agent::max_drop_px, 0, kDropPxMax},
    IntField{"leap", &Agent::leap, 0, kLeapMax},
};
constexpr std::array kPrices = {
    IntField{"cost_cardinal", &Agent::cost_cardinal, kForbidden, kPriceMax},
    IntField{"cost_diagonal", &Agent::cost_diagonal, kForbidden, kPriceMax},
    IntField{"cost_space_diagonal", &Agent::cost_space_diagonal, kForbidden, kPriceMax},
    IntField{"cost_climb", &Agent::cost_climb, kForbidden, kPriceMax},
    IntField{"cost_jump", &Agent::cost_jump, kForbidden, kPriceMax},
    IntField{"cost_drop", &Agent::cost_drop, kForbidden, kPriceMax},
    IntField{"cost_leap", &Agent::cost_leap, kForbidden, kPriceMax},
    IntField{"cost_water", &Agent::cost_water, kForbidden, kPriceMax},
    IntField{"cost_near_hazard", &Agent::cost_near_hazard, kForbidden, kPriceMax},
    IntField{"cost_slow", &Agent::cost_slow, kForbidden, kPriceMax},
    IntField{"cost_open", &Agent::cost_open, kForbidden, kPriceMax},
};
struct BoolField {
  std::string_view name;
  bool Agent::* member;
};
constexpr std::array kSwitches = {BoolField{"climb", &Agent::climb}, BoolField{"open_doors", &Agent::open_doors},
                                  BoolField{"pass_doors", &Agent::pass_doors},
                                  BoolField{"open_gates", &Agent::open_gates}};

/// Lengths that files and messages give in blocks, and which way each rounds to px.
struct BlockField {
  std::string_view name;
  std::int32_t Agent::* member;
  bool round_up;
};
constexpr std::array kBlockLengths = {
    BlockField{"width", &Agent::width_px, true}, BlockField{"height", &Agent::height_px, true},
    BlockField{"step", &Agent::step_px, false}, BlockField{"jump", &Agent::jump_px, false},
    BlockField{"max_drop", &Agent::max_drop_px, false}};

Error invalid(std::string message) { return {ErrorCode::invalid_argument, std::move(message)}; }

Error out_of(const IntField& f, std::string_view value) {
  return invalid(fmt::format("agent.{} = {}: {} to {} is allowed", f.name, value, f.min, f.max));
}

Status set_int(Agent& agent, const IntField& f, std::string_view text) {
  const auto value = world::number<std::int64_t>(text);
  if (!value || *value < f.min || *value > f.max) return out_of(f, text);
  agent.*f.member = static_cast<std::int32_t>(*value);
  if (f.member == &Agent::width_px) agent.width_blocks = agent.width_px / 16.0;
  return world::ok_status();
}

const IntField& limit_of(const BlockField& f) {
  return *std::find_if(kLengths.begin(), kLengths.end(), [&](const IntField& l) { return l.member == f.member; });
}

Status set_blocks(Agent& agent, const BlockField& f, std::string_view text) {
  const auto blocks = world::number<double>(text);
  if (!blocks || !std::isfinite(*blocks) || *blocks < 0 || *blocks > 1e6) {
    return invalid(fmt::format("agent.{} = {}: a number of blocks is needed", f.name, text));
  }
  // Decimal fractions such as 1.95 are not exact: without the slack 1.0 / 16 steps could round across a pixel.
  constexpr double kSlackPx = 1e-6;
  const double px = *blocks * 16;
  const double rounded = f.round_up ? std::ceil(px - kSlackPx) : std::floor(px + kSlackPx);
  const IntField& limit = limit_of(f);
  if (rounded < limit.min || rounded > limit.max) {
    return invalid(
        fmt::format("agent.{} = {} blocks ({} px): {} is allowed", f.name, text, rounded, allowed_length(f.name)));
  }
  agent.*f.member = static_cast<std::int32_t>(rounded);
  if (f.member == &Agent::width_px) agent.width_blocks = *blocks;
  return world::ok_status();
}

Status set_immune(Agent& agent, std::string_view text) {
  std::uint16_t bits = 0;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view name = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    unsigned kind = 0;
    while (kind < kHazardNames.size() && kHazardNames[kind] != name) ++kind;
    if (kind == kHazardNames.size()) {
      std::string allowed;
      for (const auto& n : kHazardNames) allowed += fmt::format("{}{}", allowed.empty() ? "" : ", ", n);
      return invalid(fmt::format("agent.immune = {}: names from {} are allowed", name, allowed));
    }
    if (kind != 0) bits = static_cast<std::uint16_t>(bits | 1u << kind);
  }
  agent.immune = bits;
  return world::ok_status();
}

}  // namespace

Status validate(const Agent& agent) {
  for (const auto* fields : {kLengths.data(), kPrices.data()}) {
    const std::size_t count = fields == kLengths.data() ? kLengths.size() : kPrices.size();
    for (std::size_t i = 0; i < count; ++i) {
      const IntField& f = fields[i];
      const std::int32_t value = agent.*f.member;
      if (value < f.min || value > f.max) return out_of(f, std::to_string(value));
    }
  }
  if (agent.climb && agent.footprint() != 1) {
    return invalid(
        fmt::format("agent.climb = true with a width of {} px: only agents up to 16 px wide climb", agent.width_px));
  }
  if (!(agent.width_blocks > 0) || agent.width_blocks * 16 > agent.width_px + 1e-6) {
    return invalid(fmt::format("agent.width = {} blocks: does not fit {} px", agent.width_blocks, agent.width_px));
  }
  if (agent.immune >> world::kHazardKinds != 0) {
    return invalid(fmt::format("agent.immune = {:#x}: there are {} hazards", agent.immune, world::kHazardKinds - 1));
  }
  return world::ok_status();
}

Status set_field(Agent& agent, std::string_view field, std::string_view value) {
  for (const BlockField& f : kBlockLengths) {
    if (f.name == field) return set_blocks(agent, f, value);
  }
  for (const IntField& f : kLengths) {
    if (f.name == field) return set_int(agent, f, value);
  }
  for (const IntField& f : kPrices) {
    if (f.name == field) return set_int(agent, f, value);
  }
  for (const BoolField& f : kSwitches) {
    if (f.name != field) continue;
    bool on = false;
    const std::array<std::pair<std::string_view, bool>, 2> choices = {{{"true", true}, {"false", false}}};
    if (auto s = world::choose(on, fmt::format("agent.{}", field), value, choices); !s) return s;
    agent.*f.member = on;
    return world::ok_status();
  }
  using W = std::pair<std::string_view, WaterMode>;
  using C = std::pair<std::string_view, Corners>;
  using M = std::pair<std::string_view, Metric>;
  if (field == "water") {
    return world::choose(
        agent.water, "agent.water", value,
        std::array{W{"float", WaterMode::float_}, W{"avoid", WaterMode::avoid}, W{"walk", WaterMode::walk}});
  }
  if (field == "corners") {
    return world::choose(
        agent.corners, "agent.corners", value,
        std::array{C{"strict", Corners::strict}, C{"never", Corners::never}, C{"loose", Corners::loose}});
  }
  using K = std::pair<std::string_view, Mode>;
  if (field == "mode") {
    return world::choose(agent.mode, "agent.mode", value,
                         std::array{K{"walk", Mode::walk}, K{"fly", Mode::fly}, K{"swim", Mode::swim}});
  }
  if (field == "metric")
    return world::choose(agent.metric, "agent.metric", value,
                         std::array{M{"cost", Metric::cost}, M{"moves", Metric::moves}});
  if (field == "immune") return set_immune(agent, value);
  return invalid(fmt::format("agent.{}: there is no such field", field));
}

std::string allowed_length(std::string_view field) {
  for (const BlockField& f : kBlockLengths) {
    if (f.name != field) continue;
    const IntField& limit = limit_of(f);
    return fmt::format("{} to {} blocks ({} to {} px)", limit.min / 16.0, limit.max / 16, limit.min, limit.max);
  }
  return {};
}

std::string_view hazard_name(Hazard hazard) { return kHazardNames[static_cast<std::size_t>(hazard)]; }

}  // namespace voxpath::pathfinding
