// PathTask: what a worker needs to find one path, or to hold one against the world.
// Thread-safety: one owner at a time.
#pragma once

#include "server/reply.hpp"
#include "server/watched_path.hpp"
#include "world/snapshot.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <variant>

namespace voxpath::server {

/// The watch that a path request asked for. Dropped, it ends.
class PendingWatch {
 public:
  virtual ~PendingWatch() = default;
  /// Answers the request in the order of the world's edits, and watches the path from there on. From any thread, once.
  virtual void begin(FoundPath found, v1::ServerFrame answer, Reply reply) = 0;
};

struct PathTask {
  std::variant<v1::FindPath, v1::ValidatePath> request;
  /// The newest snapshot of the world that is to be searched, from any thread.
  std::function<world::Ref<const world::Snapshot>()> newest;
  Reply reply;
  std::chrono::steady_clock::time_point arrived;
  std::unique_ptr<PendingWatch> watch = {};  // nullptr: none was asked for NOLINT(readability-redundant-member-init)
};

}  // namespace voxpath::server
