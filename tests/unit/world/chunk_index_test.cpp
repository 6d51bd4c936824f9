#include "world/chunk_index.hpp"

#include "world/world.hpp"

#include <map>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace voxpath::world {
namespace {

Ref<Chunk> chunk() { return make_ref<Chunk>(0, 16); }

using Model = std::map<ChunkPos, const Chunk*>;

void expect_equal(const ChunkIndex& index, const Model& model) {
  ASSERT_EQ(index.size(), model.size());
  std::size_t seen = 0;
  index.for_each([&](ChunkPos pos, const Chunk& c) {
    const auto it = model.find(pos);
    ASSERT_NE(it, model.end()) << pos.x << ' ' << pos.z;
    EXPECT_EQ(it->second, &c);
    ++seen;
  });
  EXPECT_EQ(seen, model.size());
  for (const auto& [pos, c] : model) ASSERT_EQ(index.find(pos), c) << pos.x << ' ' << pos.z;
}

/// A writer whose versions are kept or let go as a test likes, through History as in a world.
class Versions {
 public:
  Versions() : history_(make_ref<History>()) { publish({}); }
  ~Versions() { history_->close(writer.retire_everything()); }
  Versions(const Versions&) = delete;
  Versions& operator=(const Versions&) = delete;

  void begin() { writer.begin(version_ + 1); }
  Ref<const Snapshot> commit() {
    ++version_;
    publish(writer.commit());
    return newest_;
  }

  ChunkIndexWriter writer;

 private:
  void publish(std::vector<Retired> retired) {
    auto next = make_ref<const Snapshot>(Heights{0, 16}, version_, writer.index(), nullptr);
    history_->publish(*next, std::move(retired));
    newest_ = std::move(next);
  }

