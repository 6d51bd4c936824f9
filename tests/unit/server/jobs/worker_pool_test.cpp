// Errands: in turns, in order, and dropped when they fail. Lone jobs: begun by the thread that brings them.
#include "server/jobs/worker_pool.hpp"

#include "tests/support/fake_planner.hpp"
#include "world/world.hpp"

#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace voxpath::server {
namespace {

constexpr SchedulerLimits kOneWorker{.waiting_max = 4, .waiting_per_connection_max = 4, .workers = 1};

std::unique_ptr<Planner> no_planner() { return nullptr; }

TEST(Errands, ALongOneLetsOthersInBetween) {
  std::string order;  // written by the only worker
  std::promise<void> all_given, over;
  WorkerPool pool(kOneWorker, 0, no_planner);
  pool.run([given = all_given.get_future().share()] {
    given.wait();
    return true;
  });
  pool.run([&, turns = 0]() mutable {
    order += 'a';
    if (++turns < 3) return false;
    over.set_value();
    return true;
  });
  pool.run([&] {
    order += 'b';
    return true;
  });
  all_given.set_value();
  over.get_future().wait();
  EXPECT_EQ(order, "abaa");
}

TEST(Errands, OneThatFailsIsOver) {
  int calls = 0;
  std::promise<void> over;
  {
    WorkerPool pool(kOneWorker, 0, no_planner);
    pool.run([&]() -> bool {
      ++calls;
      throw std::runtime_error("on purpose");
    });
    pool.run([&] {
      over.set_value();
      return true;
    });
    over.get_future().wait();
  }
  EXPECT_EQ(calls, 1);
}

/// A pool whose searches say which threads worked on them; each call to advance() takes all of a lone job's turn.
class LoneJobs : public testing::Test {
 protected:
  struct Worked {
    std::vector<std::thread::id> threads;  // of each advance()
    v1::PathAnswer answer;
  };
  class SlowPlanner : public test::FakePlanner {
   public:
    explicit SlowPlanner(std::vector<std::thread::id>& threads) : FakePlanner(ignored_us_), threads_(threads) {}
    bool advance(std::uint32_t expansions) override {
      threads_.push_back(std::this_thread::get_id());
      const std::int64_t begin_us = steady_now_us();
      while (steady_now_us() - begin_us < kLoneTurnUs) {
      }
      return FakePlanner::advance(expansions);
    }

   private:
    std::int64_t ignored_us_ = 0;
    std::vector<std::thread::id>& threads_;
  };

  /// Submits a search of so many calls to advance() on this thread, and waits for its answer.
  Worked work(std::uint64_t connection, std::uint32_t advances, bool lone) {
    threads_.clear();
    std::promise<v1::ServerFrame> answered;
    Job job;
    job.id = {connection, 1, ++jobs_};
    job.lone = lone;
    v1::FindPath path;
    path.set_expansions_max(advances * kStepExpansions);
    job.task.request = path;
    job.task.newest = [this] { return world_.snapshot(); };
    job.task.reply = Reply(1, [&answered](v1::ServerFrame frame) { answered.set_value(std::move(frame)); });
    pool_.submit(std::move(job));
    Worked worked;
    worked.answer = answered.get_future().get().path();
    worked.threads = threads_;
    return worked;
  }
  /// Works until the worker sleeps: until this thread begins one, at the latest then it does.
  Worked work_here(std::uint64_t connection, std::uint32_t advances) {
    while (true) {
      Worked worked = work(connection, advances, true);
      if (worked.threads.front() == std::this_thread::get_id()) return worked;
    }
  }

  world::World world_{{0, 16}};
  std::vector<std::thread::id> threads_;  // one search at a time, and the answer orders what comes after it
  std::uint64_t jobs_ = 0;
  WorkerPool pool_{kOneWorker, 0, [this] { return std::make_unique<SlowPlanner>(threads_); }};
};

TEST_F(LoneJobs, AShortOneIsDoneWhereItIsBrought) {
  const Worked worked = work_here(1, 1);
  EXPECT_EQ(worked.threads, std::vector{std::this_thread::get_id()});
  EXPECT_EQ(worked.answer.status(), v1::PathAnswer::FOUND);
  EXPECT_EQ(pool_.counts().running, 0u);
}

TEST_F(LoneJobs, AWorkerGoesOnWithALongOne) {
  const Worked worked = work_here(1, 5);
  ASSERT_EQ(worked.threads.size(), 5u);
  EXPECT_EQ(worked.threads[0], std::this_thread::get_id());
  for (std::size_t i = 1; i < 5; ++i) EXPECT_NE(worked.threads[i], std::this_thread::get_id()) << i;
  EXPECT_EQ(worked.answer.status(), v1::PathAnswer::FOUND);
  EXPECT_EQ(worked.answer.expanded(), 5 * kStepExpansions);
}

TEST_F(LoneJobs, OthersAreLeftToWorkers) {
  for (int i = 0; i < 100; ++i) {
    (void)work_here(1, 1);
    EXPECT_NE(work(1, 1, false).threads.front(), std::this_thread::get_id()) << "its client waits for others, too";
    (void)work_here(1, 1);
    EXPECT_NE(work(2, 1, true).threads.front(), std::this_thread::get_id()) << "several clients ask";
  }
}

}  // namespace
}  // namespace voxpath::server
