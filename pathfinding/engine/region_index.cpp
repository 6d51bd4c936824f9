#include "pathfinding/engine/region_index.hpp"

#include "pathfinding/engine/nav_store.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <optional>
#include <utility>

namespace voxpath::pathfinding {

using world::BlockPos;
using world::ChunkPos;
using world::Ref;

namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFu;

/// For each region of `now`, the one of `before` with the same nodes, as far as both have them; nullopt when they do not pair off.
std::optional<std::vector<std::uint32_t>> pair_off(const NavRegions& before, const NavRegions& now) {
  if (before.count() != now.count()) return std::nullopt;
  std::vector<std::uint32_t> pair(now.count(), kNone);
  std::vector<std::uint32_t> back(now.count(), kNone);
  const NavNodes& old_nodes = *before.moves()->nodes;
  const NavNodes& nodes = *now.moves()->nodes;
  for (std::uint32_t column = 0; column < 256; ++column) {
    std::uint32_t old = column;
    for (std::uint32_t node = column; node < nodes.info.size() && nodes.info[node].exists(); node += 256) {
      const std::int32_t height = nodes.info[node].height();
      while (old < old_nodes.info.size() && old_nodes.info[old].exists() && old_nodes.info[old].height() > height)
        old += 256;
      if (old >= old_nodes.info.size() || !old_nodes.info[old].exists()) break;
      if (old_nodes.info[old].height() != height) continue;
      const std::uint32_t a = before.of(old);
      const std::uint32_t b = now.of(node);
      if (pair[b] == kNone && back[a] == kNone) {
        pair[b] = a;
        back[a] = b;
      } else if (pair[b] != a || back[a] != b) {
        return std::nullopt;
      }
    }
  }
  if (std::find(pair.begin(), pair.end(), kNone) != pair.end()) return std::nullopt;
  return pair;
}

}  // namespace

/// What has to be looked at because of the changes up to this snapshot.
void RegionIndex::follow(const world::Snapshot& snapshot) {
  const world::ChunkIndex& chunks = snapshot.chunks();
  if (!begun_) {
    begun_ = true;
    chunks.for_each([this](ChunkPos pos, const world::Chunk&) { wait(pos); });
  } else {
    chunks.for_each_since(version_, [this](ChunkPos pos) {
      for (std::uint32_t i = 0; i < 9; ++i) {
        if (i == 4 || entry_at_.contains(neighbour(pos, i))) wait(neighbour(pos, i));
      }
    });
    if (entries_.size() > chunks.size()) {  // some are no more, which for_each_since() does not tell
      for (std::size_t e = 0; e < entries_.size(); ++e) {
        const ChunkPos pos = entries_[e].pos;
        if (snapshot.chunk(pos) != nullptr) continue;
        for (std::uint32_t i = 0; i < 9; ++i) {
          if (entry_at_.contains(neighbour(pos, i))) wait(neighbour(pos, i));
        }
      }
    }
  }
  version_ = snapshot.version();
}

void RegionIndex::wait(ChunkPos pos) {
  const auto [found, fresh] = entry_at_.try_emplace(pos, static_cast<std::uint32_t>(entries_.size()));
  if (fresh) {
    entries_.emplace_back().pos = pos;
    unlabel();
  }
  Entry& entry = entries_[found->second];
  if (!entry.waiting) waiting_.push_back(pos);
  entry.waiting = true;
}

/// Whether it was new or had changed.
bool RegionIndex::look_at_next(NavReader& reader) {
  const ChunkPos pos = waiting_.back();
  waiting_.pop_back();
  const std::uint32_t index = entry_at_.find(pos)->second;
  Entry& entry = entries_[index];
  entry.waiting = false;
  Ref<const NavRegions> now = reader.regions(pos);
  if (now == nullptr) {
    erase(index);
    return false;
  }
  if (now == entry.regions) return false;
  compare(entry, std::move(now));
  want_links(pos);
  return true;
}

