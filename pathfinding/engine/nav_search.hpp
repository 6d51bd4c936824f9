// NavSearch: the search for walkers, on NavChunks. Search (search.hpp) chooses it.
// Thread-safety: one thread at a time; it owns its memory and reuses it.
// Invariants: as BasicSearch: exact, the same answer however it is sliced and whatever is cached, nothing allocated per
// expansion.
// Sources: A*: Hart, Nilsson, Raphael (1968), section II. Pruning of symmetric paths on level ground: Sturtevant and
// Rabin, "Canonical Orderings on Grids" (IJCAI 2016), section 3, on terrain (pathfinding/ENGINE.md).
#pragma once

#include "pathfinding/answer.hpp"
#include "pathfinding/blockers.hpp"
#include "pathfinding/engine/bucket_queue.hpp"
#include "pathfinding/engine/nav_arena.hpp"
#include "pathfinding/engine/nav_places.hpp"
#include "pathfinding/engine/nav_rules.hpp"
#include "pathfinding/engine/nav_store.hpp"
#include "pathfinding/engine/region_search.hpp"
#include "pathfinding/estimate.hpp"
#include "pathfinding/goal_set.hpp"
#include "pathfinding/query.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace voxpath::pathfinding {

class NavSearch {
 public:
  static bool can_answer(const Query& query) { return query.agent.mode == Mode::walk; }

  /// Starts anew. Preconditions: validate(query, limits), can_answer(query).
  void begin(world::Ref<const world::Snapshot> snapshot, const Query& query, const Limits& limits);
  bool advance(std::uint32_t expansions);
  void stop(PartialReason reason);
  [[nodiscard]] bool done() const { return done_; }
  /// All that costs no more than a label holds, a thousand million, has been searched, and there is more, which takes prices near the allowed
  /// maximum: the question is one for BasicSearch, and advance() does no more.
  [[nodiscard]] bool too_dear() const { return too_dear_; }
  [[nodiscard]] const Query& query() const { return query_; }
  [[nodiscard]] const world::Ref<const world::Snapshot>& snapshot() const { return snapshot_; }
  [[nodiscard]] Answer answer();
  void reset();
  [[nodiscard]] std::size_t memory_bytes() const;

  // For LongSearch, which divides what takes too long.
  [[nodiscard]] std::uint32_t expanded() const { return statistics_.expanded; }
  [[nodiscard]] std::uint32_t generated() const { return statistics_.generated; }
  [[nodiscard]] Metric metric() const { return rules_.metric; }
  /// Precondition: there is a start.
  [[nodiscard]] world::BlockPos start_cell() const { return start_cell_; }
  /// What the distance to the goal costs at least, where the goal is one place.
  [[nodiscard]] std::optional<Estimate::Parts> distance_prices() const;
  [[nodiscard]] bool proved_unreachable() const { return reach_.goal == Known::no; }
  [[nodiscard]] bool found() const { return done_ && status_ == AnswerStatus::found; }
  /// Of the path that was found.
  [[nodiscard]] std::size_t moves() const;
  struct Part {
    std::vector<Waypoint> path;
    std::vector<std::int64_t> costs;  // up to each waypoint
  };
  /// The path that was found, but for its last moves.
  [[nodiscard]] Part path_without(std::size_t last_moves) const;
  /// The answer to this search's question with a path that was found elsewhere.
  [[nodiscard]] Answer answer_along(std::vector<Waypoint> path, std::int64_t cost, AnswerStatus status,
                                    PartialReason reason);

 private:
  using Id = NavArena::Id;
  using Label = NavArena::Label;
  using Slot = NavArena::Slot;
  static constexpr Id kNowhere = NavArena::kNowhere;
  static constexpr std::uint32_t kNever = 0xFFFFFFFFu;
  static constexpr std::uint32_t kRegionsFirst = 2;          // looked at before the search begins
  static constexpr std::uint32_t kExpansionsPerRegion = 64;  // while it runs
  static constexpr std::uint64_t kEffortMin = 256;           // expansions
  static constexpr std::uint32_t kRegionPrice = 16;          // expansions that cost as much as looking at a region

  /// The estimate where it is a sum of two products, which is nearly always.
  struct Octile {
    bool applies = false;
    std::int32_t x = 0, z = 0;
    std::uint64_t far = 0, near = 0;  // for each block of the longer and of the shorter distance
  };

  void finish(AnswerStatus how, PartialReason why = PartialReason::none);
  void prepare(const Query& query);
  void place_goals();
  [[nodiscard]] bool is_goal(Id id);
  [[nodiscard]] std::uint64_t estimate(std::int32_t x, std::int32_t z) const;
  template <bool kPriced>
  bool advance_with(std::uint32_t expansions);
  template <bool kPriced>
  void expand(Id id);
  template <bool kPriced>
  void expand_extras(Id id, std::uint32_t cost);
  template <bool kPriced>
  void relax(Id to, std::uint64_t cost, std::uint32_t from, std::int32_t x, std::int32_t z);
  void launch();
  void ask_regions();
  [[nodiscard]] bool may_be_indexed() const;
  void look_back(std::uint64_t until);
  void start_over();
  void exhausted(std::uint32_t& expansions);
  void out_of_budget(std::uint32_t& expansions);
  void give_up();
  [[nodiscard]] std::vector<Waypoint> path_to(Id end) const;
  [[nodiscard]] Answer answer_without_path() const;
  void complete(Answer& a);
  [[nodiscard]] std::int64_t lower_bound() const;
  /// What judges partial paths.
  [[nodiscard]] Estimate octile_estimate() const {
    Estimate octile = *estimate_;
    octile.use(Heuristic::octile);
    return octile;
  }
  [[nodiscard]] Id best_effort() const;
  Terrain& terrain();

  world::Ref<const world::Snapshot> snapshot_;
  std::shared_ptr<NavStore> store_;
  std::shared_ptr<NavClass> class_;
  NavReader reader_;
  Terrain terrain_;
  bool terrain_ready_ = false;

  NavArena arena_;
  BucketQueue open_;

  Query query_;
  NavRules rules_;
  std::uint32_t expansions_max_ = 0;
  std::optional<Estimate> estimate_;  // what guides the search
  std::optional<Estimate> distance_;  // for areas: more than 0 where a place is none of their nodes
  Octile octile_;
  GoalSet goals_;
  Id single_goal_ = kNowhere;
  NavGoals goal_;
  bool goal_is_places_ = true;

  // Whether a path leads to one of the goals is found out beside the search: from the index of regions, or region by region.
  RegionSearch regions_;
  Reach reach_;
  world::BlockPos start_cell_;
  std::vector<world::BlockPos> goal_cells_;  // of goal_
  bool asks_regions_ = false;                // regions_ has begun
  std::uint32_t look_back_at_ = 0;           // expansions after which regions_ looks on
  std::uint64_t effort_ = 0;                 // expansions for a good partial path, once nothing leads to the goal
  std::uint64_t spared_ = 0;                 // expansions before the search was started over

  bool done_ = true;
  bool too_dear_ = false;
  bool beyond_labels_ = false;  // moves were left out that lead to more than a label holds
  AnswerStatus status_ = AnswerStatus::cancelled;
  PartialReason reason_ = PartialReason::none;
  std::vector<world::ChunkPos> missing_;
  Id start_ = kNowhere;
  ResolvedBy start_rule_ = ResolvedBy::nothing;
  Id end_ = kNowhere;
  Statistics statistics_;
};

}  // namespace voxpath::pathfinding
