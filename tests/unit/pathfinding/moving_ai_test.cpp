// Published optimal lengths on the Moving AI maps (Sturtevant, "Benchmarks for Grid-Based Pathfinding", 2012), laid out
// as floors with walls two blocks high. Their walker has eight directions and strict corners at 1 and the square root
// of 2.
#include "pathfinding/search.hpp"
#include "tests/support/shared_data.hpp"
#include "tests/support/world_builder.hpp"

#include <cmath>
#include <sstream>

#include <gtest/gtest.h>

namespace voxpath::pathfinding {
namespace {

// Sanitizers make a search ten times as slow, and find nothing more in the two hundredth.
constexpr int kQueriesPerMap = test::kSanitized ? 10 : 200;
constexpr double kLengthTolerance = 5e-3 + 1e-6;  // the files' lengths are rounded

struct Scenario {
  int sx, sz, gx, gz;
  double length;
};

world::Ref<const world::Snapshot> lay_out(const std::string& text) {
  std::istringstream in(text);
  std::string word;
  int width = 0;
  int height = 0;
  in >> word >> word >> word >> height >> word >> width >> word;
  test::WorldBuilder builder({0, 16});
  builder.fill({0, 0, 0}, {width - 1, 0, height - 1}, builder.stone());
  std::vector<world::Change> walls;
  for (int z = 0; z < height; ++z) {
    std::string row;
    in >> row;
    for (int x = 0; x < width; ++x) {
      const char c = row[static_cast<std::size_t>(x)];
      if (c == '.' || c == 'G') continue;
      for (int y = 1; y <= 2; ++y) walls.emplace_back(world::SetBlock{{x, y, z}, builder.stone()});
    }
  }
  EXPECT_TRUE(builder.world().apply(walls));
  return builder.snapshot();
}

std::vector<Scenario> sample(const std::string& text) {
  std::istringstream in(text);
  std::string line;
  std::getline(in, line);
  std::vector<Scenario> all;
  while (std::getline(in, line)) {
    std::istringstream row(line);
    std::string map;
    int bucket = 0;
    int w = 0;
    int h = 0;
    Scenario s{};
    row >> bucket >> map >> w >> h >> s.sx >> s.sz >> s.gx >> s.gz >> s.length;
    if (row) all.push_back(s);
  }
  std::vector<Scenario> some;
  for (std::size_t i = 0; i < kQueriesPerMap; ++i) some.push_back(all[i * all.size() / kQueriesPerMap]);
  return some;
}

class MovingAi : public testing::TestWithParam<const char*> {};

TEST_P(MovingAi, LengthsAreThePublishedOnes) {
  const auto folder = test::shared_dir() / "movingai";
  VOXPATH_NEEDS_SHARED(folder);
  const auto snapshot = lay_out(test::read_gzip(folder / (std::string(GetParam()) + ".map.gz")));
  Query query;
  query.exact = true;
  query.agent.cost_cardinal = 100'000;
  query.agent.cost_diagonal = 141'421;
  Search search;
  for (const Scenario& s : sample(test::read_gzip(folder / (std::string(GetParam()) + ".scen.gz")))) {
    query.start = world::BlockPos{s.sx, 1, s.sz};
    query.goal = GoalPlaces{{world::BlockPos{s.gx, 1, s.gz}}};
    ASSERT_TRUE(search.begin(snapshot, query, {.expansions = kExpansionsMax}));
    while (!search.advance(100'000)) {
    }
    const Answer answer = search.answer();
    ASSERT_EQ(answer.status, AnswerStatus::found);
    double length =
        0;  // with the square root itself: over a thousand diagonals its five digits in the price are not enough
    for (std::size_t i = 1; i < answer.path.size(); ++i)
      length += answer.path[i].kind == MoveKind::diagonal ? std::sqrt(2.0) : 1.0;
    ASSERT_NEAR(length, s.length, kLengthTolerance) << s.sx << "," << s.sz << " -> " << s.gx << "," << s.gz;
  }
}

INSTANTIATE_TEST_SUITE_P(Maps, MovingAi, testing::Values("maze512-1-0", "maze512-32-5", "32room_000", "random512-35-0"),
                         [](const auto& param) {
                           std::string name = param.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace voxpath::pathfinding
