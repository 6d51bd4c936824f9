// StateRegistry: numbers for block states. A world's sections hold the numbers; the names are kept here once.
// Thread-safety: intern() from any thread (short lock); at() from any thread without a lock, for ids that the caller
// received from intern() or found in a snapshot.
// Invariants: id 0 is minecraft:air; ids are dense and never change or go away; equal text with equal traits gives the
// equal id (one name may have two ids when two versions of the game give it different traits).
#pragma once

#include "world/blocks/block_state.hpp"
#include "world/blocks/traits.hpp"
#include "world/result.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include <boost/unordered/unordered_flat_map.hpp>

namespace voxpath::world {

using StateId = std::uint32_t;
inline constexpr StateId kAirState = 0;
inline constexpr StateId kStateCountMax = 1u << 20;  // block states of one world

struct RegisteredState {
  std::string text;  // canonical, see BlockState
  Traits traits;
};

class StateRegistry {
 public:
  StateRegistry();
  ~StateRegistry();
  StateRegistry(const StateRegistry&) = delete;
  StateRegistry& operator=(const StateRegistry&) = delete;

  /// The number of this state. Errors: resource_exhausted beyond kStateCountMax.
  Result<StateId> intern(const std::string& canonical_text, Traits traits);
  /// Precondition: id < size().
  [[nodiscard]] const RegisteredState& at(StateId id) const;
  [[nodiscard]] StateId size() const { return size_.load(std::memory_order_acquire); }

 private:
  static constexpr StateId kBlock = 1024;  // states per block of storage
  using Block = std::array<RegisteredState, kBlock>;
  static std::string key(const std::string& text, Traits traits);

  mutable std::mutex writing_;
  boost::unordered_flat_map<std::string, StateId> ids_;  // guarded by writing_
  std::array<std::atomic<Block*>, kStateCountMax / kBlock> blocks_{};
  std::atomic<StateId> size_{0};
};

}  // namespace voxpath::world
