// WorldBuilder: small worlds for tests, block by block.
// Thread-safety: one thread.
// Usage: WorldBuilder b; b.fill({0, 0, 0}, {9, 0, 9}, b.stone()); auto snapshot = b.snapshot();
// Invariant: chunks that a block is set in become known; others are missing unless known() was called for them.
#pragma once

#include "world/world.hpp"

#include <map>
#include <string>

namespace voxpath::test {

class WorldBuilder {
 public:
  explicit WorldBuilder(world::Heights heights = {0, 256});

  world::StateId state(const std::string& text, world::Traits traits);
  world::StateId stone() { return state("minecraft:stone", world::full_cube_traits()); }
  static world::StateId air() { return world::kAirState; }

  WorldBuilder& known(world::ChunkPos pos);
  WorldBuilder& known(world::ChunkPos from, world::ChunkPos to);
  WorldBuilder& set(world::BlockPos pos, world::StateId state);
  WorldBuilder& fill(world::BlockPos from, world::BlockPos to, world::StateId state);

  [[nodiscard]] world::Ref<const world::Snapshot> snapshot() const { return world_.snapshot(); }
  world::World& world() { return world_; }

 private:
  void apply(world::Change change);
  world::World world_;
};

}  // namespace voxpath::test
