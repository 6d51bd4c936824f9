// Generated worlds: rolling land with lakes, trees, fences and slabs, and a maze without end; for trying voxpath
// without a Minecraft world.
// Thread-safety: pure functions but for the registry, which locks by itself. Invariants: equal seed, place, heights and
// table give equal blocks, on every machine (integers only); a chunk never depends on whether its neighbours were made.
// Sources: value noise (Perlin's lattice without gradients); binary-tree maze (Buck, "Mazes for Programmers").
#pragma once

#include "world/blocks/block_table.hpp"
#include "world/chunk.hpp"
#include "world/snapshot.hpp"
#include "world/state_registry.hpp"

#include <cstdint>

namespace voxpath::world {

inline constexpr int kMazeCell = 4;        // blocks from wall to wall, one of them wall
inline constexpr int kMazeWallHeight = 3;  // blocks

/// The height of water and of a maze's floor: 62 as in the game where it fits, else a quarter up.
[[nodiscard]] int generated_sea_level(Heights heights);
/// The y of the ground's highest block.
[[nodiscard]] int generated_ground(std::uint64_t seed, std::int32_t x, std::int32_t z, Heights heights);

/// Precondition: World::validate(heights), and room for a dozen states in `states`.
[[nodiscard]] Ref<Chunk> generate_terrain_chunk(std::uint64_t seed, ChunkPos pos, Heights heights,
                                                StateRegistry& states, const BlockTable& table);
/// A floor with walls; every cell has a way to every other. Precondition: as above.
[[nodiscard]] Ref<Chunk> generate_maze_chunk(std::uint64_t seed, ChunkPos pos, Heights heights, StateRegistry& states,
                                             const BlockTable& table);

}  // namespace voxpath::world
