// The path checker must object to every kind of wrong claim, and name the step.
#include "tests/judge/path_checker.hpp"

#include "server/scenario/scenario_file.hpp"

#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace voxpath::judge {
namespace {

using testing::HasSubstr;

constexpr const char* kStreet = R"(name: a street with a door and a block
world: min_y=0 height=32 outside=air
agent: A open_doors=true
side: z=0 top=3
.......
..D....
S.D.#.G
#######
end
walls: z=-1,1 y=0..4
query: A S -> G
expect: found
)";

class PathChecker : public testing::Test {
 protected:
  void SetUp() override {
    const auto table = world::BlockTable::for_version(world::BlockTable::versions().back());
    ASSERT_TRUE(table.ok());
    auto scenario = server::read_scenario(kStreet, *table);
    ASSERT_TRUE(scenario.ok()) << scenario.error().message;
    scenario_ = std::move(*scenario);
    view_ = std::make_unique<SnapshotWorld>(scenario_.world->snapshot());
    JudgeAgent agent;
    agent.open_doors = true;
    planner_ = std::make_unique<NaivePlanner>(*view_, agent);
    const Answer answer = planner_->plan({.start = Place::cell(0, 1, 0), .goal = {.places = {Place::cell(6, 1, 0)}}});
    ASSERT_EQ(answer.status, Status::found);
    for (const Step& step : answer.path) path_.push_back(claim(step));
    ASSERT_EQ(path_.size(), 7U);
  }
  PathVerdict check() { return check_path(planner_->ground(), path_); }

  server::Scenario scenario_;
  std::unique_ptr<SnapshotWorld> view_;
  std::unique_ptr<NaivePlanner> planner_;
  std::vector<ClaimedStep> path_;
};

TEST_F(PathChecker, AcceptsARightPathAndAddsUpItsCost) {
  const PathVerdict verdict = check();
  EXPECT_TRUE(verdict.ok()) << verdict.why;
  // Six moves of 10, the door 10, the jump 5, the drop of a block 2.
  EXPECT_EQ(verdict.cost, 77);
}

TEST_F(PathChecker, NamesTheFirstWrongStepAndWhy) {
  struct Fault {
    const char* name;
    std::function<void(std::vector<ClaimedStep>&)> make;
    std::size_t step;
    const char* why;
  };
  const std::vector<Fault> faults{
      {"no steps", [](auto& p) { p.clear(); }, 0, "no steps"},
      {"a start with a kind", [](auto& p) { p[0].kind = MoveKind::walk; }, 0, "the start"},
      {"a floor that is off by a pixel", [](auto& p) { p[1].floor_px += 1; }, 1, "the floor"},
      {"a cell in the air", [](auto& p) { p[1].y += 1; }, 1, "no node"},
      {"a cell in the wall", [](auto& p) { p[1].z += 1; }, 1, "no node"},
      {"a left-out step", [](auto& p) { p.erase(p.begin() + 1); }, 1, "no neighbours"},
      {"a door passed without opening", [](auto& p) { p[2].opens = false; }, 2, "opens"},
      {"an opening where there is no door", [](auto& p) { p[3].opens = true; }, 3, "does not open"},
      {"a jump called a walk", [](auto& p) { p[4].kind = MoveKind::walk; }, 4, "is a jump"},
      {"a drop called a jump", [](auto& p) { p[5].kind = MoveKind::jump; }, 5, "is a drop"},
      {"a step without a kind", [](auto& p) { p[6].kind.reset(); }, 6, "is a walk"},
  };
  const std::vector<ClaimedStep> right = path_;
  for (const Fault& fault : faults) {
    SCOPED_TRACE(fault.name);
    path_ = right;
    fault.make(path_);
    const PathVerdict verdict = check();
    EXPECT_FALSE(verdict.ok());
    EXPECT_EQ(verdict.first_wrong, fault.step);
    EXPECT_THAT(verdict.why, HasSubstr(fault.why));
  }
}

}  // namespace
}  // namespace voxpath::judge
