// The scenario reader: what it reads, and that every fault is refused with its line.
#include "server/scenario/scenario_file.hpp"

#include "server/scenario/scenario_goal.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace voxpath::server {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

const world::BlockTable& table() {
  static const world::BlockTable newest = *world::BlockTable::for_version(world::BlockTable::versions().back());
  return newest;
}

std::string block_name(const world::Snapshot& snapshot, world::BlockPos at) {
  const world::PaletteEntry* const entry = snapshot.block(at);
  return entry == nullptr ? "missing" : snapshot.states().at(entry->state).text;
}

TEST(ScenarioFile, DrawsLaterLinesOverEarlierOnesAndLeavesBlanks) {
  const auto scenario = read_scenario(
      "name: n\nabout: a\nworld: min_y=-16 height=32 outside=air\nblock: A minecraft:dirt\nagent: Z width=0.6\n"
      "side: z=2 top=1 x=-1\nA#\n##\nend\nlayer: y=1 z=2 x=-1\n S\nend\nwalls: z=3 y=0..1\nfill: -1,0,2 -1,0,2 A\n",
      table());
  ASSERT_TRUE(scenario.ok()) << scenario.error().message;
  EXPECT_EQ(scenario->name, "n");
  EXPECT_EQ(scenario->about, "a");
  const auto snapshot = scenario->world->snapshot();
  EXPECT_EQ(block_name(*snapshot, {-1, 1, 2}), "minecraft:dirt");  // the blank left it
  EXPECT_EQ(block_name(*snapshot, {0, 1, 2}), "minecraft:air");    // S replaced the stone
  EXPECT_EQ(block_name(*snapshot, {-1, 0, 2}), "minecraft:dirt");  // filled
  EXPECT_EQ(block_name(*snapshot, {0, 0, 2}), "minecraft:stone");
  EXPECT_EQ(block_name(*snapshot, {0, 1, 3}), "minecraft:stone");  // wall
  EXPECT_EQ(block_name(*snapshot, {1, 1, 3}), "minecraft:air");    // beyond the drawings' x range
}

TEST(ScenarioFile, TellsMissingChunksFromAirAndStone) {
  const auto missing = read_scenario("world: min_y=0 height=16 outside=missing\nfill: 0,0,0 0,0,0 #\n", table());
  ASSERT_TRUE(missing.ok());
  EXPECT_EQ(block_name(*missing->world->snapshot(), {15, 3, 15}), "minecraft:air");
  EXPECT_EQ(block_name(*missing->world->snapshot(), {16, 3, 15}), "missing");
  const auto stone =
      read_scenario("world: min_y=0 height=16 outside=stone\nlayer: y=1 z=0\n.???????????????????\nend\n", table());
  ASSERT_TRUE(stone.ok());
  EXPECT_EQ(block_name(*stone->world->snapshot(), {0, 1, 0}), "missing");  // the whole column of a '?'
  EXPECT_EQ(block_name(*stone->world->snapshot(), {-1, 15, 0}), "minecraft:stone");
}

