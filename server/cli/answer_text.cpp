#include "server/cli/answer_text.hpp"

#include "server/cli/place_text.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace voxpath::server {

namespace {

using pathfinding::Answer;
using pathfinding::AnswerStatus;
using pathfinding::MoveKind;
using pathfinding::PartialReason;
using pathfinding::Waypoint;

/// From one waypoint to the next, in columns; height counts only where it is free to choose.
struct Step {
  int dx, dz, dy;
  friend bool operator==(const Step&, const Step&) = default;
};
Step step_between(const Waypoint& a, const Waypoint& b) {
  const bool in_space = b.kind == MoveKind::fly || b.kind == MoveKind::swim || b.kind == MoveKind::climb;
  return {b.cell.x - a.cell.x, b.cell.z - a.cell.z, in_space ? b.cell.y - a.cell.y : 0};
}

/// "north-east", "east up", "down".
std::string compass(Step s) {
  std::string way = s.dz < 0 ? "north" : s.dz > 0 ? "south" : "";
  if (s.dx != 0) way += fmt::format("{}{}", way.empty() ? "" : "-", s.dx < 0 ? "west" : "east");
  if (s.dy != 0) way += fmt::format("{}{}", way.empty() ? "" : " ", s.dy < 0 ? "down" : "up");
  return way;
}

/// How far the place where the path ends is from the goal, for a sentence.
std::string gap(const pathfinding::Query& query, const Answer& answer) {
  if (answer.path.empty()) return "";
  const auto* goals = std::get_if<pathfinding::GoalPlaces>(&query.goal);
  if (goals == nullptr || goals->places.size() != 1) return "";
  // A goal in the air means the floor far below it, which the answer does not have.
  if (answer.goal_rule == pathfinding::ResolvedBy::falling) return "";
  const world::Vec3 goal = position_of(goals->places.front());
  const world::Vec3 end = answer.path.back().position;
  return fmt::format(", {:.1f} blocks from the goal", std::hypot(goal.x - end.x, goal.y - end.y, goal.z - end.z));
}

/// For a start or goal where nothing is known.
std::string not_loaded(const char* what, const Answer& answer) {
  const world::ChunkPos chunk = answer.missing_chunks.front();
  return fmt::format(
      "The {} lies in chunk {},{} (blocks {},{} to {},{}), which is not loaded. Give it to the server (put_chunk), or "
      "name a world folder whose region r.{}.{}.mca has it finished, and ask again; `voxpath world info` tells what is "
      "loaded.",
      what, chunk.x, chunk.z, chunk.x * 16, chunk.z * 16, chunk.x * 16 + 15, chunk.z * 16 + 15, chunk.x >> 5,
      chunk.z >> 5);
}

std::string partial_advice(const pathfinding::Query& query, const pathfinding::Limits& limits, const Answer& answer) {
  const std::string end = answer.path.empty() ? "" : to_text(answer.path.back().cell);
  switch (answer.reason) {
    case PartialReason::missing_chunk: {
      if (answer.missing_chunks.empty()) {
        return fmt::format(
            "Nothing leads there through the chunks that this world has, but the mob can get to ones that it does not "
            "have, farther off than was searched. The path ends at {}{}.",
            end, gap(query, answer));
      }
      const world::ChunkPos chunk = answer.missing_chunks.front();
      return fmt::format(
          "The search came to chunk {},{} (blocks {},{} to {},{}), which this world does not have. "
          "The path ends at {}{}. Supply that chunk and ask again.",
          chunk.x, chunk.z, chunk.x * 16, chunk.z * 16, chunk.x * 16 + 15, chunk.z * 16 + 15, end, gap(query, answer));
    }
    case PartialReason::budget:
      return fmt::format(
          "The budget of {} expansions was spent. The path ends at {}{}. Raise --limit (at most {}), or walk there and "
          "ask again.",
          limits.expansions, end, gap(query, answer), pathfinding::kExpansionsMax);
    case PartialReason::deadline:
      return fmt::format("Time ran out. The path ends at {}{}. Walk there and ask again.", end, gap(query, answer));
    case PartialReason::none:
      break;
  }
  return "";
}

std::string_view meaning(pathfinding::ResolvedBy rule) {
  using pathfinding::ResolvedBy;
  switch (rule) {
    case ResolvedBy::nothing:
      return "no rule finds a place for this mob";
    case ResolvedBy::cell:
      return "the mob can be in that very cell";
    case ResolvedBy::feet:
      return "the nearest floor within a step of the feet";
    case ResolvedBy::leaning:
      return "leaning over an edge: the floor under a corner of the mob's box";
    case ResolvedBy::falling:
      return "in the air: the first floor below";
    case ResolvedBy::water:
      return "in water: its surface";
    case ResolvedBy::above_solid:
      return "inside solid: the floor above";
    case ResolvedBy::beside_solid:
      return "inside solid: the nearest floor beside it";
    case ResolvedBy::above_beside_solid:
      return "inside solid: the nearest floor above a column beside it";
    case ResolvedBy::area:
      return "one of the places of an area";
  }
  return "";
}

std::string_view meaning(pathfinding::Obstacle obstacle) {
  using pathfinding::Obstacle;
  switch (obstacle) {
    case Obstacle::no_floor:
      return "there is nothing to stand on";
    case Obstacle::no_room:
      return "the body does not fit";
    case Obstacle::too_high:
      return "it is higher than the mob can jump";
    case Obstacle::too_deep:
      return "it is deeper than the mob may drop";
    case Obstacle::hazard:
      return "it hurts the mob there";
    case Obstacle::water:
      return "there is water, which the mob avoids";
    case Obstacle::door:
      return "a door is in the way that the mob does not open";
    case Obstacle::missing_chunk:
      return "it lies in a missing chunk";
    case Obstacle::forbidden:
      return "a price of -1 forbids it";
  }
  return "";
}

}  // namespace

