// WatchIndex: the watched paths of one world, found by the sections that they depend on; without threads or sockets.
// Thread-safety: none (it belongs to the world's strand); WatchOwner's counts are shared by the worlds of a connection.
// Invariants: a watch is in the index from reserve() until it ends, once. At most one check of a watch is under way:
// touch() and again() ask for one only where none is, and edits meanwhile are remembered by their version. A connection
// has at most WatchOwner::watches_max watches, those whose path is still searched among them, with at most
// protocol::kWatchedWaypointsMax waypoints.
#pragma once

#include "protocol/limits.hpp"
#include "protocol/voxpath.pb.h"
#include "server/watched_path.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

namespace voxpath::server {

/// A connection, as its watches know it.
struct WatchOwner {
  explicit WatchOwner(std::uint64_t number) : connection(number) {}
  const std::uint64_t connection;
  std::function<void(v1::ServerFrame)> push;  // set before the first watch; from any thread
  std::atomic<std::size_t> watches_max = protocol::kWatchesMax;
  std::atomic<std::size_t> watches = 0;
  std::atomic<std::size_t> waypoints = 0;  // of all its watched paths
  std::atomic<std::uint64_t> last_watch = 0;
};

struct WatchKey {
  std::uint64_t connection = 0;
  std::uint64_t watch = 0;
  friend auto operator<=>(const WatchKey&, const WatchKey&) = default;
};

struct Watch {
  std::shared_ptr<WatchOwner> owner;
  std::uint32_t request = 0;
  std::uint64_t mob = 0;                    // 0: none
  std::shared_ptr<const WatchedPath> path;  // nullptr: it is being searched
  std::uint64_t touched_version = 0;        // the newest one with an edit in its sections
  bool checking = false;
};

class WatchIndex {
 public:
  WatchIndex() = default;
  ~WatchIndex();
  WatchIndex(const WatchIndex&) = delete;
  WatchIndex& operator=(const WatchIndex&) = delete;

  /// A watch for a path that is to be searched, in place of an older one of the same mob. nullopt: the owner has as
  /// many as it may have.
  [[nodiscard]] std::optional<WatchKey> reserve(const std::shared_ptr<WatchOwner>& owner, std::uint32_t request,
                                                std::uint64_t mob);
  enum class Begun { watched, ended_before, full };
  /// From now on it is found by touch(). `full`: with this path the owner's would have more waypoints than they may
  /// have, so that the watch has ended.
  [[nodiscard]] Begun begin(WatchKey key, std::shared_ptr<const WatchedPath> path);

  /// An edit: the watches that must be checked and are not being checked already.
  [[nodiscard]] std::vector<WatchKey> touch(std::span<const world::SectionPos> sections, std::uint64_t version);
  /// The same for one watch, wherever the edit was. Precondition: begin() was called for it.
  [[nodiscard]] bool touch(WatchKey key, std::uint64_t version);
  /// A check against that version found it whole. Whether it must be checked again: an edit came after that version.
  [[nodiscard]] bool again(WatchKey key, std::uint64_t version);

  /// nullptr: it has ended.
  [[nodiscard]] const Watch* find(WatchKey key) const;
  std::optional<Watch> end(WatchKey key);
  void end_mob(std::uint64_t connection, std::uint64_t mob);
  void end_connection(std::uint64_t connection);
  std::vector<std::pair<WatchKey, Watch>> end_all();

  [[nodiscard]] std::size_t size() const { return watches_.size(); }
  [[nodiscard]] std::size_t section_count() const { return by_section_.size(); }

 private:
  struct SectionHash {
    std::size_t operator()(const world::SectionPos& p) const {
      return hash_value(world::ChunkPos{p.x, p.z}) ^ static_cast<std::uint32_t>(p.y) * 0x9e3779b97f4a7c15ULL;
    }
  };
  using Mob = std::pair<std::uint64_t, std::uint64_t>;  // connection, mob

  std::map<WatchKey, Watch> watches_;
  std::map<Mob, WatchKey> mobs_;
  boost::unordered_flat_map<world::SectionPos, std::vector<WatchKey>, SectionHash> by_section_;
};

}  // namespace voxpath::server
