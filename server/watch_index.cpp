#include "server/watch_index.hpp"

#include "protocol/limits.hpp"

#include <algorithm>
#include <cassert>

namespace voxpath::server {

bool touched_between(const world::Snapshot& older, const world::Snapshot& newer,
                     const std::vector<world::SectionPos>& sections) {
  if (older.version() == newer.version()) return false;
  return std::any_of(sections.begin(), sections.end(), [&](world::SectionPos at) {
    const world::Chunk* before = older.chunk({at.x, at.z});
    const world::Chunk* after = newer.chunk({at.x, at.z});
    if (before == after) return false;
    return before == nullptr || after == nullptr || before->section(at.y) != after->section(at.y);
  });
}

WatchIndex::~WatchIndex() { end_all(); }

std::optional<WatchKey> WatchIndex::reserve(const std::shared_ptr<WatchOwner>& owner, std::uint32_t request,
                                            std::uint64_t mob) {
  end_mob(owner->connection, mob);
  if (owner->watches.fetch_add(1) >= owner->watches_max) {
    --owner->watches;
    return std::nullopt;
  }
  const WatchKey key{owner->connection, ++owner->last_watch};
  watches_.emplace(key, Watch{.owner = owner, .request = request, .mob = mob, .path = {}});
  if (mob != 0) mobs_.emplace(Mob{owner->connection, mob}, key);
  return key;
}

WatchIndex::Begun WatchIndex::begin(WatchKey key, std::shared_ptr<const WatchedPath> path) {
  const auto found = watches_.find(key);
  if (found == watches_.end()) return Begun::ended_before;
  assert(!found->second.path);
  const std::size_t more = path->waypoints.size();
  std::atomic<std::size_t>& waypoints = found->second.owner->waypoints;
  if (waypoints.fetch_add(more) + more > protocol::kWatchedWaypointsMax) {
    waypoints -= more;
    end(key);
    return Begun::full;
  }
  for (const world::SectionPos section : path->sections) by_section_[section].push_back(key);
  found->second.path = std::move(path);
  return Begun::watched;
}

std::vector<WatchKey> WatchIndex::touch(std::span<const world::SectionPos> sections, std::uint64_t version) {
  std::vector<WatchKey> to_check;
  if (by_section_.empty()) return to_check;
  for (const world::SectionPos section : sections) {
    const auto there = by_section_.find(section);
    if (there == by_section_.end()) continue;
    for (const WatchKey key : there->second) {
      if (touch(key, version)) to_check.push_back(key);
    }
  }
  return to_check;
}

bool WatchIndex::touch(WatchKey key, std::uint64_t version) {
  Watch& watch = watches_.at(key);
  assert(watch.path);
  watch.touched_version = std::max(watch.touched_version, version);
  return !std::exchange(watch.checking, true);
}

bool WatchIndex::again(WatchKey key, std::uint64_t version) {
  const auto found = watches_.find(key);
  if (found == watches_.end()) return false;
  found->second.checking = found->second.touched_version > version;
  return found->second.checking;
}

const Watch* WatchIndex::find(WatchKey key) const {
  const auto found = watches_.find(key);
  return found == watches_.end() ? nullptr : &found->second;
}

std::optional<Watch> WatchIndex::end(WatchKey key) {
  const auto found = watches_.find(key);
  if (found == watches_.end()) return std::nullopt;
  Watch watch = std::move(found->second);
  watches_.erase(found);
  if (watch.mob != 0) mobs_.erase(Mob{key.connection, watch.mob});
  if (watch.path) {
    watch.owner->waypoints -= watch.path->waypoints.size();
    for (const world::SectionPos section : watch.path->sections) {
      const auto there = by_section_.find(section);
      std::vector<WatchKey>& keys = there->second;
      *std::find(keys.begin(), keys.end(), key) = keys.back();
      keys.pop_back();
      if (keys.empty()) by_section_.erase(there);
    }
  }
  --watch.owner->watches;
  return watch;
}

void WatchIndex::end_mob(std::uint64_t connection, std::uint64_t mob) {
  if (const auto older = mobs_.find(Mob{connection, mob}); older != mobs_.end()) end(WatchKey(older->second));
}

void WatchIndex::end_connection(std::uint64_t connection) {
  for (auto next = watches_.lower_bound({connection, 0});
       next != watches_.end() && next->first.connection == connection; next = watches_.lower_bound({connection, 0})) {
    end(WatchKey(next->first));
  }
}

std::vector<std::pair<WatchKey, Watch>> WatchIndex::end_all() {
  std::vector<std::pair<WatchKey, Watch>> ended;
  while (!watches_.empty()) {
    const WatchKey key = watches_.begin()->first;
    ended.emplace_back(key, *end(key));
  }
  return ended;
}

}  // namespace voxpath::server