std::string explanation(const pathfinding::Query& query, const Answer& answer) {
  const auto taken = [&](const char* what, const pathfinding::Place& asked, pathfinding::ResolvedBy rule,
                         std::size_t waypoint) {
    const std::string at = waypoint < answer.path.size()
                               ? fmt::format(" taken as {}, feet at {}", to_text(answer.path[waypoint].cell),
                                             blocks_text(answer.path[waypoint].floor_px))
                               : "";
    return fmt::format("{} {}{}: {}\n", what, to_text(asked), at, meaning(rule));
  };
  std::string text = taken("start", query.start, answer.start_rule, 0);
  const auto* goals = std::get_if<pathfinding::GoalPlaces>(&query.goal);
  if (goals != nullptr && answer.goal_index < goals->places.size() && !answer.path.empty()) {
    // A path that does not reach the goal says nothing of the place that the goal was taken as.
    const bool there = answer.status == AnswerStatus::found;
    text += taken("goal", goals->places[answer.goal_index], answer.goal_rule,
                  there ? answer.path.size() - 1 : answer.path.size());
  }
  for (const auto& b : answer.blockers) {
    text += fmt::format("near the {}: no way from {} to {}: {}\n", b.near_goal ? "goal" : "start", to_text(b.from),
                        to_text(b.at), meaning(b.obstacle));
  }
  return text;
}

std::string invalidation_text(const Answer& answer, const Invalidation& event) {
  if (event.world_closed) return "INVALIDATED: the world was closed.\n";
  const std::size_t index = event.fault.index;
  const std::string where = index < answer.path.size() ? fmt::format(" at {}", to_text(answer.path[index].cell)) : "";
  return fmt::format("INVALIDATED: waypoint {}{} cannot be reached: {} (cell {}); world version {}\n", index, where,
                     meaning(event.fault.obstacle), to_text(event.fault.at), event.world_version);
}

