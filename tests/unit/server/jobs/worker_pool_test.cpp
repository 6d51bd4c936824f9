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

/// A pool whose searches say which threads worked on them; all but the short ones take more than a lone job's turn for each
/// call to advance().
class LoneJobs : public testing::Test {
 protected:
  static constexpr std::uint32_t kShort = kLoneStepExpansions;
  static constexpr std::uint32_t kLong = kLoneStepExpansions + 4 * kStepExpansions;
  using Threads = std::vector<std::thread::id>;  // of each advance()
  struct Worked {
    Threads threads;
    v1::PathAnswer answer;
    [[nodiscard]] bool begun_here() const { return threads.front() == std::this_thread::get_id(); }
  };
  class SlowPlanner : public test::FakePlanner {
   public:
    explicit SlowPlanner(Threads& threads) : FakePlanner(ignored_us_), threads_(threads) {}
    std::optional<protocol::Failure> begin(world::Ref<const world::Snapshot> snapshot,
                                           const v1::FindPath& request) override {
      slow_ = request.expansions_max() > kShort;
      return FakePlanner::begin(std::move(snapshot), request);
    }
    bool advance(std::uint32_t expansions) override {
      threads_.push_back(std::this_thread::get_id());
      const std::int64_t begin_us = steady_now_us();
      while (slow_ && steady_now_us() - begin_us <= kLoneTurnUs) {
      }
      return FakePlanner::advance(expansions);
    }

   private:
    bool slow_ = false;
    std::int64_t ignored_us_ = 0;
    Threads& threads_;
  };

  /// Submits a search on this thread, and waits for its answer.
  Worked work(std::uint64_t connection, std::uint32_t expansions, bool lone = true) {
    threads_.clear();
    std::promise<v1::ServerFrame> answered;
    Job job;
    job.id = {connection, 1, ++jobs_};
    job.lone = lone;
    v1::FindPath path;
    path.set_expansions_max(expansions);
    job.task.request = path;
    job.task.newest = [this] { return world_.snapshot(); };
    job.task.reply = Reply(1, [&answered](v1::ServerFrame frame) { answered.set_value(std::move(frame)); });
    pool_.submit(std::move(job));
    Worked worked;
    worked.answer = answered.get_future().get().path();
    worked.threads = threads_;
    return worked;
  }
  /// Short ones first, until this thread begins it: the worker falls asleep some time.
  Worked work_here(std::uint64_t connection, std::uint32_t expansions) {
    while (true) {
      (void)work(connection, kShort);
      Worked worked = work(connection, expansions);
      if (worked.begun_here()) return worked;
    }
  }

  world::World world_{{0, 16}};
  Threads threads_;  // one search at a time, and the answer orders what comes after it
  std::uint64_t jobs_ = 0;
  WorkerPool pool_{kOneWorker, 0, [this] { return std::make_unique<SlowPlanner>(threads_); }};
};

TEST_F(LoneJobs, AShortOneIsDoneWhereItIsBrought) {
  const Worked worked = work_here(1, kShort);
  EXPECT_EQ(worked.threads, Threads{std::this_thread::get_id()});
  EXPECT_EQ(worked.answer.status(), v1::PathAnswer::FOUND);
  EXPECT_EQ(pool_.counts().running, 0u);
}

TEST_F(LoneJobs, AWorkerGoesOnWithALongOneAndBeginsTheNext) {
  for (int i = 0; i < 20; ++i) {
    const Worked worked = work_here(1, kLong);
    ASSERT_EQ(worked.threads.size(), 5u);
    for (std::size_t n = 1; n < 5; ++n) EXPECT_NE(worked.threads[n], std::this_thread::get_id()) << n;
    EXPECT_EQ(worked.answer.status(), v1::PathAnswer::FOUND);
    EXPECT_EQ(worked.answer.expanded(), kLong);
    EXPECT_FALSE(work(1, kShort).begun_here()) << "it may be as long as the last one";
  }
}

TEST_F(LoneJobs, OthersAreLeftToWorkers) {
  for (int i = 0; i < 100; ++i) {
    (void)work_here(1, kShort);
    EXPECT_FALSE(work(1, kShort, false).begun_here()) << "its client waits for others, too";
    (void)work_here(1, kShort);
    EXPECT_FALSE(work(2, kShort).begun_here()) << "several clients ask";
  }
}

}  // namespace
}  // namespace voxpath::server
