#include "pathfinding/engine/nav_chunk.hpp"

namespace voxpath::pathfinding {

Neighbourhood neighbourhood(const world::Snapshot& snapshot, world::ChunkPos pos) {
  Neighbourhood result;
  for (std::uint32_t i = 0; i < 9; ++i) result[i].reset(snapshot.chunk(neighbour(pos, i)));
  return result;
}

bool shows(const world::Snapshot& snapshot, world::ChunkPos pos, const Neighbourhood& seen) {
  for (std::uint32_t i = 0; i < 9; ++i) {
    if (snapshot.chunk(neighbour(pos, i)) != seen[i].get()) return false;
  }
  return true;
}

std::size_t NavChunk::memory_bytes() const {
  return sizeof(NavChunk) + sizeof(NavNodes) + nodes->info.capacity() * sizeof(NodeInfo) +
         edges.capacity() * sizeof(edges[0]) + extras_begin.capacity() * sizeof(extras_begin[0]) +
         extras.capacity() * sizeof(extras[0]) + sources.capacity() * sizeof(sources[0]);
}

}  // namespace voxpath::pathfinding
