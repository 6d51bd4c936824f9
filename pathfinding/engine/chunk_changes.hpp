// ChunkChanges: where the blocks of a neighbourhood have changed, and which columns of its middle chunk may feel it.
// Thread-safety: one thread at a time; it remembers the last few pairs of chunks that it has compared, for an edit is asked about by the
// chunk and by all around it.
#pragma once

#include "pathfinding/engine/nav_chunk.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace voxpath::pathfinding {

class ChunkChanges {
 public:
  /// How far a change is felt, in columns: one between plain air and plain cubes, with nothing odd in the column's section before or after;
  /// and any other.
  struct Reach {
    std::int32_t plain = 1, odd = 1;  // at most 16 each
  };
  /// The columns that may feel what has changed. nullopt: too many to be worth telling, or a chunk has come or gone.
  std::optional<Columns> near(const Neighbourhood& before, const Neighbourhood& after, Reach reach);

 private:
  struct Changes {
    world::Ref<const world::Chunk> before, after;
    bool comparable = true;
    std::vector<std::uint8_t> plain, odd;  // columns; each may be there several times
  };
  static constexpr std::size_t kRemembered = 8;

  const Changes& between(const world::Ref<const world::Chunk>& before, const world::Ref<const world::Chunk>& after);

  std::array<Changes, kRemembered> remembered_;
  std::size_t next_ = 0;
};

}  // namespace voxpath::pathfinding
