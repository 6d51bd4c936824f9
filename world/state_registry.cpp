#include "world/state_registry.hpp"

#include <utility>

#include <fmt/format.h>

namespace voxpath::world {

StateRegistry::StateRegistry() { [[maybe_unused]] const auto air = intern("minecraft:air", air_traits()); }

StateRegistry::~StateRegistry() {
  for (auto& block : blocks_) delete block.load(std::memory_order_relaxed);
}

std::string StateRegistry::key(const std::string& text, Traits t) {
  std::string key = text;
  const auto flags = static_cast<unsigned>(t.open) | static_cast<unsigned>(t.climbable) << 1u |
                     static_cast<unsigned>(t.slow) << 2u | static_cast<unsigned>(t.unknown) << 3u;
  for (const unsigned part :
       {unsigned{t.bottom}, unsigned{t.top}, static_cast<unsigned>(t.fluid), static_cast<unsigned>(t.hazard),
        static_cast<unsigned>(t.door), static_cast<unsigned>(t.stair), flags}) {
    key.push_back(static_cast<char>(part));
  }
  return key;
}

Result<StateId> StateRegistry::intern(const std::string& canonical_text, Traits traits) {
  std::string id_key = key(canonical_text, traits);
  const std::lock_guard lock(writing_);
  if (const auto known = ids_.find(id_key); known != ids_.end()) return known->second;
  const StateId next = size_.load(std::memory_order_relaxed);
  if (next >= kStateCountMax) {
    return Error{ErrorCode::resource_exhausted,
                 fmt::format("block state '{}': the world has {} states already, which is the limit", canonical_text,
                             kStateCountMax)};
  }
  auto& slot = blocks_[next / kBlock];
  Block* block = slot.load(std::memory_order_relaxed);
  if (block == nullptr) {
    block = new Block;
    slot.store(block, std::memory_order_release);
  }
  (*block)[next % kBlock] = {canonical_text, traits};
  ids_.emplace(std::move(id_key), next);  // last of what can throw: a number is known only when its text is there
  size_.store(next + 1, std::memory_order_release);
  return next;
}

const RegisteredState& StateRegistry::at(StateId id) const {
  return (*blocks_[id / kBlock].load(std::memory_order_acquire))[id % kBlock];
}

}  // namespace voxpath::world
