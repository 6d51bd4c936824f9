// What holds of every found path on random worlds: fewer waypoints lead the same way, and validate() tells after an edit what the path
// checker tells.
#include "pathfinding/path.hpp"
#include "tests/property/random_cases.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace voxpath::judge {
namespace {

using pathfinding::AnswerStatus;
using pathfinding::Simplify;
using pathfinding::Waypoint;

constexpr std::uint64_t kWorlds = 400;

/// Puts back what keeping only corners left out: steps of one cell in each moved axis, of the kind of the kept waypoint.
std::vector<ClaimedStep> with_runs(std::span<const Waypoint> path) {
  const std::vector<ClaimedStep> kept = claims(path);
  std::vector<ClaimedStep> all;
  for (const ClaimedStep& step : kept) {
    if (!all.empty() && step.kind != MoveKind::leap && step.kind != MoveKind::drop && step.kind != MoveKind::jump &&
        step.kind != MoveKind::climb) {
      const auto sign = [](int d) { return d > 0 ? 1 : d < 0 ? -1 : 0; };
      while (true) {
        ClaimedStep next = all.back();
        const int dx = step.x - next.x;
        const int dy = step.y - next.y;
        const int dz = step.z - next.z;
        const bool afloat = step.kind == MoveKind::fly || step.kind == MoveKind::swim;
        if (std::max({std::abs(dx), afloat ? std::abs(dy) : 0, std::abs(dz)}) <= 1) break;
        next = {.x = next.x + sign(dx), .y = next.y + sign(dy), .z = next.z + sign(dz), .kind = step.kind};
        next.floor_px = all.back().floor_px + 16 * sign(dy);
        all.push_back(next);
      }
    }
    all.push_back(step);
  }
  return all;
}

/// The mob's box is carried along the straight line from a to b, in small steps: every column under it has this floor, room for the body
/// and nothing that costs. `narrow` knows single columns.
bool box_can_pass(Ground& narrow, double width, const Waypoint& a, const Waypoint& b,
                  std::span<const PricedBox> boxes) {
  constexpr double kStep = 1.0 / 16;  // blocks
  const double dx = b.position.x - a.position.x;
  const double dz = b.position.z - a.position.z;
  const int steps = static_cast<int>(std::ceil(std::hypot(dx, dz) / kStep));
  for (int i = 0; i <= steps; ++i) {
    const double x = a.position.x + dx * i / steps;
    const double z = a.position.z + dz * i / steps;
    for (int cx = static_cast<int>(std::floor(x - width / 2 + 1e-9)); cx < x + width / 2 - 1e-9; ++cx) {
      for (int cz = static_cast<int>(std::floor(z - width / 2 + 1e-9)); cz < z + width / 2 - 1e-9; ++cz) {
        const std::optional<Node> node = narrow.node(cx, a.cell.y, cz);
        if (!node || node->kind != NodeKind::standing || node->floor != a.floor_px || node->door_in_body) return false;
        if (surcharge(boxes, *node) != 0) return false;
      }
    }
  }
  return true;
}

std::string simplified_leads_the_same_way(const RandomCase& drawn) {
  const PreparedCase prepared(drawn);
  Ground ground(prepared.view, drawn.agent);
  JudgeAgent column = drawn.agent;
  column.width = std::min(1.0, column.width);
  Ground narrow(prepared.view, column);
  pathfinding::Search search;
  for (std::size_t i = 0; i < prepared.queries.size(); ++i) {
    pathfinding::Query query = prepared.queries[i];
    const pathfinding::Answer whole = ask(search, prepared.snapshot, query);
    if (whole.path.empty()) continue;
    query.simplify = Simplify::corners;
    const pathfinding::Answer corners = ask(search, prepared.snapshot, query);
    const PathVerdict verdict = check_path(ground, with_runs(corners.path), prepared.questions[i].boxes);
    if (!verdict.ok()) return fmt::format("corners: {}\n{}\nof {}", verdict.why, said(corners), said(whole));
    if (verdict.cost != whole.cost || corners.cost != whole.cost) return "corners: another cost";
    query.simplify = Simplify::line_of_sight;
    const pathfinding::Answer sight = ask(search, prepared.snapshot, query);
    if (sight.cost != whole.cost) return "line_of_sight: another cost";
    std::size_t at = 0;
    for (std::size_t k = 0; k < sight.path.size(); ++k) {
      const std::size_t before = at;
      while (at < whole.path.size() && whole.path[at].cell != sight.path[k].cell) ++at;
      if (at == whole.path.size()) return "line_of_sight: a waypoint that is not of the path";
      if (k == 0 || at == before + 1 || drawn.agent.mode != Mode::walk) continue;
      if (!box_can_pass(narrow, drawn.agent.width, sight.path[k - 1], sight.path[k], prepared.questions[i].boxes))
        return fmt::format("line_of_sight: no way to waypoint {}\n{}\nof {}", k, said(sight), said(whole));
    }
    for (const auto* path : {&whole.path, &corners.path, &sight.path}) {
      const auto fault = pathfinding::validate(*path, query.agent, *prepared.snapshot);
      if (fault) return fmt::format("validate() objects to waypoint {} of its own path {}", fault->index, said(whole));
    }
  }
  return "";
}

TEST(PathProperties, FewerWaypointsLeadTheSameWay) { for_all_cases(kWorlds, simplified_leads_the_same_way); }

/// The first waypoint that cannot be gone to, whatever it costs to be there. A door that has to be opened must be said to be.
std::optional<std::size_t> first_broken(Ground& ground, std::span<const Waypoint> path, bool& straight_way_instead,
                                        Ground& narrow) {
  const std::vector<ClaimedStep> steps = claims(path);
  std::optional<Node> before;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::optional<Node> node = ground.node(steps[i].x, steps[i].y, steps[i].z);
    constexpr std::array<pathfinding::NodeKind, 4> kKinds{pathfinding::NodeKind::standing, pathfinding::NodeKind::swim,
                                                          pathfinding::NodeKind::climb, pathfinding::NodeKind::fly};
    if (!node || node->floor != steps[i].floor_px) return i;
    if (kKinds.at(static_cast<std::size_t>(node->kind)) != path[i].node) return i;
    if (i > 0) {
      const Ruling ruling = rule(ground, *before, *node);
      if (node->opens && !steps[i].opens) return i;
      if (!ruling.move || ruling.move->kind != steps[i].kind) {
        // A level step that the contract no longer has, but that a straight line over free ground still makes.
        const bool level = path[i - 1].floor_px == path[i].floor_px && ground.agent().mode == Mode::walk;
        if (!level || !box_can_pass(narrow, ground.agent().width, path[i - 1], path[i], {})) return i;
        straight_way_instead = true;
      }
    }
    before = node;
  }
  return std::nullopt;
}

