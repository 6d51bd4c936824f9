// Snapshot: one version of a world, complete and unchanging. Searches and queries read a snapshot from beginning to
// end.
// Thread-safety: all members from any thread, without locks; hold it by Ref<const Snapshot>.
// Invariants: a chunk that was never given is missing, which is told apart from air everywhere; above the world is open
// air, below is void.
#pragma once

#include "world/chunk_index.hpp"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace voxpath::world {

/// Height range of a world, in blocks; both multiples of 16.
struct Heights {
  int min_y = 0;
  int height = 256;
  [[nodiscard]] constexpr int max_y() const { return min_y + height - 1; }
  [[nodiscard]] constexpr bool contains(int y) const { return y >= min_y && y < min_y + height; }
  friend constexpr bool operator==(const Heights&, const Heights&) = default;
};

class Snapshot : public SharedCount {
 public:
  Snapshot(Heights heights, std::uint64_t version, ChunkIndex chunks, std::shared_ptr<const StateRegistry> states)
      : heights_(heights), version_(version), chunks_(chunks), states_(std::move(states)) {}
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

  [[nodiscard]] Heights heights() const { return heights_; }
  /// Grows by one with each published change; 0 is the empty world.
  [[nodiscard]] std::uint64_t version() const { return version_; }
  [[nodiscard]] const ChunkIndex& chunks() const { return chunks_; }
  [[nodiscard]] const StateRegistry& states() const { return *states_; }

  /// See History. `make` is one function for the whole program.
  [[nodiscard]] std::shared_ptr<Derived> derived(std::shared_ptr<Derived> (*make)()) const {
    return history_->derived(make);
  }

  /// nullptr: missing.
  [[nodiscard]] const Chunk* chunk(ChunkPos pos) const { return chunks_.find(pos); }
  /// nullptr: in a missing chunk. Above and below the world: air.
  [[nodiscard]] const PaletteEntry* block(BlockPos pos) const {
    const Chunk* c = chunks_.find(chunk_of(pos));
    return c ? &c->at(pos.x, pos.y, pos.z) : nullptr;
  }

 private:
  Heights heights_;
  std::uint64_t version_;
  ChunkIndex chunks_;
  std::shared_ptr<const StateRegistry> states_;

  friend class History;
  mutable Ref<History> history_;
  mutable const Snapshot* older_ = nullptr;  // the living snapshots, guarded by History
  mutable const Snapshot* newer_ = nullptr;
  mutable const Snapshot* next_dead_ = nullptr;
  mutable std::vector<Retired> retired_;  // parts that no newer living snapshot shows
};

/// What Ref does with the last reference.
inline void dispose(const Snapshot* snapshot) noexcept { History::bury(snapshot); }

}  // namespace voxpath::world
