#include "server/lab/maze.hpp"

#include <stdexcept>

namespace voxpath::server::lab {

namespace {

constexpr int kWorldHeight = 16;  // blocks
constexpr int kWallTop = 2;       // y

}  // namespace

Maze Maze::dig(int size, int openings, Openings where, RandomStream& random) {
  Maze maze(size);
  std::vector<Cell> way{{1, 1}};
  maze.clear(way.back());
  while (!way.empty()) {
    const Cell at = way.back();
    std::vector<Cell> ahead;
    for (const Cell step : kSteps) {
      const Cell next = at + step + step;
      const bool inside = next.x > 0 && next.y > 0 && next.x < size - 1 && next.y < size - 1;
      if (inside && maze.wall(next)) ahead.push_back(step);
    }
    if (ahead.empty()) {
      way.pop_back();
      continue;
    }
    const Cell step = ahead[random.below(ahead.size())];
    maze.clear(at + step);
    maze.clear(at + step + step);
    way.push_back(at + step + step);
  }
  for (int i = 0; i < openings; ++i) {
    const int x = 1 + static_cast<int>(random.below(static_cast<std::size_t>(size - 2)));
    const int y = 1 + static_cast<int>(random.below(static_cast<std::size_t>(size - 2)));
    if (where == Openings::anywhere || (x + y) % 2 == 1) maze.clear({x, y});
  }
  return maze;
}

std::vector<Cell> Maze::free_cells() const {
  std::vector<Cell> cells;
  for (int y = 0; y < size_; ++y) {
    for (int x = 0; x < size_; ++x) {
      if (!wall({x, y})) cells.push_back({x, y});
    }
  }
  return cells;
}

bool Maze::connected() const {
  Distances distances(*this);
  distances.from(Cell{1, 1});
  for (const Cell c : free_cells()) {
    if (distances.at(c) == kUnreached) return false;
  }
  return true;
}

void Distances::from(const std::vector<Cell>& sources, const Cell* barred) {
  steps_.assign(static_cast<std::size_t>(maze_->size()) * static_cast<std::size_t>(maze_->size()), kUnreached);
  queue_.clear();
  for (const Cell source : sources) {
    if (steps_[maze_->index(source)] == 0) continue;
    steps_[maze_->index(source)] = 0;
    queue_.push_back(source);
  }
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const Cell at = queue_[i];
    for (const Cell step : kSteps) {
      const Cell next = at + step;
      int& there = steps_[maze_->index(next)];
      if (there != kUnreached || maze_->wall(next) || (barred != nullptr && next == *barred)) continue;
      there = steps_[maze_->index(at)] + 1;
      queue_.push_back(next);
    }
  }
}

world::Ref<const world::Snapshot> voxel_square(int size, const std::function<bool(Cell)>& wall) {
  world::World world({.min_y = 0, .height = kWorldHeight});
  const auto stone = world.states().intern("minecraft:stone", world::full_cube_traits());
  if (!stone) throw std::runtime_error(stone.error().message);
  std::vector<world::Change> changes;
  const int last = size - 1;
  for (int z = 0; z <= world::floor_div16(last); ++z) {
    for (int x = 0; x <= world::floor_div16(last); ++x) {
      changes.emplace_back(world::PutChunk{{x, z}, world::make_ref<world::Chunk>(0, kWorldHeight)});
    }
  }
  changes.emplace_back(world::FillBox{{{0, 0, 0}, {last, kMazeFloor - 1, last}}, *stone});
  for (int y = 0; y <= last; ++y) {
    for (int x = 0; x <= last; ++x) {
      if (wall({x, y})) changes.emplace_back(world::FillBox{{{x, kMazeFloor, y}, {x, kWallTop, y}}, *stone});
    }
  }
  if (const auto done = world.apply(changes); !done) throw std::runtime_error(done.error().message);
  return world.snapshot();
}

world::Ref<const world::Snapshot> voxel_world(const Maze& maze) {
  return voxel_square(maze.size(), [&](Cell c) { return maze.wall(c); });
}

}  // namespace voxpath::server::lab