/// What entering costs does not break a path.
JudgeAgent who_pays_anything(JudgeAgent agent) {
  for (std::int64_t JudgeAgent::* price :
       {&JudgeAgent::cost_water, &JudgeAgent::cost_near_hazard, &JudgeAgent::cost_slow, &JudgeAgent::cost_open}) {
    agent.*price = std::max<std::int64_t>(agent.*price, 0);
  }
  return agent;
}

std::string edits_break_what_they_break(const RandomCase& drawn) {
  PreparedCase prepared(drawn);
  pathfinding::Search search;
  Random random(drawn.seed);
  if (drawn.blocks.empty()) return "";
  for (const pathfinding::Query& query : prepared.queries) {
    const pathfinding::Answer answer = ask(search, prepared.snapshot, query);
    if (answer.path.size() < 2) continue;
    for (int edits = 0; edits < 6; ++edits) {
      const Waypoint& near = answer.path[static_cast<std::size_t>(random.below(static_cast<int>(answer.path.size())))];
      const int dx = random.between(-1, drawn.agent.footprint());
      const int dy = random.chance(70) ? random.between(-2, 3) : random.between(-8, 8);
      const world::BlockPos at{near.cell.x + dx, near.cell.y + dy,
                               near.cell.z + random.between(-1, drawn.agent.footprint())};
      const auto from = std::next(drawn.blocks.begin(), random.below(static_cast<int>(drawn.blocks.size())));
      const world::PaletteEntry* const entry = prepared.snapshot->block(from->first);
      const world::StateId state = random.chance(30) || entry == nullptr ? world::kAirState : entry->state;
      const world::PaletteEntry* const old = prepared.snapshot->block(at);
      if (old == nullptr || at.y < drawn.heights.min_y || at.y > drawn.heights.max_y()) continue;
      const std::array<world::Change, 1> change{world::SetBlock{at, state}};
      if (!prepared.world->apply(change)) return "the edit was refused";
      const auto edited = prepared.world->snapshot();
      const SnapshotWorld view(edited);
      JudgeAgent agent = who_pays_anything(drawn.agent);
      Ground ground(view, agent);
      agent.width = std::min(1.0, agent.width);
      Ground narrow(view, agent);
      bool straight_way_instead = false;
      const std::optional<std::size_t> wanted = first_broken(ground, answer.path, straight_way_instead, narrow);
      const auto fault = pathfinding::validate(answer.path, query.agent, *edited);
      const std::array<world::Change, 1> back{world::SetBlock{at, old->state}};
      if (!prepared.world->apply(back)) return "the edit could not be taken back";
      const std::vector<world::SectionPos>& watched = answer.sections;
      if (wanted && !std::binary_search(watched.begin(), watched.end(), world::section_of(at)))
        return fmt::format("an edit of ({},{},{}) breaks the path, whose sections leave that out\n{}", at.x, at.y, at.z,
                           said(answer));
      const std::optional<std::size_t> got = fault ? std::optional(fault->index) : std::nullopt;
      if (got == wanted || straight_way_instead) continue;
      const auto index = [](std::optional<std::size_t> i) { return i ? fmt::format("{}", *i) : std::string("none"); };
      return fmt::format("block ({},{},{}) becomes {}: the judge objects to {}, validate() to {}\n{}", at.x, at.y, at.z,
                         prepared.snapshot->states().at(state).text, index(wanted), index(got), said(answer));
    }
  }
  return "";
}

TEST(PathProperties, AnEditBreaksForValidateWhatItBreaksForTheChecker) {
  for_all_cases(kWorlds, edits_break_what_they_break);
}

}  // namespace
}  // namespace voxpath::judge
