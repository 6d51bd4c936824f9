// PathTask: what a worker needs to answer one path request.
// Thread-safety: one owner at a time.
#pragma once

#include "server/reply.hpp"
#include "world/snapshot.hpp"

#include <chrono>
#include <functional>

namespace voxpath::server {

struct PathTask {
  v1::FindPath request;
  /// The newest snapshot of the world that is to be searched, from any thread.
  std::function<world::Ref<const world::Snapshot>()> newest;
  Reply reply;
  std::chrono::steady_clock::time_point arrived;
};

}  // namespace voxpath::server
