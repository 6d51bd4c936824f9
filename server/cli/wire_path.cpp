#include "server/cli/wire_path.hpp"

#include "server/path_messages.hpp"

#include <string_view>
#include <utility>

#include <google/protobuf/field_mask.pb.h>
#include <google/protobuf/util/field_mask_util.h>

namespace voxpath::server {

namespace {

using pathfinding::Agent;

constexpr double kUsPerMs = 1000.0;

void write_position(const world::Vec3& from, v1::Position* to) {
  to->set_x(from.x);
  to->set_y(from.y);
  to->set_z(from.z);
}

template <class Message>
void write_place(const pathfinding::Place& place, Message& to) {
  if (const auto* cell = std::get_if<world::BlockPos>(&place)) {
    write_block(*cell, to.mutable_cell());
  } else {
    write_position(std::get<world::Vec3>(place), to.mutable_position());
  }
}

struct WriteGoal {
  void operator()(const pathfinding::GoalPlaces& g) const {
    if (g.places.size() == 1) return write_place(g.places.front(), to);
    for (const pathfinding::Place& place : g.places) write_place(place, *to.mutable_any_of()->add_places());
  }
  void operator()(const pathfinding::GoalRadius& g) const {
    write_position(g.centre, to.mutable_radius()->mutable_centre());
    to.mutable_radius()->set_radius(g.radius);
  }
  void operator()(const pathfinding::GoalColumn& g) const {
    to.mutable_column()->set_x(g.x);
    to.mutable_column()->set_z(g.z);
  }
  void operator()(const pathfinding::GoalLevel& g) const { to.set_level(g.y); }
  void operator()(const pathfinding::GoalNextTo& g) const { write_block(g.block, to.mutable_next_to()); }
  void operator()(const pathfinding::GoalFlee& g) const {
    for (const world::Vec3& point : g.points) write_position(point, to.mutable_flee()->add_points());
    to.mutable_flee()->set_distance(g.distance);
  }
  void operator()(const pathfinding::GoalSight& g) const {
    write_position(g.point, to.mutable_sight()->mutable_point());
    to.mutable_sight()->set_range(g.range);
  }
  v1::Goal& to;
};

/// A field by its name in MOVEMENT.md, which is its name on the wire but for the unit; others are not the agent's.
void copy_field(const v1::Agent& from, std::string_view name, v1::Agent& to) {
  constexpr std::string_view kInPx = "_px";
  if (name.ends_with(kInPx)) name.remove_suffix(kInPx.size());
  const auto* field = v1::Agent::descriptor()->FindFieldByName(std::string(name));
  if (field == nullptr) return;
  google::protobuf::FieldMask mask;
  mask.add_paths(std::string(name));
  google::protobuf::util::FieldMaskUtil::MergeMessageTo(from, mask, {}, &to);
}

void write_agent(const Agent& from, v1::Agent& to) {
  const auto blocks = [](std::int32_t px) { return static_cast<double>(px) / world::kPixelsPerBlock; };
  to.set_width(from.width_blocks);
  to.set_height(blocks(from.height_px));
  to.set_step(blocks(from.step_px));
  to.set_jump(blocks(from.jump_px));
  to.set_max_drop(blocks(from.max_drop_px));
  to.set_leap(static_cast<std::uint32_t>(from.leap));
  // The values of these enumerations are the same here and on the wire.
  static_assert(static_cast<int>(pathfinding::Mode::swim) == v1::Agent::SWIMMER);
  static_assert(static_cast<int>(pathfinding::Corners::loose) == v1::Agent::LOOSE);
  static_assert(static_cast<int>(pathfinding::WaterMode::walk) == v1::Agent::WALK);
  to.set_mode(static_cast<v1::Agent::Mode>(from.mode));
  to.set_corners(static_cast<v1::Agent::Corners>(from.corners));
  to.set_water(static_cast<v1::Agent::Water>(from.water));
  to.set_climb(from.climb);
  to.set_open_doors(from.open_doors);
  to.set_pass_doors(from.pass_doors);
  to.set_open_gates(from.open_gates);
  for (int hazard = 1; hazard < world::kHazardKinds; ++hazard) {
    if (!from.hurt_by(static_cast<world::Hazard>(hazard))) to.add_immune(static_cast<v1::Agent::Hazard>(hazard));
  }
  if (to.immune().empty()) to.add_immune(v1::Agent::NO_HAZARD);
  to.set_cost_cardinal(from.cost_cardinal);
  to.set_cost_diagonal(from.cost_diagonal);
  to.set_cost_space_diagonal(from.cost_space_diagonal);
  to.set_cost_climb(from.cost_climb);
  to.set_cost_jump(from.cost_jump);
  to.set_cost_drop(from.cost_drop);
  to.set_cost_leap(from.cost_leap);
  to.set_cost_water(from.cost_water);
  to.set_cost_near_hazard(from.cost_near_hazard);
  to.set_cost_slow(from.cost_slow);
  to.set_cost_open(from.cost_open);
}

v1::FindPath::Heuristic heuristic_of(pathfinding::Heuristic heuristic) {
  switch (heuristic) {
    case pathfinding::Heuristic::octile:
      return v1::FindPath::OCTILE;
    case pathfinding::Heuristic::chebyshev:
      return v1::FindPath::CHEBYSHEV;
    case pathfinding::Heuristic::euclidean:
      return v1::FindPath::EUCLIDEAN;
    case pathfinding::Heuristic::manhattan:
      return v1::FindPath::MANHATTAN;
    case pathfinding::Heuristic::zero:
      return v1::FindPath::ZERO;
  }
  return v1::FindPath::OCTILE;
}

/// Enumerations whose wire values begin with one for "unspecified"; one that is not known here becomes `otherwise`.
template <class Enum>
Enum shifted(int wire, Enum last, Enum otherwise) {
  return wire >= 1 && wire - 1 <= static_cast<int>(last) ? static_cast<Enum>(wire - 1) : otherwise;
}

/// What FindPath and FindPaths have alike.
template <class Message>
void write_question(const std::string& world, const PathQuestion& question, Message& message) {
  const pathfinding::Query& query = question.query;
  message.set_world(world);
  v1::Agent agent;
  write_agent(query.agent, agent);
  if (question.profile.empty()) {
    *message.mutable_agent() = agent;
  } else {
    message.mutable_agent()->set_profile(question.profile);
    for (const std::string& field : question.changed_fields) copy_field(agent, field, *message.mutable_agent());
  }
  std::visit(WriteGoal{*message.mutable_goal()}, query.goal);
  for (const pathfinding::PricedBox& priced : query.priced_boxes) {
    v1::PricedBox& box = *message.add_priced_boxes();
    write_block(priced.box.min, box.mutable_box()->mutable_min());
    write_block(priced.box.max, box.mutable_box()->mutable_max());
    box.set_price(priced.price);
  }
  static_assert(static_cast<int>(pathfinding::Algorithm::bfs) == v1::FindPath::BFS);
  static_assert(static_cast<int>(pathfinding::Simplify::line_of_sight) == v1::FindPath::IN_SIGHT);
  message.set_algorithm(static_cast<v1::FindPath::Algorithm>(query.algorithm));
  message.set_heuristic(heuristic_of(query.heuristic));
  message.set_metric(query.agent.metric == pathfinding::Metric::moves ? v1::FindPath::MOVES : v1::FindPath::COST);
  message.set_simplify(static_cast<v1::FindPath::Simplify>(query.simplify));
  message.set_proof_only(!query.best_effort);
  message.set_exact(query.exact);
  if (query.weight != 1) message.set_weight(query.weight);
  message.set_expansions_max(question.limits.expansions);
}

}  // namespace

v1::FindPath find_path_message(const std::string& world, const PathQuestion& question) {
  v1::FindPath message;
  write_question(world, question, message);
  write_place(question.query.start, *message.mutable_start());
  message.set_with_sections(true);
  message.set_watch(question.watch);
  return message;
}

v1::FindPaths find_paths_message(const std::string& world, const HordeQuestion& question) {
  v1::FindPaths message;
  write_question(world, question.question, message);
  for (const pathfinding::Place& start : question.starts) write_place(start, *message.add_starts());
  return message;
}

HordeOutcome outcome_of(const v1::PathsAnswer& message) {
  HordeOutcome outcome;
  for (const v1::PathAnswer& path : message.paths()) outcome.paths.push_back(outcome_of(path));
  outcome.shared = message.shared();
  outcome.search_ms = static_cast<double>(message.times().searched_us()) / kUsPerMs;
  outcome.queue_ms = static_cast<double>(message.times().queued_us()) / kUsPerMs;
  return outcome;
}

PathOutcome outcome_of(const v1::PathAnswer& message) {
  using pathfinding::AnswerStatus;
  using pathfinding::PartialReason;
  using pathfinding::ResolvedBy;
  static_assert(static_cast<int>(ResolvedBy::area) == v1::PathAnswer::AREA);
  static_assert(static_cast<int>(PartialReason::missing_chunk) == v1::PathAnswer::MISSING_CHUNK);
  static_assert(static_cast<int>(AnswerStatus::cancelled) + 1 == v1::PathAnswer::CANCELLED);
  PathOutcome outcome;
  pathfinding::Answer& a = outcome.answer;
  a.status = shifted(message.status(), AnswerStatus::cancelled, AnswerStatus::cancelled);
  if (message.reason() <= v1::PathAnswer::MISSING_CHUNK) a.reason = static_cast<PartialReason>(message.reason());
  for (const auto& chunk : message.missing_chunks()) a.missing_chunks.push_back({chunk.x(), chunk.z()});
  for (const auto& w : message.waypoints()) a.path.push_back(waypoint_of(w));
  a.cost = message.cost();
  a.move_count = message.moves();
  a.goal_index = message.goal_index();
  if (message.start_rule() <= v1::PathAnswer::AREA) a.start_rule = static_cast<ResolvedBy>(message.start_rule());
  if (message.goal_rule() <= v1::PathAnswer::AREA) a.goal_rule = static_cast<ResolvedBy>(message.goal_rule());
  for (const auto& b : message.blockers()) {
    a.blockers.push_back({.near_goal = b.near_goal(),
                          .from = block_of(b.from()),
                          .at = block_of(b.at()),
                          .obstacle = obstacle_of(b.obstacle())});
  }
  for (const auto& s : message.sections()) a.sections.push_back({s.x(), s.y(), s.z()});
  a.exact = !message.inexact();
  a.lower_bound = message.lower_bound();
  a.statistics = {.expanded = static_cast<std::uint32_t>(message.expanded()),
                  .generated = static_cast<std::uint32_t>(message.generated()),
                  .unknown_blocks = message.unknown_blocks(),
                  .world_version = message.version()};
  outcome.truncated = message.truncated();
  outcome.watch = message.watch();
  outcome.search_ms = static_cast<double>(message.times().searched_us()) / kUsPerMs;
  outcome.queue_ms = static_cast<double>(message.times().queued_us()) / kUsPerMs;
  return outcome;
}

}  // namespace voxpath::server
