#include "server/path_watcher.hpp"

#include "protocol/limits.hpp"
#include "server/path_messages.hpp"

#include <utility>

#include <boost/asio/post.hpp>
#include <fmt/format.h>

namespace voxpath::server {

namespace asio = boost::asio;
using protocol::ErrorKind;
using protocol::Failure;

namespace {

constexpr std::uint32_t kMovesATurn = 64;  // of a check; about a millisecond where nothing of the way is in a cache

/// How far the check of a watched path is. The path outlives it.
struct Check {
  Check(const WatchedPath& path, world::Ref<const world::Snapshot> newest)
      : snapshot(std::move(newest)), check(path.waypoints, path.agent, *snapshot) {}
  const world::Ref<const world::Snapshot> snapshot;
  pathfinding::PathCheck check;
};

v1::ServerFrame event(const HostedWorld& world, WatchKey key, const Watch& watch, v1::PathInvalidated::Reason reason) {
  v1::ServerFrame frame;
  v1::PathInvalidated& told = *frame.mutable_path_invalidated();
  told.set_watch(key.watch);
  told.set_request_id(watch.request);
  told.set_mob(watch.mob);
  told.set_world(world.name());
  told.set_reason(reason);
  return frame;
}

}  // namespace

/// The watch of a path that is being searched. Dropped without an answer (refused, cancelled, no path), it ends.
class PathWatcher::Pending : public PendingWatch {
 public:
  Pending(PathWatcher& watcher, Host host, WatchKey key) : watcher_(watcher), host_(std::move(host)), key_(key) {}
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  ~Pending() override {
    if (host_) asio::post(host_->strand, [host = host_, key = key_] { host->watches.end(key); });
  }

  void begin(FoundPath found, v1::ServerFrame frame, Reply reply) override {
    const Host host = std::exchange(host_, nullptr);
    asio::post(host->strand, [&watcher = watcher_, host, key = key_, found = std::move(found), frame = std::move(frame),
                              reply = std::move(reply)]() mutable {
      watcher.begin(host, key, std::move(found), std::move(frame), std::move(reply));
    });
  }

 private:
  PathWatcher& watcher_;
  Host host_;
  const WatchKey key_;
};

std::optional<Failure> PathWatcher::reserve(const Host& host, const std::shared_ptr<WatchOwner>& owner, Job& job) {
  if (host->closed) {
    return Failure{ErrorKind::world_unknown, fmt::format("world '{}' was closed", job.world), "find_path.world",
                   job.world, "names listed by list_worlds"};
  }
  const auto key = host->watches.reserve(owner, job.id.request, job.mob);
  if (!key) {
    const std::size_t most = owner->watches_max;
    return Failure{ErrorKind::watches_full, fmt::format("{} paths are watched for this connection", most),
                   "find_path.watch", fmt::format("{}", most + 1), fmt::format("{} watches", most)};
  }
  job.task.watch = std::make_unique<Pending>(*this, host, *key);
  return std::nullopt;
}

void PathWatcher::begin(const Host& host, WatchKey key, FoundPath found, v1::ServerFrame frame, Reply reply) {
  const auto path = std::make_shared<const WatchedPath>(std::move(found.path));
  const std::size_t waypoints = path->waypoints.size();
  switch (host->watches.begin(key, path)) {
    case WatchIndex::Begun::watched:
      frame.mutable_path()->set_watch(key.watch);
      break;
    case WatchIndex::Begun::ended_before:  // it was superseded, or the world closed
      return reply.answer(std::move(frame));
    case WatchIndex::Begun::full:
      return reply.refuse(
          {ErrorKind::watches_full,
           fmt::format("with the {} waypoints of this path, more than {} would be watched for this connection",
                       waypoints, protocol::kWatchedWaypointsMax),
           "find_path.watch", fmt::format("{} waypoints more", waypoints),
           fmt::format("{} waypoints in all", protocol::kWatchedWaypointsMax)});
  }
  reply.answer(std::move(frame));
  const auto newest = host->world.snapshot();
  if (touched_between(*found.searched, *newest, path->sections) && host->watches.touch(key, newest->version()))
    check(host, key);
}

void PathWatcher::committed(const Host& host, const world::Commit& commit) {
  for (const WatchKey key : host->watches.touch(commit.touched, commit.version)) check(host, key);
}

void PathWatcher::check(const Host& host, WatchKey key) {
  pool_.run([this, host, key, path = host->watches.find(key)->path, at = std::shared_ptr<Check>()]() mutable {
    if (!at) at = std::make_shared<Check>(*path, host->world.snapshot());
    if (!at->check.advance(kMovesATurn)) return false;
    asio::post(host->strand, [this, host, key, version = at->snapshot->version(), fault = at->check.fault()] {
      checked(host, key, version, fault);
    });
    return true;
  });
}

void PathWatcher::checked(const Host& host, WatchKey key, std::uint64_t version,
                          const std::optional<pathfinding::PathFault>& fault) {
  if (!fault) {
    if (host->watches.again(key, version)) check(host, key);
    return;
  }
  const auto watch = host->watches.end(key);
  if (!watch) return;
  v1::ServerFrame frame = event(host->world, key, *watch, v1::PathInvalidated::BROKEN);
  frame.mutable_path_invalidated()->set_version(version);
  write_fault(*fault, frame.mutable_path_invalidated()->mutable_fault());
  watch->owner->push(std::move(frame));
}

void PathWatcher::closed(const Host& host) {
  host->closed = true;
  for (const auto& [key, watch] : host->watches.end_all()) {
    // One whose path is still being searched has no watch in its answer, and so nothing to be told.
    if (watch.path) watch.owner->push(event(host->world, key, watch, v1::PathInvalidated::WORLD_CLOSED));
  }
}

}  // namespace voxpath::server
