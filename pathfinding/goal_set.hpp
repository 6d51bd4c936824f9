// GoalSet: which nodes count as arrived, for every kind of goal (MOVEMENT.md, section 6).
// Thread-safety: as Terrain.
// Invariant: the set is fixed by the query and the snapshot; whether it is empty is only worked out when nothing was found.
#pragma once

#include "pathfinding/estimate.hpp"
#include "pathfinding/query.hpp"
#include "pathfinding/terrain.hpp"

#include <utility>
#include <vector>

namespace voxpath::pathfinding {

class GoalSet {
 public:
  void reset(Terrain& terrain, const Goal& goal);

  [[nodiscard]] bool contains(Terrain& terrain, NodeId id) const;
  /// For places: which of them the node is; else 0.
  [[nodiscard]] std::size_t place_of(NodeId id) const;
  [[nodiscard]] ResolvedBy rule_of(NodeId id) const;
  /// The first place that is a node; kNoNode for other goals.
  [[nodiscard]] NodeId first_node() const { return places_.empty() ? kNoNode : places_.front().node; }
  /// Places of which none is a node: known at once.
  [[nodiscard]] bool empty_at_once() const { return std::holds_alternative<GoalPlaces>(goal_) && places_.empty(); }
  /// Whether no node of the world is in the set. Areas are looked through, which takes up to a few milliseconds; a level counts as
  /// populated when it lies within the world's height.
  [[nodiscard]] bool empty(Terrain& terrain) const;
  /// Where the estimate of the remaining cost leads to. Precondition: not empty_at_once().
  [[nodiscard]] Target target(const Terrain& terrain) const;

 private:
  struct ResolvedPlace {
    NodeId node;
    std::size_t index;
    ResolvedBy rule;
  };
  [[nodiscard]] bool any_in(Terrain& terrain, const world::Box& cells) const;

  Goal goal_;
  std::vector<ResolvedPlace> places_;
};

/// The point that waypoints give for a node: the footprint's centre at the floor, in blocks.
world::Vec3 centre_of(const Node& node, int footprint);

}  // namespace voxpath::pathfinding
