// Desk: one worker and a scheduler, with a clock that only moves when somebody works or waits; for tests of jobs.
// Thread-safety: one test thread.
// Usage: Desk desk; desk.submit(desk.job(1, 1)); desk.work_all(); desk.status(1, 1)
#pragma once

#include "server/jobs/job_answers.hpp"
#include "server/jobs/job_scheduler.hpp"
#include "server/jobs/search_slice.hpp"
#include "tests/support/fake_planner.hpp"
#include "world/world.hpp"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace voxpath::server {

class Desk {
 public:
  explicit Desk(SchedulerLimits limits = {}, std::size_t cache_bytes = 0)
      : scheduler(limits), answers(cache_bytes), world_({0, 16}) {}

  Job job(std::uint64_t connection, std::uint32_t request, std::uint32_t expansions = 10) {
    Job j;
    j.id = {connection, request, 0};
    j.arrived_us = now_us;
    v1::FindPath path;
    path.set_expansions_max(expansions);
    j.task.request = path;
    j.task.newest = [this] { return world_.snapshot(); };
    j.task.reply = Reply(
        request, [this, id = j.id](v1::ServerFrame frame) { answered[id].push_back({std::move(frame), now_us}); });
    return j;
  }
  Job horde(std::uint64_t connection, std::uint32_t request, int starts, std::uint32_t expansions = 10) {
    Job j = job(connection, request);
    HordeRequest paths;
    paths.question.set_expansions_max(expansions);
    for (int i = 0; i < starts; ++i) paths.starts.Add()->mutable_cell()->set_x(i);
    j.task.request = std::move(paths);
    return j;
  }
  /// One that may ride with others of its length.
  Job rider(std::uint64_t connection, std::uint32_t request, std::uint32_t expansions = 10) {
    Job j = job(connection, request, expansions);
    auto& path = std::get<v1::FindPath>(j.task.request);
    path.mutable_start()->mutable_cell()->set_x(static_cast<std::int32_t>(request));
    j.group = group_key(path);
    return j;
  }
  Job validation(std::uint64_t connection, std::uint32_t request, std::uint32_t waypoints = 2) {
    Job j = job(connection, request);
    v1::ValidatePath path;
    for (std::uint32_t i = 0; i < waypoints; ++i) path.add_waypoints();
    j.task.request = path;
    return j;
  }
  Job of_mob(std::uint64_t mob, std::uint64_t connection, std::uint32_t request, std::uint32_t expansions = 10) {
    Job j = job(connection, request, expansions);
    j.mob = mob;
    j.world = "w";
    return j;
  }
  void submit(Job j) { end(scheduler.submit(std::move(j), now_us)); }
  void cancel(JobId id, bool there = true) {
    JobScheduler::EndedJobs ended;
    EXPECT_EQ(scheduler.cancel(id, ended), there);
    end(std::move(ended));
  }
  void end(JobScheduler::EndedJobs ended) {
    for (JobScheduler::Ended& e : ended) answer(std::move(e));
  }
  /// Takes the next job; nullptr: none.
  JobScheduler::Run* take() {
    JobScheduler::EndedJobs ended;
    JobScheduler::Run* run = scheduler.take(now_us, ended);
    end(std::move(ended));
    if (run != nullptr && !run->planner) {
      run->planner = idle.empty() ? std::make_unique<test::FakePlanner>(now_us) : std::move(idle.back());
      if (!idle.empty()) idle.pop_back();
    }
    return run;
  }
  /// Works on it for a slice.
  void work(JobScheduler::Run& run) {
    SearchSlice slice(run, answers, clock);
    while (!slice.step()) {
    }
    const bool had_riders = !run.riders.empty();
    for (JobScheduler::Landed& one : scheduler.land(run, slice.take_answers(), slice.spent_us()))
      one.run->job.task.reply.answer(result_of(one, now_us).frame);
    if (!slice.over()) {
      if (auto planner = scheduler.give_back(run, slice.spent_us())) {
        planner->reset();
        idle.push_back(std::move(planner));
      }
      return;
    }
    const auto done = scheduler.finish(run, slice.spent_us());
    idle.push_back(std::move(done->planner));
    if (had_riders) return;
    auto result = slice.take_result();
    if (result.refused) return done->job.task.reply.refuse(*result.refused);
    done->job.task.reply.answer(std::move(result.frame));
  }
  /// One turn; whether there was anything to do.
  bool turn() {
    JobScheduler::Run* run = take();
    if (run != nullptr) work(*run);
    return run != nullptr;
  }
  void work_all() {
    while (turn()) {
    }
    EXPECT_FALSE(scheduler.anything_waits());
  }
  void edit() {
    const world::Change change = world::DropChunk{};
    ASSERT_TRUE(world_.apply({&change, 1}));
  }
  const v1::ServerFrame& frame(std::uint64_t connection, std::uint32_t request) {
    const auto found = answered.find({connection, request, 0});
    EXPECT_TRUE(found != answered.end() && found->second.size() == 1) << connection << ":" << request;
    static const v1::ServerFrame none;
    return found == answered.end() ? none : found->second.front().frame;
  }
  v1::PathAnswer::Status status(std::uint64_t connection, std::uint32_t request) {
    return frame(connection, request).path().status();
  }
  std::int64_t answered_at_us(std::uint64_t connection, std::uint32_t request) {
    EXPECT_TRUE(answered.contains({connection, request, 0}));
    return answered[{connection, request, 0}].front().at_us;
  }

  struct Answered {
    v1::ServerFrame frame;
    std::int64_t at_us;
  };
  std::int64_t now_us = 1'000'000;
  Clock clock = [this] { return now_us; };
  std::map<JobId, std::vector<Answered>> answered;
  std::vector<std::unique_ptr<Planner>> idle;
  JobScheduler scheduler;
  AnswerCache answers;

 private:
  world::World world_;
};

}  // namespace voxpath::server
