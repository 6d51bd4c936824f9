// W13: what a path that is there already is worth, when its target has moved or a block stands in its way. Beside a fresh search: the old
// path led on from its end to where the target is now; the old path joined again behind the block.
#include "tests/bench/workloads/workloads.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include <fmt/format.h>

namespace voxpath::bench {

namespace {

using pathfinding::Answer;
using pathfinding::AnswerStatus;
using world::BlockPos;

constexpr std::size_t kPairs = 200;
constexpr std::size_t kReplans = 8;        // of one path, one after the other
constexpr std::size_t kTargetsStride = 2;  // its moves between two of them; the mob makes one

std::vector<BlockPos> cells_of(const Answer& answer) {
  std::vector<BlockPos> cells;
  for (const auto& waypoint : answer.path) cells.push_back(waypoint.cell);
  return cells;
}

class Planner {
 public:
  explicit Planner(const Land& land) : land_(land) {}
  Answer ask(BlockPos from, const std::vector<BlockPos>& to, Samples& samples) {
    query_.start = from;
    query_.goal = pathfinding::GoalPlaces{std::vector<pathfinding::Place>(to.begin(), to.end())};
    return bench::ask(search_, land_, query_, samples);
  }
  /// What it costs, unmeasured.
  std::int64_t least(BlockPos from, BlockPos to) {
    Samples unseen;
    const Answer answer = ask(from, {to}, unseen);
    if (answer.status != AnswerStatus::found) throw std::runtime_error("a part of a path cannot be gone");
    return answer.cost;
  }

 private:
  const Land& land_;
  pathfinding::Search search_;
  pathfinding::Query query_;
};

/// What holds of joined paths beside those of fresh searches.
struct Joined {
  std::size_t all = 0, as_cheap = 0, proved = 0;
  void add(std::int64_t cost, std::int64_t least, std::int64_t open_ground, Samples& samples) {
    if (cost < least) throw std::runtime_error("a joined path costs less than the least");
    ++all;
    as_cheap += cost == least ? 1 : 0;
    proved += cost == open_ground ? 1 : 0;
    samples.over_optimum.push_back(least > 0 ? static_cast<double>(cost) / static_cast<double>(least) : 1);
  }
  [[nodiscard]] std::string note() const {
    const auto percent = [this](std::size_t part) {
      return all > 0 ? 100 * static_cast<double>(part) / static_cast<double>(all) : 0;
    };
    return fmt::format("{:.0f} % as cheap as a fresh path, {:.0f} % shown to be so without one", percent(as_cheap),
                       percent(proved));
  }
};

/// One path, kept and led on for as long as the chase lasts.
void chase(Planner& planner, const Pair& ends, BlockPos flees_to, Samples& fresh, Samples& led_on, Joined& joined) {
  Samples unseen;
  const Answer first = planner.ask(ends.first, {ends.second}, unseen);
  const Answer flight = planner.ask(ends.second, {flees_to}, unseen);
  if (first.status != AnswerStatus::found || flight.status != AnswerStatus::found) return;
  std::vector<BlockPos> kept = cells_of(first);
  const std::vector<BlockPos> route = cells_of(flight);
  for (std::size_t n = 1; n <= kReplans && n * kTargetsStride < route.size() && kept.size() > 2; ++n) {
    kept.erase(kept.begin());
    const BlockPos mob = kept.front(), target = route[n * kTargetsStride];
    const Answer least = planner.ask(mob, {target}, fresh);
    const Answer on = planner.ask(kept.back(), {target}, led_on);
    if (least.status != AnswerStatus::found || on.status != AnswerStatus::found) return;
    const auto met = std::find(kept.begin(), kept.end(), target);
    if (met != kept.end()) {
      kept.erase(met + 1, kept.end());
    } else {
      const std::vector<BlockPos> added = cells_of(on);
      kept.insert(kept.end(), added.begin() + 1, added.end());
    }
    std::int64_t cost = 0;
    for (std::size_t i = 1; i < kept.size(); ++i) cost += planner.least(kept[i - 1], kept[i]);
    joined.add(cost, least.cost, least_cost(mob, target), led_on);
  }
}

/// A wall of three blocks is put across the middle of a path.
void mend(const Land& land, Planner& planner, const Pair& ends, Samples& fresh, Samples& mended, Joined& joined) {
  Samples unseen;
  const std::vector<BlockPos> path = cells_of(planner.ask(ends.first, {ends.second}, unseen));
  if (path.size() < 12) return;
  const std::size_t broken = path.size() / 2;
  const BlockPos at = path[broken];
  std::vector<world::Change> put, taken;
  const auto snapshot = land.world->snapshot();
  const bool along_x = path[broken + 1].x != path[broken - 1].x;
  for (std::int32_t side = -1; side <= 1; ++side) {
    for (std::int32_t up = 0; up <= 1; ++up) {
      const BlockPos p{at.x + (along_x ? 0 : side), at.y + up, at.z + (along_x ? side : 0)};
      if (const auto* block = snapshot->block(p); block == nullptr || block->state != land.air) continue;
      put.emplace_back(world::SetBlock{p, land.stone});
      taken.emplace_back(world::SetBlock{p, land.air});
    }
  }
  const std::size_t before = broken - 2;
  const std::vector<BlockPos> rest(
      path.begin() + static_cast<std::ptrdiff_t>(broken) + 2,
      path.begin() + static_cast<std::ptrdiff_t>(std::min(path.size(), broken + 2 + pathfinding::kGoalPlacesMax)));
  land.apply(put);
  const Answer once =
      planner.ask(path.front(), {path.back()}, unseen);  // the moves are those after the edit from here on
  if (once.status == AnswerStatus::found) {
    const Answer least = planner.ask(path.front(), {path.back()}, fresh);
    const Answer detour = planner.ask(path[before], rest, mended);
    if (detour.status == AnswerStatus::found) {
      const BlockPos again = detour.path.back().cell;
      const std::int64_t cost =
          planner.least(path.front(), path[before]) + detour.cost + planner.least(again, path.back());
      joined.add(cost, least.cost, least_cost(path.front(), path.back()), mended);
    }
  }
  land.apply(taken);
}

}  // namespace

void measure_replanning(Figures& figures) {
  Land land = terrain_land(13, {.x = 16, .z = 16});
  derive_all(land);
  land.places = connected_places(land, 300, 1);
  const std::vector<Pair> asked = pairs(land.places, 20, 60, kPairs, 2);
  Planner planner(land);
  Samples fresh, led_on;
  Joined joined;
  for (std::size_t i = 0; i < asked.size(); ++i)
    chase(planner, asked[i], land.places[i % land.places.size()], fresh, led_on, joined);
  figures.add("W13", "target moved: a fresh search", fresh);
  figures.add("W13", "target moved: the old path led on", led_on, {.note = joined.note()});

  Samples anew, mended;
  Joined detours;
  for (const Pair& ends : asked) mend(land, planner, ends, anew, mended, detours);
  figures.add("W13", "path blocked: a fresh search", anew);
  figures.add("W13", "path blocked: joined again behind the block", mended, {.note = detours.note()});
}

}  // namespace voxpath::bench
