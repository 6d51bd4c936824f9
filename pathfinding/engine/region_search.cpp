#include "pathfinding/engine/region_search.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>

namespace voxpath::pathfinding {

using world::BlockPos;
using world::ChunkPos;

void RegionSearch::begin(NavReader& reader, BlockPos start, std::span<const BlockPos> goals) {
  arena_.begin(reader);
  marks_.clear();
  ahead_.clear();
  back_.clear();
  back_order_ = 0;
  start_chunk_ = world::chunk_of(start);
  work_ = 0;
  reach_ = {};
  mark_ahead(arena_.place_of(start));
  for (const BlockPos& goal : goals) mark_back(arena_.place_of(goal));
}

bool RegionSearch::mark(Place place, std::uint8_t with) {
  if (marks_.size() < arena_.size()) marks_.resize(arena_.size());
  std::uint8_t& marks = marks_[arena_.number(place)];
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
  const ChunkPos at = arena_.slot(place.slot).pos;
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
      const std::uint32_t from = which == 4 ? at.slot : arena_.near_slot(at.slot, which);
      if (from == RegionArena::kNoSlot) continue;
      const NavRegions& there = *arena_.slot(from).regions;
      const NavRegions& here = *arena_.slot(at.slot).regions;
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
    const world::Ref<const NavRegions> here = arena_.slot(at.slot).regions;
    const auto& rim = here->beside_missing();
    if (std::binary_search(rim.begin(), rim.end(), at.region)) reach_.missing = Known::yes;
    for (std::uint32_t which = 0; which < 9; ++which) {
      const auto exits = here->exits(which, at.region);
      if (exits.empty()) continue;
      const std::uint32_t to = which == 4 ? at.slot : arena_.near_slot(at.slot, which);
      assert(to != RegionArena::kNoSlot);
      for (const NavRegions::Exit& exit : exits) mark_ahead({to, arena_.slot(to).regions->of(exit.node)});
    }
  }
}

}  // namespace voxpath::pathfinding