void RegionIndex::want_links(ChunkPos pos) {
  const auto found = entry_at_.find(pos);
  if (found == entry_at_.end()) return;
  if (!entries_[found->second].relink) relink_.push_back(pos);
  entries_[found->second].relink = true;
}

void RegionIndex::compare(Entry& entry, Ref<const NavRegions> now) {
  std::optional<std::vector<std::uint32_t>> pair;
  if ((labelled_ || labelling_) && entry.regions != nullptr) pair = pair_off(*entry.regions, *now);
  if (pair) {
    for (std::uint32_t& number : *pair) number = entry.number_of(number);
    entry.number = std::move(*pair);
  } else {
    unlabel();
    entry.number.clear();
    // The links of the neighbours tell the numbers that these regions had.
    for (std::uint32_t i = 0; i < 9; ++i) want_links(neighbour(entry.pos, i));
  }
  entry.regions = std::move(now);
}

void RegionIndex::erase(std::uint32_t index) {
  unlabel();
  entry_at_.erase(entries_[index].pos);
  if (index + 1 != entries_.size()) {
    entries_[index] = std::move(entries_.back());
    entry_at_[entries_[index].pos] = index;
  }
  entries_.pop_back();
}

const RegionIndex::Entry* RegionIndex::at(ChunkPos pos) const {
  const auto found = entry_at_.find(pos);
  return found == entry_at_.end() ? nullptr : &entries_[found->second];
}

std::vector<RegionIndex::Link> RegionIndex::links_of(const Entry& entry) const {
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < 9; ++i) {
    const auto exits = entry.regions->exits(i);
    if (exits.empty()) continue;
    const Entry& there = i == 4 ? entry : entries_[entry_at_.at(neighbour(entry.pos, i))];
    for (const NavRegions::Exit& exit : exits) {
      const Link link{entry.number_of(exit.region), there.number_of(there.regions->of(exit.node)),
                      static_cast<std::uint8_t>(i)};
      if (links.empty() || links.back() != link) links.push_back(link);
    }
  }
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  links.shrink_to_fit();
  return links;
}

/// Nothing waits any more: the links of what has changed can be told, and whether they are what they were.
void RegionIndex::relink() {
  for (const ChunkPos pos : relink_) {
    const auto found = entry_at_.find(pos);
    if (found == entry_at_.end()) continue;  // erased
    Entry& entry = entries_[found->second];
    if (!std::exchange(entry.relink, false)) continue;  // erased, put again, and noted twice
    std::vector<Link> links = links_of(entry);
    std::vector<std::uint32_t> beside_missing = entry.regions->beside_missing();
    for (std::uint32_t& region : beside_missing) region = entry.number_of(region);
    std::sort(beside_missing.begin(), beside_missing.end());
    if (links != entry.links || beside_missing != entry.beside_missing) unlabel();
    entry.links = std::move(links);
    entry.beside_missing = std::move(beside_missing);
  }
  relink_.clear();
}

Reach RegionIndex::look(NavReader& reader, BlockPos start, std::span<const BlockPos> goals) {
  const world::Snapshot& snapshot = reader.snapshot();
  if (!begun_ || snapshot.version() < version_) return {};
  if (snapshot.version() > version_) follow(snapshot);
  for (std::size_t i = 0; i < kFreeChunks && labelled_ && !waiting_.empty(); ++i) look_at_next(reader);
  if (!waiting_.empty()) return {};
  if (!relink_.empty()) relink();
  if (!labelled_) return {};

  const std::uint32_t from = component_of(start);
  const std::uint8_t flags = flags_[from];
  Reach reach{Known::no, (flags & kMeetsMissing) != 0 ? Known::yes : Known::no};
  for (const BlockPos& goal : goals) {
    const std::uint32_t to = component_of(goal);
    const std::uint8_t there = flags_[to];
    if (from == to || ((flags & kToGiant) != 0 && (there & kFromGiant) != 0)) {
      reach.goal = Known::yes;
      return reach;
    }
    if (from > to && from != giant_ && to != giant_) reach.goal = Known::open;
  }
  return reach;
}

