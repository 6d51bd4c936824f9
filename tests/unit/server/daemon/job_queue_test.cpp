#include "server/job_queue.hpp"

#include <random>
#include <set>

#include <gtest/gtest.h>

namespace voxpath::server {
namespace {

Job job(std::uint64_t connection, std::uint32_t request, std::int32_t priority = 0,
        std::int64_t deadline_ms = kNoDeadline, std::uint64_t mob = 0, std::string world = "w") {
  Job j;
  j.id = {connection, request};
  j.priority = priority;
  j.deadline_ms = deadline_ms;
  j.mob = mob;
  j.world = std::move(world);
  return j;
}

/// Requests in the order in which they come out.
std::vector<std::uint32_t> drained(JobQueue& queue) {
  std::vector<std::uint32_t> out;
  while (auto j = queue.take()) out.push_back(j->id.request);
  return out;
}

TEST(JobQueue, FirstInFirstOut) {
  JobQueue queue(10);
  EXPECT_FALSE(queue.take());
  for (std::uint32_t i = 1; i <= 5; ++i) {
    const auto pushed = queue.push(job(1, i));
    EXPECT_FALSE(pushed.refused);
    EXPECT_FALSE(pushed.superseded);
  }
  EXPECT_EQ(queue.size(), 5u);
  EXPECT_EQ(drained(queue), (std::vector<std::uint32_t>{1, 2, 3, 4, 5}));
  EXPECT_TRUE(queue.empty());
}

TEST(JobQueue, ByPriorityThenDeadlineThenAge) {
  JobQueue queue(10);
  (void)queue.push(job(1, 1));
  (void)queue.push(job(1, 2, 5));
  (void)queue.push(job(1, 3, 5, 1000));
  (void)queue.push(job(1, 4, 0, 500));
  (void)queue.push(job(1, 5, 5, 900));
  (void)queue.push(job(1, 6, -100, 1));
  (void)queue.push(job(1, 7, 5, 900));
  EXPECT_EQ(drained(queue), (std::vector<std::uint32_t>{5, 7, 3, 2, 4, 1, 6}));
}

TEST(JobQueue, ConnectionsTakeTurns) {
  JobQueue queue(100);
  for (std::uint32_t i = 100; i < 105; ++i) (void)queue.push(job(1, i, 100));  // one that pushes itself forward
  for (std::uint32_t i = 200; i < 202; ++i) (void)queue.push(job(2, i));
  (void)queue.push(job(3, 300, -100));
  EXPECT_EQ(drained(queue), (std::vector<std::uint32_t>{100, 200, 300, 101, 201, 102, 103, 104}));
}

TEST(JobQueue, HoldsItsLimit) {
  JobQueue queue(3);
  for (std::uint32_t i = 1; i <= 3; ++i) EXPECT_FALSE(queue.push(job(1, i)).refused);
  const auto refused = queue.push(job(1, 4)).refused;
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->id.request, 4u);
  EXPECT_EQ(queue.size(), 3u);
  (void)queue.take();
  EXPECT_FALSE(queue.push(job(1, 4)).refused);
}

TEST(JobQueue, ANewerJobOfAMobTakesTheOlderOnesPlace) {
  JobQueue queue(2);
  (void)queue.push(job(1, 1, 0, kNoDeadline, 7));
  (void)queue.push(job(1, 2));
  auto pushed = queue.push(job(1, 3, 0, kNoDeadline, 7));  // full, but for the place of the older one
  ASSERT_TRUE(pushed.superseded);
  EXPECT_EQ(pushed.superseded->id.request, 1u);
  EXPECT_FALSE(pushed.refused);
  EXPECT_EQ(drained(queue), (std::vector<std::uint32_t>{2, 3}));
  EXPECT_FALSE(queue.push(job(1, 4, 0, kNoDeadline, 7)).superseded) << "what is searched already goes on";
}

TEST(JobQueue, MobsOfOtherWorldsAndConnectionsAreOthers) {
  JobQueue queue(10);
  (void)queue.push(job(1, 1, 0, kNoDeadline, 7, "a"));
  EXPECT_FALSE(queue.push(job(1, 2, 0, kNoDeadline, 7, "b")).superseded);
  EXPECT_FALSE(queue.push(job(2, 3, 0, kNoDeadline, 7, "a")).superseded);
  EXPECT_FALSE(queue.push(job(1, 4, 0, kNoDeadline, 8, "a")).superseded);
  EXPECT_EQ(queue.size(), 4u);
}

TEST(JobQueue, GivesUpOneJobOrAConnectionsAll) {
  JobQueue queue(10);
  for (std::uint32_t i = 1; i <= 3; ++i) (void)queue.push(job(1, i, 0, kNoDeadline, i));
  (void)queue.push(job(2, 9));
  EXPECT_EQ(queue.remove({1, 2})->id.request, 2u);
  EXPECT_FALSE(queue.remove({1, 2}));
  EXPECT_FALSE(queue.remove({3, 1}));
  const auto gone = queue.remove_connection(1);
  ASSERT_EQ(gone.size(), 2u);
  EXPECT_EQ(gone[0].id.request, 1u);
  EXPECT_EQ(gone[1].id.request, 3u);
  EXPECT_TRUE(queue.remove_connection(1).empty());
  EXPECT_EQ(drained(queue), std::vector<std::uint32_t>{9});
}

TEST(JobQueue, AJobIsNotTakenForAnotherOfTheSameRequestId) {
  JobQueue queue(10);
  Job later = job(1, 7);
  later.id.number = 2;
  (void)queue.push(std::move(later));
  EXPECT_FALSE(queue.remove({1, 7, 1})) << "that one was answered before";
  EXPECT_TRUE(queue.remove({1, 7, 2}));
}

TEST(JobQueue, PassesOverConnectionsThatAreHeld) {
  JobQueue queue(10);
  for (std::uint32_t i = 1; i <= 3; ++i) (void)queue.push(job(i, i));
  queue.hold(2, true);
  EXPECT_EQ(drained(queue), (std::vector<std::uint32_t>{1, 3}));
  EXPECT_FALSE(queue.ready());
  EXPECT_EQ(queue.size(), 1u);
  queue.hold(2, false);
  EXPECT_TRUE(queue.ready());
  EXPECT_EQ(drained(queue), std::vector<std::uint32_t>{2});

  (void)queue.push(job(2, 4));
  queue.hold(2, true);
  EXPECT_EQ(queue.remove_all().size(), 1u) << "the end comes for those held, too";
  queue.hold(2, true);
  EXPECT_TRUE(queue.remove_connection(2).empty());
  (void)queue.push(job(2, 5));
  EXPECT_TRUE(queue.ready()) << "a connection that has gone leaves no hold";
}

// Whatever is done to it, what went in comes out once.
TEST(JobQueue, LosesAndDoublesNothing) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
    JobQueue queue(1 + below(20));
    std::set<JobId> inside;
    const auto came_out = [&](const JobId& id) { ASSERT_EQ(inside.erase(id), 1u) << "seed " << seed; };
    for (std::uint32_t step = 0; step < 300; ++step) {
      switch (below(7)) {
        case 2:
          queue.hold(1 + below(3), below(2) == 0);
          break;
        case 0:
          if (auto j = queue.take()) came_out(j->id);
          break;
        case 1:
          if (!inside.empty()) {
            const JobId id = *inside.begin();
            ASSERT_TRUE(queue.remove(id));
            came_out(id);
          }
          break;
        case 3:
          if (below(10) == 0) {
            for (const Job& j : queue.remove_connection(1 + below(3))) came_out(j.id);
          }
          break;
        default: {
          const JobId id{1 + below(3), step};
          const auto priority = static_cast<std::int32_t>(below(3));
          auto pushed = queue.push(job(id.connection, id.request, priority, below(5), below(4)));
          inside.insert(id);
          if (pushed.superseded) came_out(pushed.superseded->id);
          if (pushed.refused) came_out(pushed.refused->id);
        }
      }
      ASSERT_EQ(queue.size(), inside.size());
    }
    for (const Job& j : queue.remove_all()) came_out(j.id);
    EXPECT_TRUE(inside.empty());
  }
}

}  // namespace
}  // namespace voxpath::server
