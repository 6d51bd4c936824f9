// NavRules: what a query's agent, metric and boxes mean for searches over NavChunks: prices of moves, and which need not be looked at.
// Thread-safety: a value; the query must outlive it, for its boxes.
#pragma once

#include "pathfinding/engine/nav_arena.hpp"
#include "pathfinding/engine/nav_builder.hpp"
#include "pathfinding/engine/pruning.hpp"
#include "pathfinding/pricing.hpp"
#include "pathfinding/query.hpp"

namespace voxpath::pathfinding {

struct NavRules {
  Metric metric = Metric::cost;
  EdgePrices prices{};
  const Pruning* pruning = &kNoPruning;
  BoxPricing boxes;
  bool forbids = false;  // a box takes moves away

  static NavRules of(const Query& query);
  /// What a move by an extra costs, without boxes.
  [[nodiscard]] std::uint64_t price(const ExtraEdge& e) const {
    return metric == Metric::moves ? 1 : static_cast<std::uint64_t>(e.price);
  }
};

/// The kind of the move from one node to another that costs `price`, boxes left out. Precondition: there is one. `how` is the label of the
/// end that was met later.
MoveKind kind_of_move(const NavArena& arena, const NavRules& rules, NavArena::Id from, NavArena::Id to,
                      const NavArena::Label& how, std::int64_t price);

}  // namespace voxpath::pathfinding
