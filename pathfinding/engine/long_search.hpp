// LongSearch: the search for walkers over any distance. It searches exactly first. What has not come to an end by then, and need not be
// exact, is divided: a rough way over regions says where to go, and short exact searches make the path.
// Thread-safety: one thread at a time; it owns its memory and reuses it.
// Invariants: as NavSearch's, but that the cost of a divided path need not be the least; the answer says so, and by how much at most. Where
// no path can be put together within the limit, the exact search goes on.
// Sources: see RegionRoute; pathfinding/ENGINE.md, A long way.
#pragma once

#include "pathfinding/engine/nav_search.hpp"
#include "pathfinding/engine/region_route.hpp"

#include <optional>
#include <vector>

namespace voxpath::pathfinding {

class LongSearch {
 public:
  /// As NavSearch's.
  static bool can_answer(const Query& query) { return NavSearch::can_answer(query); }
  void begin(world::Ref<const world::Snapshot> snapshot, const Query& query, const Limits& limits);
  bool advance(std::uint32_t expansions);
  void stop(PartialReason reason);
  [[nodiscard]] bool done() const { return phase_ == Phase::stopped || phase_ == Phase::put_together || exact_.done(); }
  [[nodiscard]] bool too_dear() const { return exact_.too_dear(); }
  [[nodiscard]] const Query& query() const { return exact_.query(); }
  [[nodiscard]] const world::Ref<const world::Snapshot>& snapshot() const { return exact_.snapshot(); }
  [[nodiscard]] Answer answer();
  void reset();
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  enum class Phase : std::uint8_t { exact, route, legs, put_together, stopped };
  // Expansions before a way is divided. From kFarBlocks on it is nearly always the cheaper way to search; nearer it is, when the exact search
  // has cost about as much as the legs would have.
  static constexpr std::uint32_t kExactFirst = 2'048;
  static constexpr std::uint32_t kExactFirstNear = 16'384;
  static constexpr std::int32_t kFarBlocks = 192;
  static constexpr std::uint32_t kRegionPrice = 24;  // expansions that cost as much as looking at a region
  static constexpr std::int32_t kLegBlocks = 64;  // at least, along the way, from a leg's start to where it is heading
  static constexpr std::size_t kDroppedPart = 4;  // of a leg's moves, one of so many is not kept

  void begin_route();
  void step_route(std::uint32_t& expansions);
  void begin_leg();
  void step_leg(std::uint32_t& expansions);
  void cut_loops();
  void give_up_dividing();

  NavSearch exact_;
  std::uint32_t expansions_max_ = 0;
  std::uint32_t exact_first_ = 0;  // expansions
  bool may_divide_ = false;
  Phase phase_ = Phase::exact;
  PartialReason stopped_by_ = PartialReason::none;

  NavReader reader_;
  std::shared_ptr<NavClass> class_;
  RegionRoute route_;
  std::vector<world::BlockPos> cells_;  // of the rough way
  std::size_t headed_ = 0;              // of these: legs have led to or towards them

  std::optional<NavSearch> leg_;
  Query leg_query_;
  std::vector<Waypoint> path_;
  std::vector<std::int64_t> costs_;             // up to each of its waypoints
  std::uint32_t expanded_ = 0, generated_ = 0;  // by the legs
};

}  // namespace voxpath::pathfinding
