// The judge against the drawn scenarios: it must agree before it may judge.
#include "server/scenario/scenario_file.hpp"
#include "tests/judge/naive_planner.hpp"
#include "tests/judge/path_checker.hpp"
#include "tests/judge/scenario_case.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace voxpath::judge {
namespace {

std::string read_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::filesystem::path> scenario_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(VOXPATH_SOURCE_DIR) / "tests/scenarios")) {
    if (entry.path().extension() == ".scn") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool visits(const Answer& answer, world::BlockPos at) {
  return std::any_of(answer.path.begin(), answer.path.end(),
                     [&](const Step& step) { return world::BlockPos{step.node.x, step.node.y, step.node.z} == at; });
}

std::vector<std::string> actions(const Answer& answer) {
  std::vector<std::string> list;
  for (const Step& step : answer.path) {
    if (!step.kind || !step.node.opens) continue;
    list.push_back("OPEN@" + std::to_string(step.node.x) + "," + std::to_string(step.node.y) + "," +
                   std::to_string(step.node.z));
  }
  return list;
}

void expect_path(const server::ScenarioExpectation& expect, const Answer& answer) {
  if (expect.cost) {
    EXPECT_EQ(answer.cost, *expect.cost);
  }
  if (expect.cost_max) {
    EXPECT_LE(answer.cost, *expect.cost_max);
  }
  if (expect.moves) {
    EXPECT_EQ(answer.moves_min, *expect.moves);
    if (answer.moves_max >= 0) {
      EXPECT_EQ(answer.moves_max, *expect.moves);
    }
  }
  const Node& end = answer.path.back().node;
  if (expect.end) {
    EXPECT_EQ((world::BlockPos{end.x, end.y, end.z}), *expect.end);
  }
  for (const world::BlockPos at : expect.visits) EXPECT_TRUE(visits(answer, at)) << at.x << ',' << at.y << ',' << at.z;
  for (const world::BlockPos at : expect.avoids) EXPECT_FALSE(visits(answer, at)) << at.x << ',' << at.y << ',' << at.z;
  if (!expect.actions.empty()) {
    std::vector<std::string> wanted;
    for (const server::ScenarioAction& a : expect.actions) {
      wanted.push_back(a.action + "@" + std::to_string(a.at.x) + "," + std::to_string(a.at.y) + "," +
                       std::to_string(a.at.z));
    }
    EXPECT_EQ(actions(answer), wanted);
  }
  if (!expect.kinds.empty()) {
    std::vector<std::string> kinds;
    for (const Step& step : answer.path) {
      if (step.kind) kinds.emplace_back(name(*step.kind));
    }
    EXPECT_EQ(kinds, expect.kinds);
  }
}

TEST(JudgeScenarios, EveryQueryOfEveryFileIsAnsweredAsExpected) {
  const auto table = world::BlockTable::for_version(world::BlockTable::versions().back());
  ASSERT_TRUE(table.ok());
  const std::vector<std::filesystem::path> files = scenario_files();
  EXPECT_GE(files.size(), 78U);
  for (const std::filesystem::path& file : files) {
    const auto scenario = server::read_scenario(read_file(file), *table);
    if (!scenario) {
      ADD_FAILURE() << file << ": " << scenario.error().message;
      continue;
    }
    const SnapshotWorld view(scenario->world->snapshot());
    for (const server::ScenarioQuery& query : scenario->queries) {
      const testing::ScopedTrace trace(file.c_str(), query.line, query.text);
      NaivePlanner planner(view, agent_of(query));
      const Query asked = to_query(query);
      const Answer answer = planner.plan(asked);
      EXPECT_EQ(name(answer.status), server::name(query.expect.status));
      if (!query.expect.reason.empty()) {
        EXPECT_EQ(name(answer.reason), query.expect.reason);
      }
      if (answer.status != Status::found || query.expect.status != server::ScenarioStatus::found) continue;
      expect_path(query.expect, answer);
      std::vector<ClaimedStep> path;
      for (const Step& step : answer.path) path.push_back(claim(step));
      const PathVerdict verdict = check_path(planner.ground(), path, asked.boxes);
      EXPECT_TRUE(verdict.ok()) << verdict.why;
      EXPECT_EQ(verdict.cost, answer.cost);
    }
  }
}

}  // namespace
}  // namespace voxpath::judge
