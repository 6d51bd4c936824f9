// ChunkMap: a persistent map from chunk positions to chunks. Copying it is one pointer; a change copies one path of at
// most a few nodes, and none that no other map shares, so that an edit costs the same in a world of ten chunks and of a
// hundred thousand.
// Thread-safety: const members of a map from any thread; a map that is being changed belongs to its writer.
// Source: Bagwell, "Ideal Hash Trees" (2001); the node with two bitmaps after Steindorfer and Vinju, "Optimizing
// Hash-Array Mapped Tries for Fast and Lean Immutable JVM Collections" (OOPSLA 2015), section 3. The hash is a
// bijection of the 64-bit key: there are no collisions.
#pragma once

#include "world/chunk.hpp"
#include "world/position.hpp"

#include <cstdint>
#include <functional>

namespace voxpath::world {

class ChunkMap {
 public:
  ChunkMap();
  ChunkMap(const ChunkMap&);
  ChunkMap(ChunkMap&&) noexcept;
  ChunkMap& operator=(const ChunkMap&);
  ChunkMap& operator=(ChunkMap&&) noexcept;
  ~ChunkMap();

  /// nullptr: missing.
  [[nodiscard]] const Chunk* find(ChunkPos pos) const;
  [[nodiscard]] std::size_t size() const { return size_; }
  /// In no particular order.
  void for_each(const std::function<void(ChunkPos, const Chunk&)>& visit) const;

  void put(ChunkPos pos, Ref<Chunk> chunk);
  /// Whether there was one.
  bool erase(ChunkPos pos);
  /// The chunk for writing, copied first when another map shares it; nullptr when missing.
  Chunk* find_mutable(ChunkPos pos);

  struct Node;

 private:
  Ref<Node> root_;
  std::size_t size_ = 0;
};

}  // namespace voxpath::world
