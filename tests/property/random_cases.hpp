// What the properties share: random cases with questions, the planner asked about them, and RapidCheck run over them.
// Thread-safety: none.
// Invariant: a property says in words what is wrong with a case; RapidCheck then takes away from the case what does not matter, and what is
// left is printed as a scenario file with the judge's answers.
// Usage: TEST(Name, Property) { for_all_cases(2'000, [](const RandomCase& c) { return c.good() ? "" : "it is bad because"; }); }
#pragma once

#include "pathfinding/search.hpp"
#include "server/scenario/scenario_file.hpp"
#include "tests/judge/path_checker.hpp"
#include "tests/judge/random_worlds.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace voxpath::judge {

/// The empty text when the property holds.
using Property = std::function<std::string(const RandomCase&)>;

/// `worlds` is for an ordinary run of an optimised build; sanitizers look at a tenth of it, VOXPATH_LONG=1 at 50 times as many.
void for_all_cases(std::uint64_t worlds, const Property& property);

/// A random case with questions about it.
[[nodiscard]] RandomCase case_with_questions(std::uint64_t seed);

/// A case made real: its world, and its questions for the planner and for the judge.
struct PreparedCase {
  explicit PreparedCase(const RandomCase& drawn);
  std::unique_ptr<world::World> world;
  world::Ref<const world::Snapshot> snapshot;
  SnapshotWorld view;
  std::vector<pathfinding::Query> queries;
  std::vector<Query> questions;
};

/// Starts a search; throws std::logic_error when the query is refused.
void begin(pathfinding::Search& search, const world::Ref<const world::Snapshot>& snapshot,
           const pathfinding::Query& query, std::uint32_t budget = pathfinding::kExpansionsMax);
/// The whole search in one go, with the largest budget.
[[nodiscard]] pathfinding::Answer ask(pathfinding::Search& search, const world::Ref<const world::Snapshot>& snapshot,
                                      const pathfinding::Query& query,
                                      std::uint32_t budget = pathfinding::kExpansionsMax);
[[nodiscard]] std::vector<ClaimedStep> claims(std::span<const pathfinding::Waypoint> path);
/// Status, reason, cost and path, for messages.
[[nodiscard]] std::string said(const pathfinding::Answer& answer);
/// An expect line.
[[nodiscard]] std::string expectation(const Answer& answer);

}  // namespace voxpath::judge
