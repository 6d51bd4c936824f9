#include "tests/judge/naive_planner.hpp"

#include <algorithm>
#include <array>
#include <queue>
#include <tuple>
#include <unordered_map>

namespace voxpath::judge {
namespace {

/// A cell as one number: 26 bits for x and z, which are within 30,000,000, and 12 for y.
using Cell = std::uint64_t;
Cell cell_of(const Node& node) {
  constexpr std::uint64_t kHorizontal = (1U << 26) - 1;
  constexpr std::uint64_t kVertical = (1U << 12) - 1;
  return (static_cast<std::uint64_t>(node.x) & kHorizontal) << 38 |
         (static_cast<std::uint64_t>(node.z) & kHorizontal) << 12 | (static_cast<std::uint64_t>(node.y) & kVertical);
}

struct Label {
  std::int64_t cost = 0;
  std::int64_t moves = 0;
  Node node{};
  std::optional<Cell> before{};
  std::optional<MoveKind> kind{};
  bool settled = false;
  std::int64_t moves_max = 0;
};

struct Queued {
  std::int64_t cost, moves;
  Cell cell;
  bool operator>(const Queued& other) const {
    return std::tuple(cost, moves, cell) > std::tuple(other.cost, other.moves, other.cell);
  }
};

}  // namespace

std::string_view name(Status status) {
  constexpr std::array<std::string_view, 6> kNames{"found",         "partial",      "unreachable",
                                                   "start_invalid", "goal_invalid", "bad_request"};
  return kNames.at(static_cast<std::size_t>(status));
}

std::string_view name(Reason reason) {
  constexpr std::array<std::string_view, 3> kNames{"NONE", "BUDGET", "MISSING_CHUNK"};
  return kNames.at(static_cast<std::size_t>(reason));
}

const std::vector<NaivePlanner::Edge>& NaivePlanner::edges(const Node& node) {
  const auto [place, is_new] = edges_.try_emplace(cell_of(node));
  std::vector<Edge>& found = place->second;
  if (!is_new) return found;
  for (int dx = -1; dx <= 1; ++dx) {
    for (int dz = -1; dz <= 1; ++dz) {
      for (const Node& to : ground_.nodes(node.x + dx, node.z + dz)) {
        const Ruling ruling = rule(ground_, node, to);
        if (ruling.move) found.push_back({.to = to, .move = *ruling.move});
      }
    }
  }
  return found;
}

// "a cardinal, or for diagonal walkers diagonal, neighbour of an expanded node lies in [a missing chunk]"
bool NaivePlanner::borders_on_missing(const Node& node) {
  const bool walks_diagonally = ground_.agent().corners != Corners::never && ground_.agent().cost_diagonal >= 0;
  for (int dx = -1; dx <= 1; ++dx) {
    for (int dz = -1; dz <= 1; ++dz) {
      if (dx != 0 && dz != 0 && !walks_diagonally) continue;
      if (!ground_.footprint_known(node.x + dx, node.z + dz)) return true;
    }
  }
  return false;
}

struct NaivePlanner::Search {
  std::unordered_map<Cell, Label> labels;
  std::priority_queue<Queued, std::vector<Queued>, std::greater<>> open;

  void offer(const Label& from, const Edge& edge) {
    const std::int64_t cost = from.cost + edge.move.cost;
    const std::int64_t moves = from.moves + 1;
    const auto [place, is_new] = labels.try_emplace(cell_of(edge.to));
    Label& label = place->second;
    if (!is_new && std::tuple(label.cost, label.moves) <= std::tuple(cost, moves)) {
      if (label.cost == cost && !label.settled) label.moves_max = std::max(label.moves_max, from.moves_max + 1);
      return;
    }
    const std::int64_t moves_max =
        is_new || cost < label.cost ? from.moves_max + 1 : std::max(label.moves_max, from.moves_max + 1);
    label = {.cost = cost,
             .moves = moves,
             .node = edge.to,
             .before = cell_of(from.node),
             .kind = edge.move.kind,
             .settled = false,
             .moves_max = moves_max};
    open.push({cost, moves, cell_of(edge.to)});
  }

  [[nodiscard]] std::vector<Step> path_to(const Node& goal) const {
    std::vector<Step> path;
    std::optional<Cell> at = cell_of(goal);
    while (at) {
      const Label& label = labels.at(*at);
      path.push_back({.node = label.node, .kind = label.kind});
      at = label.before;
    }
    std::reverse(path.begin(), path.end());
    return path;
  }
};

Answer NaivePlanner::plan(const Query& query) {
  Answer answer;
  if (!world::is_place(query.start.at) || !world::is_place(query.goal.at)) {
    answer.status = Status::bad_request;
    return answer;
  }
  answer.start = resolve_start(ground_, query.start);
  answer.goal = resolve_goal(ground_, query.goal);
  if (!answer.start || !answer.goal) {
    answer.status = answer.start ? Status::goal_invalid : Status::start_invalid;
    return answer;
  }
  Search search;
  search.labels[cell_of(*answer.start)] = {.node = *answer.start};
  search.open.push({0, 0, cell_of(*answer.start)});
  bool free_moves = false;
  while (!search.open.empty()) {
    const Queued next = search.open.top();
    search.open.pop();
    Label& label = search.labels.at(next.cell);
    if (label.settled || label.cost != next.cost || label.moves != next.moves) continue;
    label.settled = true;
    if (next.cell == cell_of(*answer.goal)) {
      answer.status = Status::found;
      answer.cost = label.cost;
      answer.moves_min = label.moves;
      answer.moves_max = free_moves ? -1 : label.moves_max;
      answer.path = search.path_to(label.node);
      return answer;
    }
    if (query.limit && answer.expanded >= *query.limit) {
      answer.status = Status::partial;
      answer.reason = Reason::budget;
      return answer;
    }
    ++answer.expanded;
    answer.met_missing = answer.met_missing || borders_on_missing(label.node);
    const Label settled = label;
    for (const Edge& edge : edges(settled.node)) {
      free_moves = free_moves || edge.move.cost == 0;
      search.offer(settled, edge);
    }
  }
  answer.status = answer.met_missing ? Status::partial : Status::unreachable;
  answer.reason = answer.met_missing ? Reason::missing_chunk : Reason::none;
  return answer;
}

}  // namespace voxpath::judge
