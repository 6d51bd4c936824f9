// NavStore: the NavChunks of a world, by agent, worked out on demand and shared by all searches of all threads.
// Thread-safety: all members from any thread. Locks are held for a look into a table only, never while something is
// worked out; two threads that need the same chunk at once may both work it out. The index is the exception: it is
// used with try_with() alone, so that nobody waits for it, and takes the tables' locks, never the other way round.
// Invariants: what is handed out is exact for the snapshot that was asked for. At most kClassesMax kinds of agents are
// kept, the least recently used goes first.
#pragma once

#include "pathfinding/agent.hpp"
#include "pathfinding/engine/nav_builder.hpp"
#include "pathfinding/engine/nav_chunk.hpp"
#include "pathfinding/engine/nav_regions.hpp"
#include "pathfinding/engine/region_index.hpp"
#include "world/guarded.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

namespace voxpath::pathfinding {

/// The NavChunks for one kind of agent.
class NavClass {
 public:
  explicit NavClass(const Agent& agent) : agent_(agent) {}
  NavClass(const NavClass&) = delete;
  NavClass& operator=(const NavClass&) = delete;

  [[nodiscard]] const Agent& agent() const { return agent_; }
  /// Preconditions: the chunk is not missing; the builder's begin() was called with this snapshot and agent().
  world::Ref<const NavChunk> chunk(const world::Snapshot& snapshot, world::ChunkPos pos, NavBuilder& builder);
  /// Likewise its regions.
  world::Ref<const NavRegions> regions(const world::Snapshot& snapshot, world::ChunkPos pos, NavBuilder& builder);
  /// What is known of the regions of the whole world. Whoever finds it in use does without.
  world::Guarded<RegionIndex>& index() { return index_; }

  struct Usage {
    std::size_t chunks = 0;
    std::size_t bytes = 0;
  };
  [[nodiscard]] Usage usage() const;

 private:
  /// What is known of a chunk, and the blocks it was worked out from. An edit nearby leaves most of it as it is.
  struct Entry {
    Neighbourhood nodes_seen, moves_seen;
    world::Ref<const NavNodes> nodes;
    world::Ref<const NavChunk> moves;
    world::Ref<const NavRegions> regions;                // of these moves, or of older ones
    std::uint64_t nodes_version = 0, moves_version = 0;  // of the newest snapshots for which they were worked out
  };
  struct Shard {
    boost::unordered_flat_map<world::ChunkPos, Entry> entries;
    std::uint32_t until_sweep = 0;
  };
  static constexpr std::size_t kShards = 64;
  static constexpr std::uint32_t kBuildsPerSweep = 256;

  world::Guarded<Shard>& shard(world::ChunkPos pos) { return shards_[hash_value(pos) >> 20 & (kShards - 1)]; }
  world::Ref<const NavNodes> nodes(const world::Snapshot& snapshot, world::ChunkPos pos, NavBuilder& builder);

  const Agent agent_;
  std::array<world::Guarded<Shard>, kShards> shards_;
  world::Guarded<RegionIndex> index_;
};

/// One thread's way to the chunks of a kind of agent in one snapshot.
class NavReader {
 public:
  /// Both must live until the next reset().
  void reset(const world::Snapshot& snapshot, NavClass& of) {
    snapshot_ = &snapshot;
    class_ = &of;
    builder_ready_ = false;
  }
  [[nodiscard]] const world::Snapshot& snapshot() const { return *snapshot_; }
  /// nullptr: missing.
  world::Ref<const NavChunk> chunk(world::ChunkPos pos);
  world::Ref<const NavRegions> regions(world::ChunkPos pos);

 private:
  NavBuilder& builder();

  const world::Snapshot* snapshot_ = nullptr;
  NavClass* class_ = nullptr;
  NavBuilder builder_;
  bool builder_ready_ = false;  // begin() for this snapshot and agent
};

class NavStore : public world::Derived {
 public:
  static constexpr std::size_t kClassesMax = 16;

  /// The store of the snapshot's world.
  static std::shared_ptr<NavStore> of(const world::Snapshot& snapshot);
  /// The fields that decide neither moves nor prices do not count.
  std::shared_ptr<NavClass> agent_class(const Agent& agent);
  [[nodiscard]] NavClass::Usage usage() const;

 private:
  world::Guarded<std::vector<std::shared_ptr<NavClass>>> classes_;  // the most recently used last
};

}  // namespace voxpath::pathfinding
