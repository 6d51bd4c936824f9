// PathWatcher: has the watched paths of all worlds checked when edits touch them, and tells their owners when one is
// broken.
// Thread-safety: all members on the strand of the world that is given; worlds at once. Checks run on the workers.
// Invariants: an edit is lost between a search's snapshot and its watch by no interleaving: the watch begins on the
// strand that edits run on, and is checked at once where its sections changed since that snapshot. An answer goes out
// before what is told of its watch, and after the end of a watch nothing more is told of it.
#pragma once

#include "pathfinding/path.hpp"
#include "server/jobs/worker_pool.hpp"
#include "server/worlds.hpp"

#include <memory>
#include <optional>

namespace voxpath::server {

class PathWatcher {
 public:
  using Host = std::shared_ptr<WorldHost>;

  explicit PathWatcher(WorkerPool& pool) : pool_(pool) {}

  /// Gives a path request that asked for it its watch; it begins with the answer, or ends with the job.
  /// Failures: watches_full; world_unknown where the world was closed meanwhile.
  std::optional<protocol::Failure> reserve(const Host& host, const std::shared_ptr<WatchOwner>& owner, Job& job);
  void committed(const Host& host, const world::Commit& commit);
  /// The world has been closed: ends its watches, and tells their owners.
  void closed(const Host& host);

 private:
  class Pending;

  void begin(const Host& host, WatchKey key, FoundPath found, v1::ServerFrame frame, Reply reply);
  void check(const Host& host, WatchKey key);
  void checked(const Host& host, WatchKey key, std::uint64_t version,
               const std::optional<pathfinding::PathFault>& fault);

  WorkerPool& pool_;
};

}  // namespace voxpath::server
