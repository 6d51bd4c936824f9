// NavField: the cheapest ways to a goal from many starts, by one search back from the goal over exactly reversed moves. HordeSearch uses it.
// Thread-safety: one thread at a time; it owns its memory and reuses it.
// Invariants: what a start's way costs is what a search of its own would find. Nothing is allocated per expansion.
// Source: Dijkstra, "A Note on Two Problems in Connexion with Graphs" (1959), problem 2, from the goal; pruning as in NavSearch: flat moves
// are symmetric, so that its proof holds backwards too.
#pragma once

#include "pathfinding/answer.hpp"
#include "pathfinding/engine/bucket_queue.hpp"
#include "pathfinding/engine/nav_arena.hpp"
#include "pathfinding/engine/nav_places.hpp"
#include "pathfinding/engine/nav_rules.hpp"
#include "pathfinding/query.hpp"
#include "pathfinding/terrain.hpp"

#include <cstdint>
#include <memory>

namespace voxpath::pathfinding {

class NavField {
 public:
  using Id = NavArena::Id;
  enum class Way : std::uint8_t { open, none, found };

  /// `query.start` plays no part. Preconditions: validate(query, limits); the goal is of places, the agent walks.
  void begin(world::Ref<const world::Snapshot> snapshot, const Query& query);
  /// Whether any of the query's places is a node.
  [[nodiscard]] bool goal_valid() const { return !goal_.nodes.empty(); }
  /// How the place becomes a node. Keep the node for way_from() and answer().
  NavPlace start(const Place& place);
  /// Expands at most so many nodes, and none once the way from `start` is known.
  void advance(Id start, std::uint32_t expansions);
  /// `none` also where every way costs more than a label holds, a thousand million: that start's question is one for a search of its own.
  [[nodiscard]] Way way_from(Id start) const;
  /// Precondition: way_from() is `found`.
  [[nodiscard]] Answer answer(const NavPlace& start);
  [[nodiscard]] std::uint32_t expanded() const { return expanded_; }
  /// Lets go of the snapshot; keeps the memory.
  void reset() { snapshot_.reset(); }
  [[nodiscard]] std::size_t memory_bytes() const { return arena_.memory_bytes() + open_.memory_bytes(); }

 private:
  Terrain& terrain();
  template <bool kPriced>
  void expand(Id id);
  void expand_sources(Id id, std::uint64_t cost);
  void relax(Id to, std::uint64_t cost, std::uint32_t from);

  world::Ref<const world::Snapshot> snapshot_;
  std::shared_ptr<NavStore> store_;
  std::shared_ptr<NavClass> class_;
  NavReader reader_;
  NavArena arena_;
  BucketQueue open_;
  Terrain terrain_;
  bool terrain_ready_ = false;
  Query query_;
  NavRules rules_;
  NavGoals goal_;
  std::uint32_t expanded_ = 0;
  std::uint32_t generated_ = 0;
};

}  // namespace voxpath::pathfinding
