// find_paths on the wire: what the door lets through, and an answer that is longer than a frame.
#include "protocol/answer_parts.hpp"
#include "protocol/limits.hpp"
#include "protocol/validate.hpp"
#include "tests/unit/protocol/connection_owner.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace voxpath::protocol {
namespace {

F horde(std::uint32_t id, int starts) {
  F frame;
  frame.set_id(id);
  v1::FindPaths& request = *frame.mutable_find_paths();
  request.set_world("w");
  for (int i = 0; i < starts; ++i) request.add_starts()->mutable_cell()->set_x(i);
  request.mutable_goal()->mutable_cell();
  return frame;
}

/// As long as the answer to so many starts may be.
v1::ServerFrame longest_answer(std::uint32_t id, int starts) {
  v1::ServerFrame frame;
  frame.set_id(id);
  for (int i = 0; i < starts; ++i) {
    v1::PathAnswer& path = *frame.mutable_paths()->add_paths();
    path.set_status(v1::PathAnswer::FOUND);
    path.set_cost(i);
    const std::size_t most = std::min(kWaypointsMax, kHordeWaypointsMax / static_cast<std::size_t>(starts));
    for (std::size_t w = 0; w < most; ++w) {
      v1::Waypoint& waypoint = *path.add_waypoints();
      waypoint.mutable_cell()->set_x(-kCoordinateMaxBlocks);
      waypoint.mutable_cell()->set_y(-kCoordinateMaxBlocks);
      waypoint.mutable_cell()->set_z(-kCoordinateMaxBlocks);
      waypoint.mutable_position()->set_x(0.5);
      waypoint.mutable_position()->set_y(0.5);
      waypoint.mutable_position()->set_z(0.5);
      waypoint.set_floor_px(-kCoordinateMaxBlocks * 16);
      waypoint.set_kind(v1::Waypoint::CLIMB);
      waypoint.set_action(v1::Waypoint::OPEN);
      waypoint.set_medium(v1::Waypoint::CLIMBABLE);
    }
  }
  frame.mutable_paths()->set_shared(7);
  frame.mutable_paths()->mutable_times()->set_queued_us(8);
  return frame;
}

TEST(FindPaths, TheDoorLetsThroughWhatIsRight) {
  EXPECT_FALSE(validate(horde(1, 1)));
  EXPECT_FALSE(validate(horde(1, static_cast<int>(kStartsMax))));
  F frame = horde(1, 3);
  frame.mutable_find_paths()->mutable_starts(2)->mutable_position()->set_y(kCoordinateMaxBlocks);
  EXPECT_FALSE(validate(frame));
}

TEST(FindPaths, TheDoorNamesWhatIsWrong) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const struct {
    const char* name;
    std::function<void(v1::FindPaths&)> spoil;
    const char* field;
    ErrorKind kind;
  } kCases[] = {
      {"no world", [](auto& r) { r.clear_world(); }, "find_paths.world", ErrorKind::field_missing},
      {"no start", [](auto& r) { r.clear_starts(); }, "find_paths.starts", ErrorKind::field_missing},
      {"an empty start", [](auto& r) { r.mutable_starts(17)->Clear(); }, "find_paths.starts[17].position",
       ErrorKind::field_missing},
      {"a start that is no number", [&](auto& r) { r.mutable_starts(17)->mutable_position()->set_y(kNan); },
       "find_paths.starts[17].position.y", ErrorKind::field_invalid},
      {"a start too far", [](auto& r) { r.mutable_starts(19)->mutable_cell()->set_z(kCoordinateMaxBlocks + 1); },
       "find_paths.starts[19].cell.z", ErrorKind::field_out_of_range},
      {"a start too far down",
       [](auto& r) { r.mutable_starts(0)->mutable_position()->set_y(-kCoordinateMaxBlocks - 1.0); },
       "find_paths.starts[0].position.y", ErrorKind::field_out_of_range},
      {"no goal", [](auto& r) { r.clear_goal(); }, "find_paths.goal.position", ErrorKind::field_missing},
      {"a goal of nothing", [](auto& r) { r.mutable_goal()->mutable_any_of(); }, "find_paths.goal.any_of.places",
       ErrorKind::field_missing},
      {"an agent", [](auto& r) { r.mutable_agent()->set_cost_jump(-2); }, "find_paths.agent.cost_jump",
       ErrorKind::field_out_of_range},
      {"a box", [](auto& r) { r.add_priced_boxes(); }, "find_paths.priced_boxes[0].box", ErrorKind::field_missing},
      {"expansions", [](auto& r) { r.set_expansions_max(kExpansionsMax + 1); }, "find_paths.expansions_max",
       ErrorKind::field_out_of_range},
      {"a deadline", [](auto& r) { r.set_deadline_ms(kDeadlineMaxMs + 1); }, "find_paths.deadline_ms",
       ErrorKind::field_out_of_range},
      {"a priority", [](auto& r) { r.set_priority(kPriorityMax + 1); }, "find_paths.priority",
       ErrorKind::field_out_of_range},
      {"a metric", [](auto& r) { r.set_metric(static_cast<v1::FindPath::Metric>(9)); }, "find_paths.metric",
       ErrorKind::field_invalid},
  };
  for (const auto& c : kCases) {
    F frame = horde(1, 20);
    c.spoil(*frame.mutable_find_paths());
    const auto refused = validate(frame);
    ASSERT_TRUE(refused) << c.name;
    EXPECT_EQ(refused->field, c.field) << c.name;
    EXPECT_EQ(refused->kind, c.kind) << c.name;
    EXPECT_EQ(refused->message.find(c.field), 0u) << refused->message;
  }
}

