// The same question in a mirrored, turned, raised or shifted world has the same status and cost.
#include "tests/property/random_cases.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace voxpath::judge {
namespace {

constexpr std::uint64_t kWorlds = 150;

/// One of the eight ways to lay the x-z plane onto itself, then a shift by whole sections.
struct Layout {
  bool mirrors_x = false, mirrors_z = false, swaps = false;
  world::BlockPos shift;

  /// A square of n by n columns, by its lowest corner.
  [[nodiscard]] world::BlockPos operator()(world::BlockPos p, int n = 1) const {
    if (mirrors_x) p.x = -p.x - n;
    if (mirrors_z) p.z = -p.z - n;
    if (swaps) std::swap(p.x, p.z);
    return {p.x + shift.x, p.y + shift.y, p.z + shift.z};
  }
  [[nodiscard]] world::Vec3 operator()(world::Vec3 p) const {
    if (mirrors_x) p.x = -p.x;
    if (mirrors_z) p.z = -p.z;
    if (swaps) std::swap(p.x, p.z);
    return {p.x + shift.x, p.y + shift.y, p.z + shift.z};
  }
  [[nodiscard]] std::string operator()(std::string block) const {
    constexpr std::string_view kFacing = "facing=";
    const std::size_t at = block.find(kFacing);
    if (at == std::string::npos) return block;
    const std::size_t from = at + kFacing.size();
    const std::size_t length = std::min(block.find_first_of(",]", from), block.size()) - from;
    constexpr std::array<std::string_view, 4> kNames{"east", "south", "west", "north"};
    const auto* const named = std::find(kNames.begin(), kNames.end(), block.substr(from, length));
    int quarter = static_cast<int>(named - kNames.begin());
    if (mirrors_x && quarter % 2 == 0) quarter = 2 - quarter;
    if (mirrors_z && quarter % 2 == 1) quarter = 4 - quarter;
    if (swaps) quarter ^= 1;
    return block.replace(from, length, kNames.at(static_cast<std::size_t>(quarter)));
  }
  [[nodiscard]] world::ChunkPos operator()(world::ChunkPos c) const {
    return world::chunk_of((*this)(world::BlockPos{c.x * 16, 0, c.z * 16}, 16));
  }
  [[nodiscard]] world::Box operator()(const world::Box& box, int n) const {
    const world::BlockPos a = (*this)(box.min, n);
    const world::BlockPos b = (*this)(box.max, n);
    return {.min = {std::min(a.x, b.x), a.y, std::min(a.z, b.z)}, .max = {std::max(a.x, b.x), b.y, std::max(a.z, b.z)}};
  }
};

Place cell_place(world::BlockPos p) { return Place::cell(p.x, p.y, p.z); }

/// The case laid out anew. Its starts and places are cells of nodes.
RandomCase laid_out(const RandomCase& drawn, const Layout& layout) {
  const int n = drawn.agent.footprint();
  RandomCase moved = drawn;
  moved.blocks.clear();
  moved.missing.clear();
  for (const auto& [pos, block] : drawn.blocks) moved.blocks[layout(pos)] = layout(block);
  for (const world::ChunkPos chunk : drawn.missing) moved.missing.insert(layout(chunk));
  moved.heights.min_y += layout.shift.y;
  for (Question& question : moved.questions) {
    question.start = cell_place(layout(world::cell_of(question.start.at), n));
    for (Place& place : question.goal.places) {
      if (place.exact) {
        place.at = layout(place.at);
      } else {
        place = cell_place(layout(world::cell_of(place.at), question.goal.kind == Goal::Kind::places ? n : 1));
      }
    }
    for (PricedBox& box : question.boxes) box.box = layout(box.box, n);
  }
  return moved;
}

/// Positions may lie on a border, where floor() takes sides: only nodes look the same from all sides.
RandomCase with_nodes_only(const RandomCase& drawn) {
  const PreparedCase prepared(drawn);
  Ground ground(prepared.view, drawn.agent);
  RandomCase pinned = drawn;
  pinned.questions.clear();
  for (Question question : drawn.questions) {
    const std::optional<Node> start = resolve_start(ground, question.start);
    if (!start) continue;
    question.start = Place::cell(start->x, start->y, start->z);
    if (question.goal.kind == Goal::Kind::places) {
      GoalSet goals(ground, question.goal);
      question.goal.places.clear();
      for (const std::optional<Node>& goal : goals.resolved()) {
        if (goal) question.goal.places.push_back(Place::cell(goal->x, goal->y, goal->z));
      }
      if (question.goal.places.empty()) continue;
    }
    pinned.questions.push_back(question);
  }
  return pinned;
}

std::string same_from_all_sides(const RandomCase& drawn) {
  const RandomCase pinned = with_nodes_only(drawn);
  const PreparedCase prepared(pinned);
  pathfinding::Search search;
  for (int way = 0; way < 8; ++way) {
    const Layout layout{.mirrors_x = (way & 1) != 0,
                        .mirrors_z = (way & 2) != 0,
                        .swaps = (way & 4) != 0,
                        .shift = {way * 160 - 560, (way - 3) * 16, 2'000 - way * 1'600}};
    const PreparedCase moved(laid_out(pinned, layout));
    for (std::size_t i = 0; i < prepared.queries.size(); ++i) {
      const pathfinding::Answer here = ask(search, prepared.snapshot, prepared.queries[i]);
      const pathfinding::Answer there = ask(search, moved.snapshot, moved.queries[i]);
      const bool same_cost = here.status != pathfinding::AnswerStatus::found || here.cost == there.cost;
      if (here.status == there.status && here.reason == there.reason && same_cost) continue;
      return fmt::format("question {} in layout {}\nhere: {}\nthere: {}", i, way, said(here), said(there));
    }
  }
  return "";
}

TEST(SymmetryProperties, EightLayoutsAndShiftsCostTheSame) { for_all_cases(kWorlds, same_from_all_sides); }

}  // namespace
}  // namespace voxpath::judge
