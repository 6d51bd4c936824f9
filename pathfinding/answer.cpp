#include "pathfinding/answer.hpp"

#include <array>

namespace voxpath::pathfinding {

namespace {
template <class E, std::size_t N>
std::string_view pick(E value, const std::array<std::string_view, N>& names) {
  return names[static_cast<std::size_t>(value)];
}
}  // namespace

std::string_view name(AnswerStatus status) {
  return pick(status, std::array<std::string_view, 6>{"FOUND", "PARTIAL", "UNREACHABLE", "START_INVALID",
                                                      "GOAL_INVALID", "CANCELLED"});
}
std::string_view name(PartialReason reason) {
  return pick(reason, std::array<std::string_view, 4>{"NONE", "BUDGET", "DEADLINE", "MISSING_CHUNK"});
}
std::string_view name(NodeKind kind) {
  return pick(kind, std::array<std::string_view, 4>{"standing", "swim", "climb", "fly"});
}
std::string_view name(MoveKind kind) {
  return pick(kind, std::array<std::string_view, 9>{"start", "walk", "diagonal", "jump", "drop", "climb", "leap", "fly",
                                                    "swim"});
}
std::string_view name(ResolvedBy rule) {
  return pick(rule, std::array<std::string_view, 10>{"nothing", "cell", "feet", "leaning", "falling", "water",
                                                     "above_solid", "beside_solid", "above_beside_solid", "area"});
}
std::string_view name(Obstacle obstacle) {
  return pick(obstacle, std::array<std::string_view, 9>{"no_floor", "no_room", "too_high", "too_deep", "hazard",
                                                        "water", "door", "missing_chunk", "forbidden"});
}
std::string_view name(Action action) { return pick(action, std::array<std::string_view, 2>{"NONE", "OPEN"}); }

}  // namespace voxpath::pathfinding
