#include "world/state_registry.hpp"

#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace voxpath::world {
namespace {

TEST(StateRegistry, StartsWithAir) {
  StateRegistry states;
  EXPECT_EQ(states.size(), 1u);
  EXPECT_EQ(states.at(kAirState).text, "minecraft:air");
  EXPECT_EQ(*states.intern("minecraft:air", air_traits()), kAirState);
}

TEST(StateRegistry, EqualTextAndTraitsAreOneNumber) {
  StateRegistry states;
  const StateId stone = *states.intern("minecraft:stone", full_cube_traits());
  EXPECT_EQ(*states.intern("minecraft:stone", full_cube_traits()), stone);
  EXPECT_EQ(states.size(), 2u);
}

TEST(StateRegistry, EveryTraitTellsStatesApart) {
  StateRegistry states;
  std::vector<Traits> all(11);
  all[1].bottom = 1;
  all[2].top = 1;
  all[3].fluid = Fluid::water;
  all[4].hazard = Hazard::fire;
  all[5].door = Door::iron;
  all[6].stair = StairFacing::east;
  all[7].open = true;
  all[8].climbable = true;
  all[9].slow = true;
  all[10].unknown = true;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const StateId id = *states.intern("mod:thing", all[i]);
    EXPECT_EQ(id, i + 1);
    EXPECT_EQ(states.at(id).traits, all[i]);
  }
}

TEST(StateRegistry, LastNumberFitsAndTheNextIsRefused) {
  StateRegistry states;
  while (states.size() < kStateCountMax - 1) ASSERT_TRUE(states.intern("b" + std::to_string(states.size()), {}));
  const auto last = states.intern("last", {});
  ASSERT_TRUE(last);
  EXPECT_EQ(*last, kStateCountMax - 1);
  EXPECT_EQ(states.at(*last).text, "last");
  const auto refused = states.intern("one_more", {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::resource_exhausted);
  EXPECT_EQ(refused.error().message,
            "block state 'one_more': the world has 1048576 states already, which is the limit");
  EXPECT_EQ(states.size(), kStateCountMax);
  EXPECT_EQ(*states.intern("last", {}), *last) << "known states are still found";
}

TEST(StateRegistryConcurrency, ThreadsAgreeOnTheNumbers) {
  StateRegistry states;
  constexpr int kThreads = 4;
  constexpr StateId kNames = 3000;  // more than one block of storage
  std::vector<std::vector<StateId>> ids(kThreads);
  std::vector<std::thread> threads;
  for (auto& mine : ids) {
    threads.emplace_back([&states, &mine] {
      for (StateId i = 0; i < kNames; ++i) {
        const std::string name = "mod:block_" + std::to_string(i);
        mine.push_back(*states.intern(name, full_cube_traits()));
        if (states.at(mine.back()).text != name) mine.back() = kStateCountMax;
      }
    });
  }
  for (auto& t : threads) t.join();
  EXPECT_EQ(states.size(), kNames + 1);
  for (const auto& mine : ids) EXPECT_EQ(mine, ids[0]);
  for (StateId i = 0; i < kNames; ++i) EXPECT_EQ(states.at(ids[0][i]).text, "mod:block_" + std::to_string(i));
}

}  // namespace
}  // namespace voxpath::world
