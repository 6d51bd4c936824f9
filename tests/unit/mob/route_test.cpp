// Routes: waypoints put in again, what is reached, splicing, and where it breaks.
#include "protocol/clients/cpp/mob/route.hpp"

#include <gtest/gtest.h>

namespace voxpath::mob {
namespace {

void add(v1::PathAnswer& answer, Cell cell, v1::Waypoint::Kind kind = v1::Waypoint::WALK) {
  v1::Waypoint* w = answer.add_waypoints();
  write(cell, w->mutable_cell());
  write(Point{cell.x + 0.5, static_cast<double>(cell.y), cell.z + 0.5}, w->mutable_position());
  w->set_kind(answer.waypoints_size() == 1 ? v1::Waypoint::START : kind);
  w->set_medium(v1::Waypoint::GROUND);
}

v1::PathAnswer east(int from, int to) {
  v1::PathAnswer answer;
  for (int x = from; x <= to; ++x) add(answer, {x, 1, 0});
  return answer;
}

TEST(MobRoute, PutsInAgainWhatWasLeftOutOnStraightPieces) {
  v1::PathAnswer answer;
  add(answer, {0, 1, 0});
  add(answer, {4, 1, 0});
  add(answer, {7, 1, 3}, v1::Waypoint::DIAGONAL);
  add(answer, {8, 2, 3}, v1::Waypoint::JUMP);
  const Route route(answer);
  ASSERT_EQ(route.size(), 9u);
  EXPECT_EQ(route.point(2).cell, (Cell{2, 1, 0}));
  EXPECT_EQ(route.point(2).answered, 1u);
  EXPECT_EQ(route.point(6).cell, (Cell{6, 1, 2}));
  EXPECT_EQ(route.point(6).at, (Point{6.5, 1, 2.5}));
  EXPECT_EQ(route.point(8).kind, v1::Waypoint::JUMP);
}

TEST(MobRoute, AMobThatIsPushedOnGoesOnFromThere) {
  Route route(east(0, 9));
  route.note({0.5, 1, 0.5}, 0.2);
  EXPECT_EQ(route.next(), 1u);
  route.note({4.4, 1, 0.5}, 0.2);
  EXPECT_EQ(route.next(), 4u);
  route.note({1.5, 1, 0.5}, 0.2);
  EXPECT_EQ(route.next(), 4u) << "never back";
}

TEST(MobRoute, BeginsWithoutTurningRoundForTheMiddleOfItsBlock) {
  Route route(east(0, 3));
  route.begin({0.9, 1, 0.6}, 0.6);
  EXPECT_EQ(route.next(), 1u);
  Route off_the_middle(east(0, 3));
  off_the_middle.begin({0.9, 1, 0.9}, 0.6);
  EXPECT_EQ(off_the_middle.next(), 0u) << "its box reaches over the next row, where there may be a wall";
}

TEST(MobRoute, WalksOnePieceATickAroundCorners) {
  v1::PathAnswer answer = east(0, 1);
  add(answer, {1, 1, 1});
  Route route(answer);
  route.note({0.5, 1, 0.5}, 0.25);
  const Point corner = route.ahead({1.4, 1, 0.5}, 0.25);
  EXPECT_NEAR(corner.x, 1.5, 1e-9);
  EXPECT_NEAR(corner.z, 0.65, 1e-9);
}

TEST(MobRoute, StopsBeforeWhatIsBroken) {
  v1::PathAnswer answer = east(0, 9);
  answer.set_watch(7);
  Route route(answer);
  route.note({0.5, 1, 0.5}, 0.2);
  route.mark_broken(8, 2);
  EXPECT_FALSE(route.broken()) << "another mob's watch";
  route.mark_broken(7, 3);
  EXPECT_TRUE(route.broken());
  EXPECT_FALSE(route.blocked());
  EXPECT_EQ(route.point_ahead({0.5, 1, 0.5}, 100), 2u);
  EXPECT_EQ(route.ahead({0.5, 1, 0.5}, 100), (Point{2.5, 1, 0.5}));
  route.note({1.5, 1, 0.5}, 0.2);
  route.note({2.5, 1, 0.5}, 0.2);
  EXPECT_TRUE(route.blocked());
}

TEST(MobRoute, SplicesKeepTheWatchesOfBothPieces) {
  v1::PathAnswer first = east(0, 9);
  first.set_watch(1);
  v1::PathAnswer second;
  second.set_watch(2);
  add(second, {4, 1, 0});
  add(second, {4, 1, 1});
  add(second, {4, 1, 2});
  Route route(first);
  for (int x = 0; x <= 2; ++x) route.note({x + 0.5, 1, 0.5}, 0.2);
  Route spliced = route.spliced(4, Route(second), 0);
  EXPECT_EQ(spliced.last().cell, (Cell{4, 1, 2}));
  EXPECT_EQ(spliced.point(spliced.next()).cell, (Cell{3, 1, 0}));
  EXPECT_EQ(spliced.watches(), (std::vector<std::uint64_t>{1, 2}));
  spliced.mark_broken(2, 1);
  EXPECT_EQ(spliced.point_ahead({2.5, 1, 0.5}, 100), spliced.next() + 1);
}

TEST(MobRoute, PricesWhatShows) {
  v1::PathAnswer answer = east(0, 2);
  add(answer, {3, 2, 0}, v1::Waypoint::JUMP);
  add(answer, {4, 1, 1}, v1::Waypoint::DIAGONAL);
  add(answer, {7, 1, 1}, v1::Waypoint::LEAP);
  EXPECT_EQ(Route(answer).visible_cost(0, v1::Agent()), 10 + 10 + 15 + 14 + 30 + 10);
}

}  // namespace
}  // namespace voxpath::mob
