#include "server/jobs/horde_request.hpp"

#include "protocol/limits.hpp"

#include <algorithm>
#include <utility>

namespace voxpath::server {

HordeRequest horde_of(v1::FindPaths request) {
  HordeRequest horde;
  v1::FindPath& question = horde.question;
  question.set_world(request.world());
  *question.mutable_agent() = std::move(*request.mutable_agent());
  *question.mutable_goal() = std::move(*request.mutable_goal());
  question.set_algorithm(request.algorithm());
  question.set_heuristic(request.heuristic());
  question.set_metric(request.metric());
  question.set_expansions_max(request.expansions_max());
  question.set_deadline_ms(request.deadline_ms());
  question.set_priority(request.priority());
  question.set_mob(request.horde());
  question.mutable_priced_boxes()->Swap(request.mutable_priced_boxes());
  question.set_simplify(request.simplify());
  question.set_proof_only(request.proof_only());
  question.set_exact(request.exact());
  question.set_weight(request.weight());
  horde.starts.Swap(request.mutable_starts());
  return horde;
}

std::size_t waypoints_max(std::size_t starts) {
  static_assert(protocol::kHordeWaypointsMax / protocol::kStartsMax >= 2, "one can always walk on by an answer");
  return std::min(protocol::kWaypointsMax, protocol::kHordeWaypointsMax / std::max<std::size_t>(1, starts));
}

std::string group_key(const v1::FindPath& request) {
  v1::FindPath group = request;
  group.clear_start();
  group.clear_world();
  group.clear_deadline_ms();
  group.clear_priority();
  group.clear_mob();
  group.clear_watch();
  group.DiscardUnknownFields();
  return group.SerializeAsString();
}

bool can_share(const v1::FindPath& request) {
  const auto goal = request.goal().goal_case();
  const bool places = goal == v1::Goal::kCell || goal == v1::Goal::kPosition || goal == v1::Goal::kAnyOf;
  // By an estimate that is no lower bound a search of its own may find a path that is not the cheapest.
  const bool exact = request.algorithm() != v1::FindPath::ASTAR || request.heuristic() != v1::FindPath::MANHATTAN;
  return places && exact;
}

}  // namespace voxpath::server
