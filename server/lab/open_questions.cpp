// What the published maze chase left open; see chase_study.hpp.
#include "pathfinding/search.hpp"
#include "server/lab/chase_study.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <stdexcept>

#include <fmt/format.h>

namespace voxpath::server::lab {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kSeed = 7;
constexpr int kEffortMax = 10;
constexpr int kPathsPerMaze = 40;

double ms_since(Clock::time_point begun) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begun).count();
}
int openings_for(int size) { return kOpeningsPublished * size * size / (kMazeSizePublished * kMazeSizePublished); }
int turns_for(int size) { return 200 * size / kMazeSizePublished; }
int scaled(int full, int effort) { return std::max(1, full * effort / kEffortMax); }

/// Chases in mazes from one seed.
struct Tally {
  int chases = 0, caught = 0;
  int repeats = 0, to_and_fro = 0;  // of those that escaped; positions that come again, after two turns
  std::int64_t turns = 0, turns_all = 0, periods = 0;
  void add(const ChaseResult& r) {
    ++chases;
    turns_all += r.turns;
    if (r.caught) {
      ++caught;
      turns += r.turns;
    } else if (r.repeats) {
      ++repeats;
      if (r.period == 2) ++to_and_fro;
      periods += r.period;
    }
  }
  [[nodiscard]] std::string percent() const { return fmt::format("{:.1f} %", 100.0 * caught / std::max(1, chases)); }
  [[nodiscard]] std::string turns_mean() const {
    return caught == 0 ? "-" : fmt::format("{:.1f}", static_cast<double>(turns) / caught);
  }
};

Tally lone(Pursuit pursuit, int size, int openings, int chases, const ChaseRules& rules) {
  Tally tally;
  RandomStream random(kSeed);
  for (int i = 0; i < chases; ++i) {
    const Maze maze = Maze::dig(size, openings, Openings::between_corridors, random);
    tally.add(chase(maze, *make_pursuer(pursuit, maze, random), random, rules));
  }
  return tally;
}

Tally pack(PackTactics tactics, int enemies, int size, int chases) {
  Tally tally;
  RandomStream random(kSeed);
  for (int i = 0; i < chases; ++i) {
    const Maze maze = Maze::dig(size, openings_for(size), Openings::between_corridors, random);
    tally.add(chase(maze, enemies, tactics, random, {.turns_max = turns_for(size)}));
  }
  return tally;
}

struct SearchCost {
  std::uint64_t expanded = 0, moves = 0;
  double us = 0;  // a search
};

SearchCost search_all(const Maze& maze, const std::vector<std::pair<Cell, Cell>>& pairs,
                      pathfinding::Algorithm algorithm, pathfinding::Heuristic heuristic) {
  pathfinding::Query query;
  query.agent.corners = pathfinding::Corners::never;
  query.agent.metric = pathfinding::Metric::moves;
  query.algorithm = algorithm;
  query.heuristic = heuristic;
  const auto world = voxel_world(maze);
  pathfinding::Search search;
  SearchCost cost;
  const auto begun = Clock::now();
  for (const auto& [from, to] : pairs) {
    query.start = world::BlockPos{from.x, kMazeFloor, from.y};
    query.goal = pathfinding::GoalPlaces{{world::BlockPos{to.x, kMazeFloor, to.y}}};
    if (const auto ok = search.begin(world, query, {}); !ok) throw std::logic_error(ok.error().message);
    search.advance(pathfinding::kExpansionsDefault);
    const pathfinding::Answer answer = search.answer();
    cost.expanded += answer.statistics.expanded;
    cost.moves += answer.moves();
  }
  cost.us = ms_since(begun) * 1000 / static_cast<double>(pairs.size());
  return cost;
}

