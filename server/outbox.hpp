// Outbox: answers and events from any thread on their way to a session, which is woken once for all that have come since
// it last looked.
// Thread-safety: put() from any thread, take() from one at a time. Lifetime: shared by the session and by whoever owes it
// an answer; what is put when the session is gone is dropped with the outbox.
// Invariant: frames leave in the order in which they were put: an event about a path never overtakes the path's answer.
#pragma once

#include "protocol/voxpath.pb.h"

#include <functional>
#include <mutex>
#include <utility>
#include <vector>

namespace voxpath::server {

class Outbox {
 public:
  /// `wake`: has take() called soon; from any thread, also after the session's end.
  explicit Outbox(std::function<void()> wake) : wake_(std::move(wake)) {}

  void put(v1::ServerFrame frame) {
    bool first = false;
    {
      const std::lock_guard lock(mutex_);
      first = frames_.empty();
      frames_.push_back(std::move(frame));
    }
    if (first) wake_();
  }

  [[nodiscard]] std::vector<v1::ServerFrame> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(frames_, {});
  }

 private:
  const std::function<void()> wake_;
  std::mutex mutex_;
  std::vector<v1::ServerFrame> frames_;
};

}  // namespace voxpath::server
