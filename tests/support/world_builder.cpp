#include "tests/support/world_builder.hpp"

#include <stdexcept>

namespace voxpath::test {

WorldBuilder::WorldBuilder(world::Heights heights) : world_(heights) {}

world::StateId WorldBuilder::state(const std::string& text, world::Traits traits) {
  auto id = world_.states().intern(text, traits);
  if (!id) throw std::runtime_error(id.error().message);
  return *id;
}

void WorldBuilder::apply(world::Change change) {
  const auto done = world_.apply(std::span(&change, 1));
  if (!done) throw std::runtime_error(done.error().message);
}

WorldBuilder& WorldBuilder::known(world::ChunkPos pos) {
  if (world_.snapshot()->chunk(pos) == nullptr) {
    const world::Heights h = world_.heights();
    apply(world::PutChunk{pos, world::make_ref<world::Chunk>(h.min_y, h.height)});
  }
  return *this;
}

WorldBuilder& WorldBuilder::known(world::ChunkPos from, world::ChunkPos to) {
  for (int x = from.x; x <= to.x; ++x) {
    for (int z = from.z; z <= to.z; ++z) known({x, z});
  }
  return *this;
}

WorldBuilder& WorldBuilder::set(world::BlockPos pos, world::StateId state) {
  known(world::chunk_of(pos));
  apply(world::SetBlock{pos, state});
  return *this;
}

WorldBuilder& WorldBuilder::fill(world::BlockPos from, world::BlockPos to, world::StateId state) {
  known(world::chunk_of(from), world::chunk_of(to));
  apply(world::FillBox{{from, to}, state});
  return *this;
}

}  // namespace voxpath::test
