// ChunkIndex: where a snapshot finds its chunks. ChunkIndexWriter: the one writer's hand on it.
// Thread-safety: a ChunkIndex from any thread, as long as a snapshot of its version (or the writer) lives; the writer
// from one thread at a time.
// Invariants: always the same four steps from the root to a tile of 4 x 4 chunks, whatever the number of chunks; a
// change copies the nodes on that way that an earlier version shows, and nothing else: no counts of references are
// touched. What was copied away is handed to History, which knows when no snapshot shows it any more. So an edit
// costs the same in a world of ten chunks and of a hundred thousand.
// Limits: tiles whose hashes share 15 bits form a chain. 32,768 tiles side by side hold half a million chunks with one
// tile a chain on average.
// Source: path copying, Driscoll, Sarnak, Sleator, Tarjan, "Making Data Structures Persistent" (1989), section 2.
#pragma once

#include "world/chunk.hpp"
#include "world/history.hpp"
#include "world/position.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace voxpath::world {

class ChunkIndex {
 public:
  /// nullptr: missing.
  [[nodiscard]] const Chunk* find(ChunkPos pos) const {
    const Tile* tile = find_tile(tile_of(pos));
    return tile != nullptr ? tile->slots[slot_of(pos)].chunk : nullptr;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// In no particular order.
  void for_each(const std::function<void(ChunkPos, const Chunk&)>& visit) const;
  /// Those that versions after `version` have put or changed; what they have dropped is not told. The cost is that of
  /// the changes, not of the world.
  void for_each_since(std::uint64_t version, const std::function<void(ChunkPos)>& visit) const;

 private:
  friend class ChunkIndexWriter;

  /// 4 x 4 chunks.
  struct Tile {
    struct Slot {
      const Chunk* chunk = nullptr;  // counted once for as long as it stands in this place
      std::uint64_t since = 0;       // the version that put it here
    };
    std::uint64_t since = 0;  // the version that made this node
    ChunkPos at;              // in tiles
    std::uint32_t chunks = 0;
    const Tile* next = nullptr;  // of the same hash
    std::array<Slot, 16> slots;
  };
  template <class Child>
  struct Fork {
    std::uint64_t since = 0;
    std::array<const Child*, 32> children{};
  };
  using Lower = Fork<Tile>;
  using Middle = Fork<Lower>;
  using Root = Fork<Middle>;

  static ChunkPos tile_of(ChunkPos pos) { return {pos.x >> 2, pos.z >> 2}; }
  static std::size_t slot_of(ChunkPos pos) { return static_cast<std::size_t>((pos.x & 3) | (pos.z & 3) << 2); }
  [[nodiscard]] const Tile* find_tile(ChunkPos at) const {
    if (root_ == nullptr) return nullptr;
    const std::uint64_t h = hash_value(at);
    const Middle* middle = root_->children[h & 31];
    if (middle == nullptr) return nullptr;
    const Lower* lower = middle->children[h >> 5 & 31];
    if (lower == nullptr) return nullptr;
    const Tile* tile = lower->children[h >> 10 & 31];
    while (tile != nullptr && tile->at != at) tile = tile->next;
    return tile;
  }

  const Root* root_ = nullptr;
  std::size_t size_ = 0;
};

/// Usage: begin(version); put(), erase(), find_mutable(); then commit(), or rollback().
class ChunkIndexWriter {
 public:
  ChunkIndexWriter() = default;
  ChunkIndexWriter(const ChunkIndexWriter&) = delete;
  ChunkIndexWriter& operator=(const ChunkIndexWriter&) = delete;

  [[nodiscard]] const ChunkIndex& index() const { return now_; }

  /// Versions grow. What follows belongs to this one.
  void begin(std::uint64_t version);
  void put(ChunkPos pos, Ref<const Chunk> chunk);
  /// Whether there was one.
  bool erase(ChunkPos pos);
  /// The chunk for writing, copied first when an earlier version or somebody else shares it; nullptr when missing.
  Chunk* find_mutable(ChunkPos pos);
  /// Returns what the version before shows and this one does not.
  std::vector<Retired> commit();
  /// As if begin() had not been called.
  void rollback();
  /// All that the index holds, for the last version's end. The index is empty afterwards.
  std::vector<Retired> retire_everything();

 private:
  using Tile = ChunkIndex::Tile;
  using Lower = ChunkIndex::Lower;
  using Middle = ChunkIndex::Middle;
  using Root = ChunkIndex::Root;

  template <class Node>
  Node& own(const Node*& slot);
  const Tile*& own_chain(ChunkPos at);
  Tile& own_tile(ChunkPos at);
  void unlink_tile(ChunkPos at);
  void release(const Tile::Slot& slot);
  template <class Node>
  static void retire_node(std::vector<Retired>& into, const Node* node);

  ChunkIndex now_;
  ChunkIndex before_;  // as begin() found it
  std::uint64_t version_ = 0;
  std::vector<Retired> retired_;
  std::vector<Retired> fresh_;        // nodes that this version made
  std::vector<const Tile*> emptied_;  // tiles among them that have left the index again
};

}  // namespace voxpath::world
