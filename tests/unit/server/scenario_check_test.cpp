// Every drawn scenario, through the planner.
#include "server/checks/scenario_check.hpp"

#include "tests/support/shared_data.hpp"

#include <filesystem>

#include <gtest/gtest.h>

namespace voxpath::server {
namespace {

std::vector<std::string> scenario_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(VOXPATH_SOURCE_DIR "/tests/scenarios")) {
    if (entry.path().extension() == ".scn") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Scenarios : public testing::TestWithParam<std::string> {};

TEST_P(Scenarios, AnswersAreAsExpected) {
  const auto table = world::BlockTable::for_version("1.20.4");
  ASSERT_TRUE(table);
  const auto scenario =
      read_scenario(test::read_file(VOXPATH_SOURCE_DIR "/tests/scenarios/" + GetParam() + ".scn"), *table);
  ASSERT_TRUE(scenario) << scenario.error().message;
  pathfinding::Search search;
  const CheckReport report = check_scenario(*scenario, search);
  for (const auto& f : report.failures) ADD_FAILURE() << f;
  EXPECT_EQ(report.passed, scenario->queries.size());
  EXPECT_FALSE(scenario->queries.empty());
}

INSTANTIATE_TEST_SUITE_P(All, Scenarios, testing::ValuesIn(scenario_names()), [](const auto& param) {
  std::string name = param.param;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

}  // namespace
}  // namespace voxpath::server
