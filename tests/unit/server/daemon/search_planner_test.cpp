#include "server/search_planner.hpp"

#include "pathfinding/profiles.hpp"
#include "protocol/limits.hpp"

#include <algorithm>
#include <cctype>

#include <gtest/gtest.h>

namespace voxpath::server {
namespace {

using pathfinding::Query;
using protocol::Failure;

v1::FindPath cell_to_cell() {
  v1::FindPath request;
  request.mutable_start()->mutable_cell()->set_y(64);
  request.mutable_goal()->mutable_cell()->set_x(5);
  return request;
}

TEST(QueryOf, DefaultsAreTheContracts) {
  const auto query = std::get<Query>(query_of(cell_to_cell(), AgentProfiles()));
  EXPECT_EQ(query.agent, pathfinding::Agent());
  EXPECT_EQ(std::get<world::BlockPos>(query.start), (world::BlockPos{0, 64, 0}));
  const auto& goals = std::get<pathfinding::GoalPlaces>(query.goal).places;
  ASSERT_EQ(goals.size(), 1u);
  EXPECT_EQ(std::get<world::BlockPos>(goals[0]), (world::BlockPos{5, 0, 0}));
  EXPECT_EQ(query.algorithm, pathfinding::Algorithm::astar);
  EXPECT_EQ(query.heuristic, pathfinding::Heuristic::octile);
  EXPECT_EQ(query.simplify, pathfinding::Simplify::none);
}

TEST(QueryOf, TakesAProfileAndWhatDiffersFromIt) {
  v1::FindPath request = cell_to_cell();
  v1::Agent& agent = *request.mutable_agent();
  agent.set_profile("spider");
  agent.set_height(1.95);
  agent.set_max_drop(2.5);
  agent.set_step(0.6);
  agent.set_corners(v1::Agent::LOOSE);
  agent.set_water(v1::Agent::WALK);
  agent.set_mode(v1::Agent::FLYER);
  agent.set_open_doors(true);
  agent.set_leap(2);
  agent.add_immune(v1::Agent::FIRE);
  agent.add_immune(v1::Agent::CAMPFIRE);
  agent.set_cost_jump(-1);
  agent.set_cost_leap(9);
  request.set_metric(v1::FindPath::MOVES);
  const auto query = std::get<Query>(query_of(request, AgentProfiles()));
  pathfinding::Agent expected = *pathfinding::profile_agent("spider");
  expected.height_px = 32;
  expected.max_drop_px = 40;
  expected.step_px = 9;
  expected.corners = pathfinding::Corners::loose;
  expected.water = pathfinding::WaterMode::walk;
  expected.mode = pathfinding::Mode::fly;
  expected.open_doors = true;
  expected.leap = 2;
  expected.immune =
      1u << static_cast<unsigned>(world::Hazard::fire) | 1u << static_cast<unsigned>(world::Hazard::campfire);
  expected.cost_jump = pathfinding::kForbidden;
  expected.cost_leap = 9;
  expected.metric = pathfinding::Metric::moves;
  EXPECT_EQ(query.agent, expected);
}

TEST(QueryOf, TellsImmuneToNothingFromNotSaid) {
  AgentProfiles profiles;
  pathfinding::Agent blaze;
  blaze.immune = 1u << static_cast<unsigned>(world::Hazard::fire);
  profiles.set("blaze", blaze);
  v1::FindPath request = cell_to_cell();
  request.mutable_agent()->set_profile("blaze");
  EXPECT_FALSE(std::get<Query>(query_of(request, profiles)).agent.hurt_by(world::Hazard::fire));
  request.mutable_agent()->add_immune(v1::Agent::NO_HAZARD);
  EXPECT_TRUE(std::get<Query>(query_of(request, profiles)).agent.hurt_by(world::Hazard::fire));
}

TEST(QueryOf, RefusesAgentsThatThePlannerWouldNotTake) {
  v1::FindPath request = cell_to_cell();
  request.mutable_agent()->set_width(0);
  auto refused = std::get<Failure>(query_of(request, AgentProfiles()));
  EXPECT_EQ(refused.kind, protocol::ErrorKind::field_out_of_range);
  EXPECT_EQ(refused.field, "find_path.agent.width");
  EXPECT_EQ(refused.value, "0");
  EXPECT_EQ(refused.limit, "0.0625 to 8 blocks (1 to 128 px)");
  request.mutable_agent()->clear_width();
  request.mutable_agent()->set_jump(17);
  refused = std::get<Failure>(query_of(request, AgentProfiles()));
  EXPECT_EQ(refused.field, "find_path.agent.jump");
  EXPECT_EQ(refused.value, "17");
  EXPECT_EQ(refused.limit, "0 to 16 blocks (0 to 256 px)");
  request.mutable_agent()->clear_jump();
  request.mutable_agent()->set_width(2);
  request.mutable_agent()->set_climb(true);
  refused = std::get<Failure>(query_of(request, AgentProfiles()));
  EXPECT_EQ(refused.field, "find_path.agent.climb");
  EXPECT_NE(refused.value.find("32 px"), std::string::npos) << refused.value;
  EXPECT_NE(refused.limit.find("16 px"), std::string::npos) << refused.limit;
}

TEST(WriteAnswer, CutsLongPathsAndSaysSo) {
  for (const int more : {-1, 0, 1}) {
    pathfinding::Answer answer;
    answer.status = pathfinding::AnswerStatus::found;
    answer.path.resize(protocol::kWaypointsMax + static_cast<std::size_t>(more));
    answer.move_count = answer.path.size() + 100;
    v1::PathAnswer message;
    write_answer(answer, &message);
    EXPECT_EQ(message.truncated(), more == 1);
    EXPECT_EQ(message.waypoints_size(), static_cast<int>(protocol::kWaypointsMax) + std::min(more, 0));
    EXPECT_EQ(message.moves(), answer.move_count) << "of the whole way";
  }
}

TEST(WriteAnswer, CarriesEveryStatusReasonAndKind) {
  using pathfinding::AnswerStatus;
  using pathfinding::MoveKind;
  using pathfinding::PartialReason;
  // Each name on the wire is the planner's, in capitals.
  const auto upper = [](std::string_view name) {
    std::string out(name);
    for (char& c : out) c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return out;
  };
  for (int s = 0; s <= static_cast<int>(AnswerStatus::cancelled); ++s) {
    pathfinding::Answer answer;
    answer.status = static_cast<AnswerStatus>(s);
    v1::PathAnswer message;
    write_answer(answer, &message);
    EXPECT_EQ(v1::PathAnswer::Status_Name(message.status()), upper(name(answer.status)));
  }
  for (int r = 1; r <= static_cast<int>(PartialReason::missing_chunk); ++r) {
    pathfinding::Answer answer;
    answer.reason = static_cast<PartialReason>(r);
    v1::PathAnswer message;
    write_answer(answer, &message);
    EXPECT_EQ(v1::PathAnswer::Reason_Name(message.reason()), upper(name(answer.reason)));
  }
  for (int k = 0; k <= static_cast<int>(MoveKind::swim); ++k) {
    pathfinding::Answer answer;
    answer.path.resize(1);
    answer.path[0].kind = static_cast<MoveKind>(k);
    v1::PathAnswer message;
    write_answer(answer, &message);
    EXPECT_EQ(v1::Waypoint::Kind_Name(message.waypoints(0).kind()), upper(name(answer.path[0].kind)));
  }
  for (int o = 0; o <= static_cast<int>(pathfinding::Obstacle::forbidden); ++o) {
    pathfinding::Answer answer;
    answer.blockers.resize(1);
    answer.blockers[0].obstacle = static_cast<pathfinding::Obstacle>(o);
    v1::PathAnswer message;
    write_answer(answer, &message);
    EXPECT_EQ(v1::Blocker::Obstacle_Name(message.blockers(0).obstacle()), upper(name(answer.blockers[0].obstacle)));
  }
}

}  // namespace
}  // namespace voxpath::server
