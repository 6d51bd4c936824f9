// StoreModel: the world store as a plain map of blocks, to be compared with the real one; and the states and blocks
// that its tests use.
// Thread-safety: none; one test owns one.
// Invariant: a column that is not in `columns` is missing; a block of a known column that is not in `blocks` is air.
#pragma once

#include "world/queries.hpp"
#include "world/world.hpp"

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace voxpath::world {

inline constexpr Heights kTestHeights{.min_y = -64, .height = 128};

inline Traits extent(int bottom, int top) {
  Traits t;
  t.bottom = static_cast<std::uint8_t>(bottom);
  t.top = static_cast<std::uint8_t>(top);
  return t;
}

/// Registers a state that must fit.
inline PaletteEntry state(StateRegistry& states, const std::string& name, Traits traits = full_cube_traits()) {
  const auto id = states.intern("minecraft:" + name, traits);
  if (!id) throw std::runtime_error(id.error().message);
  return {*id, traits};
}

inline Ref<Chunk> air_chunk(Heights heights = kTestHeights) { return make_ref<Chunk>(heights.min_y, heights.height); }

/// Applies changes that must be accepted.
inline Commit must(World& world, const std::vector<Change>& changes) {
  auto done = world.apply(changes);
  if (!done) throw std::runtime_error(done.error().message);
  return *done;
}

struct StoreModel {
  std::map<BlockPos, StateId> blocks;
  std::set<ChunkPos> columns;

  void set(BlockPos p, StateId s) {
    if (s == kAirState) {
      blocks.erase(p);
    } else {
      blocks[p] = s;
    }
  }
  void drop(ChunkPos c) {
    columns.erase(c);
    std::erase_if(blocks, [&](const auto& b) { return chunk_of(b.first) == c; });
  }
  [[nodiscard]] StateId at(BlockPos p) const {
    const auto it = blocks.find(p);
    return it == blocks.end() ? kAirState : it->second;
  }

  /// Compares every block of the chunks around the origin, up to `radius` chunks away, and what is known at all.
  [[nodiscard]] ::testing::AssertionResult equals(const Snapshot& snapshot, int radius) const {
    if (snapshot.chunks().size() != columns.size()) {
      return ::testing::AssertionFailure() << snapshot.chunks().size() << " chunks instead of " << columns.size();
    }
    const Heights h = snapshot.heights();
    for (int cx = -radius; cx < radius; ++cx) {
      for (int cz = -radius; cz < radius; ++cz) {
        const Chunk* chunk = snapshot.chunk({cx, cz});
        if ((chunk != nullptr) != columns.contains({cx, cz})) {
          return ::testing::AssertionFailure() << fmt::format("chunk ({}, {}): known = {}", cx, cz, chunk != nullptr);
        }
        if (chunk == nullptr) continue;
        for (int y = h.min_y; y <= h.max_y(); ++y) {
          for (int i = 0; i < 256; ++i) {
            const BlockPos p{cx * 16 + i % 16, y, cz * 16 + i / 16};
            if (chunk->at(p.x, p.y, p.z).state == at(p)) continue;
            return ::testing::AssertionFailure() << fmt::format("block ({}, {}, {}): {} instead of {}", p.x, p.y, p.z,
                                                                chunk->at(p.x, p.y, p.z).state, at(p));
          }
        }
      }
    }
    return ::testing::AssertionSuccess();
  }
};

}  // namespace voxpath::world
