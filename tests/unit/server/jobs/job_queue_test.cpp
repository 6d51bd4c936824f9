#include "server/jobs/job_queue.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace voxpath::server {
namespace {

using Kind = JobQueue::Kind;

/// Entries with ages in the order in which they were made.
class Maker {
 public:
  JobQueue::Entry operator()(std::uint64_t connection, std::int32_t priority = 0,
                             std::int64_t deadline_us = kNoDeadline, Kind kind = Kind::quick,
                             std::uint32_t weight = 1) {
    ++made_;
    return {{connection, static_cast<std::uint32_t>(made_), 0}, weight, priority, deadline_us, made_, kind};
  }

 private:
  std::uint64_t made_ = 0;
};

/// Requests in the order in which they come out, each served for so long.
std::vector<std::uint32_t> drained(JobQueue& queue, std::int64_t spent_us = kSliceUs) {
  std::vector<std::uint32_t> out;
  while (const auto entry = queue.take(true)) {
    out.push_back(entry->id.request);
    queue.settle(entry->id.connection, spent_us);
  }
  return out;
}

TEST(JobQueue, FirstInFirstOut) {
  JobQueue queue;
  Maker make;
  EXPECT_FALSE(queue.take(true));
  for (int i = 0; i < 5; ++i) queue.add(make(1));
  EXPECT_EQ(queue.size(), 5u);
  EXPECT_EQ(queue.size(1), 5u);
  EXPECT_EQ(queue.size(2), 0u);
  EXPECT_EQ(drained(queue), (std::vector<std::uint32_t>{1, 2, 3, 4, 5}));
  EXPECT_EQ(queue.size(), 0u);
}

TEST(JobQueue, ByPriorityThenDeadlineThenAge) {
  JobQueue queue;
  Maker make;
  queue.add(make(1));           // 1
  queue.add(make(1, 5));        // 2
  queue.add(make(1, 5, 1000));  // 3
  queue.add(make(1, 0, 500));   // 4
  queue.add(make(1, 5, 900));   // 5
  queue.add(make(1, -100, 1));  // 6
  queue.add(make(1, 5, 900));   // 7
  EXPECT_EQ(drained(queue), (std::vector<std::uint32_t>{5, 7, 3, 2, 4, 1, 6}));
}

TEST(JobQueue, ConnectionsTakeTurnsWhateverTheyAskFor) {
  JobQueue queue;
  Maker make;
  for (int i = 0; i < 5; ++i) queue.add(make(1, 100));  // 1 to 5: one that pushes itself forward
  for (int i = 0; i < 2; ++i) queue.add(make(2));       // 6, 7
  queue.add(make(3, -100));                             // 8
  EXPECT_EQ(drained(queue), (std::vector<std::uint32_t>{1, 6, 8, 2, 7, 3, 4, 5}));
}

TEST(JobQueue, AConnectionOfLongJobsHasFewerTurns) {
  JobQueue queue;
  Maker make;
  std::map<std::uint64_t, std::int64_t> spent;
  for (int i = 0; i < 400; ++i) queue.add(make(1));
  for (int i = 0; i < 400; ++i) queue.add(make(2));
  while (queue.connections() == 2) {
    const auto entry = queue.take(true);
    const std::int64_t us = entry->id.connection == 1 ? 1'000 : 50;
    spent[entry->id.connection] += us;
    queue.settle(entry->id.connection, us);
  }
  EXPECT_NEAR(static_cast<double>(spent[1]), static_cast<double>(spent[2]), 1'000.0);
}

TEST(JobQueue, TimeGoesByWeight) {
  JobQueue queue;
  Maker make;
  std::map<std::uint64_t, int> turns;
  for (int i = 0; i < 300; ++i) {
    queue.add(make(1, 0, kNoDeadline, Kind::quick, 1));
    queue.add(make(2, 0, kNoDeadline, Kind::quick, 3));
    queue.add(make(3, 0, kNoDeadline, Kind::quick, kShareWeightMax));
  }
  for (int i = 0; i < 208; ++i) {
    const auto entry = queue.take(true);
    ++turns[entry->id.connection];
    queue.settle(entry->id.connection, 700);
  }
  EXPECT_NEAR(turns[1], 2, 1);
  EXPECT_NEAR(turns[2], 6, 1);
  EXPECT_NEAR(turns[3], 200, 2);
}

TEST(JobQueue, APauseSavesNothingUp) {
  JobQueue queue;
  Maker make;
  for (int i = 0; i < 100; ++i) queue.add(make(1));
  queue.add(make(2));
  for (int i = 0; i < 50; ++i) {
    const auto entry = queue.take(true);
    queue.settle(entry->id.connection, kSliceUs);
  }
  for (int i = 0; i < 10; ++i) queue.add(make(2));
  int turns = 0;
  for (int i = 0; i < 10; ++i) {
    const auto entry = queue.take(true);
    turns += entry->id.connection == 2 ? 1 : 0;
    queue.settle(entry->id.connection, kSliceUs);
  }
  EXPECT_NEAR(turns, 5, 1) << "not ten, for the time before";
}

TEST(JobQueue, OneJobAtATimeOnOneOfManyWorkersSavesNothingUp) {
  JobQueue queue;
  Maker make;
  auto only = make(1);
  queue.add(only);
  for (int i = 0; i < 200; ++i) queue.add(make(2));
  (void)queue.take(true);
  for (int i = 0; i < 50; ++i) {  // three workers for the other connection, while one is at the only job of this one
    for (int worker = 0; worker < 3; ++worker) EXPECT_EQ(queue.take(true)->id.connection, 2u);
    for (int worker = 0; worker < 3; ++worker) queue.settle(2, kSliceUs);
    queue.add(only);
    queue.settle(1, kSliceUs);
    EXPECT_EQ(queue.take(true)->id.connection, 1u);
  }
  for (int i = 0; i < 20; ++i) queue.add(make(1));
  int turns = 0;
  for (int i = 0; i < 12; ++i) {
    const auto entry = queue.take(true);
    turns += entry->id.connection == 1 ? 1 : 0;
    queue.settle(entry->id.connection, kSliceUs);
  }
  EXPECT_NEAR(turns, 6, 1);
}

TEST(JobQueue, APauseForgivesNothing) {
  JobQueue queue;
  Maker make;
  queue.add(make(1));
  for (int i = 0; i < 50; ++i) queue.add(make(2));
  for (int i = 0; i < 2; ++i) {
    const auto entry = queue.take(true);
    queue.settle(entry->id.connection, entry->id.connection == 1 ? 10 * kSliceUs : kSliceUs);
  }
  queue.add(make(1));  // after having had ten times as much
  for (int i = 0; i < 8; ++i) {
    const auto entry = queue.take(true);
    EXPECT_EQ(entry->id.connection, 2u);
    queue.settle(entry->id.connection, kSliceUs);
  }
}

TEST(JobQueue, SeveralWorkersDoNotAllServeTheSameConnection) {
  JobQueue queue;
  Maker make;
  for (int i = 0; i < 4; ++i) queue.add(make(1));
  for (int i = 0; i < 4; ++i) queue.add(make(2));
  std::multiset<std::uint64_t> served;
  for (int i = 0; i < 4; ++i) served.insert(queue.take(true)->id.connection);  // none is back yet
  EXPECT_EQ(served.count(1), 2u);
  EXPECT_EQ(served.count(2), 2u);
}

TEST(JobQueue, ShortBeforeLongButNotForEver) {
  JobQueue queue;
  Maker make;
  queue.add(make(1, 0, kNoDeadline, Kind::begun));     // 1
  queue.add(make(1, 0, kNoDeadline, Kind::set_back));  // 2
  for (int i = 0; i < 7; ++i) queue.add(make(1));      // 3 to 9
  EXPECT_EQ(drained(queue), (std::vector<std::uint32_t>{3, 4, 5, 1, 6, 7, 8, 2, 9}));
}

TEST(JobQueue, PriorityGoesBeforeLength) {
  JobQueue queue;
  Maker make;
  queue.add(make(1, 1, kNoDeadline, Kind::begun));      // 1
  queue.add(make(1, 0));                                // 2
  queue.add(make(1, -1, kNoDeadline, Kind::set_back));  // 3
  EXPECT_EQ(drained(queue), (std::vector<std::uint32_t>{1, 2, 3}));
}

TEST(JobQueue, WhatWasSetBackWaitsForItsPlace) {
  JobQueue queue;
  Maker make;
  queue.add(make(1, 0, kNoDeadline, Kind::set_back));  // 1
  EXPECT_FALSE(queue.take(false));
  queue.add(make(2));  // 2
  EXPECT_EQ(queue.take(false)->id.request, 2u);
  EXPECT_EQ(queue.take(true)->id.request, 1u);
}

TEST(JobQueue, PassesOverConnectionsThatAreHeld) {
  JobQueue queue;
  Maker make;
  for (std::uint64_t i = 1; i <= 3; ++i) queue.add(make(i));  // 1 to 3
  queue.hold(2, true);
  EXPECT_EQ(drained(queue), (std::vector<std::uint32_t>{1, 3}));
  EXPECT_FALSE(queue.ready());
  EXPECT_EQ(queue.size(), 1u);
  queue.add(make(2, 0, kNoDeadline, Kind::begun));  // 4: one that is begun goes on
  EXPECT_EQ(drained(queue), std::vector<std::uint32_t>{4});
  queue.hold(2, false);
  EXPECT_TRUE(queue.ready());
  EXPECT_EQ(drained(queue), std::vector<std::uint32_t>{2});
  queue.hold(5, true);  // before it has anything
  queue.add(make(5));
  EXPECT_FALSE(queue.ready());
}

TEST(JobQueue, ForgetsConnectionsThatWent) {
  JobQueue queue;
  Maker make;
  queue.add(make(1));  // never taken: the queue is never quite empty
  const auto entry = make(2);
  queue.add(entry);
  EXPECT_TRUE(queue.remove(entry));
  EXPECT_FALSE(queue.remove(entry));
  EXPECT_EQ(queue.connections(), 1u);
  EXPECT_EQ(queue.size(), 1u);
}

// Whatever is done to it, what went in comes out once.
TEST(JobQueue, LosesAndDoublesNothing) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
    JobQueue queue;
    Maker make;
    std::map<JobId, JobQueue::Entry> inside;
    std::vector<std::uint64_t> served;
    for (std::uint32_t step = 0; step < 300; ++step) {
      switch (below(7)) {
        case 5:
          queue.hold(1 + below(3), below(2) == 0);
          break;
        case 0:
        case 1:
          if (const auto entry = queue.take(below(2) == 0)) {
            ASSERT_EQ(inside.erase(entry->id), 1u) << "seed " << seed;
            served.push_back(entry->id.connection);
          }
          break;
        case 2:
          if (!served.empty()) {
            queue.settle(served.back(), below(5'000));
            served.pop_back();
          }
          break;
        case 3:
          if (!inside.empty()) {
            ASSERT_TRUE(queue.remove(inside.begin()->second));
            inside.erase(inside.begin());
          }
          break;
        default: {
          const auto entry = make(1 + below(3), static_cast<std::int32_t>(below(3)), below(5),
                                  static_cast<Kind>(below(3)), 1 + below(kShareWeightMax));
          queue.add(entry);
          inside.emplace(entry.id, entry);
        }
      }
      ASSERT_EQ(queue.size(), inside.size());
      ASSERT_EQ(queue.size(1) + queue.size(2) + queue.size(3), inside.size());
    }
    for (std::uint64_t connection = 1; connection <= 3; ++connection) queue.hold(connection, false);
    while (const auto entry = queue.take(true)) ASSERT_EQ(inside.erase(entry->id), 1u);
    EXPECT_TRUE(inside.empty());
  }
}

}  // namespace
}  // namespace voxpath::server
