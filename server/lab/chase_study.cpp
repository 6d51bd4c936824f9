#include "server/lab/chase_study.hpp"

#include <array>
#include <cmath>

namespace voxpath::server::lab {

namespace {

constexpr std::uint32_t kConnectedSeed = 2026;
constexpr std::uint32_t kChaseSeed = 7;  // anew for each pursuer and speed

ChaseRow run(ChaseRow row, PlannerTally& tally) {
  RandomStream random(kChaseSeed);
  for (row.chases = 0; row.chases < kChasesPublished; ++row.chases) {
    const Maze maze = Maze::dig(kMazeSizePublished, kOpeningsPublished, Openings::between_corridors, random);
    const auto pursuer =
        row.pursuit == Pursuit::planner ? make_planner_pursuer(maze, tally) : make_pursuer(row.pursuit, maze, random);
    const ChaseResult result = chase(maze, *pursuer, random, {.speed = row.speed});
    if (!result.caught) continue;
    ++row.caught;
    row.turns += result.turns;
  }
  return row;
}

bool same_digits(double a, double b) { return std::abs(std::round(a * 10) - std::round(b * 10)) < 0.5; }

}  // namespace

bool ChaseRow::as_published() const {
  return same_digits(percent(), published_percent) && same_digits(turns_mean(), published_turns);
}

std::vector<ConnectedRow> connected_mazes() {
  RandomStream random(kConnectedSeed);
  std::vector<ConnectedRow> rows{{Openings::anywhere, kMazesPublished, 0, 975},
                                 {Openings::between_corridors, kMazesPublished, 0, 1000}};
  for (ConnectedRow& row : rows) {
    for (int i = 0; i < row.mazes; ++i) {
      if (Maze::dig(kMazeSizePublished, kOpeningsPublished, row.where, random).connected()) ++row.connected;
    }
  }
  return rows;
}

std::vector<ChaseRow> published_chases(PlannerTally& tally) {
  const auto row = [](Pursuit pursuit, int speed, double percent, double turns) {
    return ChaseRow{.pursuit = pursuit, .speed = speed, .published_percent = percent, .published_turns = turns};
  };
  std::vector<ChaseRow> rows{row(Pursuit::greedy, 1, 1.3, 18.3),    row(Pursuit::shortest, 1, 70.7, 47.6),
                             row(Pursuit::planner, 1, 70.7, 47.6),  row(Pursuit::random, 1, 1.3, 82.0),
                             row(Pursuit::greedy, 2, 3.0, 2.9),     row(Pursuit::shortest, 2, 100.0, 21.7),
                             row(Pursuit::planner, 2, 100.0, 21.7), row(Pursuit::random, 2, 3.3, 101.7)};
  for (ChaseRow& r : rows) r = run(r, tally);
  return rows;
}

}  // namespace voxpath::server::lab
