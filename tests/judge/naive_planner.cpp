#include "tests/judge/naive_planner.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>

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
  const auto offer = [&](const Node& to) {
    const Ruling ruling = rule(ground_, node, to);
    if (ruling.move) found.push_back({.to = to, .move = *ruling.move});
  };
  const bool floats = ground_.agent().mode != Mode::walk;
  const int far = leap_reach(ground_.agent()) + 1;
  for (int dx = -far; dx <= far; ++dx) {
    for (int dz = -far; dz <= far; ++dz) {
      if (dx != 0 && dz != 0 && std::max(std::abs(dx), std::abs(dz)) > 1) continue;
      if (floats) {  // whose columns are full of nodes
        for (int y = node.y - 1; y <= node.y + 1; ++y) {
          if (const std::optional<Node> to = ground_.node(node.x + dx, y, node.z + dz)) offer(*to);
        }
        continue;
      }
      for (const Node& to : ground_.nodes(node.x + dx, node.z + dz)) offer(to);
    }
  }
  return found;
}

// "a cardinal, or for diagonal walkers diagonal, neighbour of an expanded node lies in [a missing chunk]"; "A landing in a missing chunk
// counts as a neighbour there".
bool NaivePlanner::borders_on_missing(const Node& node) {
  const JudgeAgent& agent = ground_.agent();
  const bool in_space = agent.mode != Mode::walk && agent.corners == Corners::strict && agent.cost_space_diagonal >= 0;
  const bool walks_diagonally = in_space || (agent.corners != Corners::never && agent.cost_diagonal >= 0);
  for (int dx = -1; dx <= 1; ++dx) {
    for (int dz = -1; dz <= 1; ++dz) {
      if (dx != 0 && dz != 0 && !walks_diagonally) continue;
      if (!ground_.footprint_known(node.x + dx, node.z + dz)) return true;
    }
  }
  if (node.kind != NodeKind::standing || node.door_in_body) return false;
  if (agent.cost_leap < 0 || agent.cost_cardinal < 0) return false;
  // "A landing in a missing chunk": no extent over the take-off and the gap may stop the leap to it (section 11).
  const int apex = node.floor + agent.jump_px + agent.height_px;
  if (!ground_.free(node.x, node.z, node.floor, apex)) return false;
  for (const auto& [dx, dz] : {std::pair{1, 0}, std::pair{-1, 0}, std::pair{0, 1}, std::pair{0, -1}}) {
    for (int gap = 1; gap <= leap_reach(agent); ++gap) {
      if (!ground_.free(node.x + gap * dx, node.z + gap * dz, node.floor, apex)) break;
      if (!ground_.footprint_known(node.x + (gap + 1) * dx, node.z + (gap + 1) * dz)) return true;
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

namespace {

bool is_asked_rightly(const Query& query) {
  constexpr double kReachMax = 64;      // blocks: "radius (<= 64)", "range (<= 64)"
  constexpr double kDistanceMax = 256;  // blocks: "distance (<= 256)"
  const double most = query.goal.kind == Goal::Kind::flee ? kDistanceMax : kReachMax;
  if (!world::is_place(query.start.at) || query.goal.places.empty()) return false;
  if (!(query.goal.reach >= 0 && query.goal.reach <= most)) return false;
  return std::all_of(query.goal.places.begin(), query.goal.places.end(),
                     [](const Place& place) { return world::is_place(place.at); });
}

}  // namespace

Answer NaivePlanner::plan(const Query& query) {
  Answer answer;
  if (!is_asked_rightly(query)) {
    answer.status = Status::bad_request;
    return answer;
  }
  answer.start = resolve_start(ground_, query.start);
  if (!answer.start) {
    answer.status = Status::start_invalid;
    return answer;
  }
  GoalSet goals(ground_, query.goal);
  for (const std::optional<Node>& node : goals.resolved()) {
    if (!answer.goal) answer.goal = node;
  }
  search(query, goals, answer);
  // "when nothing was found, an empty set makes the answer GOAL_INVALID, whatever ended the search"
  if (answer.status != Status::found && goals.empty()) {
    answer.status = Status::goal_invalid;
    answer.reason = Reason::none;
  }
  return answer;
}

void NaivePlanner::search(const Query& query, GoalSet& goals, Answer& answer) {
  Search search;
  search.labels[cell_of(*answer.start)] = {.node = *answer.start};
  search.open.push({0, 0, cell_of(*answer.start)});
  bool free_moves = false;
  const bool counts = query.fewest_moves || ground_.agent().metric == Metric::moves;
  while (!search.open.empty()) {
    const Queued next = search.open.top();
    search.open.pop();
    Label& label = search.labels.at(next.cell);
    if (label.settled || label.cost != next.cost || label.moves != next.moves) continue;
    label.settled = true;
    if (goals.contains(label.node)) {
      answer.status = Status::found;
      answer.goal = label.node;
      answer.cost = label.cost;
      answer.moves_min = label.moves;
      answer.moves_max = free_moves ? -1 : label.moves_max;
      answer.path = search.path_to(label.node);
      return;
    }
    if (query.limit && answer.expanded >= *query.limit) {
      answer.status = Status::partial;
      answer.reason = Reason::budget;
      return;
    }
    ++answer.expanded;
    answer.met_missing = answer.met_missing || borders_on_missing(label.node);
    const Label settled = label;
    for (const Edge& edge : edges(settled.node)) {
      const std::optional<std::int64_t> more = surcharge(query.boxes, edge.to);
      if (!more) continue;
      Edge charged = edge;
      charged.move.cost = counts ? 1 : edge.move.cost + *more;
      free_moves = free_moves || charged.move.cost == 0;
      search.offer(settled, charged);
    }
  }
  answer.status = answer.met_missing ? Status::partial : Status::unreachable;
  answer.reason = answer.met_missing ? Reason::missing_chunk : Reason::none;
}

}  // namespace voxpath::judge
