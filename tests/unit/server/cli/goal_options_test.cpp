// Goals and prices as options, and as the message that a server is asked by.
#include "server/cli/goal_options.hpp"

#include "pathfinding/profiles.hpp"
#include "server/cli/wire_path.hpp"
#include "server/search_planner.hpp"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace voxpath::server {
namespace {

using namespace pathfinding;
using testing::HasSubstr;

Goal goal(const std::function<void(GoalOptions&)>& set) {
  GoalOptions options;
  set(options);
  auto made = goal_of(options);
  EXPECT_TRUE(made) << made.error().message;
  return *made;
}

std::string refused(const std::function<void(GoalOptions&)>& set) {
  GoalOptions options;
  set(options);
  const auto made = goal_of(options);
  EXPECT_FALSE(made);
  return made ? "" : made.error().message;
}

TEST(GoalOptions, EachKind) {
  const auto any = std::get<GoalPlaces>(goal([](auto& o) { o.to = {"1,2,3", "-4.5,2.0,6"}; }));
  ASSERT_EQ(any.places.size(), 2u);
  EXPECT_EQ(std::get<world::BlockPos>(any.places[0]), (world::BlockPos{1, 2, 3}));
  EXPECT_EQ(std::get<world::Vec3>(any.places[1]), (world::Vec3{-4.5, 2, 6}));
  const auto radius = std::get<GoalRadius>(goal([](auto& o) { o.near = "1,2,3:4.5"; }));
  EXPECT_EQ(radius.centre, (world::Vec3{1.5, 2, 3.5})) << "a cell is meant by its middle";
  EXPECT_EQ(radius.radius, 4.5);
  const auto column = std::get<GoalColumn>(goal([](auto& o) { o.column = "-7,12"; }));
  EXPECT_EQ(column.x, -7);
  EXPECT_EQ(column.z, 12);
  EXPECT_EQ(std::get<GoalLevel>(goal([](auto& o) { o.level = "-60"; })).y, -60);
  EXPECT_EQ(std::get<GoalNextTo>(goal([](auto& o) { o.next_to = "1,2,3"; })).block, (world::BlockPos{1, 2, 3}));
  const auto flee = std::get<GoalFlee>(goal([](auto& o) {
    o.flee = {"1.0,2.0,3.0", "4,5,6"};
    o.distance = "20";
  }));
  EXPECT_EQ(flee.points, (std::vector<world::Vec3>{{1, 2, 3}, {4.5, 5, 6.5}}));
  EXPECT_EQ(flee.distance, 20);
  const auto sight = std::get<GoalSight>(goal([](auto& o) { o.see = "1.0,2.5,3.0:64"; }));
  EXPECT_EQ(sight.point, (world::Vec3{1, 2.5, 3}));
  EXPECT_EQ(sight.range, 64);
}

TEST(GoalOptions, ErrorsNameTheOption) {
  EXPECT_THAT(refused([](auto&) {}), HasSubstr("give one of --to, --near"));
  EXPECT_THAT(refused([](auto& o) {
                o.level = "3";
                o.flee = {"1,2,3"};
              }),
              HasSubstr("--level and --flee: one kind"));
  for (const char* text : {"1,2,3", "1,2:3", "1,2,3:", "1,2,3:-1", "1,2,3:64.5", "1,2,3:nan", ":", "x,2,3:4"}) {
    EXPECT_THAT(refused([&](auto& o) { o.near = text; }), HasSubstr("--near")) << text;
    EXPECT_THAT(refused([&](auto& o) { o.see = text; }), HasSubstr("--see")) << text;
  }
  for (const char* text : {"1", "1,2,3", "1.5,2", "30000001,0", ",", "x,y"})
    EXPECT_THAT(refused([&](auto& o) { o.column = text; }), HasSubstr("--column")) << text;
  for (const char* text : {"1.5", "x", "99999999999", "-30000001"})
    EXPECT_THAT(refused([&](auto& o) { o.level = text; }), HasSubstr("--level")) << text;
  EXPECT_THAT(refused([](auto& o) { o.next_to = "1.5,2,3"; }), HasSubstr("--next-to"));
  for (const char* text : {"-1", "257", "x", ""}) {
    EXPECT_THAT(refused([&](auto& o) {
                  o.flee = {"1,2,3"};
                  o.distance = text;
                }),
                HasSubstr("--distance"))
        << text;
  }
}

TEST(PriceOptions, BoxesWithAPriceOrForbidden) {
  const auto boxes = priced_boxes_of({"4,60,-3..0,70,9=50", "1,2,3..1,2,3=forbidden", "1,2,3..1,2,3=-1"});
  ASSERT_TRUE(boxes) << boxes.error().message;
  EXPECT_EQ((*boxes)[0].box, (world::Box{{0, 60, -3}, {4, 70, 9}}));
  EXPECT_EQ((*boxes)[0].price, 50);
  EXPECT_EQ((*boxes)[1].price, kForbidden);
  EXPECT_EQ((*boxes)[2].price, kForbidden);
  for (const char* text : {"", "1,2,3=4", "1,2,3..4,5,6", "1,2,3..4,5,6=", "1,2,3..4,5,6=-2", "1,2,3..4,5,6=1000001",
                           "1,2,3..4,5,6=1e3", "1.5,2,3..4,5,6=1"}) {
    const auto bad = priced_boxes_of({text});
    ASSERT_FALSE(bad) << text;
    EXPECT_THAT(bad.error().message, HasSubstr("--price")) << text;
  }
  for (const std::size_t count : {kPricedBoxesMax - 1, kPricedBoxesMax, kPricedBoxesMax + 1}) {
    const std::vector<std::string> many(count, "1,2,3..4,5,6=1");
    EXPECT_EQ(priced_boxes_of(many).ok(), count <= kPricedBoxesMax);
  }
}

TEST(FindPathMessage, IsReadByTheServerAsItWasMeant) {
  const Goal goals[] = {GoalPlaces{{world::BlockPos{1, 2, 3}}},
                        GoalPlaces{{world::BlockPos{1, 2, 3}, world::Vec3{4.5, 5, 6}}},
                        GoalRadius{{1, 2, 3}, 4},
                        GoalColumn{-7, 12},
                        GoalLevel{-60},
                        GoalNextTo{{1, 2, 3}},
                        GoalFlee{{{1, 2, 3}, {4, 5, 6}}, 20},
                        GoalSight{{1, 2, 3}, 9}};
  for (const Goal& goal : goals) {
    PathQuestion question;
    question.query.agent = *profile_agent("ravager");
    question.query.start = world::Vec3{0.5, 64, 0.5};
    question.query.goal = goal;
    question.query.simplify = Simplify::line_of_sight;
    question.query.priced_boxes = {{{{0, 1, 2}, {3, 4, 5}}, kForbidden}};
    question.watch = true;
    const v1::FindPath message = find_path_message("w", question);
    EXPECT_TRUE(message.watch());
    const auto read = std::get<Query>(query_of(message, AgentProfiles()));
    EXPECT_EQ(read.agent, question.query.agent);
    EXPECT_EQ(read.simplify, Simplify::line_of_sight);
    ASSERT_EQ(read.priced_boxes.size(), 1u);
    EXPECT_EQ(read.priced_boxes[0].box, question.query.priced_boxes[0].box);
    EXPECT_EQ(read.priced_boxes[0].price, kForbidden);
    ASSERT_EQ(read.goal.index(), goal.index());
    // What was read is written again as it came.
    question.query.goal = read.goal;
    EXPECT_EQ(find_path_message("w", question).SerializeAsString(), message.SerializeAsString());
  }
}

TEST(FindPathMessage, AMobOfTheServersGoesByNameWithWhatDiffers) {
  AgentProfiles profiles;
  Agent giant = *profile_agent("zombie");
  giant.height_px = 192;
  giant.cost_jump = 77;
  profiles.set("giant", giant);
  PathQuestion question;
  question.profile = "giant";
  question.query.goal = GoalPlaces{{world::BlockPos{}}};
  for (const auto& [field, text] : {std::pair{"width", "2.5"},
                                    {"max_drop_px", "40"},
                                    {"immune", "fire,lava"},
                                    {"mode", "fly"},
                                    {"metric", "moves"}}) {
    ASSERT_TRUE(set_field(question.query.agent, field, text));
    ASSERT_TRUE(set_field(giant, field, text));
    question.changed_fields.emplace_back(field);
  }
  const v1::FindPath message = find_path_message("w", question);
  EXPECT_EQ(message.agent().profile(), "giant");
  EXPECT_FALSE(message.agent().has_height()) << "the server's own";
  EXPECT_EQ(std::get<Query>(query_of(message, profiles)).agent, giant);
}

}  // namespace
}  // namespace voxpath::server