std::string advice(const pathfinding::Query& query, const pathfinding::Limits& limits, const Answer& answer) {
  const auto* goals = std::get_if<pathfinding::GoalPlaces>(&query.goal);
  const std::string goal = goals != nullptr && !goals->places.empty() ? to_text(goals->places.front()) : "the goal";
  switch (answer.status) {
    case AnswerStatus::found:
      return answer.exact             ? ""
             : answer.lower_bound > 0 ? fmt::format("A cheaper path may exist, by {:.1f} % at most (--exact finds it).",
                                                    100.0 - 100.0 * static_cast<double>(answer.lower_bound) /
                                                                static_cast<double>(answer.cost))
                                      : "This heuristic can overestimate: a cheaper path may exist.";
    case AnswerStatus::partial:
      return partial_advice(query, limits, answer);
    case AnswerStatus::unreachable:
      return fmt::format(
          "Proved: no way for this mob, whatever the budget. The path ends at {}{}. Ask again when blocks change, or "
          "for a mob that can do more (--set open_doors=true, jump=2, max_drop=10, climb=true).",
          answer.path.empty() ? "" : to_text(answer.path.back().cell), gap(query, answer));
    case AnswerStatus::start_invalid:
      if (!answer.missing_chunks.empty()) return not_loaded("start", answer);
      return fmt::format(
          "No place for this mob at {} nor below it: the body must be free of blocks, with ground, water or something "
          "to climb. `voxpath world blocks {}`, with the --world or --server of this question, tells what is there.",
          to_text(query.start), to_text(cell_of(query.start)));
    case AnswerStatus::goal_invalid:
      if (!answer.missing_chunks.empty()) return not_loaded("goal", answer);
      return fmt::format(
          "No place for this mob at {}: the body must be free of blocks there, with ground, water or something to "
          "climb. `voxpath world surface {}` tells where the ground is.",
          goal, goals != nullptr && !goals->places.empty() ? to_text(cell_of(goals->places.front())) : "X,Y,Z");
    case AnswerStatus::cancelled:
      return "The search was given up before its end.";
  }
  return "";
}

std::string waypoints_text(const std::vector<Waypoint>& path) {
  if (path.empty()) return "";
  std::string text = fmt::format("  {:>9}  start {:<16} at {}, feet at {}\n", 0, name(path.front().node),
                                 to_text(path.front().cell), blocks_text(path.front().floor_px));
  for (std::size_t i = 1; i < path.size();) {
    const Step step = step_between(path[i - 1], path[i]);
    std::size_t last = i;
    const auto alike = [&](std::size_t k) {
      return path[k].kind == path[i].kind && path[k].action == path[i].action && path[k].node == path[i].node &&
             step_between(path[k - 1], path[k]) == step;
    };
    while (last + 1 < path.size() && path[i].action == pathfinding::Action::none && alike(last + 1)) ++last;
    const std::string number = i == last ? fmt::format("{}", i) : fmt::format("{}-{}", i, last);
    std::string what = fmt::format("{} {}", name(path[i].kind), compass(step));
    if (last > i) what += fmt::format(" x{}", last - i + 1);
    text += fmt::format("  {:>9}  {:<22} to {}, feet at {}", number, what, to_text(path[last].cell),
                        blocks_text(path[last].floor_px));
    if (path[last].node == pathfinding::NodeKind::swim) text += ", swimming";
    if (path[last].action == pathfinding::Action::open) text += ", opening the door or gate there";
    text += '\n';
    i = last + 1;
  }
  return text;
}

std::string answer_text(const pathfinding::Query& query, const pathfinding::Limits& limits,
                        const PathOutcome& outcome) {
  const Answer& answer = outcome.answer;
  std::string text = std::string(name(answer.status));
  if (answer.reason != PartialReason::none) text += fmt::format(" ({})", name(answer.reason));
  if (!answer.path.empty()) text += fmt::format(": cost {}, {} moves", answer.cost, answer.moves());
  text += fmt::format("; {} nodes expanded, {} generated, {:.3f} ms", answer.statistics.expanded,
                      answer.statistics.generated, outcome.search_ms);
  if (outcome.queue_ms > 0) text += fmt::format(" after {:.3f} ms in the queue", outcome.queue_ms);
  text += fmt::format("; world version {}\n", answer.statistics.world_version);
  if (const std::string next = advice(query, limits, answer); !next.empty()) text += next + "\n";
  text += waypoints_text(answer.path);
  if (outcome.truncated) text += "The path goes on: ask again from the last place.\n";
  return text;
}

}  // namespace voxpath::server
