// HostedWorld: a world as clients see it: requests of the wire applied to the store, and the palettes that each client
// sent for it.
// Thread-safety: snapshot(), info() and the constants from any thread; the members that change it, one thread at a time
// (its strand).
// Invariant: a request is applied whole or not at all.
#pragma once

#include "protocol/limits.hpp"
#include "protocol/voxpath.pb.h"
#include "server/outcome.hpp"
#include "world/anvil/load_report.hpp"
#include "world/blocks/block_table.hpp"
#include "world/world.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace voxpath::server {

/// Where a world came from, for WorldInfo.
struct WorldOrigin {
  std::string game_version;
  std::string folder;  // its name in the configuration; empty: none
  std::uint64_t chunks_skipped = 0;
  std::uint64_t chunks_damaged = 0;
  std::vector<std::string> problems;
  std::optional<world::DataVersions> data_versions{};
  bool restored = false;  // from its store
};

class HostedWorld {
 public:
  using ConnectionId = std::uint64_t;

  /// `chunks_max`: clients can put no more; what the world has already may be more than that.
  HostedWorld(std::string name, std::unique_ptr<world::World> world, world::BlockTable table, WorldOrigin origin,
              std::size_t chunks_max = protocol::kChunksMax);

  [[nodiscard]] world::Ref<const world::Snapshot> snapshot() const { return world_->snapshot(); }
  [[nodiscard]] v1::WorldInfo info() const;
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] world::Heights heights() const { return world_->heights(); }
  [[nodiscard]] const WorldOrigin& origin() const { return origin_; }

  std::optional<protocol::Failure> set_palette(ConnectionId client, const v1::SetPalette& request);
  Outcome<world::Commit> put_chunk(ConnectionId client, const v1::PutChunk& request);
  Outcome<world::Commit> drop_chunk(const v1::DropChunk& request);
  Outcome<world::Commit> set_blocks(ConnectionId client, const v1::SetBlocks& request);
  /// Makes the sections `touched` what they are in an earlier snapshot, in a version of its own.
  world::Commit put_back(const world::Snapshot& then, std::vector<world::SectionPos> touched);
  /// The client is gone: so are its numbers.
  void forget(ConnectionId client) { palettes_.erase(client); }

 private:
  using Palette = std::vector<std::optional<world::PaletteEntry>>;

  Outcome<world::PaletteEntry> block_of(const std::string& text, const std::string& field);
  Outcome<world::PaletteEntry> block_of(ConnectionId client, std::uint32_t number, const std::string& field) const;
  Outcome<world::Ref<world::Section>> section_of(const v1::ChunkSection& section, const Palette& palette,
                                                 const std::string& field);
  Outcome<Palette> resolve(const google::protobuf::RepeatedPtrField<std::string>& blocks, const std::string& field);
  /// The refusal of a chunk that is not there, where that is what it takes, or that would be one too many.
  [[nodiscard]] std::optional<protocol::Failure> no_place_for(world::ChunkPos pos, const v1::PutChunk& request) const;
  /// Says which change was refused, what it has there, and what is allowed.
  void name_change(const v1::SetBlocks& request, protocol::Failure& refused) const;
  Outcome<world::Commit> apply(std::span<const world::Change> changes, const std::string& field);

  const std::string name_;
  const std::unique_ptr<world::World> world_;
  const world::BlockTable table_;
  const WorldOrigin origin_;
  const std::size_t chunks_max_;
  std::unordered_map<std::string, world::PaletteEntry> blocks_;  // by text, as clients wrote it
  std::unordered_map<ConnectionId, Palette> palettes_;
  std::vector<std::uint16_t> slots_;  // of a client's number in the section that is being built; kNoSlot between uses
};

}  // namespace voxpath::server
