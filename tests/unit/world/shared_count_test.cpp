#include "world/shared_count.hpp"

#include <array>
#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace voxpath::world {
namespace {

std::atomic<int> g_alive{0};

/// Counts how many live, and carries a value that its destructor spoils, so that a read after the end is seen without a
/// sanitizer too.
struct Counted : SharedCount {
  explicit Counted(int v) : value(v), same(v) { ++g_alive; }
  Counted(const Counted& other) : SharedCount(other), value(other.value), same(other.same) { ++g_alive; }
  ~Counted() {
    value = -1;
    same = -2;
    --g_alive;
  }
  int value;
  int same;
};

class SharedCountTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(g_alive, 0); }
  void TearDown() override { EXPECT_EQ(g_alive, 0) << "objects are left, or died twice"; }
};
using AtomicRefTest = SharedCountTest;
using AtomicRefConcurrency = SharedCountTest;

TEST_F(SharedCountTest, DiesWithItsLastReference) {
  auto first = make_ref<Counted>(1);
  EXPECT_TRUE(first->unique());
  auto second = first;
  EXPECT_FALSE(first->unique());
  first.reset();
  EXPECT_EQ(g_alive, 1);
  EXPECT_TRUE(second->unique());
}

TEST_F(SharedCountTest, CopyOfTheObjectCountsForItself) {
  const auto first = make_ref<Counted>(1);
  const auto more = first;
  const auto copy = make_ref<Counted>(*first);
  EXPECT_TRUE(copy->unique());
  auto assigned = make_ref<Counted>(2);
  static_cast<SharedCount&>(*assigned) = *first;
  EXPECT_TRUE(assigned->unique());
}

TEST_F(AtomicRefTest, HoldsAndReplaces) {
  const AtomicRef<const Counted> constant(make_ref<const Counted>(0));
  EXPECT_EQ(constant.load()->value, 0);
  AtomicRef<Counted> slot(make_ref<Counted>(1));
  const auto old = slot.load();
  slot.store(make_ref<Counted>(2));
  EXPECT_EQ(old->value, 1);
  EXPECT_TRUE(old->unique()) << "the slot has let go of it";
  EXPECT_EQ(slot.load()->value, 2);
  EXPECT_EQ(g_alive, 3);
}

TEST_F(AtomicRefTest, StoringTheSameAgainKeepsTheCount) {
  AtomicRef<Counted> slot(make_ref<Counted>(1));
  for (int i = 0; i < 1000; ++i) slot.store(slot.load());
  slot.store(make_ref<Counted>(2));
  EXPECT_EQ(g_alive, 1);
}

void run(int readers, const std::function<void()>& read, const std::function<void()>& write) {
  std::vector<std::thread> threads;
  for (int i = 0; i < readers; ++i) threads.emplace_back(read);
  write();
  for (auto& t : threads) t.join();
}

constexpr int kRounds = 400'000;

TEST_F(AtomicRefConcurrency, ReadersGetLivingObjectsWhileTheWriterReplacesThem) {
  AtomicRef<Counted> slot(make_ref<Counted>(0));
  std::atomic<bool> done{false};
  std::atomic<int> faults{0};
  run(
      4,
      [&] {
        int last = 0;
        while (!done.load(std::memory_order_acquire)) {
          const auto now = slot.load();
          if (now->value != now->same || now->value < last) ++faults;
          last = now->value;
        }
      },
      [&] {
        for (int i = 1; i <= kRounds; ++i) slot.store(make_ref<Counted>(i));
        done.store(true, std::memory_order_release);
      });
  EXPECT_EQ(faults, 0);
}

// The same few objects come and go in the slot, so that a reader often finds the pointer it had read, in a later
// tenure: its reader count then stands for another reader's, and the sums must still come out even.
TEST_F(AtomicRefConcurrency, ObjectsThatComeBackKeepTheirCounts) {
  std::array<Ref<Counted>, 3> objects{make_ref<Counted>(0), make_ref<Counted>(1), make_ref<Counted>(2)};
  {
    AtomicRef<Counted> slot(objects[0]);
    std::atomic<bool> done{false};
    std::atomic<int> faults{0};
    run(
        4,
        [&] {
          std::vector<Ref<Counted>> kept(8);
          for (std::size_t i = 0; !done.load(std::memory_order_acquire); ++i) {
            kept[i % kept.size()] = slot.load();
            if (kept[i % kept.size()]->value != kept[i % kept.size()]->same) ++faults;
          }
        },
        [&] {
          for (std::size_t i = 0; i < kRounds; ++i) slot.store(objects[i % (i % 7 == 0 ? 2 : 3)]);
          done.store(true, std::memory_order_release);
        });
    EXPECT_EQ(faults, 0);
  }
  for (const auto& object : objects) EXPECT_TRUE(object->unique()) << "a reference was lost or invented";
}

// Readers that only load and drop, with the slot as the only other owner: what dies must have been let go by the writer
// and all readers.
TEST_F(AtomicRefConcurrency, LastOneOutDeletes) {
  std::atomic<int> faults{0};
  for (int round = 0; round < 2000; ++round) {
    AtomicRef<Counted> slot(make_ref<Counted>(round));
    std::atomic<int> ready{0};
    run(
        3,
        [&] {
          ++ready;
          for (int i = 0; i < 50; ++i) {
            if (slot.load()->value < round) ++faults;
          }
        },
        [&] {
          while (ready.load() < 3) std::this_thread::yield();
          for (int i = 1; i < 20; ++i) slot.store(make_ref<Counted>(round + i));
        });
  }
  EXPECT_EQ(faults, 0);
}

}  // namespace
}  // namespace voxpath::world