TEST(FindPaths, OneStartMoreThanTheLimit) {
  const auto refused = validate(horde(1, static_cast<int>(kStartsMax) + 1));
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->field, "find_paths.starts");
  EXPECT_EQ(refused->value, "1025 entries long");
  EXPECT_EQ(refused->limit, "1024 entries");
  EXPECT_EQ(refused->kind, ErrorKind::field_out_of_range);
}

TEST(FindPaths, TheLargestRequestFitsAFrame) {
  F frame = horde(1, 0);
  for (std::size_t i = 0; i < kStartsMax; ++i) {
    v1::Position& at = *frame.mutable_find_paths()->add_starts()->mutable_position();
    at.set_x(0.1);
    at.set_y(0.1);
    at.set_z(0.1);
  }
  EXPECT_LT(frame.ByteSizeLong(), kFrameSizeMaxBytes / 16);
}

TEST(AnswerParts, APathsAnswerIsCutIntoFramesAndPutTogetherAgain) {
  for (const int starts : {1, 4, 5, 37, static_cast<int>(kStartsMax)}) {
    const v1::ServerFrame whole = longest_answer(0xffffffffu, starts);
    const auto parts = parts_of(whole);
    v1::PathsAnswer again;
    for (const v1::ServerFrame& part : parts) {
      EXPECT_EQ(part.id(), whole.id());
      EXPECT_LE(part.ByteSizeLong(), kFrameSizeMaxBytes);
      EXPECT_EQ(part.paths().more(), &part != &parts.back());
      ASSERT_TRUE(append_part(part.paths(), &again));
    }
    EXPECT_EQ(again.SerializeAsString(), whole.paths().SerializeAsString()) << starts;
    if (starts > 5) {
      EXPECT_LE(parts.size(), 5u) << "frames as full as may be";
    }
  }
}

TEST(AnswerParts, WhatFitsStaysWhole) {
  v1::ServerFrame frame;
  frame.set_id(3);
  frame.mutable_paths()->add_paths()->set_cost(1);
  ASSERT_EQ(parts_of(frame).size(), 1u);
  EXPECT_EQ(parts_of(frame).front().SerializeAsString(), frame.SerializeAsString());
  EXPECT_EQ(parts_of(worlds_answer(4)).front().SerializeAsString(), worlds_answer(4).SerializeAsString());
}