Finding astar_against_bfs() {
  Finding finding{"Is A* better than BFS here?",
                  {"maze", "BFS expands", "A* expands", "less", "BFS us", "A* us", "same lengths"},
                  {},
                  {}};
  for (const int size : {21, 61, 121, kMazeSizeMax}) {
    RandomStream random(kSeed);
    const Maze maze = Maze::dig(size, openings_for(size), Openings::between_corridors, random);
    const std::vector<Cell> cells = maze.free_cells();
    std::vector<std::pair<Cell, Cell>> pairs;
    for (int i = 0; i < kPathsPerMaze; ++i) {
      const Cell from = cells[random.below(cells.size())];
      pairs.emplace_back(from, cells[random.below(cells.size())]);
    }
    const SearchCost bfs = search_all(maze, pairs, pathfinding::Algorithm::bfs, pathfinding::Heuristic::zero);
    const SearchCost astar = search_all(maze, pairs, pathfinding::Algorithm::astar, pathfinding::Heuristic::manhattan);
    finding.rows.push_back({fmt::format("{0} x {0}", size), fmt::format("{}", bfs.expanded / pairs.size()),
                            fmt::format("{}", astar.expanded / pairs.size()),
                            fmt::format("{:.0f} %", 100.0 - 100.0 * static_cast<double>(astar.expanded) /
                                                                static_cast<double>(bfs.expanded)),
                            fmt::format("{:.0f}", bfs.us), fmt::format("{:.0f}", astar.us),
                            bfs.moves == astar.moves ? "yes" : "NO"});
  }
  finding.answer =
      "Yes, but by less than on open ground: corridors lead away from the goal, and the Manhattan estimate believes in "
      "them. The lengths are the same, so the chase itself does not change.";
  return finding;
}

Finding larger_mazes(int effort) {
  Finding finding{"Do the results hold in larger mazes?",
                  {"maze", "chases", "turns allowed", "speed 1 caught", "turns", "speed 2 caught", "turns"},
                  {},
                  {}};
  constexpr std::array<std::pair<int, int>, 5> kSizes{{{21, 300}, {41, 200}, {81, 60}, {121, 30}, {kMazeSizeMax, 10}}};
  for (const auto& [size, full] : kSizes) {
    const int chases = scaled(full, effort);
    const int turns = turns_for(size);
    const Tally one = lone(Pursuit::shortest, size, openings_for(size), chases, {.speed = 1, .turns_max = turns});
    const Tally two = lone(Pursuit::shortest, size, openings_for(size), chases, {.speed = 2, .turns_max = turns});
    finding.rows.push_back({fmt::format("{0} x {0}", size), fmt::format("{}", chases), fmt::format("{}", turns),
                            one.percent(), one.turns_mean(), two.percent(), two.turns_mean()});
  }
  finding.answer =
      "Openings and turns grow with the maze here. At speed 1 the pursuer catches less and less: more cells mean more "
      "loops, and one is "
      "enough. At speed 2 it goes on catching, in turns that grow about as the side does.";
  return finding;
}

/// One turn of a pack: a search for each enemy, or one from the evader that all of them share.
std::pair<double, double> turn_ms(const Maze& maze, int enemies) {
  RandomStream random(kSeed);
  const std::vector<Cell> cells = maze.free_cells();
  const Cell evader = cells[random.below(cells.size())];
  std::vector<Cell> enemies_at;
  for (int i = 0; i < enemies; ++i) enemies_at.push_back(cells[random.below(cells.size())]);
  Distances distances(maze);
  int moved = 0;
  auto begun = Clock::now();
  for (const Cell enemy : enemies_at) {
    distances.from(evader);
    if (downhill(maze, distances, enemy) != enemy) ++moved;
  }
  const double each = ms_since(begun);
  begun = Clock::now();
  distances.from(evader);
  for (const Cell enemy : enemies_at) {
    if (downhill(maze, distances, enemy) != enemy) --moved;
  }
  if (moved != 0) throw std::logic_error("a shared field leads elsewhere than searches of one's own");
  return {each, ms_since(begun)};
}

