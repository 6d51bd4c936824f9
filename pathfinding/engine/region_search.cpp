#include "pathfinding/engine/region_search.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>

namespace voxpath::pathfinding {

using world::BlockPos;
using world::ChunkPos;

namespace {

constexpr std::size_t kSlotsKept = 16'384;

}  // namespace

void RegionSearch::forget() {
  slots_.clear();
  slot_by_pos_.clear();
}

void RegionSearch::begin(NavReader& reader, BlockPos start, std::span<const BlockPos> goals) {
  reader_ = &reader;
  if (slots_.size() > kSlotsKept) forget();
  ++search_;
  marks_.clear();
  ahead_.clear();
  back_.clear();
  back_order_ = 0;
  start_chunk_ = world::chunk_of(start);
  work_ = 0;
  reach_ = {};
  mark_ahead(place_of(start));
  for (const BlockPos& goal : goals) mark_back(place_of(goal));
}

/// The slot of a chunk, in order for this search; kNoSlot: missing.
std::uint32_t RegionSearch::slot_at(ChunkPos pos) {
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
    slot.base = static_cast<std::uint32_t>(marks_.size());
    if (slot.regions != nullptr) marks_.resize(marks_.size() + slot.regions->count());
  }
  return slot.regions != nullptr ? index : kNoSlot;
}

std::uint32_t RegionSearch::near_slot(std::uint32_t slot, std::uint32_t which) {
  const std::uint32_t known = slots_[slot].near[which];
  if (known != kNoSlot && slots_[known].search == search_) return slots_[known].regions != nullptr ? known : kNoSlot;
  const std::uint32_t found = slot_at(neighbour(slots_[slot].pos, which));
  slots_[slot].near[which] = found;
  return found;
}

RegionSearch::Place RegionSearch::place_of(BlockPos cell) {
  const std::uint32_t slot = slot_at(world::chunk_of(cell));
  assert(slot != kNoSlot);
  const NavRegions& regions = *slots_[slot].regions;
  const std::uint32_t node = regions.moves()->nodes->node_at(cell);
  assert(node != NavNodes::kNone);
  return {slot, regions.of(node)};
}

bool RegionSearch::mark(Place place, std::uint8_t with) {
  std::uint8_t& marks = marks_[slots_[place.slot].base + place.region];
  if ((marks & with) != 0) return false;
  marks |= with;
  if (marks == (kAhead | kBack)) reach_.goal = Known::yes;
  return true;
}

void RegionSearch::mark_ahead(Place place) {
  if (mark(place, kAhead)) ahead_.push_back(place);
}

void RegionSearch::mark_back(Place place) {
  if (!mark(place, kBack)) return;
  const ChunkPos at = slots_[place.slot].pos;
  const std::int64_t distance =
      std::max(std::abs(std::int64_t{at.x} - start_chunk_.x), std::abs(std::int64_t{at.z} - start_chunk_.z));
  back_.push_back({static_cast<std::uint32_t>(distance), back_order_++, place});
  std::push_heap(back_.begin(), back_.end());
}

void RegionSearch::look_back(std::uint32_t regions) {
  for (; regions > 0 && reach_.goal == Known::open; --regions) {
    if (back_.empty()) {
      reach_.goal = Known::no;
      return;
    }
    std::pop_heap(back_.begin(), back_.end());
    const Place at = back_.back().place;
    back_.pop_back();
    ++work_;
    for (std::uint32_t which = 0; which < 9; ++which) {
      const std::uint32_t from = which == 4 ? at.slot : near_slot(at.slot, which);
      if (from == kNoSlot) continue;
      const NavRegions& there = *slots_[from].regions;
      const NavRegions& here = *slots_[at.slot].regions;
      for (const NavRegions::Exit& exit : there.exits(8 - which)) {  // as the neighbour sees this chunk
        if (here.of(exit.node) == at.region) mark_back({from, exit.region});
      }
    }
  }
}

void RegionSearch::look_ahead(std::uint32_t regions) {
  for (; regions > 0 && (reach_.goal == Known::open || (reach_.goal == Known::no && reach_.missing == Known::open));
       --regions) {
    if (ahead_.empty()) {
      if (reach_.goal == Known::open) reach_.goal = Known::no;
      if (reach_.missing == Known::open) reach_.missing = Known::no;
      return;
    }
    const Place at = ahead_.back();
    ahead_.pop_back();
    ++work_;
    const world::Ref<const NavRegions> here = slots_[at.slot].regions;
    const auto& rim = here->beside_missing();
    if (std::binary_search(rim.begin(), rim.end(), at.region)) reach_.missing = Known::yes;
    for (std::uint32_t which = 0; which < 9; ++which) {
      const auto exits = here->exits(which, at.region);
      if (exits.empty()) continue;
      const std::uint32_t to = which == 4 ? at.slot : near_slot(at.slot, which);
      assert(to != kNoSlot);
      for (const NavRegions::Exit& exit : exits) mark_ahead({to, slots_[to].regions->of(exit.node)});
    }
  }
}

}  // namespace voxpath::pathfinding
