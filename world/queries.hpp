// Questions to a snapshot that are not path-finding: solid or air, traits, line of sight, the surface below a point.
// Thread-safety: pure functions of an immutable snapshot.
// Invariant: a missing chunk is never reported as air.
#pragma once

#include "world/snapshot.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace voxpath::world {

enum class Solidity : std::uint8_t { missing, air, solid };  // solid: the block has a collision extent

inline constexpr std::int64_t kQueryVolumeMax = 1 << 20;  // blocks in one box query
inline constexpr double kSightDistanceMax = 1024.0;       // blocks

[[nodiscard]] Solidity solidity(const Snapshot& snapshot, BlockPos pos);
/// nullopt: in a missing chunk.
[[nodiscard]] std::optional<Traits> traits_at(const Snapshot& snapshot, BlockPos pos);
/// One answer per position, in their order. nullptr: in a missing chunk.
[[nodiscard]] std::vector<const PaletteEntry*> blocks_at(const Snapshot& snapshot, std::span<const BlockPos> positions);
/// All blocks of a box: y slowest, then z, then x. nullptr: in a missing chunk. Errors: invalid_argument, out_of_range
/// (kQueryVolumeMax).
[[nodiscard]] Result<std::vector<const PaletteEntry*>> blocks_in(const Snapshot& snapshot, const Box& box);

enum class Sight : std::uint8_t { clear, blocked, missing };
struct SightResult {
  Sight sight = Sight::clear;
  BlockPos at;  // the first cell that blocks, or that is missing; else the last cell
};
/// Walks the cells from `from` to `to` (Amanatides and Woo, "A Fast Voxel Traversal Algorithm for Ray Tracing", 1987)
/// and stops where the ray enters a block's extent, taken to fill its cell horizontally. A ray that only touches a
/// face, an edge or a corner passes; one that runs along a border belongs to the cell that the border's coordinate is
/// in. Errors: invalid_argument for no places, out_of_range beyond kSightDistanceMax.
[[nodiscard]] Result<SightResult> line_of_sight(const Snapshot& snapshot, const Vec3& from, const Vec3& to);

struct Surface {
  bool missing = false;       // the column is not known
  std::int32_t floor_px = 0;  // height of the surface in px
  BlockPos block;             // the block whose top it is
};
/// The highest surface (an extent's top with nothing of the column just above it) at or below from.y in the column of
/// (x, z). nullopt: nothing between there and the void. No place (is_place()): missing.
[[nodiscard]] std::optional<Surface> surface_below(const Snapshot& snapshot, const Vec3& from);

}  // namespace voxpath::world
