#include "world/history.hpp"

#include "world/snapshot.hpp"

#include <utility>

namespace voxpath::world {

namespace {

void destroy(const std::vector<Retired>& garbage) noexcept {
  for (const Retired& r : garbage) r.destroy(r.what);
}

}  // namespace

History::~History() {
  // The world and all readers are gone; what is left here came while another thread was at the list.
  std::vector<Retired> garbage;
  settle(garbage);
  destroy(garbage);
}

void History::publish(const Snapshot& next, std::vector<Retired> retired) {
  std::vector<Retired> garbage;
  {
    const std::lock_guard lock(mutex_);
    next.history_ = Ref<History>(this);
    next.older_ = newest_;
    if (newest_ != nullptr) {
      newest_->newer_ = &next;
      newest_->retired_ = std::move(retired);  // empty so far: no newer snapshot could have left it anything
    }
    newest_ = &next;
    settle(garbage);
  }
  destroy(garbage);
}

void History::close(std::vector<Retired> everything) {
  const std::lock_guard lock(mutex_);
  newest_->retired_ = std::move(everything);
}

std::shared_ptr<Derived> History::derived(std::shared_ptr<Derived> (*make)()) {
  const std::lock_guard lock(mutex_);
  if (derived_ == nullptr) derived_ = make();
  return derived_;
}

void History::bury(const Snapshot* snapshot) noexcept {
  const Ref<History> self =
      std::move(snapshot->history_);  // before it may be deleted; or else both would keep each other
  const Snapshot* top = self->dead_.load(std::memory_order_relaxed);
  do {
    snapshot->next_dead_ = top;
  } while (!self->dead_.compare_exchange_weak(top, snapshot, std::memory_order_seq_cst, std::memory_order_relaxed));
  // Whoever holds the mutex looks again after letting go, so that nothing waits for long.
  while (self->dead_.load(std::memory_order_seq_cst) != nullptr && self->mutex_.try_lock()) {
    std::vector<Retired> garbage;
    self->settle(garbage);
    self->mutex_.unlock();
    destroy(garbage);
  }
}

/// Takes the dead out of the list, under the mutex. Fills `garbage` with what nobody shows any more.
void History::settle(std::vector<Retired>& garbage) {
  const Snapshot* dead = dead_.exchange(nullptr, std::memory_order_seq_cst);
  while (dead != nullptr) {
    const Snapshot* const older = dead->older_;
    if (older != nullptr) older->newer_ = dead->newer_;
    (dead->newer_ != nullptr ? dead->newer_->older_ : newest_) = older;
    for (const Retired& r : dead->retired_) {
      (older != nullptr && r.since <= older->version() ? older->retired_ : garbage).push_back(r);
    }
    delete std::exchange(dead, dead->next_dead_);
  }
}

}  // namespace voxpath::world
