#include "tests/judge/random_worlds.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace voxpath::judge {
namespace {

double random_coordinate(Random& random, int low, int high) {
  const int whole = random.between(low, high);
  switch (random.below(4)) {
    case 0:
      return whole;
    case 1:
      return whole + random.below(16) / 16.0;
    case 2:
      return whole + random.below(10) / 10.0;
    default:
      return whole + static_cast<double>(random.below(1 << 20)) / (1 << 20);
  }
}

Place random_place(Random& random, const RandomCase& drawn, const std::vector<Node>& nodes, int n) {
  const int kind = random.below(10);
  if (kind < 6 && !nodes.empty()) {
    const Node& node = nodes[static_cast<std::size_t>(random.below(static_cast<int>(nodes.size())))];
    if (kind < 4) return Place::cell(node.x, node.y, node.z);
    // Drawn before they are used: the order of a call's arguments is the compiler's choice.
    const double aside_x = random.between(-9, 9) / 16.0;
    const int above = random.between(-3, 20);
    const double aside_z = random.between(-9, 9) / 16.0;
    return Place::position(node.x + n / 2.0 + aside_x, (node.floor + above) / 16.0, node.z + n / 2.0 + aside_z);
  }
  const world::Box& box = drawn.box;
  if (kind < 8) {
    const int x = random.between(box.min.x - 1, box.max.x + 1);
    const int y = random.between(box.min.y, box.max.y + 2);
    return Place::cell(x, y, random.between(box.min.z - 1, box.max.z + 1));
  }
  const double x = random_coordinate(random, box.min.x - 1, box.max.x + 1);
  const double y = random_coordinate(random, box.min.y - 1, box.max.y + 4);
  return Place::position(x, y, random_coordinate(random, box.min.z - 1, box.max.z + 1));
}

/// A place off every grid, so that no straight line to it runs along a block's border, where to see and not to see are one bit apart.
Place random_point(Random& random, const RandomCase& drawn) {
  constexpr double kOffGrid = 1.0 / 1'048'573;  // a prime
  const auto off = [&](int low, int high) {
    const int whole = random.between(low, high);
    return whole + (1 + random.below(1'048'571)) * kOffGrid;
  };
  const world::Box& box = drawn.box;
  const double x = off(box.min.x - 2, box.max.x + 2);
  const double y = off(box.min.y - 1, box.max.y + 3);
  return Place::position(x, y, off(box.min.z - 2, box.max.z + 2));
}

Goal random_goal(Random& random, const RandomCase& drawn, const std::vector<Node>& nodes, int n) {
  using Kind = Goal::Kind;
  constexpr std::array kKinds{Kind::places, Kind::places, Kind::places, Kind::places,  Kind::places, Kind::places,
                              Kind::radius, Kind::column, Kind::level,  Kind::next_to, Kind::flee,   Kind::sight};
  Goal goal{.kind = pick(random, kKinds), .places = {}};
  const bool several = goal.kind == Kind::flee || goal.kind == Kind::places;
  const int count = several && random.chance(35) ? random.between(2, 4) : 1;
  for (int i = 0; i < count; ++i) {
    goal.places.push_back(goal.kind == Kind::sight ? random_point(random, drawn)
                                                   : random_place(random, drawn, nodes, n));
  }
  const bool needs_cell = goal.kind == Kind::column || goal.kind == Kind::level || goal.kind == Kind::next_to;
  const bool needs_position = goal.kind == Kind::radius || goal.kind == Kind::flee;
  for (Place& place : goal.places) {
    const world::BlockPos cell = world::cell_of(place.at);
    if (needs_cell) place = Place::cell(cell.x, cell.y, cell.z);
    if (needs_position) place.exact = true;
  }
  const bool has_reach = needs_position || goal.kind == Kind::sight;
  if (has_reach) goal.reach = random.chance(40) ? random.between(0, 9) : random.below(160) / 16.0;
  return goal;
}

std::vector<PricedBox> random_boxes(Random& random, const RandomCase& drawn) {
  std::vector<PricedBox> boxes;
  if (random.chance(70)) return boxes;
  const int count = random.between(1, 4);
  for (int i = 0; i < count; ++i) {
    const auto side = [&](int low, int high) {
      const int a = random.between(low, high);
      const int b = std::min(high, a + random.between(0, 5));
      return std::pair{a, b};
    };
    const auto [min_x, max_x] = side(drawn.box.min.x, drawn.box.max.x);
    const auto [min_y, max_y] = side(drawn.box.min.y, drawn.box.max.y);
    const auto [min_z, max_z] = side(drawn.box.min.z, drawn.box.max.z);
    const std::int64_t price = pick(random, std::array<std::int64_t, 6>{-1, -1, 0, 5, 60, 1'000'000});
    boxes.push_back({.box = {.min = {min_x, min_y, min_z}, .max = {max_x, max_y, max_z}}, .price = price});
  }
  return boxes;
}

}  // namespace

void add_questions(RandomCase& drawn, const std::vector<Node>& nodes, int count) {
  Random random(drawn.seed + 0x5EED);
  const int n = drawn.agent.footprint();
  for (int i = 0; i < count; ++i) {
    Question question{.start = random_place(random, drawn, nodes, n)};
    question.goal = random_goal(random, drawn, nodes, n);
    question.boxes = random_boxes(random, drawn);
    drawn.questions.push_back(std::move(question));
  }
}

}  // namespace voxpath::judge
