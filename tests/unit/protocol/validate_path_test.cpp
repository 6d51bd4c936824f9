// The door for paths that come back: validate_path and unwatch.
#include "protocol/limits.hpp"
#include "protocol/validate.hpp"
#include "protocol/voxpath.pb.h"

#include <functional>

#include <gtest/gtest.h>

namespace voxpath::protocol {
namespace {

v1::ClientFrame fine_path(int waypoints = 3, int stride = 1) {
  v1::ClientFrame frame;
  frame.mutable_validate_path()->set_world("overworld");
  for (int i = 0; i < waypoints; ++i) {
    v1::Waypoint& waypoint = *frame.mutable_validate_path()->add_waypoints();
    waypoint.mutable_cell()->set_x(i * stride);
    waypoint.set_kind(i == 0 ? v1::Waypoint::START : v1::Waypoint::WALK);
    waypoint.set_medium(v1::Waypoint::GROUND);
  }
  return frame;
}

void expect_refused(const std::string& field, ErrorKind kind, const std::function<void(v1::ValidatePath&)>& change) {
  SCOPED_TRACE(field);
  v1::ClientFrame frame = fine_path();
  ASSERT_FALSE(validate(frame));
  change(*frame.mutable_validate_path());
  const auto refused = validate(frame);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->field, field);
  EXPECT_EQ(refused->kind, kind);
  EXPECT_EQ(refused->message.find(field), 0u) << refused->message;
  EXPECT_FALSE(refused->limit.empty());
}

TEST(ValidatePathDoor, NamesTheFieldOfTheWaypoint) {
  using enum ErrorKind;
  using Path = v1::ValidatePath;
  expect_refused("validate_path.world", field_missing, [](Path& p) { p.clear_world(); });
  expect_refused("validate_path.agent.height", field_out_of_range,
                 [](Path& p) { p.mutable_agent()->set_height(4'097); });
  expect_refused("validate_path.agent.cost_jump", field_out_of_range,
                 [](Path& p) { p.mutable_agent()->set_cost_jump(-2); });
  expect_refused("validate_path.deadline_ms", field_out_of_range,
                 [](Path& p) { p.set_deadline_ms(kDeadlineMaxMs + 1); });
  expect_refused("validate_path.waypoints", field_missing, [](Path& p) { p.clear_waypoints(); });
  expect_refused("validate_path.waypoints[1].cell", field_missing,
                 [](Path& p) { p.mutable_waypoints(1)->clear_cell(); });
  expect_refused("validate_path.waypoints[2].cell.z", field_out_of_range,
                 [](Path& p) { p.mutable_waypoints(2)->mutable_cell()->set_z(kCoordinateMaxBlocks + 1); });
  expect_refused("validate_path.waypoints[0].floor_px", field_out_of_range,
                 [](Path& p) { p.mutable_waypoints(0)->set_floor_px(kCoordinateMaxBlocks * 16 + 1); });
  expect_refused("validate_path.waypoints[0].kind", field_invalid,
                 [](Path& p) { p.mutable_waypoints(0)->clear_kind(); });
  expect_refused("validate_path.waypoints[1].kind", field_invalid,
                 [](Path& p) { p.mutable_waypoints(1)->set_kind(static_cast<v1::Waypoint::Kind>(99)); });
  expect_refused("validate_path.waypoints[1].medium", field_invalid,
                 [](Path& p) { p.mutable_waypoints(1)->clear_medium(); });
  expect_refused("validate_path.waypoints[1].action", field_invalid,
                 [](Path& p) { p.mutable_waypoints(1)->set_action(static_cast<v1::Waypoint::Action>(2)); });
}

TEST(ValidatePathDoor, HoldsTheLimitOfWaypoints) {
  for (const int more : {-1, 0, 1}) {
    const auto refused = validate(fine_path(static_cast<int>(kWaypointsMax) + more));
    ASSERT_EQ(refused.has_value(), more == 1) << more;
    if (refused) {
      EXPECT_EQ(refused->field, "validate_path.waypoints");
      EXPECT_EQ(refused->limit, "16384 entries");
    }
  }
}

TEST(ValidatePathDoor, HoldsTheLimitOfLength) {
  for (const int more : {-1, 0, 1}) {
    v1::ClientFrame frame = fine_path(3, static_cast<int>(kPathLengthMaxBlocks) / 2);
    v1::BlockPos& last = *frame.mutable_validate_path()->mutable_waypoints(2)->mutable_cell();
    last.set_x(last.x() + more);
    const auto refused = validate(frame);
    ASSERT_EQ(refused.has_value(), more == 1) << more;
    if (refused) {
      EXPECT_EQ(refused->value, "65537 blocks long in all");
      EXPECT_EQ(refused->limit, "65536 blocks");
    }
  }
  // From end to end of the world and back, as often as it fits: no sum may overflow.
  v1::ClientFrame frame = fine_path(static_cast<int>(kWaypointsMax));
  for (int i = 0; i < static_cast<int>(kWaypointsMax); ++i) {
    frame.mutable_validate_path()->mutable_waypoints(i)->mutable_cell()->set_x(i % 2 == 0 ? kCoordinateMaxBlocks
                                                                                          : -kCoordinateMaxBlocks);
  }
  ASSERT_TRUE(validate(frame));
  EXPECT_EQ(validate(frame)->value, "982980000000 blocks long in all");
}

TEST(UnwatchDoor, WorldAndNumber) {
  v1::ClientFrame frame;
  frame.mutable_unwatch()->set_world("overworld");
  EXPECT_EQ(validate(frame)->field, "unwatch.watch");
  frame.mutable_unwatch()->set_watch(1);
  EXPECT_FALSE(validate(frame));
  frame.mutable_unwatch()->clear_world();
  EXPECT_EQ(validate(frame)->field, "unwatch.world");
}

}  // namespace
}  // namespace voxpath::protocol
