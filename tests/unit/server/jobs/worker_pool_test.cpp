// Errands: in turns, in order, and dropped when they fail.
#include "server/jobs/worker_pool.hpp"

#include <future>
#include <stdexcept>
#include <string>

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

}  // namespace
}  // namespace voxpath::server
