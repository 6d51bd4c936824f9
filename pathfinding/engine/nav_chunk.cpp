#include "pathfinding/engine/nav_chunk.hpp"

#include <algorithm>

namespace voxpath::pathfinding {

namespace {

world::ChunkPos neighbour(world::ChunkPos pos, int i) { return {pos.x + i % 3 - 1, pos.z + i / 3 - 1}; }

}  // namespace

Neighbourhood neighbourhood(const world::Snapshot& snapshot, world::ChunkPos pos) {
  Neighbourhood result;
  for (int i = 0; i < 9; ++i) result[static_cast<std::size_t>(i)].reset(snapshot.chunk(neighbour(pos, i)));
  return result;
}

bool shows(const world::Snapshot& snapshot, world::ChunkPos pos, const Neighbourhood& seen) {
  for (int i = 0; i < 9; ++i) {
    if (snapshot.chunk(neighbour(pos, i)) != seen[static_cast<std::size_t>(i)].get()) return false;
  }
  return true;
}

std::optional<Columns> columns_near_changes(const Neighbourhood& before, const Neighbourhood& after,
                                            std::int32_t reach) {
  constexpr std::size_t kChangesMax = 64;  // columns
  static const world::Section air;
  Columns near;
  for (std::size_t i = 0; i < 9; ++i) {
    if (before[i] == after[i]) continue;
    if (before[i] == nullptr || after[i] == nullptr || before[i]->min_y() != after[i]->min_y() ||
        before[i]->height() != after[i]->height())
      return std::nullopt;
    Columns changed;
    const std::int32_t lowest = world::floor_div16(after[i]->min_y());
    for (std::int32_t s = lowest; s < lowest + after[i]->height() / 16; ++s) {
      const world::Section* const a = before[i]->section(s);
      const world::Section* const b = after[i]->section(s);
      if (a != b) (a != nullptr ? *a : air).differing_columns(b != nullptr ? *b : air, changed);
    }
    if (changed.count() > kChangesMax) return std::nullopt;
    const auto base_x = (static_cast<std::int32_t>(i) % 3 - 1) * 16;
    const auto base_z = (static_cast<std::int32_t>(i) / 3 - 1) * 16;
    for (std::size_t c = 0; c < 256; ++c) {
      if (!changed[c]) continue;
      const std::int32_t x = base_x + static_cast<std::int32_t>(c & 15);
      const std::int32_t z = base_z + static_cast<std::int32_t>(c >> 4);
      for (std::int32_t nz = std::max(z - reach, 0); nz <= std::min(z + reach, 15); ++nz) {
        for (std::int32_t nx = std::max(x - reach, 0); nx <= std::min(x + reach, 15); ++nx)
          near.set(static_cast<std::size_t>(nz << 4 | nx));
      }
    }
  }
  return near;
}

std::size_t NavChunk::memory_bytes() const {
  return sizeof(NavChunk) + sizeof(NavNodes) + nodes->info.capacity() * sizeof(NodeInfo) +
         edges.capacity() * sizeof(edges[0]) + extras_begin.capacity() * sizeof(extras_begin[0]) +
         extras.capacity() * sizeof(extras[0]) + sources.capacity() * sizeof(sources[0]);
}

}  // namespace voxpath::pathfinding
