// Answers as text and as JSON: every status, and the shape that programs rely on.
#include "server/cli/answer_json.hpp"
#include "server/cli/answer_text.hpp"

#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace voxpath::server {
namespace {

using pathfinding::Answer;
using pathfinding::AnswerStatus;
using pathfinding::MoveKind;
using pathfinding::PartialReason;
using testing::HasSubstr;

pathfinding::Waypoint waypoint(world::BlockPos cell, MoveKind kind) {
  return {
      .cell = cell, .floor_px = cell.y * 16, .kind = kind, .position = {cell.x + 0.5, double(cell.y), cell.z + 0.5}};
}

PathOutcome walk() {
  PathOutcome outcome;
  Answer& a = outcome.answer;
  a.status = AnswerStatus::found;
  a.path = {waypoint({0, 64, 0}, MoveKind::start), waypoint({1, 64, 0}, MoveKind::walk),
            waypoint({2, 64, 0}, MoveKind::walk),  waypoint({3, 64, -1}, MoveKind::diagonal),
            waypoint({3, 65, -2}, MoveKind::jump), waypoint({3, 65, -3}, MoveKind::walk)};
  a.path.back().action = pathfinding::Action::open;
  a.cost = 69;
  a.move_count = 5;
  a.statistics = {.expanded = 7, .generated = 20, .unknown_blocks = 0, .world_version = 3};
  outcome.search_ms = 0.25;
  return outcome;
}

pathfinding::Query query() {
  pathfinding::Query q;
  q.start = world::BlockPos{0, 64, 0};
  q.goal = pathfinding::GoalPlaces{{world::BlockPos{3, 65, -3}}};
  return q;
}

TEST(AnswerText, LikeMovesAreOneRun) {
  EXPECT_EQ(answer_text(query(), {}, walk()),
            "FOUND: cost 69, 5 moves; 7 nodes expanded, 20 generated, 0.250 ms; world version 3\n"
            "          0  start standing         at 0,64,0, feet at 64\n"
            "        1-2  walk east x2           to 2,64,0, feet at 64\n"
            "          3  diagonal north-east    to 3,64,-1, feet at 64\n"
            "          4  jump north             to 3,65,-2, feet at 65\n"
            "          5  walk north             to 3,65,-3, feet at 65, opening the door or gate there\n");
}

TEST(AnswerText, EveryStatusSaysWhatToDoNext) {
  PathOutcome outcome = walk();
  Answer& a = outcome.answer;
  a.status = AnswerStatus::partial;
  a.reason = PartialReason::budget;
  EXPECT_THAT(answer_text(query(), {.expansions = 7}, outcome), HasSubstr("The budget of 7 expansions was spent"));
  EXPECT_THAT(answer_text(query(), {}, outcome), HasSubstr("PARTIAL (BUDGET)"));
  a.reason = PartialReason::missing_chunk;
  a.missing_chunks = {};
  EXPECT_THAT(answer_text(query(), {}, outcome),
              HasSubstr("Nothing leads there through the chunks that this world has"));
  a.missing_chunks = {{-1, 2}};
  EXPECT_THAT(answer_text(query(), {}, outcome), HasSubstr("chunk -1,2 (blocks -16,32 to -1,47)"));
  a.reason = PartialReason::deadline;
  EXPECT_THAT(answer_text(query(), {}, outcome), HasSubstr("Time ran out"));
  a.reason = PartialReason::none;
  a.status = AnswerStatus::unreachable;
  EXPECT_THAT(answer_text(query(), {}, outcome), HasSubstr("Proved: no way"));
  a.path.clear();
  a.status = AnswerStatus::start_invalid;
  EXPECT_THAT(answer_text(query(), {}, outcome),
              HasSubstr("The start lies in chunk -1,2 (blocks -16,32 to -1,47), which is not loaded"));
  a.status = AnswerStatus::goal_invalid;
  EXPECT_THAT(answer_text(query(), {}, outcome), HasSubstr("The goal lies in chunk -1,2"));
  a.missing_chunks.clear();
  a.status = AnswerStatus::start_invalid;
  EXPECT_THAT(answer_text(query(), {}, outcome), HasSubstr("voxpath world blocks 0,64,0"));
  a.status = AnswerStatus::goal_invalid;
  EXPECT_THAT(answer_text(query(), {}, outcome), HasSubstr("voxpath world surface 3,65,-3"));
  a.status = AnswerStatus::cancelled;
  EXPECT_THAT(answer_text(query(), {}, outcome), HasSubstr("given up"));
}

TEST(AnswerText, ExplainsRulesAndBlockers) {
  PathOutcome outcome = walk();
  outcome.answer.start_rule = pathfinding::ResolvedBy::falling;
  outcome.answer.goal_rule = pathfinding::ResolvedBy::beside_solid;
  outcome.answer.blockers = {
      {.near_goal = true, .from = {1, 2, 3}, .at = {2, 2, 3}, .obstacle = pathfinding::Obstacle::too_high}};
  const std::string text = explanation(query(), outcome.answer);
  EXPECT_THAT(text, HasSubstr("start 0,64,0 taken as 0,64,0, feet at 64: in the air: the first floor below"));
  EXPECT_THAT(text, HasSubstr("goal 3,65,-3 taken as 3,65,-3, feet at 65: inside solid: the nearest floor beside it"));
  outcome.answer.status = AnswerStatus::partial;
  EXPECT_THAT(explanation(query(), outcome.answer), HasSubstr("goal 3,65,-3: inside solid"))
      << "the path's end is another place";
  EXPECT_THAT(text, HasSubstr("near the goal: no way from 1,2,3 to 2,2,3: it is higher than the mob can jump"));
}

TEST(AnswerJson, HoldsTheWholeAnswer) {
  const auto json = boost::json::parse(answer_json(walk(), "", "")).as_object();
  EXPECT_EQ(json.at("status"), "FOUND");
  EXPECT_TRUE(json.at("reason").is_null());
  EXPECT_EQ(json.at("cost"), 69);
  EXPECT_EQ(json.at("moves"), 5);
  EXPECT_EQ(json.at("exact"), true);
  EXPECT_EQ(json.at("expanded"), 7);
  EXPECT_EQ(json.at("world_version"), 3);
  EXPECT_FALSE(json.contains("drawing"));
  const auto& waypoints = json.at("waypoints").as_array();
  ASSERT_EQ(waypoints.size(), 6u);
  const auto& last = waypoints.back().as_object();
  EXPECT_EQ(boost::json::serialize(last.at("cell")), "[3,65,-3]");
  EXPECT_EQ(last.at("kind"), "walk");
  EXPECT_EQ(last.at("action"), "OPEN");
  EXPECT_EQ(last.at("floor_px"), 1040);
  EXPECT_TRUE(waypoints.front().as_object().at("action").is_null());
}

TEST(AnswerText, TellsTimesAndTheWholePathsMoves) {
  PathOutcome outcome = walk();
  outcome.answer.path.erase(outcome.answer.path.begin() + 1);  // as simplifying does
  outcome.queue_ms = 1.5;
  EXPECT_THAT(answer_text(query(), {}, outcome), HasSubstr("5 moves; "));
  EXPECT_THAT(answer_text(query(), {}, outcome), HasSubstr("0.250 ms after 1.500 ms in the queue"));
  const auto json = boost::json::parse(answer_json(outcome, "", "")).as_object();
  EXPECT_EQ(json.at("moves"), 5);
  EXPECT_EQ(json.at("queue_ms"), 1.5);
  EXPECT_EQ(json.at("search_ms"), 0.25);
}

TEST(Invalidations, AsTextAndAsJson) {
  const Invalidation broken{.world_closed = false,
                            .fault = {.index = 3, .obstacle = pathfinding::Obstacle::no_room, .at = {3, 65, -1}},
                            .world_version = 9};
  EXPECT_EQ(invalidation_text(walk().answer, broken),
            "INVALIDATED: waypoint 3 at 3,64,-1 cannot be reached: the body does not fit (cell 3,65,-1); world version "
            "9\n");
  EXPECT_EQ(invalidation_json(broken),
            R"({"invalidated":{"reason":"BROKEN","waypoint":3,"obstacle":"no_room","at":[3,65,-1],"world_version":9}})"
            "\n");
  const Invalidation closed{.world_closed = true, .fault = {}, .world_version = 0};
  EXPECT_EQ(invalidation_text(walk().answer, closed), "INVALIDATED: the world was closed.\n");
  EXPECT_EQ(invalidation_json(closed), "{\"invalidated\":{\"reason\":\"WORLD_CLOSED\"}}\n");
}

TEST(AnswerJson, DrawingsAreLines) {
  const auto json = boost::json::parse(answer_json(walk(), "advice", "a\nb\n")).as_object();
  EXPECT_EQ(boost::json::serialize(json.at("drawing")), R"(["a","b"])");
  EXPECT_EQ(json.at("advice"), "advice");
}

TEST(AnswerJson, ErrorsAreJsonWhateverTheirBytes) {
  const auto json = boost::json::parse(error_json(ExitCode::usage, "quote \" newline \n bytes \xff\xc3 \xc3\xa9"));
  const auto& error = json.as_object().at("error").as_object();
  EXPECT_EQ(error.at("exit_code"), 2);
  EXPECT_EQ(error.at("message"), "quote \" newline \n bytes ?? \xc3\xa9");
}

}  // namespace
}  // namespace voxpath::server
