#include "pathfinding/engine/nav_arena.hpp"

#include <algorithm>
#include <cassert>

namespace voxpath::pathfinding {

using world::BlockPos;
using world::ChunkPos;

void NavArena::forget() {
  slots_.clear();
  slot_by_pos_.clear();
}

void NavArena::begin(NavReader& reader) {
  reader_ = &reader;
  if (slots_.size() > kSlotsKept) forget();
  ++search_;
  labels_used_ = 0;
  slot_of_plane_.clear();
  unknown_blocks_ = 0;
}

std::uint32_t NavArena::slot_at(ChunkPos pos) {
  const auto found = slot_by_pos_.find(pos);
  if (found != slot_by_pos_.end()) {
    touch(found->second);
    return slots_[found->second].nav ? found->second : kNoSlot;
  }
  if (reader_->snapshot().chunk(pos) == nullptr) return kNoSlot;
  const auto slot = static_cast<std::uint32_t>(slots_.size());
  slots_.emplace_back().pos = pos;
  slots_.back().near.fill(kNoSlot);
  slot_by_pos_[pos] = slot;
  touch(slot);
  return slot;
}

/// Makes a slot's moves those of this snapshot, and its labels those of this search.
void NavArena::touch(std::uint32_t index) {
  Slot& slot = slots_[index];
  if (slot.search == search_) return;
  slot.search = search_;
  const std::uint64_t version = reader_->snapshot().version();
  if (slot.nav == nullptr || slot.checked_version != version) {
    slot.nav = reader_->chunk(slot.pos);
    if (slot.nav == nullptr) return;
    slot.edges = slot.nav->edges.data();
    slot.checked_version = version;
  }
  const std::size_t size = slot.nav->edges.size();
  slot.base = static_cast<std::uint32_t>(labels_used_);
  if (labels_.size() < labels_used_ + size) labels_.resize(std::max(labels_used_ + size, 2 * labels_.size()));
  std::fill_n(labels_.begin() + static_cast<std::ptrdiff_t>(labels_used_), size, Label{});
  labels_used_ += size;
  slot_of_plane_.resize(labels_used_ >> 8, index);
  unknown_blocks_ += slot.nav->nodes->unknown_blocks;
}

std::uint32_t NavArena::neighbour_slot(std::uint32_t slot, std::uint32_t which) {
  std::uint32_t near = slots_[slot].near[which];
  if (near == kNoSlot) [[unlikely]] {
    near = slot_at(neighbour(slots_[slot].pos, which));
    assert(near != kNoSlot);
    slots_[slot].near[which] = near;
  } else if (slots_[near].search != search_) [[unlikely]] {
    touch(near);
  }
  return near;
}

std::uint32_t NavArena::optional_neighbour(std::uint32_t slot, std::uint32_t which) {
  const std::uint32_t near = slots_[slot].near[which];
  if (near != kNoSlot && slots_[near].search == search_) return slots_[near].nav ? near : kNoSlot;
  const std::uint32_t found = slot_at(neighbour(slots_[slot].pos, which));
  slots_[slot].near[which] = found;
  return found;
}

NavArena::Id NavArena::id_at(BlockPos cell) {
  const std::uint32_t slot = slot_at(world::chunk_of(cell));
  if (slot == kNoSlot) return kNowhere;
  const std::uint32_t node = slots_[slot].nav->nodes->node_at(cell);
  return node == NavNodes::kNone ? kNowhere : slots_[slot].base + node;
}

std::size_t NavArena::memory_bytes() const {
  return labels_.capacity() * sizeof(Label) + slots_.capacity() * sizeof(Slot);
}

}  // namespace voxpath::pathfinding