TEST(AnswerParts, APartThatIsMissingIsSeen) {
  const auto parts = parts_of(longest_answer(1, 100));
  ASSERT_GE(parts.size(), 3u);
  v1::PathsAnswer whole;
  EXPECT_TRUE(append_part(parts[0].paths(), &whole));
  EXPECT_FALSE(append_part(parts[2].paths(), &whole));
  EXPECT_FALSE(append_part(parts[0].paths(), &whole));
  EXPECT_TRUE(append_part(parts[1].paths(), &whole));
}

TEST(Connection, SendsALongAnswerInPartsThatCountAsOne) {
  ConnectionOwner owner;
  owner.greet();
  owner.heard();
  owner.auto_sent = false;
  owner.receive(horde(2, static_cast<int>(kStartsMax)));
  ASSERT_TRUE(owner.submitted.contains(2));
  EXPECT_TRUE(owner.connection.answer(longest_answer(2, static_cast<int>(kStartsMax)), 0));
  owner.carry_out();
  EXPECT_EQ(owner.connection.in_flight(), 0u);
  EXPECT_FALSE(owner.connection.answer(longest_answer(2, 1), 0)) << "it is answered";
  EXPECT_LT(owner.unsent, kOutboundMaxBytes);
  EXPECT_FALSE(owner.reading) << "much waits for the client";
  const auto frames = owner.heard();
  ASSERT_GT(frames.size(), 1u);
  for (const v1::ServerFrame& frame : frames) EXPECT_EQ(frame.id(), 2u);
  owner.all_sent();
  EXPECT_TRUE(owner.reading);
  owner.submitted.clear();
  owner.receive(horde(2, 1));  // the id is free again
  EXPECT_TRUE(owner.submitted.contains(2));
  EXPECT_FALSE(owner.closed);
}

TEST(Connection, HoldsAHordeUntilItsAnswerHasRoom) {
  ConnectionOwner owner;
  owner.greet();
  owner.receive(bytes_of(horde(2, 1'024)) + bytes_of(horde(3, 1'024)) + bytes_of(list(4)));
  EXPECT_EQ(owner.submitted.size(), 1u) << "two answers might not fit";
  EXPECT_FALSE(owner.reading);
  EXPECT_TRUE(owner.answer(2));
  EXPECT_EQ(owner.submitted.count(3), 1u);
  EXPECT_EQ(owner.submitted.count(4), 1u) << "what came behind it, in order";
  EXPECT_TRUE(owner.reading);
  owner.receive(horde(5, 1'024));
  EXPECT_FALSE(owner.submitted.contains(5));
  owner.connection.drain(owner.now_ms);
  owner.carry_out();
  EXPECT_TRUE(owner.answer(3));
  EXPECT_TRUE(owner.answer(4));
  EXPECT_FALSE(owner.submitted.contains(5)) << "it was not begun before the end";
  expect_closed(owner, ErrorKind::shutting_down);
}

TEST(Connection, AHordeThatIsHeldGoesWithItsConnection) {
  ConnectionOwner owner;
  owner.greet();
  owner.receive(horde(2, 1'024));
  owner.receive(horde(3, 1'024));
  owner.connection.peer_closed();
  owner.carry_out();
  ASSERT_TRUE(owner.closed);
  EXPECT_FALSE(owner.answer(2));
  EXPECT_FALSE(owner.submitted.contains(3));
}

TEST(Connection, CancelsAHorde) {
  ConnectionOwner owner;
  owner.greet();
  owner.receive(horde(2, 5));
  owner.receive(cancel(3, 2));
  EXPECT_EQ(owner.cancelled, std::vector<std::uint32_t>{2});
}

}  // namespace
}  // namespace voxpath::protocol