std::uint32_t RegionIndex::component_of(BlockPos cell) const {
  const Entry& entry = *at(world::chunk_of(cell));
  const std::uint32_t node = entry.regions->moves()->nodes->node_at(cell);
  assert(node != NavNodes::kNone);
  return component_[entry.base + entry.number_of(entry.regions->of(node))];
}

void RegionIndex::pay(NavReader& reader, std::uint64_t work) {
  const world::Snapshot& snapshot = reader.snapshot();
  if (snapshot.version() < version_) return;
  if (snapshot.chunks().size() > kChunksMax) {
    *this = RegionIndex();
    return;
  }
  credit_ = std::min(credit_ + work, std::numeric_limits<std::uint64_t>::max() / (2 * kLabelSteps));
  if (!begun_ && credit_ < snapshot.chunks().size()) return;
  if (!begun_ || snapshot.version() > version_) follow(snapshot);
  while (!waiting_.empty() && credit_ >= kPriceToBuild)
    credit_ -= look_at_next(reader) ? kPriceToBuild : kPriceToCompare;
  if (!waiting_.empty()) return;
  relink();
  if (labelled_) {
    credit_ = 0;
    return;
  }
  label(std::exchange(credit_, 0) * kLabelSteps);
}

/// The regions are numbered through, and each one's links laid out behind each other. Recursion is none: the stacks are our own.
void RegionIndex::begin_labelling() {
  labelling_ = std::make_unique<Labelling>();
  Labelling& l = *labelling_;
  std::uint32_t regions = 0;
  for (Entry& entry : entries_) {
    entry.base = regions;
    regions += entry.regions->count();
  }
  l.begin.assign(regions + std::size_t{1}, 0);
  component_.assign(regions, kNone);
}

void RegionIndex::label(std::uint64_t steps) {
  if (!labelling_) begin_labelling();
  while (steps > 0 && !labelled_) {
    switch (labelling_->stage) {
      case Labelling::Stage::links:
        gather_links(steps);
        break;
      case Labelling::Stage::components:
        find_components(steps);
        break;
      case Labelling::Stage::flags_back:
        flag_back(steps);
        break;
      case Labelling::Stage::flags_ahead:
        flag_ahead(steps);
        break;
    }
  }
}

void RegionIndex::gather_links(std::uint64_t& steps) {
  Labelling& l = *labelling_;
  for (; l.at < entries_.size() && steps > 0; ++l.at) {
    const Entry& entry = entries_[l.at];
    std::array<std::uint32_t, 9> bases{};
    for (const Link& link : entry.links) {
      if (bases[link.neighbour] == 0) bases[link.neighbour] = at(neighbour(entry.pos, link.neighbour))->base + 1;
      l.targets.push_back(bases[link.neighbour] - 1 + link.to);
      ++l.begin[entry.base + link.from + 1];
    }
    steps -= std::min<std::uint64_t>(steps, entry.links.size() + 1);
  }
  if (l.at < entries_.size()) return;
  const std::size_t regions = component_.size();
  for (std::size_t i = 0; i < regions; ++i) l.begin[i + 1] += l.begin[i];
  l.met.assign(regions, kNone);
  l.low.resize(regions);
  l.next.assign(l.begin.begin(), l.begin.end() - 1);
  l.at = 0;
  l.stage = Labelling::Stage::components;
}

