// The star race: two runners on a small stage with blocked squares, after stars that appear at drawn squares; their A* as the game had it.
// Thread-safety: plain values and free functions. Reproducible by seed.
// Usage: StarRace race(RaceRules{.seed = 7}); while (!race.over()) race.turn();
// Invariants: estimates are Euclid's distance rounded to the nearest whole number, which is never more than the way there; of equal totals
// the lower actual cost is looked at first, then what was met first.
#pragma once

#include "server/lab/maze.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace voxpath::server::lab {

inline constexpr int kStageSize = 10;          // squares along a side
inline constexpr int kStarSearchMax = 10'000;  // squares looked at in a search
inline constexpr int kStars = 3;
inline constexpr int kUnvisited = -1;

/// What a search leaves behind, as the game's debug view showed it: for each square, row by row, or kUnvisited.
struct StarSearch {
  std::vector<int> estimated, actual, total;
  std::vector<Cell> path;  // from the start to the goal; empty when there is none
  int looked_at = 0;
};

struct Stage {
  std::vector<bool> blocked = std::vector<bool>(static_cast<std::size_t>(kStageSize * kStageSize));

  [[nodiscard]] static bool inside(Cell c) { return c.x >= 0 && c.y >= 0 && c.x < kStageSize && c.y < kStageSize; }
  [[nodiscard]] static std::size_t index(Cell c) { return static_cast<std::size_t>(c.y * kStageSize + c.x); }
  [[nodiscard]] bool free(Cell c) const { return inside(c) && !blocked[index(c)]; }
};

/// Precondition: both squares are free.
StarSearch search_star(const Stage& stage, Cell from, Cell to, int looked_at_max = kStarSearchMax);

struct RaceRules {
  std::uint32_t seed = 7;
  int blocked = 20;  // squares, 0 .. kStageBlockedMax
};
inline constexpr int kStageBlockedMax = 30;  // with more, hardly a stage hangs together

struct StarCollected {
  int runner, turn;
  Cell at;
};

class StarRace {
 public:
  explicit StarRace(const RaceRules& rules);

  /// Both runners search anew and make one step, the one that is behind first; who steps on the star has it, and the next one appears.
  void turn();
  [[nodiscard]] bool over() const { return collected_.size() >= kStars; }

  [[nodiscard]] const Stage& stage() const { return stage_; }
  [[nodiscard]] const std::array<Cell, 2>& runners() const { return runners_; }
  [[nodiscard]] Cell star() const { return star_; }
  [[nodiscard]] int turns() const { return turns_; }
  [[nodiscard]] const std::vector<StarCollected>& collected() const { return collected_; }

 private:
  static constexpr Cell kNowhere{-1, -1};

  [[nodiscard]] Cell draw_free();
  [[nodiscard]] int stars_of(int runner) const;

  RandomStream random_;
  Stage stage_;
  std::array<Cell, 2> runners_{{kNowhere, kNowhere}};
  Cell star_ = kNowhere;
  int turns_ = 0;
  std::vector<StarCollected> collected_;
};

}  // namespace voxpath::server::lab
