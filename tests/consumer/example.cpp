#include "pathfinding/search.hpp"
#include "world/world.hpp"

#include <cstdio>

int main() {
  using namespace voxpath;
  world::World world({.min_y = 0, .height = 256});
  const auto stone = world.states().intern("minecraft:stone", world::full_cube_traits());
  const std::vector<world::Change> changes{world::PutChunk{{0, 0}, world::make_ref<world::Chunk>(0, 256)},
                                           world::FillBox{{{0, 63, 0}, {15, 63, 15}}, *stone}};
  if (const auto done = world.apply(changes); !done) return std::puts(done.error().message.c_str());
  pathfinding::Query query;  // the agent is a zombie unless you say otherwise
  query.start = world::BlockPos{2, 64, 5};
  query.goal = pathfinding::GoalPlaces{{world::BlockPos{11, 64, 5}}};
  const auto answer = pathfinding::search(world.snapshot(), query);
  if (!answer) return std::puts(answer.error().message.c_str());
  std::printf("cost %lld, %zu moves\n", static_cast<long long>(answer->cost), answer->moves());
}
