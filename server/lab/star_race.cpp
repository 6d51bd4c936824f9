#include "server/lab/star_race.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace voxpath::server::lab {

namespace {

int rounded_distance(Cell a, Cell b) { return static_cast<int>(std::lround(std::hypot(a.x - b.x, a.y - b.y))); }

/// Whether each free square can be reached from each other.
bool whole(const Stage& stage) {
  std::vector<bool> met(stage.blocked);
  const auto first = std::find(met.begin(), met.end(), false);
  const auto at = static_cast<int>(first - met.begin());
  std::vector<Cell> left{{at % kStageSize, at / kStageSize}};
  *first = true;
  while (!left.empty()) {
    const Cell c = left.back();
    left.pop_back();
    for (const Cell s : kSteps) {
      if (!Stage::inside(c + s) || met[Stage::index(c + s)]) continue;
      met[Stage::index(c + s)] = true;
      left.push_back(c + s);
    }
  }
  return std::find(met.begin(), met.end(), false) == met.end();
}

std::vector<Cell> path_back(const std::vector<Cell>& parent, Cell from, Cell to) {
  std::vector<Cell> path{to};
  while (path.back() != from) path.push_back(parent[Stage::index(path.back())]);
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace

StarSearch search_star(const Stage& stage, Cell from, Cell to, int looked_at_max) {
  constexpr auto kSquares = static_cast<std::size_t>(kStageSize * kStageSize);
  StarSearch search;
  search.estimated.assign(kSquares, kUnvisited);
  search.actual.assign(kSquares, kUnvisited);
  search.total.assign(kSquares, kUnvisited);
  std::vector<Cell> parent(kSquares), open;
  const auto meet = [&](Cell c, Cell before, int actual) {
    const std::size_t i = Stage::index(c);
    if (search.actual[i] == kUnvisited) open.push_back(c);
    search.actual[i] = actual;
    search.estimated[i] = rounded_distance(c, to);
    search.total[i] = actual + search.estimated[i];
    parent[i] = before;
  };
  const auto rank = [&](Cell c) { return std::tuple(search.total[Stage::index(c)], search.actual[Stage::index(c)]); };
  meet(from, from, 0);
  while (!open.empty() && search.looked_at < looked_at_max) {
    const auto best = std::min_element(open.begin(), open.end(), [&](Cell a, Cell b) { return rank(a) < rank(b); });
    const Cell at = *best;
    open.erase(best);
    ++search.looked_at;
    if (at == to) {
      search.path = path_back(parent, from, to);
      break;
    }
    const int actual = search.actual[Stage::index(at)] + 1;
    for (const Cell s : kSteps) {
      if (!stage.free(at + s)) continue;
      const int known = search.actual[Stage::index(at + s)];
      if (known == kUnvisited || actual < known) meet(at + s, at, actual);
    }
  }
  return search;
}

StarRace::StarRace(const RaceRules& rules) : random_(rules.seed) {
  do {
    stage_ = Stage();
    for (int i = 0; i < rules.blocked; ++i) stage_.blocked[Stage::index(draw_free())] = true;
  } while (!whole(stage_));
  for (Cell& runner : runners_) runner = draw_free();
  star_ = draw_free();
}

Cell StarRace::draw_free() {
  std::vector<Cell> free;
  for (int y = 0; y < kStageSize; ++y) {
    for (int x = 0; x < kStageSize; ++x) {
      const Cell c{x, y};
      const bool taken = c == star_ || c == runners_[0] || c == runners_[1];
      if (stage_.free(c) && !taken) free.push_back(c);
    }
  }
  return free[random_.below(free.size())];
}

int StarRace::stars_of(int runner) const {
  return static_cast<int>(std::count_if(collected_.begin(), collected_.end(),
                                        [&](const StarCollected& star) { return star.runner == runner; }));
}

void StarRace::turn() {
  if (over()) return;
  ++turns_;
  const int first = stars_of(0) > stars_of(1) ? 1 : 0;
  for (const int runner : {first, 1 - first}) {
    Cell& at = runners_[static_cast<std::size_t>(runner)];
    at = search_star(stage_, at, star_).path.at(1);
    if (at != star_) continue;
    collected_.push_back({runner, turns_, star_});
    if (over()) return;
    star_ = draw_free();
  }
}

}  // namespace voxpath::server::lab
