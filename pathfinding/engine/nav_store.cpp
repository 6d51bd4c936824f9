#include "pathfinding/engine/nav_store.hpp"

#include <algorithm>

namespace voxpath::pathfinding {

using world::ChunkPos;
using world::Ref;
using world::Snapshot;

namespace {

/// The columns that have to be worked out anew; all of them where there is nothing old.
Columns stale_columns(bool any_old, const Neighbourhood& before, const Neighbourhood& now, std::int32_t reach) {
  Columns all;
  all.set();
  if (!any_old || reach > 16) return all;
  return columns_near_changes(before, now, reach).value_or(all);
}

}  // namespace

NavClass::Entry NavClass::look_up(ChunkPos pos) {
  Shard& s = shard(pos);
  const std::lock_guard lock(s.mutex);
  const auto found = s.entries.find(pos);
  return found != s.entries.end() ? found->second : Entry();
}

Ref<const NavNodes> NavClass::nodes(const Snapshot& snapshot, ChunkPos pos, NavBuilder& builder) {
  if (snapshot.chunk(pos) == nullptr) return nullptr;
  const Entry known = look_up(pos);
  if (known.nodes && shows(snapshot, pos, known.nodes_seen)) return known.nodes;
  const Neighbourhood now = neighbourhood(snapshot, pos);
  const Columns stale = stale_columns(known.nodes != nullptr, known.nodes_seen, now, NavBuilder::nodes_reach(agent_));
  Ref<const NavNodes> fresh = stale.none() ? known.nodes : builder.nodes(pos, now, known.nodes.get(), stale);
  Shard& s = shard(pos);
  const std::lock_guard lock(s.mutex);
  if (s.until_sweep-- == 0) {
    // Chunks that the world has dropped: nobody will ask for them, and they hold the chunks' blocks.
    erase_if(s.entries, [&](const auto& e) { return snapshot.chunk(e.first) == nullptr; });
    s.until_sweep = kBuildsPerSweep;
  }
  Entry& entry = s.entries[pos];
  if (entry.nodes_version <= snapshot.version()) {  // a late reader of an old version keeps its own
    entry.nodes_seen = now;
    entry.nodes = fresh;
    entry.nodes_version = snapshot.version();
  }
  return fresh;
}

Ref<const NavChunk> NavClass::chunk(const Snapshot& snapshot, ChunkPos pos, NavBuilder& builder) {
  const Entry known = look_up(pos);
  if (known.moves && shows(snapshot, pos, known.moves_seen)) return known.moves;
  const Neighbourhood now = neighbourhood(snapshot, pos);
  const Columns stale = stale_columns(known.moves != nullptr, known.moves_seen, now, NavBuilder::moves_reach(agent_));
  Ref<const NavChunk> fresh = known.moves;
  if (stale.any()) {
    std::array<Ref<const NavNodes>, 9> around;
    for (int i = 0; i < 9; ++i) {
      around[static_cast<std::size_t>(i)] = nodes(snapshot, {pos.x + i % 3 - 1, pos.z + i / 3 - 1}, builder);
    }
    fresh = builder.moves(around, now, known.moves.get(), stale);
  }
  Shard& s = shard(pos);
  const std::lock_guard lock(s.mutex);
  Entry& entry = s.entries[pos];
  if (entry.moves_version <= snapshot.version()) {
    entry.moves_seen = now;
    entry.moves = fresh;
    entry.moves_version = snapshot.version();
  }
  return fresh;
}

NavClass::Usage NavClass::usage() const {
  Usage sum;
  for (const Shard& s : shards_) {
    const std::lock_guard lock(s.mutex);
    for (const auto& [pos, entry] : s.entries) {
      ++sum.chunks;
      sum.bytes +=
          sizeof(entry) + (entry.moves ? entry.moves->memory_bytes() : entry.nodes->info.capacity() * sizeof(NodeInfo));
    }
  }
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
  const std::lock_guard lock(mutex_);
  auto found = std::find_if(classes_.begin(), classes_.end(), [&](const auto& c) { return c->agent() == key; });
  if (found != classes_.end()) {
    std::rotate(found, found + 1, classes_.end());
  } else {
    if (classes_.size() == kClassesMax) classes_.erase(classes_.begin());
    classes_.push_back(std::make_shared<NavClass>(key));
  }
  return classes_.back();
}

NavClass::Usage NavStore::usage() const {
  const std::lock_guard lock(mutex_);
  NavClass::Usage sum;
  for (const auto& c : classes_) {
    const NavClass::Usage one = c->usage();
    sum.chunks += one.chunks;
    sum.bytes += one.bytes;
  }
  return sum;
}

}  // namespace voxpath::pathfinding
