// History: which snapshots of a world are alive, and so when the parts that newer versions have replaced can go.
// Thread-safety: publish() and close() by the world's writer; bury() from any thread, and nobody ever waits in it: who
// finds the list in use leaves the dead snapshot for the one who uses it.
// Invariants: a part that was replaced waits with the newest living snapshot that shows it. When that one dies, it goes
// on to the next older one that shows it, or is destroyed. So exactly what living snapshots show is kept, and an old
// snapshot that somebody holds keeps nothing of the versions between it and the newest.
// Source: dead lists, as in ZFS: Ahrens, "How ZFS Snapshots Really Work" (BSDCan 2019).
#pragma once

#include "world/shared_count.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace voxpath::world {

class Snapshot;

/// A part of a world that versions before some newer one show.
struct Retired {
  std::uint64_t since = 0;  // the first version that shows it
  const void* what = nullptr;
  void (*destroy)(const void*) noexcept = nullptr;
};

/// What a room above has worked out from a world and keeps beside it, for all snapshots and readers. Thread-safe in itself.
class Derived {
 public:
  virtual ~Derived() = default;

 protected:
  Derived() = default;
  Derived(const Derived&) = default;
  Derived& operator=(const Derived&) = default;
};

class History : public SharedCount {
 public:
  History() = default;
  History(const History&) = delete;
  History& operator=(const History&) = delete;
  ~History();

  /// `next` is the newest from now on; `retired` is what the one before shows and `next` does not.
  void publish(const Snapshot& next, std::vector<Retired> retired);
  /// There will be no next version: `everything` goes with the newest one.
  void close(std::vector<Retired> everything);
  /// The one object of this kind for the world; made by the first who asks. Never nullptr.
  std::shared_ptr<Derived> derived(std::shared_ptr<Derived> (*make)());
  /// Takes a snapshot to which nobody refers any more.
  static void bury(const Snapshot* snapshot) noexcept;

 private:
  void settle(std::vector<Retired>& garbage);

  std::mutex mutex_;  // guards the list of living snapshots and what waits with them
  const Snapshot* newest_ = nullptr;
  std::shared_ptr<Derived> derived_;            // guarded by the mutex
  std::atomic<const Snapshot*> dead_{nullptr};  // a stack, pushed to by anybody, emptied under the mutex
};

}  // namespace voxpath::world