TEST(ScenarioFile, ReadsEveryKindOfGoalAndBoxes) {
  struct Case {
    const char* text;
    GoalKind kind;
    std::size_t places;
    double reach;
    const char* as_text;
  };
  const std::vector<Case> cases{
      {"G", GoalKind::places, 1, 0, "2,1,0"},
      {"G|5,6,-7", GoalKind::places, 2, 0, "2,1,0|5,6,-7"},
      {"radius:1.5,2,3:4.5", GoalKind::radius, 1, 4.5, "radius:1.5,2.0,3.0:4.5"},
      {"column:3,-4", GoalKind::column, 1, 0, "column:3,-4"},
      {"level:-12", GoalKind::level, 1, 0, "level:-12"},
      {"next_to:G", GoalKind::next_to, 1, 0, "next_to:2,1,0"},
      {"flee:S|1.0,2.0,3.0:12", GoalKind::flee, 2, 12, "flee:0,1,0|1.0,2.0,3.0:12"},
      {"sight:1.0,2.0,3.0:10", GoalKind::sight, 1, 10, "sight:1.0,2.0,3.0:10"},
  };
  for (const Case& c : cases) {
    const auto scenario =
        read_scenario(fmt::format("agent: Z width=0.6\nside: z=0 top=1\nS.G\n###\nend\n"
                                  "query: Z S -> {} box=0,1,2..3,4,5:60 box=0,0,0..0,0,0:-1\nexpect: found\n",
                                  c.text),
                      table());
    ASSERT_TRUE(scenario.ok()) << c.text << ": " << scenario.error().message;
    const ScenarioQuery& query = scenario->queries.front();
    EXPECT_EQ(query.goal.kind, c.kind) << c.text;
    EXPECT_EQ(query.goal.places.size(), c.places) << c.text;
    EXPECT_EQ(query.goal.reach, c.reach) << c.text;
    EXPECT_EQ(to_text(query.goal), c.as_text);
    ASSERT_EQ(query.boxes.size(), 2U);
    EXPECT_EQ(to_text(query.boxes.front()), "0,1,2..3,4,5:60");
    EXPECT_EQ(query.boxes.back().price, -1);
  }
}

TEST(ScenarioFile, RefusesMalformedGoalsAndBoxesByLine) {
  for (const char* text : {"radius:G", "radius:G:x", "radius:G|S:3", "column:3", "level:1.5", "near:G:3", "flee::3",
                           "G|Q", "G box=1,2,3", "G box=0,0,0..1,1,1:much", "G box=0,0,0..1,1:3"}) {
    const auto scenario =
        read_scenario(fmt::format("agent: Z width=0.6\nside: z=0 top=1\nS.G\n###\nend\nquery: Z S -> {}\n"
                                  "expect: found\n",
                                  text),
                      table());
    ASSERT_FALSE(scenario.ok()) << text;
    EXPECT_THAT(scenario.error().message, StartsWith("line 6: ")) << text;
  }
}

TEST(ScenarioFile, ReadsQueriesAndExpectations) {
  const auto scenario = read_scenario(
      "agent: Z width=0.6 height=1.95\nside: z=0 top=1\nS.G\n###\nend\n"
      "query: Z S -> 0.5,nan,-1e30 corners=loose limit=7\n"
      "expect: found cost=40 cost<=50 moves=4 end=(1,2,-3) visits=(1,2,3)(4,5,6) avoids=(7,8,9) "
      "actions=OPEN@(1,1,1),OPEN@(2,1,1) kinds=walk,jump reason=BUDGET\n",
      table());
  ASSERT_TRUE(scenario.ok()) << scenario.error().message;
  ASSERT_EQ(scenario->queries.size(), 1U);
  const ScenarioQuery& query = scenario->queries.front();
  EXPECT_FALSE(query.start.exact);
  EXPECT_EQ(query.start.at, (world::Vec3{0, 1, 0}));
  EXPECT_TRUE(query.goal.places.front().exact);
  EXPECT_TRUE(std::isnan(query.goal.places.front().at.y));
  EXPECT_EQ(query.goal.places.front().at.z, -1e30);
  ASSERT_EQ(query.fields.size(), 3U);
  EXPECT_EQ(query.fields.back().name, "corners");
  EXPECT_EQ(query.limit, 7);
  const ScenarioExpectation& expect = query.expect;
  EXPECT_EQ(expect.cost, 40);
  EXPECT_EQ(expect.cost_max, 50);
  EXPECT_EQ(expect.moves, 4);
  EXPECT_EQ(expect.end, (world::BlockPos{1, 2, -3}));
  EXPECT_THAT(expect.visits, ElementsAre(world::BlockPos{1, 2, 3}, world::BlockPos{4, 5, 6}));
  EXPECT_THAT(expect.avoids, ElementsAre(world::BlockPos{7, 8, 9}));
  ASSERT_EQ(expect.actions.size(), 2U);
  EXPECT_EQ(expect.actions.back().action, "OPEN");
  EXPECT_THAT(expect.kinds, ElementsAre("walk", "jump"));
  EXPECT_EQ(expect.reason, "BUDGET");
}