  Ref<History> history_;
  Ref<const Snapshot> newest_;
  std::uint64_t version_ = 0;
};

TEST(ChunkIndex, EmptyFindsNothing) {
  Versions versions;
  EXPECT_EQ(versions.writer.index().size(), 0u);
  EXPECT_EQ(versions.writer.index().find({0, 0}), nullptr);
  versions.begin();
  EXPECT_EQ(versions.writer.find_mutable({0, 0}), nullptr);
  EXPECT_FALSE(versions.writer.erase({0, 0}));
  versions.commit();
}

TEST(ChunkIndex, TellsSignsAndAxesApart) {
  Versions versions;
  Model model;
  const int far = kChunkCoordinateMax;
  versions.begin();
  for (const int x : {-far, -5, -1, 0, 1, 4, far - 1}) {
    for (const int z : {-far, -5, -1, 0, 1, 4, far - 1}) {
      const auto c = chunk();
      versions.writer.put({x, z}, c);
      model[{x, z}] = c.get();
    }
  }
  expect_equal(versions.commit()->chunks(), model);
}

TEST(ChunkIndex, PuttingAgainReplaces) {
  Versions versions;
  const auto first = chunk();
  const auto second = chunk();
  versions.begin();
  versions.writer.put({3, -4}, first);
  versions.writer.put({3, -4}, second);
  EXPECT_TRUE(first->unique()) << "no version shows it";
  EXPECT_EQ(versions.writer.index().size(), 1u);
  EXPECT_EQ(versions.commit()->chunks().find({3, -4}), second.get());
}

TEST(ChunkIndex, RandomEditsAgreeWithAMapInEveryVersionThatIsKept) {
  std::mt19937 random(11);
  for (const int side : {2, 20, 600}) {
    Versions versions;
    Model model;
    std::vector<std::pair<Ref<const Snapshot>, Model>> kept;
    for (int version = 0; version < 6'000; ++version) {
      versions.begin();
      for (unsigned change = random() % 8; change > 0; --change) {
        const ChunkPos pos{static_cast<int>(random() % static_cast<unsigned>(side)) - side / 2,
                           static_cast<int>(random() % static_cast<unsigned>(side)) - side / 2};
        switch (random() % 5) {
          case 0:
          case 1: {
            const auto c = chunk();
            versions.writer.put(pos, c);
            model[pos] = c.get();
            break;
          }
          case 2:
            ASSERT_EQ(versions.writer.erase(pos), model.erase(pos) == 1);
            break;
          default: {
            Chunk* const c = versions.writer.find_mutable(pos);
            ASSERT_EQ(c != nullptr, model.contains(pos));
            if (c != nullptr) model[pos] = c;
          }
        }
      }
      auto now = versions.commit();
      if (random() % 100 == 0) kept.emplace_back(std::move(now), model);
      if (kept.size() > 5) {
        const auto which = kept.begin() + static_cast<std::ptrdiff_t>(random() % kept.size());
        expect_equal(which->first->chunks(), which->second);
        kept.erase(which);
      }
    }
    versions.begin();
    while (!model.empty()) {
      ASSERT_TRUE(versions.writer.erase(model.begin()->first));
      model.erase(model.begin());
    }
    expect_equal(versions.commit()->chunks(), model);
    for (const auto& [snapshot, as_it_was] : kept) expect_equal(snapshot->chunks(), as_it_was);
  }
}

TEST(ChunkIndex, TellsWhatHasChangedSinceAVersion) {
  std::mt19937 random(5);
  for (const int side : {3, 20, 600}) {
    Versions versions;
    std::map<ChunkPos, std::uint64_t> changed;  // the version that put or last changed each chunk
    for (std::uint64_t version = 1; version <= 2'000; ++version) {
      versions.begin();
      for (unsigned change = random() % 8; change > 0; --change) {
        const ChunkPos pos{static_cast<int>(random() % static_cast<unsigned>(side)) - side / 2,
                           static_cast<int>(random() % static_cast<unsigned>(side)) - side / 2};
        if (random() % 3 == 0) {
          versions.writer.erase(pos);
          changed.erase(pos);
        } else if (random() % 2 == 0 && versions.writer.find_mutable(pos) != nullptr) {
          changed[pos] = version;
        } else {
          versions.writer.put(pos, chunk());
          changed[pos] = version;
        }
      }
      const auto now = versions.commit();
      const std::uint64_t since = version - random() % std::min<std::uint64_t>(version + 1, 50);
      std::map<ChunkPos, std::uint64_t> told;
      now->chunks().for_each_since(since, [&](ChunkPos pos) { EXPECT_EQ(told[pos]++, 0); });
      std::size_t expected = 0;
      for (const auto& [pos, when] : changed) {
        if (when <= since) continue;
        ++expected;
        ASSERT_TRUE(told.contains(pos)) << pos.x << ' ' << pos.z << ", changed in " << when << ", since " << since;
      }
      ASSERT_EQ(told.size(), expected);
    }
  }
}

TEST(ChunkIndex, ManyTilesOfOneHashAreFoundAndErased) {
  Versions versions;
  Model model;
  constexpr std::uint64_t kHashBits = 0x7FFF;
  versions.begin();
  for (int x = 0; model.size() < 6; ++x) {  // chains of six tiles
    if ((hash_value(ChunkPos{x, 7}) & kHashBits) != (hash_value(ChunkPos{0, 7}) & kHashBits)) continue;
    const auto c = chunk();
    versions.writer.put({x * 4, 28}, c);
    model[{x * 4, 28}] = c.get();
  }
  expect_equal(versions.commit()->chunks(), model);
  while (!model.empty()) {
    const auto victim = std::next(model.begin(), static_cast<std::ptrdiff_t>(model.size() / 2));
    const auto before = versions.commit();
    versions.begin();
    ASSERT_TRUE(versions.writer.erase(victim->first));
    expect_equal(before->chunks(), model);
    model.erase(victim);
    expect_equal(versions.commit()->chunks(), model);
  }
}

TEST(ChunkIndex, RollbackLeavesNothing) {
  Versions versions;
  const auto old = chunk();
  const auto fresh = chunk();
  versions.begin();
  versions.writer.put({1, 1}, old);
  versions.writer.put({9, 9}, chunk());
  const auto before = versions.commit();
  versions.begin();
  versions.writer.put({1, 1}, fresh);
  versions.writer.put({100, 100}, fresh);
  EXPECT_TRUE(versions.writer.erase({9, 9}));
  EXPECT_TRUE(versions.writer.erase({100, 100}));
  versions.writer.rollback();
  EXPECT_TRUE(fresh->unique());
  EXPECT_EQ(versions.writer.index().find({1, 1}), old.get());
  EXPECT_EQ(versions.writer.index().size(), 2u);
}

TEST(ChunkIndex, CopiesAChunkOnceAVersion) {
  Versions versions;
  versions.begin();
  for (int i = 0; i < 500; ++i) versions.writer.put({i, -i}, chunk());
  const Chunk* const own = versions.writer.index().find({77, -77});
  EXPECT_EQ(versions.writer.find_mutable({77, -77}), own) << "nobody shares it: no copy";
  const auto shared = versions.commit();
  versions.begin();
  Chunk* const copy = versions.writer.find_mutable({77, -77});
  EXPECT_NE(copy, own);
  EXPECT_EQ(shared->chunks().find({77, -77}), own);
  EXPECT_EQ(versions.writer.find_mutable({77, -77}), copy) << "copied once, then its own";
  EXPECT_EQ(versions.writer.index().find({78, -78}), shared->chunks().find({78, -78})) << "the neighbour is shared";
  versions.commit();
}

// What a snapshot shows lives exactly as long as some snapshot shows it.
TEST(History, KeepsWhatLivingSnapshotsShowAndNothingElse) {
  Versions versions;
  std::vector<Ref<Chunk>> chunks;
  std::vector<Ref<const Snapshot>> snapshots;
  for (int i = 0; i < 6; ++i) {
    chunks.push_back(chunk());
    versions.begin();
    versions.writer.put({0, 0}, chunks.back());
    snapshots.push_back(versions.commit());
  }
  const auto alive = [&] {
    std::vector<int> result;
    for (int i = 0; i < 6; ++i) {
      if (!chunks[static_cast<std::size_t>(i)]->unique()) result.push_back(i);
    }
    return result;
  };
  EXPECT_EQ(alive(), (std::vector{0, 1, 2, 3, 4, 5}));
  snapshots[2].reset();
  EXPECT_EQ(alive(), (std::vector{0, 1, 3, 4, 5})) << "between others";
  snapshots[5].reset();
  EXPECT_EQ(alive(), (std::vector{0, 1, 3, 4, 5})) << "the newest is the writer's too";
  snapshots[0].reset();
  snapshots[4].reset();
  EXPECT_EQ(alive(), (std::vector{1, 3, 5}));
  versions.begin();
  versions.writer.erase({0, 0});
  versions.commit();
  EXPECT_EQ(alive(), (std::vector{1, 3}));
  snapshots.clear();
  EXPECT_EQ(alive(), std::vector<int>{});
}

TEST(History, WhatSeveralSnapshotsShowGoesWithTheLastOfThem) {
  Versions versions;
  const auto shown = chunk();
  versions.begin();
  versions.writer.put({0, 0}, shown);
  std::vector<Ref<const Snapshot>> snapshots;
  for (int i = 0; i < 4; ++i) {  // changes elsewhere
    snapshots.push_back(versions.commit());
    versions.begin();
    versions.writer.put({50, i}, chunk());
  }
  versions.writer.erase({0, 0});
  versions.commit();
  for (const std::size_t i : {3u, 0u, 2u, 1u}) {
    EXPECT_FALSE(shown->unique()) << i;
    snapshots[i].reset();
  }
  EXPECT_TRUE(shown->unique());
}

TEST(History, SnapshotsOutliveTheirWorld) {
  const auto shown = chunk();
  Ref<const Snapshot> old;
  Ref<const Snapshot> last;
  {
    World world({.min_y = 0, .height = 16});
    const Change put = PutChunk{{4, 4}, shown};
    ASSERT_TRUE(world.apply({&put, 1}));
    old = world.snapshot();
    const Change drop = DropChunk{{4, 4}};
    ASSERT_TRUE(world.apply({&drop, 1}));
    last = world.snapshot();
  }
  EXPECT_EQ(old->chunk({4, 4}), shown.get());
  EXPECT_EQ(last->chunk({4, 4}), nullptr);
  last.reset();
  EXPECT_EQ(old->chunk({4, 4}), shown.get());
  old.reset();
  EXPECT_TRUE(shown->unique());
}

TEST(ChunkPos, HashIsABijectionOnASample) {
  std::map<std::uint64_t, ChunkPos> seen;
  for (int x = -150; x < 150; ++x) {
    for (int z = -150; z < 150; ++z) ASSERT_TRUE(seen.emplace(hash_value(ChunkPos{x, z}), ChunkPos{x, z}).second);
  }
}

}  // namespace
}  // namespace voxpath::world
