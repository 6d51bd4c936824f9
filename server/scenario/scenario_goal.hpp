// The goals of a scenario's queries, from text: `G`, `A|B|1,2,3` (any of), `radius:G:4.5`, `column:3,-4`, `level:12`, `next_to:3,4,5`,
// `flee:1.0,2.0,3.0|S:12`, `sight:G:10`; and its boxes with a price, `0,1,2..3,4,5:60`, -1 to forbid.
// Thread-safety: pure functions.
// Invariant: whether a goal makes sense (ranges, counts) is for the planner to say; here only its form is checked.
#pragma once

#include "server/scenario/scenario_file.hpp"

#include <functional>
#include <string_view>

namespace voxpath::server {

/// Reads a place: three numbers or the name of a drawn cell.
using PlaceReader = std::function<world::Result<ScenarioPlace>(std::string_view)>;

/// Errors without a line number, but for those of `read_place`.
[[nodiscard]] world::Result<ScenarioGoal> read_goal(std::string_view text, const PlaceReader& read_place);
[[nodiscard]] world::Result<ScenarioBox> read_box(std::string_view text);
/// The goal as read_goal() takes it, and the box as read_box() does.
[[nodiscard]] std::string to_text(const ScenarioGoal& goal);
[[nodiscard]] std::string to_text(const ScenarioBox& box);
/// Three numbers, with a decimal point when exact.
[[nodiscard]] std::string to_text(const ScenarioPlace& place);

}  // namespace voxpath::server
