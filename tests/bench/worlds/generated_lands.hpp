// Land: a generated world for measurements, with places in it that all reach each other.
// Thread-safety: free functions; a Land is used by one thread at a time.
// Invariants: the same arguments give the same blocks and places with every compiler; each land ends in walls from bottom to top, so that
// what lies outside plays no part; places are nodes of the default agent.
// Usage: Land land = terrain_land(7, {16, 16}); land.places = connected_places(land, 64, 1); for (auto& pair : pairs(land.places, ...)) ...
#pragma once

#include "world/position.hpp"
#include "world/world.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <utility>
#include <vector>

namespace voxpath::bench {

using Random = std::mt19937_64;
using Pair = std::pair<world::BlockPos, world::BlockPos>;

/// How many chunks along x and z; the first is chunk 0, 0.
struct Extent {
  std::int32_t x = 16, z = 16;
};

struct Land {
  std::unique_ptr<world::World> world;
  Extent chunks;
  world::StateId stone = 0, air = 0;
  std::vector<world::BlockPos> places;

  /// Throws when the world does not take them.
  void apply(const std::vector<world::Change>& changes) const;
};

/// A floor with pillars, two high, on one column in five.
[[nodiscard]] Land flat_land(std::uint64_t seed, Extent chunks);
/// Corridors of three blocks between walls of one, every cell with a way to every other.
[[nodiscard]] Land maze_land(std::uint64_t seed, Extent chunks);
/// Rolling land with lakes, trees, fences and slabs.
[[nodiscard]] Land terrain_land(std::uint64_t seed, Extent chunks);
/// Stone with caves through and through, 128 blocks high.
[[nodiscard]] Land cave_land(std::uint64_t seed, Extent chunks);

/// Nodes of the default agent, drawn at random within the box (to is inclusive), connected or not.
[[nodiscard]] std::vector<world::BlockPos> random_nodes(const Land& land, world::Box box, std::size_t count,
                                                        Random& random);
/// Nodes that each reach all others, drawn at random in the whole land.
[[nodiscard]] std::vector<world::BlockPos> connected_places(const Land& land, std::size_t count, std::uint64_t seed);
/// Pairs of places that lie from `near` to `far` blocks apart, measured horizontally.
[[nodiscard]] std::vector<Pair> pairs(const std::vector<world::BlockPos>& places, double near, double far,
                                      std::size_t count, std::uint64_t seed);
/// Closed rooms in the air, 3 x 3 x 3 blocks inside, are built; a place in each is returned: nothing leads there.
[[nodiscard]] std::vector<world::BlockPos> build_sealed_rooms(const Land& land, std::int32_t y, std::size_t count,
                                                              std::uint64_t seed);
/// Works out moves, regions and reachability for the default agent, as searches would bit by bit.
void derive_all(const Land& land);

}  // namespace voxpath::bench
