// Guarded<T>: a value that several threads share, reachable only while it is locked.
// Thread-safety: all members from any thread. Keep what is done in with() short, and take no other lock in it,
// or say in which order locks are taken.
// Usage: Guarded<Table> table; table.with([&](Table& t) { t.insert(entry); });
#pragma once

#include <mutex>
#include <utility>

namespace voxpath::world {

template <class T>
class Guarded {
 public:
  /// Returns what `use` returns; not a reference into the value.
  template <class Use>
  auto with(const Use& use) {
    const std::lock_guard lock(mutex_);
    return use(value_);
  }
  template <class Use>
  auto with(const Use& use) const {
    const std::lock_guard lock(mutex_);
    return use(std::as_const(value_));
  }
  /// Uses the value unless another thread does at this moment. Returns whether it did.
  template <class Use>
  bool try_with(const Use& use) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock) use(value_);
    return lock.owns_lock();
  }

 private:
  mutable std::mutex mutex_;
  T value_;
};

}  // namespace voxpath::world