Finding many_enemies(int effort) {
  Finding finding{"What do many enemies change, and what do they cost?",
                  {"enemies", "caught in 21 x 21", "turns", "caught in 101 x 101", "turns",
                   "ms a turn, each its own BFS", "ms, one field for all"},
                  {},
                  {}};
  constexpr int kLarge = 101;
  RandomStream random(kSeed);
  const Maze large = Maze::dig(kLarge, openings_for(kLarge), Openings::between_corridors, random);
  for (const int enemies : {1, 2, 3, 5, 10, 100, 1000}) {
    const Tally small = pack(PackTactics::follow, enemies, kMazeSizePublished, scaled(300, effort));
    const Tally wide = pack(PackTactics::follow, enemies, kLarge, scaled(30, effort));
    const auto [each, shared] = turn_ms(large, enemies);
    finding.rows.push_back({fmt::format("{}", enemies), small.percent(), small.turns_mean(), wide.percent(),
                            wide.turns_mean(), fmt::format("{:.2f}", each), fmt::format("{:.2f}", shared)});
  }
  finding.answer =
      "Chance spreads them: a few that only follow already close most loops from two sides. Searching for each costs "
      "as many searches as enemies; one breadth-first field from the evader serves all of them for the price of one.";
  return finding;
}

Finding tactics_at_speed_one(int effort) {
  Finding finding{"Does cleverness help at speed 1?", {"tactics", "enemies", "caught", "turns"}, {}, {}};
  const int chases = scaled(kChasesPublished, effort);
  for (const Pursuit pursuit : {Pursuit::shortest, Pursuit::intercept}) {
    const Tally t = lone(pursuit, kMazeSizePublished, kOpeningsPublished, chases, {});
    finding.rows.push_back({std::string(name(pursuit)), "1", t.percent(), t.turns_mean()});
  }
  for (const int enemies : {2, 3, 4}) {
    for (const PackTactics tactics : {PackTactics::follow, PackTactics::surround}) {
      const Tally t = pack(tactics, enemies, kMazeSizePublished, chases);
      finding.rows.push_back({tactics == PackTactics::follow ? "follow" : "surround", fmt::format("{}", enemies),
                              t.percent(), t.turns_mean()});
    }
  }
  finding.answer =
      "Alone it does not get round the loops: whoever aims ahead of an evader that sees everything only shows it which "
      "side is free. "
      "Coming from two sides is what closes a loop.";
  return finding;
}

Finding why_some_escape(int effort) {
  Finding finding{
      "Why do 30 % escape the shortest path at speed 1?",
      {"openings", "caught", "escaped", "in a position that repeats", "of these after 2 turns", "turns, mean"},
      {},
      {}};
  for (const int openings : {0, 1, 2, 5, 10, 25, 50, 100}) {
    const Tally t = lone(Pursuit::shortest, kMazeSizePublished, openings, scaled(kChasesPublished, effort), {});
    finding.rows.push_back({fmt::format("{}", openings), t.percent(), fmt::format("{}", t.chases - t.caught),
                            fmt::format("{}", t.repeats), fmt::format("{}", t.to_and_fro),
                            t.repeats == 0 ? "-" : fmt::format("{:.1f}", static_cast<double>(t.periods) / t.repeats)});
  }
  finding.answer =
      "Loops: without openings the maze is a tree, and everybody is caught in a dead end. On a loop the evader keeps "
      "to the far side: "
      "once the enemy has set out one way round, the other way is the shorter one, and it turns back. Each escape ends "
      "in positions that "
      "come again, most of them after two turns, to and fro: it would last for ever, and the 200 turns do not matter.";
  return finding;
}

}  // namespace

std::vector<Finding> open_questions(int effort, const Progress& progress) {
  const std::array<std::function<Finding()>, 5> studies{
      [] { return astar_against_bfs(); }, [&] { return larger_mazes(effort); }, [&] { return many_enemies(effort); },
      [&] { return tactics_at_speed_one(effort); }, [&] { return why_some_escape(effort); }};
  std::vector<Finding> findings;
  for (const auto& study : studies) {
    findings.push_back(study());
    if (progress) progress(findings.back().question);
  }
  return findings;
}

}  // namespace voxpath::server::lab
