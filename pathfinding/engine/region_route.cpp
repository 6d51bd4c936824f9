#include "pathfinding/engine/region_route.hpp"

#include <algorithm>
#include <cstdlib>

namespace voxpath::pathfinding {

using world::BlockPos;

void RegionRoute::begin(NavReader& reader, const EdgePrices& prices, const Estimate::Parts& distance, BlockPos start,
                        BlockPos goal) {
  arena_.begin(reader);
  prices_ = prices;
  goal_ = goal;
  far_ = static_cast<std::uint64_t>(static_cast<double>(distance.far) * kWeight);
  near_ = static_cast<std::uint64_t>(static_cast<double>(distance.near) * kWeight);
  labels_.clear();
  label_of_.clear();
  open_.clear();
  order_ = 0;
  work_ = 0;
  found_ = over_ = false;
  goal_label_ = kNone;
  goal_place_ = arena_.place_of(goal);
  goal_node_ = arena_.slot(goal_place_.slot).regions->moves()->nodes->node_at(goal);
  const RegionArena::Place from = arena_.place_of(start);
  relax(from.slot, arena_.slot(from.slot).regions->moves()->nodes->node_at(start), 0, kNone);
}

std::uint64_t RegionRoute::estimate(BlockPos cell) const {
  const auto dx = static_cast<std::uint64_t>(std::abs(std::int64_t{cell.x} - goal_.x));
  const auto dz = static_cast<std::uint64_t>(std::abs(std::int64_t{cell.z} - goal_.z));
  return far_ * std::max(dx, dz) + near_ * std::min(dx, dz);
}

void RegionRoute::relax(std::uint32_t slot, std::uint32_t node, std::uint64_t cost, std::uint32_t parent) {
  const auto [found, fresh] =
      label_of_.try_emplace(std::uint64_t{slot} << 32 | node, static_cast<std::uint32_t>(labels_.size()));
  const std::uint32_t index = found->second;
  if (fresh) {
    labels_.push_back({cost, slot, node, parent, false});
  } else {
    Label& label = labels_[index];
    if (label.closed || label.cost <= cost) return;
    label.cost = cost;
    label.parent = parent;
  }
  open_.push_back({cost + estimate(cell(slot, node)), order_++, index});
  std::push_heap(open_.begin(), open_.end());
}

bool RegionRoute::advance(std::uint32_t regions) {
  while (!over_ && regions > 0) {
    if (open_.empty()) {
      over_ = true;
      break;
    }
    std::pop_heap(open_.begin(), open_.end());
    const std::uint32_t at = open_.back().label;
    open_.pop_back();
    Label& label = labels_[at];
    if (label.closed) continue;
    label.closed = true;
    if (label.slot == goal_place_.slot && label.node == goal_node_) {
      goal_label_ = at;
      found_ = over_ = true;
      break;
    }
    ++work_;
    --regions;
    expand(at);
  }
  return over_;
}

void RegionRoute::expand(std::uint32_t at) {
  const Label from = labels_[at];  // labels_ may grow
  const world::Ref<const NavRegions> here = arena_.slot(from.slot).regions;
  const NavPassages& passages = here->passages(prices_);
  const std::uint32_t region = here->of(from.node);
  if (RegionArena::Place{from.slot, region} == goal_place_) {
    const std::uint32_t rest = passages.cost_between(from.node, goal_node_, scratch_);
    if (rest != NavPassages::kNever) relax(from.slot, goal_node_, from.cost + rest, at);
  }
  const std::uint32_t* costs = nullptr;
  if (from.parent == kNone) {
    passages.costs_from(from.node, scratch_, costs_);  // anybody may start anywhere: not worth keeping
    costs = costs_.data();
  } else {
    costs = passages.costs_from(from.node, scratch_);
  }
  best_.clear();
  for (const NavPassages::Passage& p : passages.of(region)) {
    const std::uint32_t way = *costs++;
    if (way == NavPassages::kNever) continue;
    const std::uint32_t to = p.neighbour == 4 ? from.slot : arena_.near_slot(from.slot, p.neighbour);
    if (to == RegionArena::kNoSlot) continue;
    const NavRegions& there = *arena_.slot(to).regions;
    std::uint64_t cost = from.cost + way + p.price;
    if (p.enters_priced) cost += static_cast<std::uint64_t>(there.moves()->nodes->enter_price(p.to));
    const std::uint64_t f = cost + estimate(cell(to, p.to));
    const std::uint32_t into = there.of(p.to);
    const auto known =
        std::find_if(best_.begin(), best_.end(), [&](const Best& b) { return b.slot == to && b.region == into; });
    if (known == best_.end()) {
      best_.push_back({to, into, p.to, cost, f});
    } else if (f < known->f) {
      *known = {to, into, p.to, cost, f};
    }
  }
  for (const Best& b : best_) relax(b.slot, b.node, b.cost, at);
}

std::vector<BlockPos> RegionRoute::cells() const {
  std::vector<BlockPos> cells;
  if (!found_) return cells;
  for (std::uint32_t at = goal_label_; labels_[at].parent != kNone; at = labels_[at].parent)
    cells.push_back(cell(labels_[at].slot, labels_[at].node));
  std::reverse(cells.begin(), cells.end());
  return cells;
}

}  // namespace voxpath::pathfinding