/// Tarjan's search. `way` leads to the region at work.
void RegionIndex::find_components(std::uint64_t& steps) {
  Labelling& l = *labelling_;
  const std::size_t regions = component_.size();
  for (; steps > 0; --steps) {
    if (l.way.empty()) {
      while (l.at < regions && l.met[l.at] != kNone) ++l.at;
      if (l.at == regions) break;
      l.way.push_back(static_cast<std::uint32_t>(l.at));
    }
    const std::uint32_t u = l.way.back();
    if (l.met[u] == kNone) {
      l.met[u] = l.low[u] = l.count++;
      l.open.push_back(u);
    }
    if (l.next[u] != l.begin[u + 1]) {
      const std::uint32_t v = l.targets[l.next[u]++];
      if (l.met[v] == kNone) {
        l.way.push_back(v);
      } else if (component_[v] == kNone) {
        l.low[u] = std::min(l.low[u], l.met[v]);
      }
      continue;
    }
    l.way.pop_back();
    if (!l.way.empty()) l.low[l.way.back()] = std::min(l.low[l.way.back()], l.low[u]);
    if (l.low[u] != l.met[u]) continue;
    std::uint32_t size = 0;
    for (std::uint32_t v = kNone; v != u; ++size) {
      v = l.open.back();
      l.open.pop_back();
      component_[v] = l.components;
      l.order.push_back(v);
    }
    if (size > l.largest) {
      l.largest = size;
      giant_ = l.components;
    }
    ++l.components;
  }
  if (!l.way.empty() || l.at < regions) return;
  flags_.assign(l.components, 0);
  for (const Entry& entry : entries_) {
    for (const std::uint32_t number : entry.beside_missing) flags_[component_[entry.base + number]] |= kMeetsMissing;
  }
  if (!flags_.empty()) flags_[giant_] |= kToGiant | kFromGiant;
  l.at = 0;
  l.stage = Labelling::Stage::flags_back;
}

/// From those that are led to, which come first in `order`, to those that lead there.
void RegionIndex::flag_back(std::uint64_t& steps) {
  Labelling& l = *labelling_;
  for (; l.at < l.order.size() && steps > 0; ++l.at) {
    const std::uint32_t u = l.order[l.at];
    std::uint8_t& flags = flags_[component_[u]];
    for (std::uint32_t i = l.begin[u]; i < l.begin[u + 1]; ++i)
      flags = static_cast<std::uint8_t>(flags | (flags_[component_[l.targets[i]]] & (kMeetsMissing | kToGiant)));
    steps -= std::min<std::uint64_t>(steps, l.begin[u + 1] - l.begin[u] + 1);
  }
  if (l.at == l.order.size()) l.stage = Labelling::Stage::flags_ahead;
}

void RegionIndex::flag_ahead(std::uint64_t& steps) {
  Labelling& l = *labelling_;
  for (; l.at > 0 && steps > 0; --l.at) {
    const std::uint32_t u = l.order[l.at - 1];
    steps -= std::min<std::uint64_t>(steps, l.begin[u + 1] - l.begin[u] + 1);
    if ((flags_[component_[u]] & kFromGiant) == 0) continue;
    for (std::uint32_t i = l.begin[u]; i < l.begin[u + 1]; ++i) flags_[component_[l.targets[i]]] |= kFromGiant;
  }
  if (l.at > 0) return;
  labelling_.reset();
  labelled_ = true;
}

void RegionIndex::unlabel() {
  labelled_ = false;
  labelling_.reset();
}

std::size_t RegionIndex::memory_bytes() const {
  std::size_t bytes = entries_.capacity() * sizeof(Entry) + component_.capacity() * sizeof(component_[0]) +
                      flags_.capacity() + entry_at_.size() * (sizeof(ChunkPos) + sizeof(std::uint32_t));
  if (labelling_) {
    const Labelling& l = *labelling_;
    for (const auto* words : {&l.begin, &l.targets, &l.met, &l.low, &l.next, &l.open, &l.order, &l.way})
      bytes += words->capacity() * sizeof(std::uint32_t);
  }
  for (const Entry& entry : entries_) {
    bytes += entry.links.capacity() * sizeof(Link) +
             (entry.number.capacity() + entry.beside_missing.capacity()) * sizeof(std::uint32_t);
  }
  return bytes;
}

}  // namespace voxpath::pathfinding
