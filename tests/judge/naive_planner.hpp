// NaivePlanner: the independent judge of the planner. Dijkstra over the movement contract read word by word, as plain
// as it can be.
// Thread-safety: none. The world must outlive the planner and not change; nodes are kept from one query to the next.
// Invariant: shares no code with the planner that it judges.
// Usage: NaivePlanner judge(world, agent); Answer a = judge.plan({.start = place, .goal = {.places = {place}}});
#pragma once

#include "tests/judge/goals.hpp"
#include "tests/judge/moves.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace voxpath::judge {

enum class Status : std::uint8_t { found, partial, unreachable, start_invalid, goal_invalid, bad_request };
[[nodiscard]] std::string_view name(Status status);
enum class Reason : std::uint8_t { none, budget, missing_chunk };
[[nodiscard]] std::string_view name(Reason reason);

struct Query {
  Place start;
  Goal goal;
  std::vector<PricedBox> boxes{};
  std::optional<std::int64_t> limit{};  // expansions
  bool fewest_moves = false;            // every move counts 1, whatever the agent's metric says
};

struct Step {
  Node node;
  std::optional<MoveKind> kind{};  // how it is entered; none at the start
};

struct Answer {
  Status status = Status::unreachable;
  Reason reason = Reason::none;
  std::int64_t cost = -1;
  std::int64_t moves_min = -1;  // fewest moves of all cheapest paths
  std::int64_t moves_max = -1;  // most moves of all cheapest paths; -1 also where a move is free and there is no most
  std::optional<Node> start;
  std::optional<Node> goal;  // the one that was reached, else the first of the query's places that is a node
  std::vector<Step> path;    // one cheapest path with the fewest moves; empty unless found
  std::int64_t expanded = 0;
  bool met_missing = false;
};

class NaivePlanner {
 public:
  NaivePlanner(const JudgeWorld& world, const JudgeAgent& agent) : ground_(world, agent) {}

  [[nodiscard]] Answer plan(const Query& query);
  /// All nodes that a move leads to from `node`, with that move.
  struct Edge {
    Node to;
    Move move;
  };
  [[nodiscard]] const std::vector<Edge>& edges(const Node& node);
  [[nodiscard]] Ground& ground() { return ground_; }

 private:
  struct Search;
  void search(const Query& query, GoalSet& goals, Answer& answer);
  bool borders_on_missing(const Node& node);

  Ground ground_;
  std::unordered_map<std::uint64_t, std::vector<Edge>> edges_;  // by cell, once looked at
};

}  // namespace voxpath::judge
