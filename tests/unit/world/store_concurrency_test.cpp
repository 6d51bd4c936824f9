// One writer and several readers. These tests tell most under the thread sanitizer (./test --sanitize thread).
#include "store_model.hpp"
#include "world/world.hpp"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace voxpath::world {
namespace {

#if defined(__SANITIZE_THREAD__)
constexpr int kVersions = 2'000;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
constexpr int kVersions = 2'000;
#else
constexpr int kVersions = 20'000;
#endif
#else
constexpr int kVersions = 20'000;
#endif

constexpr int kReaders = 3;
constexpr int kStates = 50;

/// The two far-apart blocks carry the same state in every version, and which one follows from the version.
constexpr BlockPos kNear{-3, -60, 5};
constexpr BlockPos kFar{40'000, 50, -40'000};

void fill_in(World& world) {
  for (int i = 1; i < kStates; ++i) state(world.states(), fmt::format("block_{}", i));
  must(world, {PutChunk{chunk_of(kNear), air_chunk()}, PutChunk{chunk_of(kFar), air_chunk()}});
}

StateId state_of(std::uint64_t version) { return static_cast<StateId>(version % kStates); }

TEST(StoreConcurrency, EveryReaderSeesWholeVersionsInOrder) {
  World world(kTestHeights);
  fill_in(world);
  must(world, {SetBlock{kNear, state_of(2)}, SetBlock{kFar, state_of(2)}});
  std::atomic<bool> done{false};
  std::atomic<int> faults{0};
  std::vector<std::uint64_t> reads(kReaders, 0);
  std::vector<std::thread> readers;
  for (int r = 0; r < kReaders; ++r) {
    readers.emplace_back([&, r] {
      std::uint64_t last = 0;
      bool more = true;
      while (more) {
        more = !done.load(std::memory_order_acquire);  // one more read after the writer's end
        const auto now = world.snapshot();
        const StateId near = now->block(kNear)->state;
        const StateId far = now->block(kFar)->state;
        const bool right =
            near == far && near == state_of(now->version()) && now->version() >= last &&
            now->states().at(near).text == (near == 0 ? "minecraft:air" : fmt::format("minecraft:block_{}", near));
        faults += right ? 0 : 1;
        last = now->version();
        ++reads[static_cast<std::size_t>(r)];
      }
      faults += last == kVersions ? 0 : 1;
    });
  }
  for (std::uint64_t v = 3; v <= kVersions; ++v)
    must(world, {SetBlock{kNear, state_of(v)}, SetBlock{kFar, state_of(v)}});
  done.store(true, std::memory_order_release);
  for (auto& t : readers) t.join();
  EXPECT_EQ(faults, 0);
  for (const auto n : reads) EXPECT_GT(n, 0u);
}

TEST(StoreConcurrency, SnapshotsThatReadersKeepNeverChange) {
  World world(kTestHeights);
  fill_in(world);
  std::atomic<bool> done{false};
  std::atomic<int> faults{0};
  std::vector<std::thread> readers;
  for (int r = 0; r < kReaders; ++r) {
    readers.emplace_back([&] {
      std::vector<std::pair<Ref<const Snapshot>, StateId>> kept(16);
      for (std::size_t i = 0; !done.load(std::memory_order_acquire); ++i) {
        auto& slot = kept[i % kept.size()];
        if (slot.first && slot.first->block(kNear)->state != slot.second) ++faults;
        slot.first = world.snapshot();  // lets go of an old version here, on the reader's thread
        slot.second = slot.first->block(kNear)->state;
      }
    });
  }
  for (std::uint64_t v = 0; v < kVersions; ++v) {
    // Several changes of one list: the later ones are made in place, in sections that only the writer may have.
    must(world, {SetBlock{kNear, state_of(v)}, FillBox{{{-16, -64, 0}, {-1, -62, 15}}, state_of(v + 1)},
                 SetBlock{kNear, state_of(v + 2)}});
  }
  done.store(true, std::memory_order_release);
  for (auto& t : readers) t.join();
  EXPECT_EQ(faults, 0);
}

TEST(StoreConcurrency, ChunksComeAndGoUnderReaders) {
  World world(kTestHeights);
  fill_in(world);
  std::atomic<bool> done{false};
  std::atomic<int> faults{0};
  std::vector<std::thread> readers;
  for (int r = 0; r < kReaders; ++r) {
    readers.emplace_back([&] {
      while (!done.load(std::memory_order_acquire)) {
        const auto now = world.snapshot();
        std::size_t counted = 0;
        now->chunks().for_each([&](ChunkPos, const Chunk& c) { counted += c.height() == kTestHeights.height ? 1 : 0; });
        if (counted != now->chunks().size()) ++faults;
        if ((now->chunk({1000, 1}) != nullptr) != (now->chunk({-1000, -1}) != nullptr)) ++faults;
      }
    });
  }
  for (int i = 0; i < kVersions / 10; ++i) {
    must(world,
         {PutChunk{{1000, 1}, air_chunk()}, PutChunk{{-1000, -1}, air_chunk()}, PutChunk{{i % 100, 7}, air_chunk()}});
    must(world, {DropChunk{{-1000, -1}}, DropChunk{{1000, 1}}, DropChunk{{(i + 50) % 100, 7}}});
  }
  done.store(true, std::memory_order_release);
  for (auto& t : readers) t.join();
  EXPECT_EQ(faults, 0);
}

}  // namespace
}  // namespace voxpath::world
