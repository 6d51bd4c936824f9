// The index of watched paths: which edits ask for which checks, and how watches end.
#include "server/watch_index.hpp"

#include "protocol/limits.hpp"
#include "tests/support/world_builder.hpp"

#include <algorithm>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace voxpath::server {
namespace {

using world::SectionPos;

std::shared_ptr<const WatchedPath> depends_on(std::vector<SectionPos> sections) {
  auto path = std::make_shared<WatchedPath>();
  path->sections = std::move(sections);
  return path;
}

struct WatchIndexTest : testing::Test {
  WatchKey watch(const std::shared_ptr<WatchOwner>& owner, std::vector<SectionPos> sections, std::uint64_t mob = 0) {
    const WatchKey key = index.reserve(owner, 1, mob).value();
    EXPECT_EQ(index.begin(key, depends_on(std::move(sections))), WatchIndex::Begun::watched);
    return key;
  }
  std::vector<WatchKey> touch(std::vector<SectionPos> sections, std::uint64_t version) {
    return index.touch(sections, version);
  }

  std::shared_ptr<WatchOwner> ann = std::make_shared<WatchOwner>(1);
  std::shared_ptr<WatchOwner> bob = std::make_shared<WatchOwner>(2);
  WatchIndex index;
};
using Keys = std::vector<WatchKey>;

TEST_F(WatchIndexTest, AnEditAsksForTheWatchesOfItsSectionsOnly) {
  const WatchKey first = watch(ann, {{0, 4, 0}, {1, 4, 0}});
  const WatchKey second = watch(bob, {{1, 4, 0}, {2, 4, 0}});
  EXPECT_EQ(touch({{0, 4, 1}, {0, 5, 0}, {-1, 4, 0}}, 7), Keys());
  EXPECT_EQ(touch({{0, 4, 0}}, 8), Keys{first});
  EXPECT_EQ(touch({{2, 4, 0}}, 9), Keys{second});
}

TEST_F(WatchIndexTest, OneCheckAtATimeHoweverManyEdits) {
  const WatchKey key = watch(ann, {{0, 4, 0}, {1, 4, 0}});
  EXPECT_EQ(touch({{0, 4, 0}, {1, 4, 0}}, 5), Keys{key}) << "once for two of its sections";
  EXPECT_EQ(touch({{0, 4, 0}}, 6), Keys());
  EXPECT_EQ(touch({{1, 4, 0}}, 7), Keys());
  EXPECT_TRUE(index.again(key, 6)) << "the check looked at version 6, and 7 came after it";
  EXPECT_EQ(touch({{0, 4, 0}}, 8), Keys()) << "the second check is under way";
  EXPECT_FALSE(index.again(key, 8)) << "it started late enough to see that edit too";
  EXPECT_EQ(touch({{0, 4, 0}}, 9), Keys{key}) << "nothing is under way any more";
}

TEST_F(WatchIndexTest, APathThatIsStillSearchedIsNotChecked) {
  const WatchKey key = index.reserve(ann, 1, 0).value();
  EXPECT_EQ(touch({{0, 4, 0}}, 5), Keys());
  EXPECT_EQ(index.begin(key, depends_on({{0, 4, 0}})), WatchIndex::Begun::watched);
  EXPECT_TRUE(index.touch(key, 5));
  EXPECT_FALSE(index.touch(key, 6));
}

TEST_F(WatchIndexTest, EndsOnceAndLeavesNothingBehind) {
  const WatchKey key = watch(ann, {{0, 4, 0}, {1, 4, 0}}, 9);
  const WatchKey other = watch(ann, {{1, 4, 0}});
  EXPECT_EQ(ann->watches, 2u);
  ASSERT_TRUE(index.end(key));
  EXPECT_FALSE(index.end(key));
  EXPECT_EQ(ann->watches, 1u);
  EXPECT_FALSE(index.again(key, 1)) << "a check that was under way finds it gone";
  EXPECT_EQ(touch({{0, 4, 0}, {1, 4, 0}}, 5), Keys{other});
  index.end(other);
  EXPECT_EQ(index.size(), 0u);
  EXPECT_EQ(index.section_count(), 0u);
  EXPECT_EQ(ann->watches, 0u);
}

TEST_F(WatchIndexTest, AMobHasOneWatch) {
  const WatchKey older = watch(ann, {{0, 4, 0}}, 7);
  const WatchKey bobs = watch(bob, {{0, 4, 0}}, 7);
  const WatchKey pending = index.reserve(ann, 2, 7).value();
  EXPECT_FALSE(index.find(older)) << "superseded";
  EXPECT_TRUE(index.find(bobs)) << "another connection's mob of that number";
  index.end_mob(1, 7);
  EXPECT_EQ(index.begin(pending, depends_on({{0, 4, 0}})), WatchIndex::Begun::ended_before)
      << "superseded while its path was searched";
  EXPECT_EQ(touch({{0, 4, 0}}, 5), Keys{bobs});
  EXPECT_EQ(ann->watches, 0u);
}

TEST_F(WatchIndexTest, MobZeroIsNoMob) {
  const WatchKey first = watch(ann, {{0, 4, 0}}, 0);
  const WatchKey second = watch(ann, {{0, 4, 0}}, 0);
  index.end_mob(1, 0);
  EXPECT_TRUE(index.find(first) && index.find(second));
}

TEST_F(WatchIndexTest, EndsWithItsConnectionAndWithTheWorld) {
  watch(ann, {{0, 4, 0}}, 3);
  index.reserve(ann, 5, 4).value();
  const WatchKey bobs = watch(bob, {{0, 4, 0}});
  index.end_connection(1);
  EXPECT_EQ(index.size(), 1u);
  EXPECT_EQ(ann->watches, 0u);
  const auto ended = index.end_all();
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(ended[0].first, bobs);
  EXPECT_EQ(ended[0].second.owner, bob);
  EXPECT_EQ(index.section_count(), 0u);
}

TEST_F(WatchIndexTest, HoldsTheLimitOfAConnectionOverAllWorlds) {
  WatchIndex elsewhere;
  ASSERT_TRUE(elsewhere.reserve(ann, 1, 0));
  for (std::size_t i = 1; i < protocol::kWatchesMax - 1; ++i) ASSERT_TRUE(index.reserve(ann, 1, 0));
  EXPECT_TRUE(index.reserve(ann, 1, 77)) << "the last one";
  EXPECT_FALSE(index.reserve(ann, 1, 0)) << "one more";
  EXPECT_EQ(ann->watches, protocol::kWatchesMax) << "a refusal takes no place";
  EXPECT_TRUE(index.reserve(ann, 1, 77)) << "in place of the mob's older one";
  EXPECT_TRUE(index.reserve(bob, 1, 0)) << "others have limits of their own";
  elsewhere.end_connection(1);
  EXPECT_TRUE(index.reserve(ann, 1, 0));
}

TEST_F(WatchIndexTest, HoldsTheLimitOfWaypointsOverAllWorlds) {
  using Begun = WatchIndex::Begun;
  constexpr std::size_t kMax = protocol::kWatchedWaypointsMax;
  const auto long_path = [](std::size_t waypoints) {
    auto path = std::make_shared<WatchedPath>();
    path->waypoints.resize(waypoints);
    path->sections = {{0, 0, 0}};
    return path;
  };
  WatchIndex elsewhere;
  const WatchKey first = elsewhere.reserve(ann, 1, 0).value();
  EXPECT_EQ(elsewhere.begin(first, long_path(10)), Begun::watched);
  for (const std::size_t most :
       {kMax - 11, kMax - 10, kMax - 9}) {  // beside the ten: one less than allowed, all, one more
    const WatchKey key = index.reserve(ann, 1, 0).value();
    const Begun begun = index.begin(key, long_path(most));
    EXPECT_EQ(begun, most == kMax - 9 ? Begun::full : Begun::watched) << most;
    EXPECT_EQ(index.find(key) != nullptr, begun == Begun::watched);
    EXPECT_EQ(ann->waypoints, begun == Begun::watched ? most + 10 : 10);
    index.end(key);
    EXPECT_EQ(ann->waypoints, 10u);
    EXPECT_EQ(ann->watches, 1u) << "a refusal takes no place";
  }
  const WatchKey other = index.reserve(bob, 1, 0).value();
  EXPECT_EQ(index.begin(other, long_path(kMax)), Begun::watched) << "others have limits of their own";
  EXPECT_EQ(index.section_count(), 1u);
}

TEST_F(WatchIndexTest, AgreesWithAPlainListOnRandomHistories) {
  std::mt19937 random(20'260'131);
  const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
  std::map<WatchKey, std::set<SectionPos>> plain;
  for (int step = 0; step < 4'000; ++step) {
    const auto& owner = below(2) == 0 ? ann : bob;
    if (below(3) > 0) {
      std::set<SectionPos> sections;
      while (static_cast<int>(sections.size()) < 1 + step % 4) sections.insert({below(6), below(2), below(6)});
      plain.emplace(watch(owner, {sections.begin(), sections.end()}), sections);
    } else if (!plain.empty()) {
      const auto chosen = std::next(plain.begin(), below(static_cast<unsigned>(plain.size())));
      EXPECT_TRUE(index.end(chosen->first));
      plain.erase(chosen);
    }
    const SectionPos edited{below(6), below(2), below(6)};
    auto touched = touch({edited}, 1);
    for (const WatchKey key : touched) EXPECT_FALSE(index.again(key, 1));
    std::sort(touched.begin(), touched.end());
    Keys expected;
    for (const auto& [key, sections] : plain) {
      if (sections.contains(edited)) expected.push_back(key);
    }
    ASSERT_EQ(touched, expected) << step;
  }
}

TEST(TouchedBetween, ComparesTheSectionsThatCount) {
  test::WorldBuilder b;
  b.fill({0, 0, 0}, {40, 40, 15}, b.stone());
  const auto older = b.snapshot();
  const std::vector<SectionPos> sections{{0, 0, 0}, {1, 1, 0}, {9, 0, 0}};
  EXPECT_FALSE(touched_between(*older, *older, sections));
  b.set({0, 20, 0}, b.air());
  b.set({20, 5, 0}, b.air());
  EXPECT_FALSE(touched_between(*older, *b.snapshot(), sections)) << "the same chunks, other sections";
  b.set({20, 20, 0}, b.air());
  EXPECT_TRUE(touched_between(*older, *b.snapshot(), sections));
  EXPECT_FALSE(touched_between(*older, *b.snapshot(), {{0, 0, 0}}));
  b.known({9, 0});
  EXPECT_TRUE(touched_between(*older, *b.snapshot(), {{9, 0, 0}})) << "air where the chunk was missing";
  const auto before_drop = b.snapshot();
  const world::Change drop = world::DropChunk{{0, 0}};
  ASSERT_TRUE(b.world().apply({&drop, 1}));
  EXPECT_TRUE(touched_between(*before_drop, *b.snapshot(), {{0, 9, 0}})) << "missing where there was air";
}

}  // namespace
}  // namespace voxpath::server
