// RegionArena: the regions that a search has met, numbered in the order of meeting, so that what is known of each lies in an array.
// Thread-safety: one thread at a time; it keeps its memory, and the chunks that it has met, from one search to the next.
// Invariants: the regions of a slot are those of the reader's snapshot once slot_at() or near_slot() has given it out in this search.
#pragma once

#include "pathfinding/engine/nav_store.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

namespace voxpath::pathfinding {

class RegionArena {
 public:
  static constexpr std::uint32_t kNoSlot = 0xFFFFFFFFu;
  struct Slot {
    world::ChunkPos pos;
    world::Ref<const NavRegions> regions;
    std::uint64_t checked_version = 0;
    std::uint32_t base = 0;    // the number of its first region
    std::uint32_t search = 0;  // for which base holds
    std::array<std::uint32_t, 9> near{};
  };
  struct Place {
    std::uint32_t slot = 0, region = 0;
    friend bool operator==(const Place&, const Place&) = default;
  };

  /// Lets go of all chunks; to be called when the kind of agent changes.
  void forget();
  /// A new search. The reader must stay as it is until the search is over.
  void begin(NavReader& reader);

  /// kNoSlot: missing.
  std::uint32_t slot_at(world::ChunkPos pos);
  std::uint32_t near_slot(std::uint32_t slot, std::uint32_t which);
  /// Of a node's cell.
  Place place_of(world::BlockPos cell);

  [[nodiscard]] const Slot& slot(std::uint32_t index) const { return slots_[index]; }
  [[nodiscard]] std::uint32_t number(Place place) const { return slots_[place.slot].base + place.region; }
  /// Numbers given out in this search: all are below.
  [[nodiscard]] std::uint32_t size() const { return size_; }

 private:
  static constexpr std::size_t kSlotsKept = 16'384;

  NavReader* reader_ = nullptr;
  std::vector<Slot> slots_;
  boost::unordered_flat_map<world::ChunkPos, std::uint32_t> slot_by_pos_;
  std::uint32_t search_ = 0;
  std::uint32_t size_ = 0;
};

}  // namespace voxpath::pathfinding
