#include "server/lab/chase.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace voxpath::server::lab {

namespace {

/// The side of the evader that this enemy comes at: of the open ones that nobody has taken yet, or of all once all are taken, the one to
/// which its way is shortest that does not lead through the evader.
Cell surround_step(const Maze& maze, Cell self, Cell evader, std::vector<Cell>& taken, Distances& distances) {
  std::vector<Cell> sides;
  for (const Cell s : kSteps) {
    if (!maze.wall(evader + s)) sides.push_back(evader + s);
  }
  if (taken.size() >= sides.size()) taken.clear();
  std::vector<Cell> left;
  for (const Cell side : sides) {
    if (std::find(taken.begin(), taken.end(), side) == taken.end()) left.push_back(side);
  }
  const Cell* best = nullptr;
  int best_steps = std::numeric_limits<int>::max();
  distances.from({self}, &evader);
  for (const Cell& side : left) {
    const int steps = distances.at(side);
    if (steps != kUnreached && steps < best_steps) {
      best = &side;
      best_steps = steps;
    }
  }
  if (best == nullptr || best_steps == 0) {
    if (best != nullptr) taken.push_back(*best);
    distances.from(evader);
    return downhill(maze, distances, self);
  }
  taken.push_back(*best);
  distances.from({*best}, &evader);
  return downhill(maze, distances, self);
}

std::uint64_t position_key(const Maze& maze, Cell enemy, Cell evader) {
  const auto cells = static_cast<std::uint64_t>(maze.size()) * static_cast<std::uint64_t>(maze.size());
  return maze.index(enemy) * cells + maze.index(evader);
}

Cell draw(const std::vector<Cell>& cells, RandomStream& random) { return cells[random.below(cells.size())]; }

}  // namespace

Cell flee(const Maze& maze, const Distances& distances, Cell evader) {
  Cell best = evader;
  for (const Cell s : kSteps) {
    if (!maze.wall(evader + s) && distances.at(evader + s) > distances.at(best)) best = evader + s;
  }
  return best;
}

ChaseResult chase(const Maze& maze, Pursuer& pursuer, RandomStream& random, const ChaseRules& rules) {
  const std::vector<Cell> cells = maze.free_cells();
  Cell enemy = draw(cells, random);
  Cell evader = draw(cells, random);
  Distances distances(maze);
  std::map<std::uint64_t, int> seen;
  ChaseResult result;
  for (int turn = 1; turn <= rules.turns_max; ++turn) {
    if (pursuer.forgetful() && !result.repeats) {
      const auto [before, fresh] = seen.emplace(position_key(maze, enemy, evader), turn);
      result.repeats = !fresh;
      if (!fresh) result.period = turn - before->second;
    }
    distances.from(enemy);
    evader = flee(maze, distances, evader);
    for (int i = 0; i < rules.speed; ++i) {
      enemy = pursuer.step(enemy, evader);
      if (enemy != evader) continue;
      result.caught = true;
      result.turns = turn;
      return result;
    }
  }
  result.turns = rules.turns_max;
  return result;
}

ChaseResult chase(const Maze& maze, int enemies, PackTactics tactics, RandomStream& random, const ChaseRules& rules) {
  const std::vector<Cell> cells = maze.free_cells();
  std::vector<Cell> pack;
  for (int i = 0; i < enemies; ++i) pack.push_back(draw(cells, random));
  Cell evader = draw(cells, random);
  Distances from_pack(maze), from_evader(maze), scratch(maze);
  for (int turn = 1; turn <= rules.turns_max; ++turn) {
    from_pack.from(pack);
    evader = flee(maze, from_pack, evader);
    from_evader.from(evader);
    for (int i = 0; i < rules.speed; ++i) {
      std::vector<Cell> taken;
      if (tactics == PackTactics::surround) {
        const auto order = [&](Cell c) { return std::pair(from_evader.at(c), maze.index(c)); };
        std::sort(pack.begin(), pack.end(), [&](Cell a, Cell b) { return order(a) < order(b); });
      }
      for (Cell& enemy : pack) {
        enemy = tactics == PackTactics::surround ? surround_step(maze, enemy, evader, taken, scratch)
                                                 : downhill(maze, from_evader, enemy);
      }
      if (std::find(pack.begin(), pack.end(), evader) != pack.end()) return {.caught = true, .turns = turn};
    }
  }
  return {.caught = false, .turns = rules.turns_max};
}

}  // namespace voxpath::server::lab
