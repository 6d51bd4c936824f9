// Scenario files (*.scn): one drawn voxel world, some agents and some questions with the answers that are expected, readable by eye.
// Thread-safety: read_scenario() is a pure function; a Scenario belongs to whoever holds it.
// Invariants: a drawing is never guessed at: an unknown key, letter, block, agent or expectation is an error that names the line. Agents
// stay name=value pairs, so that this part knows blocks and places but nothing of how a mob moves.
// Usage: Result<Scenario> s = read_scenario(text, table); for (const ScenarioQuery& q : s->queries) ask(*s->world->snapshot(), q);
#pragma once

#include "world/blocks/block_table.hpp"
#include "world/position.hpp"
#include "world/result.hpp"
#include "world/world.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace voxpath::server {

inline constexpr std::size_t kScenarioTextMax = 1 << 20;    // bytes of a file
inline constexpr std::int64_t kScenarioCellsMax = 1 << 21;  // cells drawn and filled, counted each time
inline constexpr int kScenarioCoordinateMax = 1'000'000;    // blocks from the origin, of drawn cells
inline constexpr int kScenarioMarginChunks = 2;  // known chunks around every drawn one, unless outside=missing

/// An agent's field as it is written: name and value.
struct ScenarioField {
  std::string name, value;
};

/// A cell (lowest corner of the footprint), or an exact position when it was written with a decimal point.
struct ScenarioPlace {
  bool exact = false;
  world::Vec3 at;
};

enum class GoalKind : std::uint8_t { places, radius, column, level, next_to, flee, sight };

/// What a query leads to. `reach` is a radius, a range or a distance in blocks; a column uses x and z of its place, a level y.
struct ScenarioGoal {
  GoalKind kind = GoalKind::places;
  std::vector<ScenarioPlace> places;
  double reach = 0;
};

/// Cells that cost more to enter; -1 forbids.
struct ScenarioBox {
  world::Box box;
  int price = 0;
};

struct ScenarioAction {
  std::string action;
  world::BlockPos at;
};

enum class ScenarioStatus : std::uint8_t { found, partial, unreachable, start_invalid, goal_invalid, bad_request };
[[nodiscard]] std::string_view name(ScenarioStatus status);

/// What must hold of the answer; whatever is absent is not asked.
struct ScenarioExpectation {
  int line = 0;
  ScenarioStatus status = ScenarioStatus::found;
  std::optional<std::int64_t> cost, cost_max, moves;
  std::optional<world::BlockPos> end;
  std::string reason;  // "BUDGET", "MISSING_CHUNK"; empty: not asked
  std::vector<world::BlockPos> visits, avoids;
  std::vector<ScenarioAction> actions;
  std::vector<std::string> kinds;  // of every move in order; empty: not asked
};

struct ScenarioQuery {
  int line = 0;
  std::string text;                   // as written, for messages
  std::vector<ScenarioField> fields;  // the agent's, then those of the query: later ones win
  ScenarioPlace start;
  ScenarioGoal goal;
  std::vector<ScenarioBox> boxes;
  std::optional<std::int64_t> limit;  // expansions
  ScenarioExpectation expect;
};

struct Scenario {
  std::string name, about;
  std::unique_ptr<world::World> world;
  std::vector<ScenarioQuery> queries;
};

/// Errors: invalid_argument ("line 12: ...", with what was found and what is allowed), resource_exhausted for a drawing beyond the limits.
[[nodiscard]] world::Result<Scenario> read_scenario(std::string_view text, const world::BlockTable& table);

}  // namespace voxpath::server
