#include "world/chunk_map.hpp"

#include "world/world.hpp"

#include <array>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace voxpath::world {
namespace {

Ref<Chunk> chunk() { return make_ref<Chunk>(0, 16); }

void expect_equal(const ChunkMap& map, const std::map<ChunkPos, const Chunk*>& model) {
  ASSERT_EQ(map.size(), model.size());
  std::size_t seen = 0;
  map.for_each([&](ChunkPos pos, const Chunk& c) {
    const auto it = model.find(pos);
    ASSERT_NE(it, model.end()) << pos.x << ' ' << pos.z;
    EXPECT_EQ(it->second, &c);
    ++seen;
  });
  EXPECT_EQ(seen, model.size());
  for (const auto& [pos, c] : model) ASSERT_EQ(map.find(pos), c) << pos.x << ' ' << pos.z;
}

TEST(ChunkMap, EmptyFindsNothing) {
  ChunkMap map;
  EXPECT_EQ(map.size(), 0u);
  EXPECT_EQ(map.find({0, 0}), nullptr);
  EXPECT_EQ(map.find_mutable({0, 0}), nullptr);
  EXPECT_FALSE(map.erase({0, 0}));
}

TEST(ChunkMap, TellsSignsAndAxesApart) {
  ChunkMap map;
  std::map<ChunkPos, const Chunk*> model;
  const int far = kChunkCoordinateMax;
  for (const int x : {-far, -1, 0, 1, far - 1}) {
    for (const int z : {-far, -1, 0, 1, far - 1}) {
      const auto c = chunk();
      map.put({x, z}, c);
      model[{x, z}] = c.get();
    }
  }
  expect_equal(map, model);
}

TEST(ChunkMap, PuttingAgainReplaces) {
  ChunkMap map;
  const auto first = chunk();
  const auto second = chunk();
  map.put({3, -4}, first);
  map.put({3, -4}, second);
  EXPECT_EQ(map.size(), 1u);
  EXPECT_EQ(map.find({3, -4}), second.get());
}

TEST(ChunkMap, RandomEditsAgreeWithAMapAndLeaveCopiesAlone) {
  std::mt19937 random(11);
  for (const int side : {2, 20, 200}) {
    ChunkMap map;
    std::map<ChunkPos, const Chunk*> model;
    std::vector<std::pair<ChunkMap, std::map<ChunkPos, const Chunk*>>> copies;
    for (int edit = 0; edit < 20'000; ++edit) {
      const ChunkPos pos{static_cast<int>(random() % static_cast<unsigned>(side)) - side / 2,
                         static_cast<int>(random() % static_cast<unsigned>(side)) - side / 2};
      switch (random() % 5) {
        case 0:
        case 1: {
          const auto c = chunk();
          map.put(pos, c);
          model[pos] = c.get();
          break;
        }
        case 2:
        case 3:
          ASSERT_EQ(map.erase(pos), model.erase(pos) == 1);
          break;
        default: {
          Chunk* const c = map.find_mutable(pos);
          ASSERT_EQ(c != nullptr, model.contains(pos));
          if (c != nullptr) model[pos] = c;
        }
      }
      if (edit % 2500 == 0) copies.emplace_back(map, model);
    }
    expect_equal(map, model);
    for (const auto& [copy, as_it_was] : copies) expect_equal(copy, as_it_was);
    while (!model.empty()) {  // down to nothing again, folding nodes on the way
      ASSERT_TRUE(map.erase(model.begin()->first));
      model.erase(model.begin());
    }
    expect_equal(map, model);
  }
}

TEST(ChunkMap, ChangeCopiesOnlyWhatIsShared) {
  ChunkMap map;
  for (int i = 0; i < 5000; ++i) map.put({i, -i}, chunk());
  const Chunk* const own = map.find({77, -77});
  EXPECT_EQ(map.find_mutable({77, -77}), own) << "nobody shares it: no copy";
  const ChunkMap shared = map;
  Chunk* const copy = map.find_mutable({77, -77});
  EXPECT_NE(copy, own);
  EXPECT_EQ(shared.find({77, -77}), own);
  EXPECT_EQ(map.find_mutable({77, -77}), copy) << "copied once, then its own";
  EXPECT_EQ(map.find({78, -78}), shared.find({78, -78})) << "the neighbour is still shared";
}

TEST(ChunkMap, HashIsABijectionOnASample) {
  std::map<std::uint64_t, ChunkPos> seen;
  for (int x = -150; x < 150; ++x) {
    for (int z = -150; z < 150; ++z) ASSERT_TRUE(seen.emplace(hash_value(ChunkPos{x, z}), ChunkPos{x, z}).second);
  }
}

}  // namespace
}  // namespace voxpath::world
