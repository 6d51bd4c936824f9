// NavArena: the labels of a search over NavChunks: a node's number is its place in one array, and a chunk's part of it is cleared when the
// search first gets there. So nothing is hashed and nothing allocated per expansion, and a small search clears little.
// Thread-safety: one thread at a time; it keeps its memory, and the chunks that it has met, from one search to the next.
// Invariants: the moves of a slot are those of the reader's snapshot once the slot is touched.
#pragma once

#include "pathfinding/engine/nav_store.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

namespace voxpath::pathfinding {

class NavArena {
 public:
  using Id = std::uint32_t;
  static constexpr Id kNowhere = 0xFFFFFFFFu;
  static constexpr std::uint32_t kNoSlot = 0xFFFFFFFFu;
  static constexpr std::uint64_t kCostMax = 1'000'000'000;  // of a node; two of them fit a label's 31 bits

  struct Label {
    /// cost << 1 | closed; all ones: not met yet. So one unsigned comparison tells whether a cost is an improvement.
    std::uint32_t cost = 0xFFFFFFFFu;
    /// The node next to this one on the way << 6 | two bits for pruning << 4 | flat direction of arrival + 1, or 0.
    std::uint32_t from = 0;

    [[nodiscard]] bool met() const { return cost != 0xFFFFFFFFu; }
    [[nodiscard]] bool closed() const { return met() && (cost & 1u) != 0; }
  };
  /// A chunk that searches have met. Its nodes' numbers begin at `base` in this search.
  struct Slot {
    world::ChunkPos pos;
    world::Ref<const NavChunk> nav;
    const std::uint64_t* edges = nullptr;
    std::uint32_t base = 0;
    std::uint32_t search = 0;  // the search for which base holds
    std::uint64_t checked_version = 0;
    std::array<std::uint32_t, 9> near{};  // slots of the neighbours
  };

  /// Lets go of all chunks; to be called when the kind of agent changes.
  void forget();
  /// A new search; no node is met. The reader must stay as it is until the search is over.
  void begin(NavReader& reader);

  /// kNoSlot: missing.
  std::uint32_t slot_at(world::ChunkPos pos);
  /// Of a chunk that is known to be there.
  std::uint32_t neighbour_slot(std::uint32_t slot, std::uint32_t which);
  /// kNoSlot: missing.
  std::uint32_t optional_neighbour(std::uint32_t slot, std::uint32_t which);
  /// kNowhere: no node.
  Id id_at(world::BlockPos cell);

  [[nodiscard]] const Slot& slot(std::uint32_t index) const { return slots_[index]; }
  [[nodiscard]] std::uint32_t slot_index_of(Id id) const { return slot_of_plane_[id >> 8]; }
  [[nodiscard]] const Slot& slot_of(Id id) const { return slots_[slot_of_plane_[id >> 8]]; }
  [[nodiscard]] Label& label(Id id) { return labels_[id]; }
  [[nodiscard]] const Label& label(Id id) const { return labels_[id]; }
  [[nodiscard]] NodeInfo info(Id id) const { return slot_of(id).nav->nodes->info[id - slot_of(id).base]; }
  [[nodiscard]] world::BlockPos cell(Id id) const { return slot_of(id).nav->nodes->cell(id - slot_of(id).base); }
  /// Numbers given out in this search: all are below.
  [[nodiscard]] Id size() const { return static_cast<Id>(labels_used_); }
  /// Whether a search should go no further: numbers are about to run out.
  [[nodiscard]] bool full() const { return labels_used_ > kLabelsMax / 2; }
  /// In the chunks that this search has met.
  [[nodiscard]] std::uint32_t unknown_blocks() const { return unknown_blocks_; }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  static constexpr std::uint32_t kIdBits = 26;
  static constexpr std::size_t kLabelsMax = std::size_t{1} << kIdBits;
  static constexpr std::size_t kSlotsKept = 16'384;

  void touch(std::uint32_t slot);

  NavReader* reader_ = nullptr;
  std::vector<Slot> slots_;
  boost::unordered_flat_map<world::ChunkPos, std::uint32_t> slot_by_pos_;
  std::vector<Label> labels_;
  std::vector<std::uint32_t> slot_of_plane_;  // by id >> 8
  std::size_t labels_used_ = 0;
  std::uint32_t search_ = 0;
  std::uint32_t unknown_blocks_ = 0;
};

}  // namespace voxpath::pathfinding
