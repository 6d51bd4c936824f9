// Published optimal lengths on a Warframe voxel map (Brewer and Sturtevant, "Benchmarks for Pathfinding in 3D Voxel Space", 2018): a flyer of one
// block in 26 directions at 1, the square roots of 2 and 3; a move needs every cell of its box free.
#include "pathfinding/search.hpp"
#include "tests/support/shared_data.hpp"
#include "tests/support/world_builder.hpp"

#include <cmath>
#include <sstream>

#include <gtest/gtest.h>

namespace voxpath::pathfinding {
namespace {

constexpr std::size_t kQueries = 200;
constexpr double kLengthTolerance = 5e-3;

/// The map's cells outside its box are not part of it: they are filled.
world::Ref<const world::Snapshot> lay_out(const std::string& text) {
  std::istringstream in(text);
  std::string word;
  int width = 0;
  int height = 0;
  int depth = 0;
  in >> word >> width >> height >> depth;
  const auto up = [](int v) { return (v + 15) / 16 * 16; };
  test::WorldBuilder b({0, up(height)});
  b.known({0, 0}, {up(width) / 16 - 1, up(depth) / 16 - 1});
  if (width < up(width)) b.fill({width, 0, 0}, {up(width) - 1, up(height) - 1, up(depth) - 1}, b.stone());
  if (depth < up(depth)) b.fill({0, 0, depth}, {up(width) - 1, up(height) - 1, up(depth) - 1}, b.stone());
  if (height < up(height)) b.fill({0, height, 0}, {up(width) - 1, up(height) - 1, up(depth) - 1}, b.stone());
  std::vector<world::Change> blocks;
  for (world::BlockPos p; in >> p.x >> p.y >> p.z;) blocks.emplace_back(world::SetBlock{p, b.stone()});
  EXPECT_TRUE(b.world().apply(blocks));
  return b.snapshot();
}

TEST(Warframe, LengthsAreThePublishedOnes) {
  const auto folder = test::shared_dir() / "movingai";
  VOXPATH_NEEDS_SHARED(folder);
  const auto snapshot = lay_out(test::read_gzip(folder / "Simple.3dmap.gz"));
  std::istringstream in(test::read_gzip(folder / "Simple.3dscen.gz"));
  std::string word;
  std::getline(in, word);
  std::getline(in, word);
  struct Row {
    world::BlockPos from, to;
    double length;
  };
  std::vector<Row> rows;
  double ratio = 0;
  for (Row r{}; in >> r.from.x >> r.from.y >> r.from.z >> r.to.x >> r.to.y >> r.to.z >> r.length >> ratio;)
    rows.push_back(r);
  ASSERT_GE(rows.size(), kQueries);

  Query query;
  query.agent.mode = Mode::fly;
  query.agent.width_px = 16;
  query.agent.width_blocks = 1;
  query.agent.height_px = 16;
  query.agent.cost_cardinal = 100'000;
  query.agent.cost_diagonal = 141'421;
  query.agent.cost_space_diagonal = 173'205;
  Search search;
  for (std::size_t i = 0; i < kQueries; ++i) {
    const Row& r = rows[i * rows.size() / kQueries];
    query.start = r.from;
    query.goal = GoalPlaces{{r.to}};
    ASSERT_TRUE(search.begin(snapshot, query, {.expansions = kExpansionsMax}));
    while (!search.advance(kExpansionsMax)) {
    }
    const Answer answer = search.answer();
    ASSERT_EQ(answer.status, AnswerStatus::found) << "query " << i;
    double length = 0;
    for (std::size_t k = 1; k < answer.path.size(); ++k) {
      const auto& a = answer.path[k - 1].cell;
      const auto& b = answer.path[k].cell;
      length += std::sqrt(static_cast<double>(std::abs(a.x - b.x) + std::abs(a.y - b.y) + std::abs(a.z - b.z)));
    }
    ASSERT_NEAR(length, r.length, kLengthTolerance) << "query " << i;
  }
}

}  // namespace
}  // namespace voxpath::pathfinding
