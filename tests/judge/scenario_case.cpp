#include "tests/judge/scenario_case.hpp"

#include "server/scenario/scenario_goal.hpp"
#include "tests/judge/random_worlds.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

namespace voxpath::judge {
namespace {

using server::GoalKind;
using world::BlockPos;

constexpr std::array<std::pair<Goal::Kind, GoalKind>, 7> kKinds{{{Goal::Kind::places, GoalKind::places},
                                                                 {Goal::Kind::radius, GoalKind::radius},
                                                                 {Goal::Kind::column, GoalKind::column},
                                                                 {Goal::Kind::level, GoalKind::level},
                                                                 {Goal::Kind::next_to, GoalKind::next_to},
                                                                 {Goal::Kind::flee, GoalKind::flee},
                                                                 {Goal::Kind::sight, GoalKind::sight}}};

Place to_place(const server::ScenarioPlace& place) { return {.exact = place.exact, .at = place.at}; }
server::ScenarioPlace to_place(const Place& place) { return {.exact = place.exact, .at = place.at}; }

/// The box of all blocks.
world::Box bounds(const RandomCase& drawn) {
  world::Box box{.min = drawn.blocks.begin()->first, .max = drawn.blocks.begin()->first};
  for (const auto& [pos, block] : drawn.blocks) {
    box.min = {std::min(box.min.x, pos.x), std::min(box.min.y, pos.y), std::min(box.min.z, pos.z)};
    box.max = {std::max(box.max.x, pos.x), std::max(box.max.y, pos.y), std::max(box.max.z, pos.z)};
  }
  return box;
}

std::string drawing(const RandomCase& drawn) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFHIJKLMNOPQRTUVWXYZ";  // S and G name cells
  std::string out;
  if (drawn.blocks.empty()) return out;
  std::map<std::string, char> letters{{"stone", '#'}, {"water", 'w'}};
  for (const auto& [pos, block] : drawn.blocks) {
    if (letters.contains(block)) continue;
    std::size_t next = letters.size() - 2;
    if (next >= kLetters.find('w')) ++next;
    letters[block] = kLetters.at(next);
    out += fmt::format("block: {} minecraft:{}\n", kLetters.at(next), block);
  }
  const world::Box box = bounds(drawn);
  for (int y = box.max.y; y >= box.min.y; --y) {
    const bool drawn_in =
        std::any_of(drawn.blocks.begin(), drawn.blocks.end(), [y](const auto& b) { return b.first.y == y; });
    if (!drawn_in) continue;
    out += fmt::format("layer: y={} z={} x={}\n", y, box.min.z, box.min.x);
    for (int z = box.min.z; z <= box.max.z; ++z) {
      for (int x = box.min.x; x <= box.max.x; ++x) {
        const auto block = drawn.blocks.find(BlockPos{x, y, z});
        out += block == drawn.blocks.end() ? '.' : letters.at(block->second);
      }
      out += '\n';
    }
    out += "end\n";
  }
  return out;
}

}  // namespace

Query to_query(const server::ScenarioQuery& asked) {
  Query query{.start = to_place(asked.start), .goal = {.places = {}, .reach = asked.goal.reach}, .limit = asked.limit};
  for (const auto& [own, theirs] : kKinds) {
    if (theirs == asked.goal.kind) query.goal.kind = own;
  }
  const bool needs_position =
      asked.goal.kind == GoalKind::radius || asked.goal.kind == GoalKind::flee || asked.goal.kind == GoalKind::sight;
  for (const server::ScenarioPlace& place : asked.goal.places) {
    query.goal.places.push_back(to_place(place));
    if (!needs_position || place.exact) continue;
    const world::Vec3& at = place.at;
    query.goal.places.back() = Place::position(at.x + 0.5, at.y, at.z + 0.5);
  }
  for (const server::ScenarioBox& box : asked.boxes) query.boxes.push_back({.box = box.box, .price = box.price});
  return query;
}

JudgeAgent agent_of(const server::ScenarioQuery& asked) {
  JudgeAgent agent;
  for (const server::ScenarioField& field : asked.fields) {
    const std::optional<std::string> wrong = set_field(agent, field.name, field.value);
    if (wrong) throw std::logic_error(asked.text + ": " + *wrong);
  }
  return agent;
}

std::string to_text(const Place& place) { return server::to_text(to_place(place)); }

std::string to_text(const Goal& goal) {
  server::ScenarioGoal written{.places = {}, .reach = goal.reach};
  for (const auto& [own, theirs] : kKinds) {
    if (own == goal.kind) written.kind = theirs;
  }
  for (const Place& place : goal.places) written.places.push_back(to_place(place));
  return server::to_text(written);
}

std::string to_text(const PricedBox& box) {
  return server::to_text(server::ScenarioBox{.box = box.box, .price = static_cast<int>(box.price)});
}

std::string scenario_text(const RandomCase& drawn, const std::vector<std::string>& expectations) {
  std::string out = fmt::format("name: random world {}\nworld: min_y={} height={} outside={}\nagent: A {}\n",
                                drawn.seed, drawn.heights.min_y, drawn.heights.height,
                                drawn.outside_missing ? "missing" : "air", describe(drawn.agent));
  out += drawing(drawn);
  for (const world::ChunkPos chunk : drawn.missing) {
    out += fmt::format("layer: y={} z={} x={}\n?\nend\n", drawn.heights.min_y, chunk.z * 16, chunk.x * 16);
  }
  for (std::size_t i = 0; i < drawn.questions.size(); ++i) {
    const Question& question = drawn.questions[i];
    out += fmt::format("query: A {} -> {}", to_text(question.start), to_text(question.goal));
    for (const PricedBox& box : question.boxes) out += " box=" + to_text(box);
    out += fmt::format("\nexpect: {}\n", i < expectations.size() ? expectations[i] : "found");
  }
  return out;
}

}  // namespace voxpath::judge
