#include "server/jobs/horde_request.hpp"

#include "protocol/limits.hpp"

#include <algorithm>
#include <memory>
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

std::string group_key(v1::FindPath& request) {
  // Taken out and put back: a copy of the rest would cost more than a short search. Whatever fields are added, or sent and
  // not known here, belong to the key.
  std::unique_ptr<v1::Place> start(request.release_start());
  std::unique_ptr<std::string> world(request.release_world());
  const auto deadline_ms = request.deadline_ms();
  const auto priority = request.priority();
  const auto mob = request.mob();
  const bool watch = request.watch();
  request.clear_deadline_ms();
  request.clear_priority();
  request.clear_mob();
  request.clear_watch();
  std::string key = request.SerializeAsString();
  if (start) request.set_allocated_start(start.release());
  if (world) request.set_allocated_world(world.release());
  request.set_deadline_ms(deadline_ms);
  request.set_priority(priority);
  request.set_mob(mob);
  request.set_watch(watch);
  return key;
}

bool can_share(const v1::FindPath& request) {
  const auto goal = request.goal().goal_case();
  const bool places = goal == v1::Goal::kCell || goal == v1::Goal::kPosition || goal == v1::Goal::kAnyOf;
  // By an estimate that is no lower bound a search of its own may find a path that is not the cheapest.
  const bool exact = request.algorithm() != v1::FindPath::ASTAR || request.heuristic() != v1::FindPath::MANHATTAN;
  return places && exact;
}

}  // namespace voxpath::server
