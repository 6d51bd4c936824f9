// Runs a scenario's questions through the planner and compares the answers with what the scenario expects.
// Thread-safety: one Search, so one thread at a time.
#pragma once

#include "pathfinding/search.hpp"
#include "server/checks/check_report.hpp"
#include "server/scenario/scenario_file.hpp"

namespace voxpath::server {

/// The planner's question for a scenario's query. Errors: an agent field or a place that is not allowed, named.
world::Result<std::pair<pathfinding::Query, pathfinding::Limits>> to_query(const ScenarioQuery& query);

CheckReport check_scenario(const Scenario& scenario, pathfinding::Search& search);

}  // namespace voxpath::server
