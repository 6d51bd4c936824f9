#include "server/agent_profiles.hpp"

#include "pathfinding/profiles.hpp"
#include "protocol/limits.hpp"

#include <optional>
#include <string_view>

#include <fmt/format.h>

namespace voxpath::server {

using pathfinding::Agent;
using protocol::ErrorKind;
using protocol::Failure;

namespace {

Failure out_of_range(std::string_view field, std::string value, std::string allowed, std::string message) {
  return {ErrorKind::field_out_of_range, std::move(message), fmt::format("agent.{}", field), std::move(value),
          std::move(allowed)};
}

/// Lengths go the way of text, so that a request's 1.95 rounds as a file's does.
std::optional<Failure> set_lengths(const v1::Agent& request, Agent& agent) {
  const auto set = [&](bool present, std::string_view field, double blocks) -> std::optional<Failure> {
    if (!present) return std::nullopt;
    const std::string text = fmt::format("{}", blocks);
    if (const auto status = pathfinding::set_field(agent, field, text); !status)
      return out_of_range(field, text, pathfinding::allowed_length(field), status.error().message);
    return std::nullopt;
  };
  if (auto refused = set(request.has_width(), "width", request.width())) return refused;
  if (auto refused = set(request.has_height(), "height", request.height())) return refused;
  if (auto refused = set(request.has_step(), "step", request.step())) return refused;
  if (auto refused = set(request.has_jump(), "jump", request.jump())) return refused;
  return set(request.has_max_drop(), "max_drop", request.max_drop());
}

void set_abilities(const v1::Agent& request, Agent& agent) {
  // The values of these enumerations are the same here and on the wire.
  static_assert(static_cast<int>(pathfinding::Corners::loose) == v1::Agent::LOOSE);
  static_assert(static_cast<int>(pathfinding::Corners::never) == v1::Agent::NEVER);
  static_assert(static_cast<int>(pathfinding::WaterMode::avoid) == v1::Agent::AVOID);
  static_assert(static_cast<int>(pathfinding::WaterMode::walk) == v1::Agent::WALK);
  static_assert(static_cast<int>(world::Hazard::fire) == v1::Agent::FIRE);
  static_assert(static_cast<int>(world::Hazard::campfire) == v1::Agent::CAMPFIRE);
  static_assert(static_cast<int>(pathfinding::Mode::swim) == v1::Agent::SWIMMER);
  static_assert(pathfinding::kLeapMax == static_cast<int>(protocol::kLeapMaxCells));
  static_assert(pathfinding::kPriceMax == protocol::kCostMax);
  if (request.has_mode()) agent.mode = static_cast<pathfinding::Mode>(request.mode());
  if (request.has_leap()) agent.leap = static_cast<std::int32_t>(request.leap());
  if (request.has_corners()) agent.corners = static_cast<pathfinding::Corners>(request.corners());
  if (request.has_water()) agent.water = static_cast<pathfinding::WaterMode>(request.water());
  if (request.has_climb()) agent.climb = request.climb();
  if (request.has_open_doors()) agent.open_doors = request.open_doors();
  if (request.has_pass_doors()) agent.pass_doors = request.pass_doors();
  if (request.has_open_gates()) agent.open_gates = request.open_gates();
  if (request.immune().empty()) return;
  agent.immune = 0;
  for (const int hazard : request.immune()) {
    if (hazard != v1::Agent::NO_HAZARD) agent.immune = static_cast<std::uint16_t>(agent.immune | 1u << hazard);
  }
}

void set_prices(const v1::Agent& request, Agent& agent) {
  if (request.has_cost_cardinal()) agent.cost_cardinal = request.cost_cardinal();
  if (request.has_cost_diagonal()) agent.cost_diagonal = request.cost_diagonal();
  if (request.has_cost_climb()) agent.cost_climb = request.cost_climb();
  if (request.has_cost_jump()) agent.cost_jump = request.cost_jump();
  if (request.has_cost_drop()) agent.cost_drop = request.cost_drop();
  if (request.has_cost_water()) agent.cost_water = request.cost_water();
  if (request.has_cost_near_hazard()) agent.cost_near_hazard = request.cost_near_hazard();
  if (request.has_cost_slow()) agent.cost_slow = request.cost_slow();
  if (request.has_cost_open()) agent.cost_open = request.cost_open();
  if (request.has_cost_leap()) agent.cost_leap = request.cost_leap();
  if (request.has_cost_space_diagonal()) agent.cost_space_diagonal = request.cost_space_diagonal();
}

}  // namespace

AgentProfiles::AgentProfiles() {
  for (const pathfinding::Profile& profile : pathfinding::profiles()) profiles_.emplace(profile.name, profile.agent);
}

std::variant<Agent, Failure> AgentProfiles::agent_of(const v1::Agent& request) const {
  Agent agent;
  if (!request.profile().empty()) {
    const auto found = profiles_.find(request.profile());
    if (found == profiles_.end()) {
      std::string names;
      for (const auto& [name, profile] : profiles_) names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
      return Failure{ErrorKind::profile_unknown,
                     fmt::format("no agent profile is called '{}'; there are {}", request.profile(), names),
                     "agent.profile", request.profile(), names};
    }
    agent = found->second;
  }
  if (auto refused = set_lengths(request, agent)) return *refused;
  set_abilities(request, agent);
  set_prices(request, agent);
  if (const auto status = pathfinding::validate(agent); !status) {
    // All else was held to its limit one by one, here and at the door.
    return out_of_range("climb", fmt::format("true with a width of {} px", agent.width_px),
                        "true up to a width of 16 px", status.error().message);
  }
  return agent;
}

}  // namespace voxpath::server
