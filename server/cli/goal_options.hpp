// Goal options: every kind of goal that the planner knows, as options of the command line; and prices of places.
// Thread-safety: plain values and pure functions.
// Invariant: exactly one kind of goal is given; errors name the option, the value and what is allowed.
#pragma once

#include "pathfinding/query.hpp"
#include "world/result.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace voxpath::server {

struct GoalOptions {
  std::vector<std::string> to;  // any of these
  std::string near, column, level, next_to, see;
  std::vector<std::string> flee;
  std::string distance = "16";  // of flee, blocks
};
void add_goal_options(CLI::App& command, GoalOptions& options);
world::Result<pathfinding::Goal> goal_of(const GoalOptions& options);

/// "X,Y,Z..X,Y,Z=PRICE", PRICE a number or "forbidden". Errors: more than pathfinding::kPricedBoxesMax, too.
world::Result<std::vector<pathfinding::PricedBox>> priced_boxes_of(const std::vector<std::string>& texts);

/// A cell that stands for the goal on a map: the place, the centre of an area, or where the start meets it.
world::BlockPos goal_cell(const pathfinding::Goal& goal, const pathfinding::Place& start);

}  // namespace voxpath::server
