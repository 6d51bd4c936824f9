// Random small worlds of every kind of block, with a random mob and random questions, as scenario text: what fails can be read, kept and
// run again as a scenario file.
// Thread-safety: pure functions of their arguments.
// Invariants: the same seed gives the same case with every compiler (no std:: distributions); a case says everything that its text needs.
// Usage: RandomCase c = random_case(seed); add_questions(c, nodes, 6); auto scenario = read_scenario(scenario_text(c), table);
// for (const auto& change : simplifications(c)) { RandomCase smaller = c; change(smaller); ... }
#pragma once

#include "tests/judge/goals.hpp"
#include "tests/judge/judge_agent.hpp"
#include "world/position.hpp"
#include "world/snapshot.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace voxpath::judge {

/// xorshift64* (Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled", 2016).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ULL + 0x1234567ULL) {}
  std::uint64_t next();
  /// 0 .. count - 1. Precondition: count > 0.
  int below(int count) { return static_cast<int>(next() % static_cast<std::uint64_t>(count)); }
  int between(int low, int high) { return low + below(high - low + 1); }
  bool chance(int percent) { return below(100) < percent; }

 private:
  std::uint64_t state_;
};

template <class T, std::size_t N>
const T& pick(Random& random, const std::array<T, N>& choices) {
  return choices.at(static_cast<std::size_t>(random.below(static_cast<int>(N))));
}

struct Question {
  Place start;
  Goal goal{};
  std::vector<PricedBox> boxes{};
};

struct RandomCase {
  std::uint64_t seed = 0;
  world::Heights heights;
  bool outside_missing = false;                   // chunks without a block are missing, not air
  world::Box box;                                 // all that is drawn lies in it
  std::map<world::BlockPos, std::string> blocks;  // without air
  std::set<world::ChunkPos> missing;
  JudgeAgent agent;
  std::vector<Question> questions;
};

/// A world and a mob; no questions yet.
[[nodiscard]] RandomCase random_case(std::uint64_t seed);
/// Questions from nodes (`nodes` lists them), cells and exact positions in and about the box, to all kinds of goals.
void add_questions(RandomCase& drawn, const std::vector<Node>& nodes, int count);
/// The case as a scenario file, drawn layer by layer. `expectations` has one line for each question, or is empty.
[[nodiscard]] std::string scenario_text(const RandomCase& drawn, const std::vector<std::string>& expectations = {});
/// What can be taken away to make the case smaller, the most at once first: questions, blocks, missing chunks, the mob's peculiarities,
/// parts of the goals. Every change makes another case, so that taking them again and again comes to an end.
[[nodiscard]] std::vector<std::function<void(RandomCase&)>> simplifications(const RandomCase& drawn);

}  // namespace voxpath::judge
