#include "pathfinding/engine/nav_store.hpp"

#include <algorithm>

namespace voxpath::pathfinding {

using world::ChunkPos;
using world::Ref;
using world::Snapshot;

Ref<const NavNodes> NavClass::nodes(const Snapshot& snapshot, ChunkPos pos, NavBuilder& builder) {
  if (snapshot.chunk(pos) == nullptr) return nullptr;
  Shard& s = shard(pos);
  {
    const std::lock_guard lock(s.mutex);
    const auto found = s.entries.find(pos);
    if (found != s.entries.end() && shows(snapshot, pos, found->second.nodes->seen)) return found->second.nodes;
  }
  Ref<const NavNodes> fresh = builder.nodes(pos);
  const std::lock_guard lock(s.mutex);
  if (s.until_sweep-- == 0) {
    // Chunks that the world has dropped: nobody will ask for them, and they hold the chunks' blocks.
    erase_if(s.entries, [&](const auto& e) { return snapshot.chunk(e.first) == nullptr; });
    s.until_sweep = kBuildsPerSweep;
  }
  Entry& entry = s.entries[pos];
  if (entry.nodes == nullptr || entry.version <= snapshot.version()) {  // a late reader of an old version keeps its own
    entry.nodes = fresh;
    entry.version = snapshot.version();
  }
  return fresh;
}

Ref<const NavChunk> NavClass::chunk(const Snapshot& snapshot, ChunkPos pos, NavBuilder& builder) {
  Shard& s = shard(pos);
  {
    const std::lock_guard lock(s.mutex);
    const auto found = s.entries.find(pos);
    if (found != s.entries.end() && found->second.moves && shows(snapshot, pos, found->second.moves->nodes->seen))
      return found->second.moves;
  }
  std::array<Ref<const NavNodes>, 9> around;
  for (int i = 0; i < 9; ++i) {
    around[static_cast<std::size_t>(i)] = nodes(snapshot, {pos.x + i % 3 - 1, pos.z + i / 3 - 1}, builder);
  }
  Ref<const NavChunk> fresh = builder.moves(around);
  const std::lock_guard lock(s.mutex);
  Entry& entry = s.entries[pos];
  if (entry.nodes == nullptr || entry.version <= snapshot.version()) {
    entry.nodes = fresh->nodes;
    entry.moves = fresh;
    entry.version = snapshot.version();
  }
  return fresh;
}

NavClass::Usage NavClass::usage() const {
  Usage sum;
  for (const Shard& s : shards_) {
    const std::lock_guard lock(s.mutex);
    for (const auto& [pos, entry] : s.entries) {
      ++sum.chunks;
      sum.bytes += entry.moves ? entry.moves->memory_bytes() : entry.nodes->info.capacity() * sizeof(NodeInfo);
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
