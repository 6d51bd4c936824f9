// SearchPlanner: the Planner that asks pathfinding::Search, and the translation of path requests and answers between
// wire and planner.
// Thread-safety: as Planner. Profiles that are replaced are taken note of with the next request.
#pragma once

#include "pathfinding/horde_search.hpp"
#include "pathfinding/path.hpp"
#include "pathfinding/search.hpp"
#include "protocol/limits.hpp"
#include "server/agent_profiles.hpp"
#include "server/planner.hpp"
#include "server/profile_book.hpp"

#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace voxpath::server {

class SearchPlanner : public Planner {
 public:
  explicit SearchPlanner(std::shared_ptr<const ProfileBook> profiles) : profiles_(std::move(profiles)) {}

  std::optional<protocol::Failure> begin(world::Ref<const world::Snapshot> snapshot,
                                         const v1::FindPath& request) override;
  bool advance(std::uint32_t expansions) override { return search_.advance(expansions); }
  void stop(Stop why) override;
  void write(v1::PathAnswer* answer, FoundPath* found) override;
  void reset() override;
  std::optional<protocol::Failure> begin_check(world::Ref<const world::Snapshot> snapshot,
                                               const v1::ValidatePath& request) override;
  bool advance_check(std::uint32_t moves) override { return check_->advance(moves); }
  void end_check(v1::PathVerdict* verdict) override;
  std::optional<protocol::Failure> begin_horde(world::Ref<const world::Snapshot> snapshot, const HordeRequest& request,
                                               HordeOptions options) override;
  bool advance_horde(std::uint32_t expansions) override { return horde_->advance(expansions); }
  void stop_horde(Stop why) override;
  std::vector<HordeAnswer> take_answers() override;
  [[nodiscard]] bool one_by_one() const override { return horde_->one_by_one(); }
  [[nodiscard]] std::size_t shared() const override { return horde_->shared(); }
  [[nodiscard]] std::uint64_t expanded() const override { return horde_->expanded(); }

 private:
  void write(pathfinding::Answer planned, std::size_t waypoints_max, v1::PathAnswer* answer, FoundPath* found) const;

  std::shared_ptr<const ProfileBook> profiles_;
  pathfinding::Search search_;
  pathfinding::Agent agent_;
  world::Ref<const world::Snapshot> snapshot_;
  std::vector<pathfinding::Waypoint> path_;      // to check
  std::optional<pathfinding::PathCheck> check_;  // of it, in snapshot_
  bool with_sections_ = false;
  std::optional<pathfinding::HordeSearch> horde_;  // from the first horde on: most planners never have one
  HordeOptions horde_options_ = {};
};

/// The planner's question in a request that has passed protocol::validate(). Failures: those of
/// AgentProfiles::agent_of().
[[nodiscard]] std::variant<pathfinding::Query, protocol::Failure> query_of(const v1::FindPath& request,
                                                                           const AgentProfiles& profiles);

/// At most so many waypoints; the rest is marked by `truncated`.
void write_answer(const pathfinding::Answer& answer, v1::PathAnswer* message,
                  std::size_t waypoints_max = protocol::kWaypointsMax);

}  // namespace voxpath::server