TEST(ScenarioFile, RefusesEveryFaultWithItsLine) {
  struct Fault {
    const char* text;
    const char* line;
    const char* why;
  };
  const std::vector<Fault> faults{
      {"name: a\nhullo\n", "line 2", "key"},
      {"what: a\n", "line 1", "unknown key 'what'"},
      {"world: height=17\n", "line 1", "17"},
      {"world: height=99999999999\n", "line 1", "whole number"},
      {"world: outside=lava\n", "line 1", "air, stone, missing"},
      {"fill: 0,0,0 0,0,0 #\nworld: height=16\n", "line 2", "before"},
      {"block: A minecraft:no_such_block\n", "line 1", "no_such_block"},
      {"block: AB minecraft:stone\n", "line 1", "one letter"},
      {"side: z=0 top=0\n%\nend\n", "line 2", "unknown letter '%'"},
      {"side: z=0 top=0\n#\n", "line 2", "no 'end'"},
      {"side: z=0\n#\nend\n", "line 1", "top="},
      {"side: z=0 top=0\n#\n#\nend\n", "line 3", "outside the world"},
      {"side: z=0 top=1\nSS\nend\n", "line 2", "twice"},
      {"fill: 0,0,0 1,1 #\n", "line 1", "x,y,z"},
      {"fill: 1,0,0 0,0,0 #\n", "line 1", "empty"},
      {"fill: 0,0,0 30000000,0,0 #\n", "line 1", "1000000"},
      {"fill: 0,0,0 500,255,500 #\n", "line 1", "2097152"},
      {"walls: z=1\n", "line 1", "y=0..4"},
      {"agent: Z width\n", "line 1", "field=value"},
      {"query: Z 0,0,0 -> 1,0,0\n", "line 1", "unknown agent 'Z'"},
      {"agent: Z\nquery: Z S -> 1,0,0\n", "line 2", "no cell 'S'"},
      {"agent: Z\nquery: Z 0,0 -> 1,0,0\n", "line 2", "no place"},
      {"agent: Z\nquery: Z 0,0,0 1,0,0\n", "line 2", "->"},
      {"agent: Z\nquery: Z 0,0,0 -> 1,0,0 limit=-1\n", "line 2", "limit"},
      {"agent: Z\nquery: Z 0,0,0 -> 1,0,0\nname: a\n", "line 3", "expect"},
      {"agent: Z\nquery: Z 0,0,0 -> 1,0,0\n", "line 2", "no expect line"},
      {"expect: found\n", "line 1", "without a query"},
      {"agent: Z\nquery: Z 0,0,0 -> 1,0,0\nexpect: maybe\n", "line 3", "found, partial"},
      {"agent: Z\nquery: Z 0,0,0 -> 1,0,0\nexpect: found cost=x\n", "line 3", "cost=x"},
      {"agent: Z\nquery: Z 0,0,0 -> 1,0,0\nexpect: found end=(1,2)\n", "line 3", "end=(1,2)"},
      {"agent: Z\nquery: Z 0,0,0 -> 1,0,0\nexpect: found colour=red\n", "line 3", "unknown expectation"},
  };
  for (const Fault& fault : faults) {
    const auto scenario = read_scenario(fault.text, table());
    ASSERT_FALSE(scenario.ok()) << fault.text;
    EXPECT_THAT(scenario.error().message, AllOf(HasSubstr(fault.line), HasSubstr(fault.why))) << fault.text;
  }
  const auto huge = read_scenario(std::string(kScenarioTextMax + 1, '#'), table());
  ASSERT_FALSE(huge.ok());
  EXPECT_EQ(huge.error().code, world::ErrorCode::resource_exhausted);
}

}  // namespace
}  // namespace voxpath::server
