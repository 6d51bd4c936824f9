#include "pathfinding/engine/nav_store.hpp"

#include <algorithm>

namespace voxpath::pathfinding {

using world::ChunkPos;
using world::Ref;
using world::Snapshot;

namespace {

/// The columns that have to be worked out anew; all of them where there is nothing old.
Columns stale_columns(bool any_old, const Neighbourhood& before, const Neighbourhood& now, ChunkChanges::Reach reach,
                      ChunkChanges& changes) {
  Columns all;
  all.set();
  if (!any_old || reach.odd > 16) return all;
  return changes.near(before, now, reach).value_or(all);
}

}  // namespace

Ref<const NavNodes> NavClass::nodes(const Snapshot& snapshot, ChunkPos pos, NavBuilder& builder) {
  if (snapshot.chunk(pos) == nullptr) return nullptr;
  Ref<const NavNodes> known;
  Neighbourhood seen;
  const bool current = shard(pos).with([&](const Shard& s) {
    const auto found = s.entries.find(pos);
    if (found == s.entries.end() || !found->second.nodes) return false;
    known = found->second.nodes;
    if (shows(snapshot, pos, found->second.nodes_seen)) return true;
    seen = found->second.nodes_seen;
    return false;
  });
  if (current) return known;
  const Neighbourhood now = neighbourhood(snapshot, pos);
  const Columns stale = stale_columns(known != nullptr, seen, now, NavBuilder::nodes_reach(agent_), builder.changes());
  Ref<const NavNodes> fresh = stale.none() ? known : builder.nodes(pos, now, known.get(), stale);
  shard(pos).with([&](Shard& s) {
    if (s.until_sweep-- == 0) {
      // Chunks that the world has dropped: nobody will ask for them, and they hold the chunks' blocks.
      erase_if(s.entries, [&](const auto& e) { return snapshot.chunk(e.first) == nullptr; });
      s.until_sweep = kBuildsPerSweep;
    }
    Entry& entry = s.entries[pos];
    if (entry.nodes_version > snapshot.version()) return;  // a late reader of an old version keeps its own
    entry.nodes_seen = now;
    entry.nodes = fresh;
    entry.nodes_version = snapshot.version();
  });
  return fresh;
}

Ref<const NavChunk> NavClass::chunk(const Snapshot& snapshot, ChunkPos pos, NavBuilder& builder) {
  Ref<const NavChunk> known;
  Neighbourhood seen;
  const bool current = shard(pos).with([&](const Shard& s) {
    const auto found = s.entries.find(pos);
    if (found == s.entries.end() || !found->second.moves) return false;
    known = found->second.moves;
    if (shows(snapshot, pos, found->second.moves_seen)) return true;
    seen = found->second.moves_seen;
    return false;
  });
  if (current) return known;
  const Neighbourhood now = neighbourhood(snapshot, pos);
  const Columns stale = stale_columns(known != nullptr, seen, now, NavBuilder::moves_reach(agent_), builder.changes());
  Ref<const NavChunk> fresh = known;
  if (stale.any()) {
    std::array<Ref<const NavNodes>, 9> around;
    for (std::uint32_t i = 0; i < 9; ++i) around[i] = nodes(snapshot, neighbour(pos, i), builder);
    fresh = builder.moves(around, now, known.get(), stale);
  }
  shard(pos).with([&](Shard& s) {
    Entry& entry = s.entries[pos];
    if (entry.moves_version > snapshot.version()) return;
    entry.moves_seen = now;
    entry.moves = fresh;
    entry.moves_version = snapshot.version();
  });
  return fresh;
}

Ref<const NavRegions> NavClass::regions(const Snapshot& snapshot, ChunkPos pos, NavBuilder& builder) {
  const Ref<const NavChunk> moves = chunk(snapshot, pos, builder);
  Ref<const NavRegions> regions = shard(pos).with([&](const Shard& s) -> Ref<const NavRegions> {
    const auto found = s.entries.find(pos);
    return found == s.entries.end() ? nullptr : found->second.regions;
  });
  if (regions != nullptr && regions->moves() == moves) return regions;
  regions = world::make_ref<const NavRegions>(moves);
  shard(pos).with([&](Shard& s) {
    const auto found = s.entries.find(pos);
    if (found != s.entries.end() && found->second.moves == moves) found->second.regions = regions;
  });
  return regions;
}

NavBuilder& NavReader::builder() {
  if (!builder_ready_) {
    builder_.begin(*snapshot_, class_->agent());
    builder_ready_ = true;
  }
  return builder_;
}

Ref<const NavChunk> NavReader::chunk(ChunkPos pos) {
  return snapshot_->chunk(pos) == nullptr ? nullptr : class_->chunk(*snapshot_, pos, builder());
}

Ref<const NavRegions> NavReader::regions(ChunkPos pos) {
  return snapshot_->chunk(pos) == nullptr ? nullptr : class_->regions(*snapshot_, pos, builder());
}

NavClass::Usage NavClass::usage() const {
  Usage sum;
  for (const auto& shard : shards_) {
    shard.with([&](const Shard& s) {
      for (const auto& [pos, entry] : s.entries) {
        ++sum.chunks;
        sum.bytes += sizeof(entry);
        if (entry.moves) {
          sum.bytes += entry.moves->memory_bytes();
        } else if (entry.nodes) {
          sum.bytes += entry.nodes->info.capacity() * sizeof(NodeInfo);
        }
        if (entry.regions) sum.bytes += entry.regions->memory_bytes();
      }
    });
  }
  index_.with([&](const RegionIndex& index) { sum.bytes += index.memory_bytes(); });
  return sum;
}

std::shared_ptr<NavStore> NavStore::of(const Snapshot& snapshot) {
  return std::static_pointer_cast<NavStore>(
      snapshot.derived([]() -> std::shared_ptr<world::Derived> { return std::make_shared<NavStore>(); }));
}

std::shared_ptr<NavClass> NavStore::agent_class(const Agent& agent) {
  Agent key = agent;
  key.metric = Metric::cost;
  key.width_blocks = Agent().width_blocks;
  return classes_.with([&](auto& classes) {
    const auto found = std::find_if(classes.begin(), classes.end(), [&](const auto& c) { return c->agent() == key; });
    if (found != classes.end()) {
      std::rotate(found, found + 1, classes.end());
    } else {
      if (classes.size() == kClassesMax) classes.erase(classes.begin());
      classes.push_back(std::make_shared<NavClass>(key));
    }
    return classes.back();
  });
}

NavClass::Usage NavStore::usage() const {
  const std::vector<std::shared_ptr<NavClass>> classes = classes_.with([](const auto& all) { return all; });
  NavClass::Usage sum;
  for (const auto& c : classes) {
    const NavClass::Usage one = c->usage();
    sum.chunks += one.chunks;
    sum.bytes += one.bytes;
  }
  return sum;
}

}  // namespace voxpath::pathfinding
