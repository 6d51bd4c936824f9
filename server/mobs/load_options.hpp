// LoadOptions: what a load test is to do.
// Thread-safety: plain value.
// Invariant: after check() every field is within its limits; its errors name the option, the value and the limit.
#pragma once

#include "protocol/clients/cpp/mob/strategy.hpp"
#include "world/result.hpp"

#include <cstdint>
#include <string>

namespace voxpath::server {

inline constexpr std::int64_t kLoadMobsMax = 100'000;
inline constexpr std::int64_t kLoadPlayersMax = 1'000;
inline constexpr std::int64_t kLoadConnectionsMax = 64;
inline constexpr std::int64_t kLoadSlicesMax = 50;
inline constexpr double kLoadSecondsMax = 86'400;
inline constexpr double kLoadWarmUpMaxSeconds = 600;
inline constexpr double kLoadReplansMaxPerSecond = 20;  // each tick
inline constexpr double kLoadEditsMaxPerSecond = 20'000;
inline constexpr double kLoadSpeedMax = 20;  // blocks a second
inline constexpr std::int64_t kLoadAreaSideMaxBlocks = 8'192;
inline constexpr std::int64_t kLoadAreaSideMinBlocks = 8;

/// Columns, both corners included.
struct Area {
  std::int32_t x0 = -112, z0 = -112, x1 = 111, z1 = 111;
  [[nodiscard]] std::int64_t width() const { return std::int64_t{x1} - x0 + 1; }
  [[nodiscard]] std::int64_t depth() const { return std::int64_t{z1} - z0 + 1; }
};

struct LoadOptions {
  std::int64_t mobs = 1'000;
  std::int64_t players = 20;
  mob::Strategy strategy = mob::Strategy::path;
  std::string agent = "zombie";
  double replans_per_second = 1;  // of each mob; 0: when its controller finds it worth it
  double edits_per_second = 0;    // single blocks
  std::int64_t connections = 4;
  double seconds = 10;  // measured, after the warm-up
  double warm_up_seconds = 2;
  std::int64_t seed = 1;
  Area area;
  double mob_speed = 2.3;       // blocks a second; a zombie's
  double player_speed = 4.3;    // a walking player's
  std::int64_t expansions = 0;  // of a search; 0: the server's default
  std::int64_t slices = 1;      // 1: all mobs of a tick ask at its beginning, as in a game; n: in n portions over it
  bool watch = false;           // ask for paths to be watched
};

[[nodiscard]] world::Status check(const LoadOptions& options);

}  // namespace voxpath::server
