// Strategy: what a mob goes after, by name: straight at its target, along the shortest path, where the target will be, from a side of its own,
// away from it, or nowhere in particular.
// Thread-safety: plain values and free functions.
// Invariant: the same seed and the same observations give the same aims.
// Usage: auto s = strategy_named("intercept"); Aim aim = aim_of(*s, situation, random); if (aim.straight) ... else ask for aim.goal.
#pragma once

#include "protocol/clients/cpp/mob/point.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace voxpath::mob {

enum class Strategy : std::uint8_t {
  greedy,     // straight towards the target, whatever is in between
  path,       // along the cheapest path
  random,     // from one place near by to another, the target does not matter
  intercept,  // to where the target will be if it goes on as it goes
  surround,   // along the cheapest path that comes at the target from this mob's own side
  flee,       // to a place far enough from the target
};
inline constexpr std::array<std::string_view, 6> kStrategyNames = {"greedy",    "path",     "random",
                                                                   "intercept", "surround", "flee"};
[[nodiscard]] std::string_view name(Strategy strategy);
[[nodiscard]] std::optional<Strategy> strategy_named(std::string_view name);

/// Seeded numbers that are the same everywhere. Source: Vigna, "splitmix64" (2015), public domain.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ z >> 27) * 0x94D049BB133111EBULL;
    return z ^ z >> 31;
  }
  /// 0 <= number < 1.
  double fraction() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  /// 0 <= number < count.
  std::uint64_t below(std::uint64_t count) { return next() % count; }

 private:
  std::uint64_t state_;
};

inline constexpr double kFleeBlocks = 24;            // how far away is far enough
inline constexpr std::int32_t kWanderMinBlocks = 4;  // how far a random walk goes at once
inline constexpr std::int32_t kWanderMaxBlocks = 12;
inline constexpr double kInterceptMaxTicks = 80;      // how far ahead intercept looks
inline constexpr double kInterceptNearBlocks = 3;     // nearer than that it goes for the target itself
inline constexpr std::int32_t kSideLengthBlocks = 6;  // of the approaches that surround tells apart
inline constexpr std::int32_t kSidePrice = 300;       // for coming over a side that is another's: 30 blocks of detour

/// What a mob knows when it decides.
struct Situation {
  Point self, target;
  Point velocity;           // of the target, blocks a tick
  double speed = 0.115;     // of the mob, blocks a tick
  std::uint32_t index = 0;  // in its pack
};

struct Aim {
  bool straight = false;  // towards `at`, without a path
  Point at;               // what is aimed at: how much this has moved decides when to ask again
  bool away = false;      // farther from `at` is better
  v1::Goal goal;
  std::vector<v1::PricedBox> prices = {};
};
/// `at` of the aim alone, for every tick. Not for Strategy::random, whose aim is drawn when it is asked for.
[[nodiscard]] Point aim_point(Strategy strategy, const Situation& situation);
/// What to ask for. Draws from `random` for Strategy::random alone.
[[nodiscard]] Aim aim_of(Strategy strategy, const Situation& situation, Random& random);

/// Where the target will be when the mob gets there, if both go on straight.
[[nodiscard]] Point meeting_point(const Situation& situation);

}  // namespace voxpath::mob
