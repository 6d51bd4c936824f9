// ProfileBook: the agent profiles that hold now, which a new configuration may replace while workers search.
// Thread-safety: all members from any thread.
// Usage: const auto profiles = book.now(); profiles->agent_of(request.agent());
#pragma once

#include "server/agent_profiles.hpp"

#include <memory>
#include <mutex>
#include <utility>

namespace voxpath::server {

class ProfileBook {
 public:
  explicit ProfileBook(AgentProfiles profiles = {})
      : profiles_(std::make_shared<const AgentProfiles>(std::move(profiles))) {}

  [[nodiscard]] std::shared_ptr<const AgentProfiles> now() const {
    const std::lock_guard lock(mutex_);
    return profiles_;
  }
  void replace(AgentProfiles profiles) {
    auto fresh = std::make_shared<const AgentProfiles>(std::move(profiles));
    const std::lock_guard lock(mutex_);
    profiles_.swap(fresh);
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const AgentProfiles> profiles_;  // guarded by mutex_
};

}  // namespace voxpath::server
