// Jobs that are searched together: those of a find_paths, and find_path requests that wait at the same time.
#include "tests/unit/server/jobs/desk.hpp"

#include <gtest/gtest.h>

namespace voxpath::server {
namespace {

const SchedulerLimits kSharing{.workers = 1, .riders_min = 3};

TEST(HordeJob, AnswersEachStartInOrder) {
  Desk desk;
  desk.submit(desk.horde(1, 1, 5));
  desk.work_all();
  const v1::PathsAnswer& answer = desk.frame(1, 1).paths();
  ASSERT_EQ(answer.paths_size(), 5);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(answer.paths(i).status(), v1::PathAnswer::FOUND);
    EXPECT_EQ(answer.paths(i).cost(), i);
  }
  EXPECT_EQ(answer.shared(), 5u);
  EXPECT_EQ(answer.times().searched_us(), 50u);
}

TEST(HordeJob, YieldsToShortOnesAndIsServedByTheTimeItTakes) {
  Desk desk;
  desk.submit(desk.horde(1, 1, 100, 1'000));  // a tenth of a second
  desk.turn();
  for (std::uint32_t i = 2; i < 50; ++i) desk.submit(desk.job(2, i, 1'000));
  desk.work_all();
  EXPECT_NEAR(static_cast<double>(desk.answered_at_us(2, 49) - desk.answered_at_us(2, 2)), 2 * 47 * 1'000, 3'000)
      << "one of the other's for one slice of the horde";
  EXPECT_EQ(desk.frame(1, 1).paths().paths_size(), 100);
}

TEST(HordeJob, ACancelKeepsWhatWasFound) {
  Desk desk;
  desk.submit(desk.horde(1, 1, 10, 400));
  desk.turn();
  desk.cancel({1, 1, 0});
  desk.work_all();
  const v1::PathsAnswer& answer = desk.frame(1, 1).paths();
  ASSERT_EQ(answer.paths_size(), 10);
  EXPECT_EQ(answer.paths(0).status(), v1::PathAnswer::FOUND);
  EXPECT_EQ(answer.paths(9).status(), v1::PathAnswer::CANCELLED);
  desk.submit(desk.horde(1, 2, 3));
  desk.cancel({1, 2, 0});
  ASSERT_EQ(desk.frame(1, 2).paths().paths_size(), 3) << "it had not begun";
  EXPECT_EQ(desk.frame(1, 2).paths().paths(2).status(), v1::PathAnswer::CANCELLED);
}

TEST(HordeJob, ANewerOneOfTheSameNumberEndsIt) {
  Desk desk;
  Job first = desk.horde(1, 1, 10, 400);
  first.mob = 7;
  desk.submit(std::move(first));
  desk.turn();
  Job second = desk.horde(1, 2, 2);
  second.mob = 7;
  desk.submit(std::move(second));
  desk.work_all();
  EXPECT_EQ(desk.frame(1, 1).paths().paths(0).status(), v1::PathAnswer::FOUND);
  EXPECT_EQ(desk.frame(1, 1).paths().paths(9).reason(), v1::PathAnswer::SUPERSEDED);
  EXPECT_EQ(desk.frame(1, 2).paths().paths(1).status(), v1::PathAnswer::FOUND);
}

TEST(HordeJob, ADeadlineLeavesTheOthersPartial) {
  Desk desk;
  Job horde = desk.horde(1, 1, 10, 400);
  horde.deadline_us = desk.now_us + 2'000;
  desk.submit(std::move(horde));
  desk.work_all();
  const v1::PathsAnswer& answer = desk.frame(1, 1).paths();
  EXPECT_EQ(answer.paths(3).status(), v1::PathAnswer::FOUND);
  EXPECT_EQ(answer.paths(9).status(), v1::PathAnswer::PARTIAL);
  EXPECT_EQ(answer.paths(9).reason(), v1::PathAnswer::DEADLINE);
  Job late = desk.horde(1, 2, 10);
  late.deadline_us = desk.now_us;
  desk.submit(std::move(late));
  desk.work_all();
  EXPECT_EQ(desk.frame(1, 2).error().reason(), "deadline_passed");
  EXPECT_EQ(desk.frame(1, 2).error().field(), "find_paths.deadline_ms");
}

TEST(HordeJob, SetBackItBeginsAnew) {
  Desk desk({.workers = 1, .kept_max = 0});
  for (std::uint32_t i = 1; i <= 3; ++i) desk.submit(desk.horde(i, i, 10, 400));
  desk.work_all();
  EXPECT_GT(desk.scheduler.set_back_count(), 0u);
  for (std::uint32_t i = 1; i <= 3; ++i) {
    ASSERT_EQ(desk.frame(i, i).paths().paths_size(), 10);
    EXPECT_EQ(desk.frame(i, i).paths().paths(9).cost(), 9);
  }
}

int hordes_begun(const Desk& desk) {
  int count = 0;
  for (const auto& planner : desk.idle) count += dynamic_cast<test::FakePlanner&>(*planner).hordes_begun;
  return count;
}

TEST(Riders, WaitingJobsOfAGroupAreSearchedTogether) {
  Desk desk(kSharing);
  for (std::uint32_t i = 1; i <= 6; ++i) desk.submit(desk.rider(i % 2, i));
  desk.submit(desk.rider(1, 7, 20));  // of another group
  desk.work_all();
  for (std::uint32_t i = 1; i <= 6; ++i) {
    EXPECT_EQ(desk.status(i % 2, i), v1::PathAnswer::FOUND);
    EXPECT_EQ(desk.frame(i % 2, i).path().cost(), i) << "its own start";
    EXPECT_EQ(desk.frame(i % 2, i).path().times().searched_us(), 10u) << "its part";
  }
  EXPECT_EQ(desk.status(1, 7), v1::PathAnswer::FOUND);
  EXPECT_EQ(desk.scheduler.landed_count(), 6u);
  EXPECT_EQ(hordes_begun(desk), 1);
  EXPECT_EQ(desk.scheduler.running() + desk.scheduler.waiting() + desk.scheduler.places_held(), 0u);
}

TEST(Riders, TooFewGoAlone) {
  Desk desk(kSharing);
  desk.submit(desk.rider(1, 1));
  desk.submit(desk.rider(1, 2));
  desk.work_all();
  EXPECT_EQ(desk.scheduler.landed_count(), 0u);
  Desk off({.workers = 1});
  for (std::uint32_t i = 1; i <= 6; ++i) off.submit(off.rider(1, i));
  off.work_all();
  EXPECT_EQ(off.scheduler.landed_count(), 0u);
}

TEST(Riders, WhoIsBetterSearchedForAloneWaitsAgain) {
  Desk desk(kSharing);
  for (std::uint32_t i = 1; i <= 7; ++i) desk.submit(desk.rider(1, i, 600));  // an odd number: half of them
  desk.work_all();
  EXPECT_EQ(desk.scheduler.landed_count(), 4u);
  for (std::uint32_t i = 1; i <= 7; ++i) EXPECT_EQ(desk.frame(1, i).path().cost(), i);
  EXPECT_EQ(hordes_begun(desk), 1) << "who rode in vain does not ride again";
}

TEST(Riders, EachCanBeEndedAlone) {
  Desk desk(kSharing);
  for (std::uint32_t i = 1; i <= 8; ++i) {
    Job j = desk.rider(i % 2, i, 900);
    if (i == 7) {
      j.mob = 7;
      j.world = "w";
    }
    desk.submit(std::move(j));
  }
  desk.turn();
  desk.cancel({0, 4, 0});
  EXPECT_EQ(desk.status(0, 4), v1::PathAnswer::CANCELLED) << "at once";
  desk.submit(desk.of_mob(7, 1, 9));
  EXPECT_EQ(desk.frame(1, 7).path().reason(), v1::PathAnswer::SUPERSEDED) << "at once, too";
  desk.work_all();
  EXPECT_EQ(desk.answered.size(), 9u);
  EXPECT_EQ(desk.frame(0, 8).path().cost(), 8);
}

TEST(Riders, ADeadlineEndsOneAndTheOthersGoOn) {
  Desk desk(kSharing);
  for (std::uint32_t i = 1; i <= 8; ++i) {
    Job j = desk.rider(1, i, 5'000);
    if (i == 6) j.deadline_us = desk.now_us + 2'500;
    desk.submit(std::move(j));
  }
  desk.work_all();
  EXPECT_EQ(desk.frame(1, 6).error().reason(), "deadline_passed");
  EXPECT_EQ(desk.status(1, 8), v1::PathAnswer::FOUND);
}

TEST(Riders, AHordeThatEverybodyLeftEnds) {
  Desk desk(kSharing);
  for (std::uint32_t i = 1; i <= 4; ++i) desk.submit(desk.rider(1, i, 50'000));
  desk.turn();
  EXPECT_EQ(desk.scheduler.places_held(), 1u);
  desk.end(desk.scheduler.cancel_connection(1));
  for (std::uint32_t i = 1; i <= 4; ++i) EXPECT_EQ(desk.status(1, i), v1::PathAnswer::CANCELLED);
  desk.work_all();
  EXPECT_EQ(desk.scheduler.places_held(), 0u);
  JobScheduler::Run* running = nullptr;
  for (std::uint32_t i = 5; i <= 8; ++i) desk.submit(desk.rider(1, i, 50'000));
  running = desk.take();
  ASSERT_EQ(running->riders.size(), 4u);
  desk.end(desk.scheduler.cancel_all());  // while a worker has it
  desk.work(*running);
  EXPECT_EQ(desk.scheduler.running(), 0u);
  EXPECT_EQ(desk.now_us - desk.answered_at_us(1, 5), 0) << "nothing is searched for nobody";
}

TEST(Riders, TheConnectionOfTheOneThatWasTakenMayGo) {
  Desk desk(kSharing);
  desk.submit(desk.rider(1, 1, 900));
  for (std::uint32_t i = 2; i <= 6; ++i) desk.submit(desk.rider(2, i, 900));
  desk.turn();
  desk.end(desk.scheduler.cancel_connection(1));
  desk.work_all();
  for (std::uint32_t i = 2; i <= 6; ++i) EXPECT_EQ(desk.frame(2, i).path().cost(), i);
}

TEST(Riders, HoldTheirPlacesAmongThoseThatWait) {
  Desk desk({.waiting_max = 4, .workers = 1, .riders_min = 3});
  for (std::uint32_t i = 1; i <= 4; ++i) desk.submit(desk.rider(1, i, 50'000));
  desk.turn();
  desk.submit(desk.job(1, 5));
  EXPECT_EQ(desk.frame(1, 5).error().reason(), "queue_full") << "they may have to wait again";
}

TEST(Riders, WithoutRoomToKeepTheirSearchTheyWaitAgain) {
  Desk desk({.workers = 1, .kept_max = 0, .riders_min = 3});
  desk.submit(desk.job(3, 1, 5'000));
  desk.turn();  // holds the only place
  for (std::uint32_t i = 2; i <= 5; ++i) desk.submit(desk.rider(1, i, 900));
  desk.work_all();
  EXPECT_EQ(desk.answered.size(), 5u);
  for (std::uint32_t i = 2; i <= 5; ++i) EXPECT_EQ(desk.frame(1, i).path().cost(), i);
}

TEST(Riders, ADearOneCostsItsConnectionItsShare) {
  Desk desk(kSharing);
  // 1 has one rider and short jobs, 2 has three riders: 2 bears three parts of four.
  desk.submit(desk.rider(1, 1, 900));
  for (std::uint32_t i = 2; i <= 4; ++i) desk.submit(desk.rider(2, i, 900));
  for (std::uint32_t i = 5; i <= 14; ++i) {
    desk.submit(desk.job(1, i, 500));
    desk.submit(desk.job(2, i + 10, 500));
  }
  while (desk.scheduler.landed_count() < 4) desk.turn();
  // Of the horde's 3.6 ms 2 has had 1.8 more, and so 1 has had as much more of its short ones.
  int first = 0, second = 0;
  for (const auto& [id, answers] : desk.answered) {
    if (id.request > 4) ++(id.connection == 1 ? first : second);
  }
  EXPECT_NEAR((first - second) * 500, 1'800, 1'500);
  desk.work_all();
  EXPECT_EQ(desk.answered.size(), 24u);
}

TEST(Riders, AConnectionThatIsHeldDoesNotRide) {
  Desk desk(kSharing);
  for (std::uint32_t i = 1; i <= 3; ++i) desk.submit(desk.rider(1, i));
  for (std::uint32_t i = 4; i <= 6; ++i) desk.submit(desk.rider(2, i));
  desk.scheduler.hold(2, true);
  desk.work_all();
  EXPECT_EQ(desk.scheduler.landed_count(), 3u);
  EXPECT_EQ(desk.scheduler.waiting(), 3u);
  desk.scheduler.hold(2, false);
  desk.work_all();
  EXPECT_EQ(desk.answered.size(), 6u);
}

TEST(Riders, AreAnsweredFromWhatIsKept) {
  Desk desk(kSharing, 1 << 20);
  desk.submit(desk.rider(1, 1));
  desk.work_all();
  for (std::uint32_t i = 2; i <= 5; ++i) {
    Job j = desk.rider(1, i);
    if (i == 2) {  // the same question again
      std::get<v1::FindPath>(j.task.request).mutable_start()->mutable_cell()->set_x(1);
    }
    desk.submit(std::move(j));
  }
  const std::int64_t before_us = desk.now_us;
  desk.work_all();
  EXPECT_EQ(desk.now_us - before_us, 30) << "three were searched for";
  EXPECT_EQ(desk.frame(1, 2).path().cost(), 1);
  EXPECT_EQ(desk.frame(1, 5).path().cost(), 5);
  EXPECT_GE(desk.answers.counts().hits, 1u);
}

}  // namespace
}  // namespace voxpath::server
