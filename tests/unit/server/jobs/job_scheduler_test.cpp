#include "tests/unit/server/jobs/desk.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace voxpath::server {
namespace {

TEST(JobScheduler, AnswersWhatItIsGiven) {
  Desk desk;
  desk.submit(desk.job(1, 1));
  desk.submit(desk.validation(1, 2));
  EXPECT_EQ(desk.scheduler.waiting(), 2u);
  desk.work_all();
  EXPECT_EQ(desk.status(1, 1), v1::PathAnswer::FOUND);
  EXPECT_EQ(desk.frame(1, 2).path_verdict().status(), v1::PathVerdict::VALID);
  EXPECT_EQ(desk.scheduler.waiting() + desk.scheduler.running(), 0u);
}

TEST(JobScheduler, ALongSearchYieldsToShortOnes) {
  Desk desk;
  desk.submit(desk.job(1, 1, 100'000));  // a tenth of a second
  for (int i = 0; i < 5; ++i) desk.turn();
  const std::int64_t asked_us = desk.now_us;
  desk.submit(desk.job(1, 2, 100));
  desk.submit(desk.job(2, 3, 100));
  desk.work_all();
  EXPECT_LE(desk.answered_at_us(1, 2) - asked_us, kSliceUs + 200) << "of the same connection";
  EXPECT_LE(desk.answered_at_us(2, 3) - asked_us, kSliceUs + 200) << "of another";
  EXPECT_EQ(desk.frame(1, 1).path().expanded(), 100'000u);
  EXPECT_EQ(desk.idle.size(), 2u) << "one was kept while the other searched";
  EXPECT_EQ(desk.scheduler.places_held(), 0u);
}

TEST(JobScheduler, ALongSearchGoesOnAmongShortOnes) {
  Desk desk;
  desk.submit(desk.job(1, 1, 20'000));
  desk.turn();
  std::uint32_t request = 2;
  for (; !desk.answered.contains({1, 1, 0}); ++request) {
    ASSERT_LT(request, 200u) << "it starves";
    desk.submit(desk.job(1, request, 10));
    desk.turn();
  }
  desk.work_all();
  EXPECT_EQ(desk.status(1, 1), v1::PathAnswer::FOUND);
}

TEST(JobScheduler, KeepsNoMoreSearchesThanItMayAndFinishesThemAll) {
  Desk desk({.waiting_max = 100, .workers = 1, .kept_max = 2});
  for (std::uint32_t i = 1; i <= 20; ++i) desk.submit(desk.job(1 + i % 3, i, 5'000));
  while (desk.turn()) {
    EXPECT_LE(desk.scheduler.places_held(), 3u);
  }
  EXPECT_EQ(desk.answered.size(), 20u);
  for (const auto& [id, answers] : desk.answered) EXPECT_EQ(answers.front().frame.path().expanded(), 5'000u);
  EXPECT_LE(desk.idle.size(), 4u);
  EXPECT_GT(desk.scheduler.set_back_count(), 0u);
  EXPECT_LE(desk.scheduler.set_back_count(), 20u) << "each loses one slice at most";
  for (const auto& planner : desk.idle) EXPECT_TRUE(dynamic_cast<test::FakePlanner&>(*planner).idle());
}

TEST(JobScheduler, WithoutRoomForMoreOneAfterTheOther) {
  Desk desk({.workers = 1, .kept_max = 0});
  for (std::uint32_t i = 1; i <= 5; ++i) desk.submit(desk.job(i, i, 5'000));
  desk.work_all();
  EXPECT_EQ(desk.answered.size(), 5u);
}

TEST(JobScheduler, HoldsItsLimits) {
  Desk desk({.waiting_max = 4, .waiting_per_connection_max = 3, .workers = 1});
  for (std::uint32_t i = 1; i <= 3; ++i) desk.submit(desk.job(1, i));
  EXPECT_TRUE(desk.answered.empty());
  desk.submit(desk.job(1, 4));
  EXPECT_EQ(desk.frame(1, 4).error().reason(), "quota_full");
  EXPECT_EQ(desk.frame(1, 4).error().limit(), "3 jobs");
  EXPECT_GT(desk.frame(1, 4).error().retry_after_ms(), 0u);
  desk.submit(desk.job(2, 5));
  desk.submit(desk.job(2, 6));
  EXPECT_EQ(desk.frame(2, 6).error().code(), v1::Error::RESOURCE_EXHAUSTED);
  EXPECT_EQ(desk.frame(2, 6).error().reason(), "queue_full");
  EXPECT_EQ(desk.frame(2, 6).error().limit(), "4 jobs");
  EXPECT_EQ(desk.frame(2, 6).error().field(), "find_path");
  desk.turn();
  desk.submit(desk.job(2, 7));
  EXPECT_FALSE(desk.answered.contains({2, 7, 0}));
}

TEST(JobScheduler, ATokenMayHaveAQuotaOfItsOwn) {
  Desk desk({.waiting_per_connection_max = 3});
  for (std::uint32_t i = 1; i <= 5; ++i) {
    Job j = desk.job(1, i);
    j.share.jobs_waiting = 5;
    desk.submit(std::move(j));
  }
  EXPECT_TRUE(desk.answered.empty());
}

TEST(JobScheduler, TellsWhenToComeAgainByWhatJobsTook) {
  Desk desk({.waiting_max = 8, .workers = 1});
  for (std::uint32_t i = 1; i <= 300; ++i) {
    desk.submit(desk.job(1, i, 40'000));
    desk.work_all();
  }
  for (std::uint32_t i = 301; i <= 309; ++i) desk.submit(desk.job(1, i));
  EXPECT_NEAR(desk.frame(1, 309).error().retry_after_ms(), 40, 2) << "an eighth of eight jobs";
  EXPECT_NEAR(desk.scheduler.wait_ms(10), 400, 10);
  EXPECT_EQ(desk.scheduler.wait_ms(1'000'000), 10'000u) << "nobody is sent away for longer";
}

TEST(JobScheduler, ANewerJobOfAMobTakesTheOlderOnesPlace) {
  Desk desk({.waiting_max = 2});
  desk.submit(desk.of_mob(7, 1, 1));
  desk.submit(desk.job(1, 2));
  desk.submit(desk.of_mob(7, 1, 3));  // full, but for the place of the older one
  EXPECT_EQ(desk.status(1, 1), v1::PathAnswer::CANCELLED);
  EXPECT_EQ(desk.frame(1, 1).path().reason(), v1::PathAnswer::SUPERSEDED);
  desk.work_all();
  EXPECT_EQ(desk.status(1, 2), v1::PathAnswer::FOUND);
  EXPECT_EQ(desk.status(1, 3), v1::PathAnswer::FOUND);
}

TEST(JobScheduler, WhatIsSearchedAlreadyIsSupersededToo) {
  Desk desk;
  desk.submit(desk.of_mob(7, 1, 1, 50'000));
  desk.turn();  // it waits for its next turn
  desk.submit(desk.of_mob(7, 1, 2, 50'000));
  JobScheduler::Run* ended = desk.take();
  ASSERT_NE(ended, nullptr);
  EXPECT_EQ(ended->job.id.request, 1u);
  desk.work(*ended);
  EXPECT_EQ(desk.frame(1, 1).path().reason(), v1::PathAnswer::SUPERSEDED);
  JobScheduler::Run* running = desk.take();
  EXPECT_EQ(running->job.id.request, 2u);
  desk.submit(desk.of_mob(7, 1, 3));  // while a worker has it
  desk.work(*running);
  EXPECT_EQ(desk.frame(1, 2).path().reason(), v1::PathAnswer::SUPERSEDED);
  desk.work_all();
  EXPECT_EQ(desk.status(1, 3), v1::PathAnswer::FOUND);
}

TEST(JobScheduler, WhoIsRefusedSupersedesNothing) {
  Desk desk({.waiting_max = 1});
  desk.submit(desk.of_mob(7, 1, 1, 50'000));
  JobScheduler::Run* running = desk.take();
  desk.submit(desk.job(2, 2));
  desk.submit(desk.of_mob(7, 1, 3));
  EXPECT_EQ(desk.frame(1, 3).error().reason(), "queue_full");
  EXPECT_EQ(running->stop, JobEnd::none);
  desk.work(*running);
  desk.work_all();
  EXPECT_EQ(desk.status(1, 1), v1::PathAnswer::FOUND);
}

TEST(JobScheduler, MobsOfOtherWorldsAndConnectionsAreOthers) {
  Desk desk;
  desk.submit(desk.of_mob(7, 1, 1));
  Job other_world = desk.of_mob(7, 1, 2);
  other_world.world = "other";
  desk.submit(std::move(other_world));
  desk.submit(desk.of_mob(7, 2, 3));
  desk.submit(desk.of_mob(8, 1, 4));
  EXPECT_EQ(desk.scheduler.waiting(), 4u);
  desk.work_all();
  EXPECT_EQ(desk.answered.size(), 4u);
}

TEST(JobScheduler, AnswersAPassedDeadlineWithoutSearching) {
  Desk desk;
  for (std::uint32_t i = 1; i <= 3; ++i) {
    Job j = desk.job(1, i);
    j.deadline_us = desk.now_us + 10 * i;
    desk.submit(std::move(j));
  }
  desk.now_us += 20;  // passed for the first, and just so for the second
  desk.work_all();
  EXPECT_EQ(desk.frame(1, 1).error().reason(), "deadline_passed");
  EXPECT_EQ(desk.frame(1, 2).error().code(), v1::Error::DEADLINE_EXCEEDED);
  EXPECT_EQ(desk.status(1, 3), v1::PathAnswer::FOUND);
}

TEST(JobScheduler, ADeadlineIsKeptWhileASearchWaitsForItsTurn) {
  Desk desk;
  Job j = desk.job(1, 1, 50'000);
  j.deadline_us = desk.now_us + 5'000;
  desk.submit(std::move(j));
  desk.turn();
  desk.now_us += 5'000;
  EXPECT_TRUE(desk.turn());
  EXPECT_EQ(desk.status(1, 1), v1::PathAnswer::PARTIAL);
  EXPECT_EQ(desk.frame(1, 1).path().reason(), v1::PathAnswer::DEADLINE);
}

TEST(JobScheduler, CancelsWhatWaitsWhatRunsAndWhatIsKept) {
  Desk desk;
  desk.submit(desk.job(1, 1, 50'000));
  desk.turn();
  JobScheduler::Run* running = nullptr;
  desk.submit(desk.job(1, 2, 50'000));
  running = desk.take();
  ASSERT_EQ(running->job.id.request, 2u);
  desk.submit(desk.job(1, 3));
  desk.cancel({1, 3, 0});
  EXPECT_EQ(desk.status(1, 3), v1::PathAnswer::CANCELLED);
  EXPECT_FALSE(desk.frame(1, 3).path().version()) << "nobody looked at a world";
  desk.cancel({1, 2, 0});
  desk.cancel({1, 2, 0});
  desk.work(*running);
  EXPECT_EQ(desk.status(1, 2), v1::PathAnswer::CANCELLED);
  desk.cancel({1, 1, 0});
  desk.cancel({1, 1, 0});
  EXPECT_EQ(desk.scheduler.waiting(), 0u);
  EXPECT_EQ(desk.scheduler.running(), 1u) << "a worker has to end it";
  desk.work_all();
  EXPECT_EQ(desk.status(1, 1), v1::PathAnswer::CANCELLED);
  desk.cancel({1, 1, 0}, false);
  EXPECT_EQ(desk.scheduler.running(), 0u);
}

TEST(JobScheduler, AJobIsNotTakenForAnotherOfTheSameRequestId) {
  Desk desk;
  Job later = desk.job(1, 7);
  later.id.number = 2;
  desk.submit(std::move(later));
  desk.cancel({1, 7, 1}, false);  // that one was answered before
  desk.cancel({1, 7, 2});
}

TEST(JobScheduler, BeginsNothingOfAConnectionThatIsHeld) {
  Desk desk;
  desk.submit(desk.job(1, 1, 5'000));
  desk.turn();
  desk.submit(desk.job(1, 2));
  desk.submit(desk.job(2, 3));
  desk.scheduler.hold(1, true);
  desk.submit(desk.job(1, 4));
  desk.work_all();
  EXPECT_EQ(desk.status(1, 1), v1::PathAnswer::FOUND) << "it was begun";
  EXPECT_EQ(desk.status(2, 3), v1::PathAnswer::FOUND);
  EXPECT_EQ(desk.answered.size(), 2u);
  EXPECT_EQ(desk.scheduler.waiting(), 2u);
  desk.scheduler.hold(1, false);
  desk.work_all();
  EXPECT_EQ(desk.status(1, 2), v1::PathAnswer::FOUND);
  EXPECT_EQ(desk.status(1, 4), v1::PathAnswer::FOUND);
}

TEST(JobScheduler, AConnectionThatHasGoneLeavesNoHold) {
  Desk desk;
  desk.submit(desk.job(1, 1));
  desk.scheduler.hold(1, true);
  EXPECT_FALSE(desk.turn());
  desk.end(desk.scheduler.cancel_connection(1));
  EXPECT_EQ(desk.status(1, 1), v1::PathAnswer::CANCELLED);
  desk.submit(desk.job(1, 2));
  EXPECT_TRUE(desk.turn());
}

TEST(JobScheduler, ALongCheckYieldsAndIsGivenUpToo) {
  Desk desk;
  desk.submit(desk.validation(1, 1, 20'000));
  desk.turn();
  desk.submit(desk.job(1, 2));
  desk.turn();
  EXPECT_EQ(desk.status(1, 2), v1::PathAnswer::FOUND);
  desk.cancel({1, 1, 0});
  desk.work_all();
  EXPECT_EQ(desk.frame(1, 1).path_verdict().status(), v1::PathVerdict::CANCELLED);
  Job late = desk.validation(1, 3, 20'000);
  late.deadline_us = desk.now_us + 3'000;
  desk.submit(std::move(late));
  desk.work_all();
  EXPECT_EQ(desk.frame(1, 3).error().reason(), "deadline_passed");
  EXPECT_EQ(desk.frame(1, 3).error().field(), "validate_path.deadline_ms");
}

TEST(JobScheduler, AConnectionTakesItsJobsWithIt) {
  Desk desk;
  for (std::uint32_t i = 1; i <= 4; ++i) desk.submit(desk.job(1, i, 50'000));
  desk.submit(desk.job(2, 9));
  desk.turn();
  JobScheduler::Run* running = desk.take();
  if (running->job.id.connection == 2) {
    desk.work(*running);
    running = desk.take();
  }
  desk.end(desk.scheduler.cancel_connection(1));
  desk.work(*running);
  desk.work_all();
  for (std::uint32_t i = 1; i <= 4; ++i) EXPECT_EQ(desk.status(1, i), v1::PathAnswer::CANCELLED);
  EXPECT_EQ(desk.status(2, 9), v1::PathAnswer::FOUND);
}

TEST(JobScheduler, TimesAreThoseOfAllSlices) {
  Desk desk;
  desk.submit(desk.job(1, 1, 5'000));
  desk.turn();
  desk.now_us += 700;
  desk.work_all();
  EXPECT_EQ(desk.frame(1, 1).path().times().searched_us(), 5'000u);
  EXPECT_EQ(desk.frame(1, 1).path().times().queued_us(), 700u);
}

TEST(AnswerCache, TheSameQuestionIsSearchedOnceAVersion) {
  Desk desk({}, 1 << 20);
  const auto ask = [&](std::uint32_t id) {
    desk.submit(desk.job(1, id, 2'000));
    desk.work_all();
    v1::PathAnswer answer = desk.frame(1, id).path();
    answer.clear_times();
    return answer.SerializeAsString();
  };
  const std::string fresh = ask(1);
  EXPECT_EQ(ask(2), fresh);
  EXPECT_EQ(desk.frame(1, 2).path().times().searched_us(), 0u);
  EXPECT_EQ(desk.answers.counts().hits, 1u);
  desk.edit();
  EXPECT_NE(ask(3), fresh) << "of another version";
  EXPECT_EQ(desk.frame(1, 3).path().times().searched_us(), 2'000u);
}

TEST(AnswerCache, KeepsNothingThatWasCutShort) {
  Desk desk({}, 1 << 20);
  Job j = desk.job(1, 1, 50'000);
  j.deadline_us = desk.now_us + 2'000;
  desk.submit(std::move(j));
  desk.submit(desk.job(1, 2, 60'000));
  desk.turn();
  desk.cancel({1, 2, 0});
  desk.work_all();
  EXPECT_EQ(desk.answers.counts().answers, 0u);
}

TEST(AnswerCache, HoldsItsLimitAndForgetsTheLongestUnasked) {
  AnswerCache cache(10'000);
  v1::PathAnswer answer;
  answer.set_status(v1::PathAnswer::UNREACHABLE);
  answer.set_version(3);
  for (int i = 0; i < 1'000; ++i) {
    cache.put("question " + std::to_string(i), answer);
    v1::PathAnswer first;
    EXPECT_TRUE(cache.find("question 0", &first));
    EXPECT_EQ(first.SerializeAsString(), answer.SerializeAsString());
    ASSERT_LE(cache.counts().bytes, 10'000u);
  }
  EXPECT_GT(cache.counts().answers, 10u);
  v1::PathAnswer none;
  EXPECT_FALSE(cache.find("question 1", &none));
  EXPECT_TRUE(cache.find("question 999", &none));
  AnswerCache off(0);
  EXPECT_FALSE(off.on());
}

std::string key_of(std::uint64_t world, std::uint64_t version, v1::FindPath request) {
  return question_key(world, version, group_key(request), request.start());
}

TEST(AnswerCache, KeysTellWhatDecidesTheAnswer) {
  v1::FindPath request;
  request.set_world("w");
  request.mutable_start()->mutable_cell()->set_x(1);
  request.mutable_goal()->mutable_cell()->set_x(2);
  const std::string key = key_of(1, 1, request);
  v1::FindPath same = request;
  same.set_deadline_ms(10);
  same.set_priority(5);
  same.set_mob(9);
  same.set_watch(true);
  EXPECT_EQ(key_of(1, 1, same), key);
  const std::string before = same.SerializeAsString();
  (void)group_key(same);
  EXPECT_EQ(same.SerializeAsString(), before) << "it is left as it was";
  EXPECT_NE(key_of(2, 1, request), key) << "a world of the same name that was opened later";
  EXPECT_NE(key_of(1, 2, request), key);
  v1::FindPath elsewhere = request;
  elsewhere.mutable_start()->mutable_cell()->set_x(2);
  EXPECT_NE(key_of(1, 1, elsewhere), key);
  EXPECT_EQ(group_key(elsewhere), group_key(request)) << "one search from the goal could answer both";
  v1::FindPath budget = request;
  budget.set_expansions_max(7);
  EXPECT_NE(group_key(budget), group_key(request));
  EXPECT_NE(key_of(1, 1, budget), key);
}

}  // namespace
}  // namespace voxpath::server
