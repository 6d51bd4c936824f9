// Worlds that outlive the process: their stores are opened, read back, or begun with what a world is made of.
// Thread-safety: free functions; one thread at a time for each store.
// Invariant: where a store holds a world, that is the world, at the version it had; what the configuration says it is
// made from counts only where the store holds none.
#pragma once

#include "server/config.hpp"
#include "server/hosted_world.hpp"
#include "world/store/world_store.hpp"

#include <memory>
#include <string>
#include <vector>

namespace voxpath::server {

/// A store and what it is for. `durability` is not none.
struct OpenStore {
  std::unique_ptr<world::WorldStore> store;
  Durability durability = Durability::sync;
};

/// Of a world from this part of the configuration, or from none where its name is empty.
[[nodiscard]] Durability durability_of(const WorldConfig& config, const StoreConfig& stores);
/// Precondition: durability_of() is not none. Failures: load_failed, with what is wrong with the store.
Outcome<OpenStore> open_store(const WorldConfig& config, const StoreConfig& stores, const std::string& world);
/// The configuration with what the store says in place of what it leaves open. Precondition: the store holds a world.
/// Failures: load_failed where the heights are others.
Outcome<WorldConfig> as_stored(const WorldConfig& config, const world::WorldStore& store);
/// Reads the world; what is damaged is noted in `origin`. Traits are looked up anew where the configuration gives blocks
/// others than when they were stored.
Outcome<std::unique_ptr<world::World>> restore(world::WorldStore& store, const WorldConfig& config,
                                               const world::BlockTable& table, WorldOrigin& origin);
/// Writes a world that the store does not hold yet.
std::optional<protocol::Failure> begin_store(world::WorldStore& store, const WorldConfig& config,
                                             const WorldOrigin& origin, const world::Snapshot& whole);

/// A world that was open when the process ended last.
struct FoundWorld {
  std::string name;
  std::string folder;  // of the configuration; empty: none
};
/// Sorted by name. What cannot be read is logged, and left alone.
std::vector<FoundWorld> worlds_to_open(const std::vector<WorldConfig>& configured, const StoreConfig& stores);

}  // namespace voxpath::server
