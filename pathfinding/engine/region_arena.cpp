#include "pathfinding/engine/region_arena.hpp"

#include <cassert>

namespace voxpath::pathfinding {

using world::ChunkPos;

void RegionArena::forget() {
  slots_.clear();
  slot_by_pos_.clear();
}

void RegionArena::begin(NavReader& reader) {
  reader_ = &reader;
  if (slots_.size() > kSlotsKept) forget();
  ++search_;
  size_ = 0;
}

std::uint32_t RegionArena::slot_at(ChunkPos pos) {
  const auto [found, fresh] = slot_by_pos_.try_emplace(pos, static_cast<std::uint32_t>(slots_.size()));
  const std::uint32_t index = found->second;
  if (fresh) {
    slots_.emplace_back().pos = pos;
    slots_.back().near.fill(kNoSlot);
  }
  Slot& slot = slots_[index];
  if (slot.search != search_) {
    slot.search = search_;
    const std::uint64_t version = reader_->snapshot().version();
    if (slot.regions == nullptr || slot.checked_version != version) {
      slot.regions = reader_->regions(pos);
      slot.checked_version = version;
    }
    slot.base = size_;
    if (slot.regions != nullptr) size_ += slot.regions->count();
  }
  return slot.regions != nullptr ? index : kNoSlot;
}

std::uint32_t RegionArena::near_slot(std::uint32_t slot, std::uint32_t which) {
  const std::uint32_t known = slots_[slot].near[which];
  if (known != kNoSlot && slots_[known].search == search_) return slots_[known].regions != nullptr ? known : kNoSlot;
  const std::uint32_t found = slot_at(neighbour(slots_[slot].pos, which));
  slots_[slot].near[which] = found;
  return found;
}

RegionArena::Place RegionArena::place_of(world::BlockPos cell) {
  const std::uint32_t slot = slot_at(world::chunk_of(cell));
  assert(slot != kNoSlot);
  const NavRegions& regions = *slots_[slot].regions;
  const std::uint32_t node = regions.moves()->nodes->node_at(cell);
  assert(node != NavNodes::kNone);
  return {slot, regions.of(node)};
}

}  // namespace voxpath::pathfinding
