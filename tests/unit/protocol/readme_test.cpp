// protocol/README.md says what the code says: the worked example byte for byte, and every limit.
#include "protocol/connection.hpp"
#include "protocol/limits.hpp"
#include "protocol/validate.hpp"
#include "protocol/voxpath.pb.h"

#include <fstream>
#include <regex>
#include <sstream>

#include <fmt/format.h>
#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>

namespace voxpath::protocol {
namespace {

std::string readme() {
  std::ifstream file(VOXPATH_SOURCE_DIR "/protocol/README.md");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// One message of the example: lines of hex, each with a remark after two blanks, below a line that says who speaks.
struct Example {
  std::string speaker;
  std::string bytes;
};
std::vector<Example> examples() {
  std::vector<Example> out;
  std::istringstream lines(readme());
  const std::regex hex("^    ((?:[0-9a-f]{2} ?)+)(  .*)?$");
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (line == "    client:" || line == "    server:") {
      out.push_back({line.substr(4, 6), {}});
      inside = true;
    } else if (inside && std::regex_match(line, match, hex)) {
      std::istringstream digits(match[1]);
      for (std::string byte; digits >> byte;)
        out.back().bytes.push_back(static_cast<char>(std::stoi(byte, nullptr, 16)));
    } else {
      inside = false;
    }
  }
  return out;
}

TEST(Readme, ExampleIsWhatTheCodeSpeaks) {
  const std::vector<Example> example = examples();
  ASSERT_EQ(example.size(), 4u);

  Connection connection({}, {}, {}, 0);
  ASSERT_EQ(example[0].speaker, "client");
  connection.receive(example[0].bytes, 0);
  auto actions = connection.take_actions();
  ASSERT_EQ(actions.size(), 1u);
  EXPECT_TRUE(connection.welcomed());
  EXPECT_EQ(connection.client_name(), "demo");

  ASSERT_EQ(example[1].speaker, "client");
  connection.receive(example[1].bytes, 0);
  actions = connection.take_actions();
  ASSERT_EQ(actions.size(), 1u);
  const v1::ClientFrame& request = *std::get<Submit>(actions[0]).frame;
  EXPECT_EQ(request.find_path().world(), "w");
  EXPECT_EQ(request.find_path().agent().profile(), "zombie");
  EXPECT_EQ(request.find_path().start().position().x(), 0.5);
  EXPECT_EQ(request.find_path().goal().cell().x(), -3);
  std::string again;
  append_frame(request, &again);
  EXPECT_EQ(again, example[1].bytes);

  ASSERT_EQ(example[2].speaker, "server");
  v1::ServerFrame answer;
  answer.set_id(request.id());
  v1::PathAnswer& path = *answer.mutable_path();
  path.set_status(v1::PathAnswer::FOUND);
  path.set_version(5);
  path.set_cost(10);
  path.set_moves(1);
  std::string bytes;
  append_frame(answer, &bytes);
  EXPECT_EQ(bytes, example[2].bytes);

  ASSERT_EQ(example[3].speaker, "server");
  answer.Clear();
  answer.set_id(3);
  answer.mutable_error()->set_code(v1::Error::NOT_FOUND);
  answer.mutable_error()->set_reason("world_unknown");
  bytes.clear();
  append_frame(answer, &bytes);
  EXPECT_EQ(bytes, example[3].bytes);
}

TEST(Readme, LimitsAreThoseOfTheHeader) {
  const std::string text = readme();
  const auto expect = [&](std::string_view name, auto value) {
    const std::string row = fmt::format("| `{}` | {} |", name, value);
    EXPECT_NE(text.find(row), std::string::npos) << "missing in protocol/README.md: " << row;
  };
  expect("kConnectionsMax", kConnectionsMax);
  expect("kInFlightMax", kInFlightMax);
  expect("kHandshakeTimeoutMs", kHandshakeTimeoutMs);
  expect("kIdleTimeoutMs", kIdleTimeoutMs);
  expect("kOutboundMaxBytes", kOutboundMaxBytes);
  expect("kUnreadTimeoutMs", kUnreadTimeoutMs);
  expect("kUnreadFullTimeoutMs", kUnreadFullTimeoutMs);
  expect("kChunksMax", kChunksMax);
  expect("kWatchedWaypointsMax", kWatchedWaypointsMax);
  expect("kOutboundPauseBytes", kOutboundPauseBytes);
  expect("kAnswersExpectedMaxBytes", kAnswersExpectedMaxBytes);
  expect("kHelloSizeMaxBytes", kHelloSizeMaxBytes);
  expect("kFrameSizeMaxBytes", kFrameSizeMaxBytes);
  expect("kUploadSizeMaxBytes", kUploadSizeMaxBytes);
  expect("kLengthPrefixMaxBytes", kLengthPrefixMaxBytes);
  expect("kClientNameMaxBytes", kClientNameMaxBytes);
  expect("kWorldNameMaxBytes", kWorldNameMaxBytes);
  expect("kBlockTextMaxBytes", kBlockTextMaxBytes);
  expect("kWorldsMax", kWorldsMax);
  expect("kWorldHeightMaxBlocks", kWorldHeightMaxBlocks);
  expect("kCoordinateMaxBlocks", kCoordinateMaxBlocks);
  expect("kPaletteMaxBlocks", kPaletteMaxBlocks);
  expect("kSectionsMax", kSectionsMax);
  expect("kChangesMax", kChangesMax);
  expect("kBoxVolumeMaxBlocks", kBoxVolumeMaxBlocks);
  expect("kChangesVolumeMaxBlocks", kChangesVolumeMaxBlocks);
  expect("kQueryBlocksMax", kQueryBlocksMax);
  expect("kSightDistanceMaxBlocks", kSightDistanceMaxBlocks);
  expect("kExpansionsDefault", kExpansionsDefault);
  expect("kExpansionsMax", kExpansionsMax);
  expect("kDeadlineMaxMs", kDeadlineMaxMs);
  expect("kPriorityMax", kPriorityMax);
  expect("kWaypointsMax", kWaypointsMax);
  expect("kGoalPlacesMax", kGoalPlacesMax);
  expect("kPathLengthMaxBlocks", kPathLengthMaxBlocks);
  expect("kWatchesMax", kWatchesMax);
  expect("kTokenMaxBytes", kTokenMaxBytes);
  expect("kCostMax", kCostMax);
  expect("kStartsMax", kStartsMax);
  expect("kHordeWaypointsMax", kHordeWaypointsMax);
  expect("kJobsQueuedMax", kJobsQueuedMax);
}

TEST(Limits, TheLargestAnswersFitAFrame) {
  v1::ServerFrame frame;
  frame.set_id(0xffffffffu);
  v1::PathAnswer& path = *frame.mutable_path();
  path.set_cost(INT64_MIN);
  for (std::size_t i = 0; i < kWaypointsMax; ++i) {
    v1::Waypoint& w = *path.add_waypoints();
    w.mutable_cell()->set_x(-kCoordinateMaxBlocks);
    w.mutable_cell()->set_y(-kCoordinateMaxBlocks);
    w.mutable_cell()->set_z(-kCoordinateMaxBlocks);
    w.mutable_position()->set_x(0.5);
    w.mutable_position()->set_y(0.5);
    w.mutable_position()->set_z(0.5);
    w.set_floor_px(-kCoordinateMaxBlocks * 16);
    w.set_kind(v1::Waypoint::CLIMB);
    w.set_action(v1::Waypoint::OPEN);
  }
  EXPECT_LT(frame.ByteSizeLong(), kFrameSizeMaxBytes - 1024);

  frame.Clear();
  v1::BlocksAnswer& blocks = *frame.mutable_blocks();
  blocks.mutable_blocks()->Resize(static_cast<int>(kQueryBlocksMax), 16'383);
  EXPECT_LT(frame.ByteSizeLong(), kFrameSizeMaxBytes * 3 / 4) << "which leaves room for their names";
}

TEST(Json, ReadsWell) {
  v1::FindPath request;
  const std::string json =
      R"({"world":"overworld","agent":{"profile":"zombie","maxDrop":2.5,"corners":"LOOSE"},)"
      R"("start":{"position":{"x":0.5,"y":64,"z":0.5}},"goal":{"cell":{"x":-3,"y":64}},"algorithm":"BFS","deadlineMs":50})";
  ASSERT_TRUE(google::protobuf::util::JsonStringToMessage(json, &request).ok());
  EXPECT_EQ(request.agent().corners(), v1::Agent::LOOSE);
  std::string back;
  ASSERT_TRUE(google::protobuf::util::MessageToJsonString(request, &back).ok());
  EXPECT_EQ(back, json);
}

}  // namespace
}  // namespace voxpath::protocol
