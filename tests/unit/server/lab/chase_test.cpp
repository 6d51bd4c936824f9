// The published maze chase: every number of it, and the rules that its variants rest on.
#include "server/lab/chase_study.hpp"

#include <gtest/gtest.h>

namespace voxpath::server::lab {
namespace {

/// A ring of corridor round a block of wall, 3 x 3 cells of wall inside: a loop of 16 cells.
Maze ring() {
  Maze maze(7);
  for (int i = 1; i <= 5; ++i) {
    maze.clear({i, 1});
    maze.clear({i, 5});
    maze.clear({1, i});
    maze.clear({5, i});
  }
  return maze;
}

TEST(MazeChase, ConnectsAsManyMazesAsPublished) {
  for (const ConnectedRow& row : connected_mazes()) EXPECT_EQ(row.connected, row.published);
}

TEST(MazeChase, GivesEveryPublishedNumber) {
  PlannerTally tally;
  for (const ChaseRow& row : published_chases(tally)) {
    EXPECT_TRUE(row.as_published()) << name(row.pursuit) << " at speed " << row.speed << ": " << row.percent()
                                    << " % in " << row.turns_mean() << " turns; published are " << row.published_percent
                                    << " % in " << row.published_turns;
  }
  EXPECT_GT(tally.paths, 10'000u);
  EXPECT_EQ(tally.other_length, 0u) << "of " << tally.paths << " paths of the planner";
}

TEST(MazeChase, NobodyIsCaughtOnARingAtEqualSpeedAndThatIsForEver) {
  const Maze maze = ring();
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    RandomStream random(seed);
    const ChaseResult result = chase(maze, *make_pursuer(Pursuit::shortest, maze, random), random, {});
    if (result.caught) {
      EXPECT_EQ(result.turns, 1) << "only who starts beside the evader catches it";
    } else {
      EXPECT_TRUE(result.repeats);
      EXPECT_GT(result.period, 0);
    }
  }
}

TEST(MazeChase, APackThatSurroundsClosesARing) {
  const Maze maze = ring();
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    RandomStream random(seed);
    EXPECT_TRUE(chase(maze, 2, PackTactics::surround, random, {}).caught) << seed;
  }
}

TEST(MazeChase, NobodyEscapesInATree) {
  RandomStream random(3);
  for (int i = 0; i < 20; ++i) {
    const Maze maze = Maze::dig(kMazeSizePublished, 0, Openings::between_corridors, random);
    EXPECT_TRUE(chase(maze, *make_pursuer(Pursuit::shortest, maze, random), random, {}).caught);
  }
}

TEST(MazeChase, TheOpenQuestionsAreAllAnswered) {
  const auto findings = open_questions(1, {});
  ASSERT_EQ(findings.size(), 5u);
  for (const Finding& finding : findings) {
    EXPECT_FALSE(finding.rows.empty()) << finding.question;
    EXPECT_FALSE(finding.answer.empty()) << finding.question;
    for (const auto& row : finding.rows) EXPECT_EQ(row.size(), finding.head.size()) << finding.question;
  }
  for (const auto& row : findings.front().rows) EXPECT_EQ(row.back(), "yes") << "A* and BFS find equal lengths";
}

}  // namespace
}  // namespace voxpath::server::lab
