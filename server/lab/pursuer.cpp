#include "server/lab/pursuer.hpp"

#include "pathfinding/search.hpp"

#include <cstdlib>
#include <stdexcept>

namespace voxpath::server::lab {

namespace {

class Greedy final : public Pursuer {
 public:
  explicit Greedy(const Maze& maze) : maze_(maze) {}
  Cell step(Cell self, Cell evader) override {
    const auto far = [&](Cell c) { return std::abs(c.x - evader.x) + std::abs(c.y - evader.y); };
    Cell best = self;
    for (const Cell s : kSteps) {
      if (!maze_.wall(self + s) && far(self + s) < far(best)) best = self + s;
    }
    return best;
  }

 private:
  const Maze& maze_;
};

class Shortest final : public Pursuer {
 public:
  explicit Shortest(const Maze& maze) : maze_(maze), distances_(maze) {}
  Cell step(Cell self, Cell evader) override {
    distances_.from(evader);
    return downhill(maze_, distances_, self);
  }

 private:
  const Maze& maze_;
  Distances distances_;
};

class RandomWalk final : public Pursuer {
 public:
  RandomWalk(const Maze& maze, RandomStream& random) : maze_(maze), random_(random) {}
  Cell step(Cell self, Cell /*evader*/) override {
    std::vector<Cell> open;
    for (const Cell s : kSteps) {
      if (!maze_.wall(self + s)) open.push_back(self + s);
    }
    return open.empty() ? self : open[random_.below(open.size())];
  }
  [[nodiscard]] bool forgetful() const override { return false; }

 private:
  const Maze& maze_;
  RandomStream& random_;
};

class Planner final : public Pursuer {
 public:
  Planner(const Maze& maze, PlannerTally& tally)
      : maze_(maze), world_(voxel_world(maze)), distances_(maze), tally_(tally) {
    query_.agent.corners = pathfinding::Corners::never;
    query_.algorithm = pathfinding::Algorithm::bfs;
  }
  Cell step(Cell self, Cell evader) override {
    distances_.from(evader);
    const int far = moves(self, evader);
    if (far <= 0) return self;
    for (const Cell s : kSteps) {
      if (!maze_.wall(self + s) && moves(self + s, evader) == far - 1) return self + s;
    }
    throw std::logic_error("no neighbour is nearer than the path says");
  }

 private:
  int moves(Cell from, Cell to) {
    query_.start = world::BlockPos{from.x, kMazeFloor, from.y};
    query_.goal = pathfinding::GoalPlaces{{world::BlockPos{to.x, kMazeFloor, to.y}}};
    if (const auto begun = search_.begin(world_, query_, {}); !begun) throw std::logic_error(begun.error().message);
    search_.advance(pathfinding::kExpansionsDefault);
    const pathfinding::Answer answer = search_.answer();
    const bool found = answer.status == pathfinding::AnswerStatus::found;
    const int length = found ? static_cast<int>(answer.moves()) : kUnreached;
    ++tally_.paths;
    if (length != distances_.at(from)) ++tally_.other_length;
    return length;
  }

  const Maze& maze_;
  world::Ref<const world::Snapshot> world_;
  Distances distances_;
  PlannerTally& tally_;
  pathfinding::Query query_;
  pathfinding::Search search_;
};

/// Looks half as many cells ahead of the evader as it is away from it: so long it takes both to meet.
class Intercept final : public Pursuer {
 public:
  explicit Intercept(const Maze& maze) : maze_(maze), to_self_(maze), distances_(maze) {}
  Cell step(Cell self, Cell evader) override {
    to_self_.from(self);
    Cell aim = evader;
    if (last_ != kNowhere && last_ != evader) aim = ahead(evader, to_self_.at(evader) / 2);
    last_ = evader;
    if (aim == self) aim = evader;
    distances_.from(aim);
    return downhill(maze_, distances_, self);
  }
  [[nodiscard]] bool forgetful() const override { return false; }

 private:
  static constexpr Cell kNowhere{-1, -1};

  /// Where the evader is `steps` on: never back, at a fork away from us.
  Cell ahead(Cell at, int steps) {
    for (Cell before = last_; steps > 0; --steps) {
      Cell best = at;
      for (const Cell s : kSteps) {
        const Cell next = at + s;
        if (maze_.wall(next) || next == before) continue;
        if (best == at || to_self_.at(next) > to_self_.at(best)) best = next;
      }
      if (best == at) break;
      before = at;
      at = best;
    }
    return at;
  }

  const Maze& maze_;
  Distances to_self_, distances_;
  Cell last_ = kNowhere;
};

}  // namespace

std::string_view name(Pursuit pursuit) {
  switch (pursuit) {
    case Pursuit::greedy:
      return "greedy";
    case Pursuit::shortest:
      return "BFS";
    case Pursuit::random:
      return "random";
    case Pursuit::planner:
      return "planner";
    case Pursuit::intercept:
      return "intercept";
  }
  return "?";
}

Cell downhill(const Maze& maze, const Distances& distances, Cell self) {
  const int far = distances.at(self);
  for (const Cell s : kSteps) {
    if (!maze.wall(self + s) && distances.at(self + s) == far - 1 && far > 0) return self + s;
  }
  return self;
}

std::unique_ptr<Pursuer> make_planner_pursuer(const Maze& maze, PlannerTally& tally) {
  return std::make_unique<Planner>(maze, tally);
}

std::unique_ptr<Pursuer> make_pursuer(Pursuit pursuit, const Maze& maze, RandomStream& random) {
  switch (pursuit) {
    case Pursuit::greedy:
      return std::make_unique<Greedy>(maze);
    case Pursuit::random:
      return std::make_unique<RandomWalk>(maze, random);
    case Pursuit::intercept:
      return std::make_unique<Intercept>(maze);
    case Pursuit::shortest:
    case Pursuit::planner:
      break;
  }
  return std::make_unique<Shortest>(maze);
}

}  // namespace voxpath::server::lab
