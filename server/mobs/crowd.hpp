// Crowd: who is where when a load test begins: mobs on the ground, the routes that players walk, and the places whose blocks are edited.
// Thread-safety: one thread; make_crowd() waits for the server.
// Invariant: the same seed in the same world is the same crowd, which Crowd::fingerprint tells.
// Usage: auto crowd = make_crowd(client, world, options); Point where = crowd->players[0].at(blocks_walked);
#pragma once

#include "protocol/clients/cpp/blocking_client.hpp"
#include "protocol/clients/cpp/mob/point.hpp"
#include "server/mobs/load_options.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace voxpath::server {

/// A closed way over the ground.
class WalkedRoute {
 public:
  explicit WalkedRoute(std::vector<mob::Point> points);
  /// Where one is who has walked so far, round and round.
  [[nodiscard]] mob::Point at(double blocks) const;
  [[nodiscard]] double length() const { return until_.back(); }

 private:
  std::vector<mob::Point> points_;
  std::vector<double> until_;  // length up to each point
};

struct Column {
  std::int32_t x = 0, z = 0;
  friend bool operator==(const Column&, const Column&) = default;
};

struct Crowd {
  std::vector<mob::Point> mobs;
  std::vector<WalkedRoute> players;
  std::vector<mob::Cell> edits;  // the air above the ground: a block is put there, and later taken away
  std::uint64_t fingerprint = 0;
};

/// Errors: not_found where there is no ground in the area or no way for a player, and those of the connection.
world::Result<Crowd> make_crowd(client::BlockingClient& client, const v1::WorldInfo& world, const LoadOptions& options);

/// The surface of each column as seen from above the world, feet's place; nullopt: missing or void.
world::Result<std::vector<std::optional<mob::Point>>> surfaces(client::BlockingClient& client,
                                                               const v1::WorldInfo& world,
                                                               const std::vector<Column>& columns);

}  // namespace voxpath::server
