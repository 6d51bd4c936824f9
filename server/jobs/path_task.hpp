// PathTask: what a worker needs to find one path or those of a horde, or to hold one against the world.
// Thread-safety: one owner at a time.
// Usage: PathTask{request, newest, world_number, reply}; the watch, where one was asked for, is put in later.
#pragma once

#include "server/jobs/horde_request.hpp"
#include "server/reply.hpp"
#include "server/watched_path.hpp"
#include "world/snapshot.hpp"

#include <cstdint>
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
  std::variant<v1::FindPath, v1::ValidatePath, HordeRequest> request;
  /// The newest snapshot of the world that is to be searched, from any thread.
  std::function<world::Ref<const world::Snapshot>()> newest;
  std::uint64_t world_number = 0;  // unlike that of any other world, also of one that had its name before
  Reply reply;
  std::unique_ptr<PendingWatch> watch = {};  // nullptr: none was asked for
};

}  // namespace voxpath::server
