#include "pathfinding/horde_search.hpp"

#include "pathfinding/search.hpp"
#include "world/blocks/block_table.hpp"
#include "world/world.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace voxpath::pathfinding {
namespace {

using world::BlockPos;

constexpr world::Heights kHeights{.min_y = 0, .height = 16};
constexpr std::int32_t kSide = 6;  // chunks

/// Flat ground with walls that make ways long, and a sealed room at (40, 1, 40).
class Field : public ::testing::Test {
 protected:
  Field() : world_(kHeights) {
    const auto stone = *world_.states().intern("minecraft:stone", world::full_cube_traits());
    std::vector<world::Change> changes;
    for (int i = 0; i < kSide * kSide; ++i)
      changes.emplace_back(world::PutChunk{{i % kSide, i / kSide}, world::make_ref<world::Chunk>(0, 16)});
    changes.emplace_back(world::FillBox{{{0, 0, 0}, {kSide * 16 - 1, 0, kSide * 16 - 1}}, stone});
    for (int x = 8; x < 90; x += 12) {
      const int from = x % 24 == 8 ? 0 : 6;
      changes.emplace_back(world::FillBox{{{x, 1, from}, {x, 3, from + 89}}, stone});
    }
    changes.emplace_back(world::FillBox{{{38, 1, 38}, {42, 3, 42}}, stone});
    changes.emplace_back(world::FillBox{{{39, 1, 39}, {41, 2, 41}}, *world_.states().intern("minecraft:air", {})});
    EXPECT_TRUE(world_.apply(changes));
    query_.goal = GoalPlaces{{BlockPos{2, 1, 50}}};
  }
  [[nodiscard]] std::vector<Place> mobs(int count) const {
    std::vector<Place> starts;
    for (int i = 0; i < count; ++i) {
      const int x = 3 + i * 7 % 90;
      starts.emplace_back(BlockPos{x % 12 == 8 ? x + 1 : x, 1, 3 + i * 11 % 85});
    }
    return starts;
  }
  std::vector<Answer> run(std::vector<Place> starts) {
    const auto begun = horde_.begin(world_.snapshot(), query_, std::move(starts), {});
    EXPECT_TRUE(begun) << begun.error().message;
    while (!horde_.advance(1'000)) {
    }
    return horde_.answers();
  }

  world::World world_;
  Query query_;
  HordeSearch horde_;
};

TEST_F(Field, ManyMobsShareASearch) {
  const auto starts = mobs(200);
  const auto answers = run(starts);
  EXPECT_GT(horde_.shared(), 150u);
  query_.exact = true;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    query_.start = starts[i];
    const auto own = search(world_.snapshot(), query_);
    ASSERT_EQ(answers[i].status, own->status) << i;
    ASSERT_EQ(answers[i].cost, own->cost) << i;
    ASSERT_EQ(answers[i].path.front().cell, own->path.front().cell) << i;
    ASSERT_EQ(answers[i].path.back().cell, own->path.back().cell) << i;
    ASSERT_EQ(answers[i].move_count, own->move_count) << i;
  }
}

TEST_F(Field, AFewMobsDoNot) {
  run(mobs(5));
  EXPECT_EQ(horde_.shared(), 0u);
}

TEST_F(Field, TheOnesWithNoWayGetTheirOwnAnswer) {
  auto starts = mobs(100);
  starts[70] = BlockPos{40, 1, 40};     // sealed
  starts[80] = BlockPos{3, 9, 3};       // falls to the ground
  starts[90] = BlockPos{-100, 1, 3};    // in a missing chunk
  starts[95] = BlockPos{2, 1, 50};      // there already
  starts[96] = BlockPos{50'000, 1, 3};  // so far off that no search gets there; it holds up nobody
  const auto answers = run(starts);
  EXPECT_GT(horde_.shared(), 80u);
  EXPECT_EQ(answers[96].status, AnswerStatus::start_invalid);
  EXPECT_EQ(answers[70].status, AnswerStatus::unreachable);
  EXPECT_EQ(answers[80].status, AnswerStatus::found);
  EXPECT_EQ(answers[90].status, AnswerStatus::start_invalid);
  EXPECT_EQ(answers[95].status, AnswerStatus::found);
  EXPECT_EQ(answers[95].cost, 0);
}

TEST_F(Field, AGoalThatIsNoPlaceIsSearchedForByEach) {
  query_.goal = GoalRadius{{50, 1, 50}, 3};
  const auto answers = run(mobs(30));
  EXPECT_EQ(horde_.shared(), 0u);
  EXPECT_EQ(answers.front().status, AnswerStatus::found);
}

TEST_F(Field, StoppedItAnswersEveryMob) {
  const auto starts = mobs(50);
  ASSERT_TRUE(horde_.begin(world_.snapshot(), query_, starts, {}));
  horde_.advance(10);
  horde_.stop(PartialReason::deadline);
  ASSERT_TRUE(horde_.done());
  const auto answers = horde_.answers();
  ASSERT_EQ(answers.size(), 50u);
  EXPECT_EQ(answers[30].status, AnswerStatus::partial);
  EXPECT_EQ(answers[30].reason, PartialReason::deadline);
}

TEST_F(Field, CancelledItKeepsWhatWasFound) {
  ASSERT_TRUE(horde_.begin(world_.snapshot(), query_, mobs(50), {}));
  std::vector<HordeSearch::Numbered> come;
  while (come.empty()) {
    ASSERT_FALSE(horde_.advance(50));
    come = horde_.take_answers();
  }
  EXPECT_EQ(come.front().start, 0u);
  EXPECT_EQ(come.front().answer.status, AnswerStatus::found);
  horde_.stop(PartialReason::none);
  ASSERT_TRUE(horde_.done());
  for (const auto& [start, answer] : horde_.take_answers()) {
    EXPECT_GT(start, come.back().start);
    EXPECT_EQ(answer.status, AnswerStatus::cancelled);
    EXPECT_EQ(answer.statistics.world_version, 1u);
  }
}

TEST_F(Field, SaysWhenMobsAreSearchedForOneByOne) {
  ASSERT_TRUE(horde_.begin(world_.snapshot(), query_, mobs(200), {}));
  while (!horde_.advance(20)) {
    if (horde_.shared() > 0 && horde_.shared() < 100) {
      EXPECT_FALSE(horde_.one_by_one());
    }
  }
  EXPECT_GT(horde_.shared(), 150u);
  ASSERT_TRUE(horde_.begin(world_.snapshot(), query_, mobs(5), {}));
  EXPECT_FALSE(horde_.one_by_one()) << "it is not known yet";
  while (!horde_.advance(20)) {
  }
  EXPECT_TRUE(horde_.one_by_one());
}

TEST_F(Field, AMobFarOffForbidsNoSharedSearch) {
  auto starts = mobs(200);
  starts.emplace_back(BlockPos{95, 1, 95});
  for (int i = 0; i < 60; ++i) starts.push_back(BlockPos{3 + i % 5, 1, 40 + i % 20});
  run(starts);
  EXPECT_GT(horde_.shared(), 150u);
}

TEST_F(Field, ChecksWhatItIsGiven) {
  EXPECT_EQ(horde_.begin(world_.snapshot(), query_, {}, {}).error().message, "starts: 0 given, 1 to 4096 are allowed");
  EXPECT_EQ(horde_.begin(world_.snapshot(), query_, std::vector<Place>(kHordeMax + 1), {}).error().message,
            "starts: 4097 given, 1 to 4096 are allowed");
  EXPECT_TRUE(horde_.begin(world_.snapshot(), query_, std::vector<Place>(kHordeMax), {}));
  std::vector<Place> starts = mobs(3);
  starts[1] = world::Vec3{0, 1e9, 0};
  const auto refused = horde_.begin(world_.snapshot(), query_, starts, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message.find("starts[1]: start.y = 1000000000"), 0u) << refused.error().message;
  EXPECT_TRUE(horde_.done()) << "nothing runs";
}

}  // namespace
}  // namespace voxpath::pathfinding
