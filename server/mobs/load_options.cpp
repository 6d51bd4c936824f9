#include "server/mobs/load_options.hpp"

#include "protocol/limits.hpp"

#include <fmt/format.h>

namespace voxpath::server {

namespace {

template <class Number>
world::Status within(const char* option, Number value, Number low, Number high) {
  if (value >= low && value <= high) return world::ok_status();
  return world::Error{world::ErrorCode::invalid_argument,
                      fmt::format("{} = {}: {} to {} is allowed", option, value, low, high)};
}

}  // namespace

world::Status check(const LoadOptions& o) {
  for (const world::Status& status :
       {within<std::int64_t>("--mobs", o.mobs, 1, kLoadMobsMax),
        within<std::int64_t>("--players", o.players, 1, kLoadPlayersMax),
        within<double>("--rate", o.replans_per_second, 0, kLoadReplansMaxPerSecond),
        within<double>("--edits", o.edits_per_second, 0, kLoadEditsMaxPerSecond),
        within<std::int64_t>("--connections", o.connections, 1, kLoadConnectionsMax),
        within<double>("--duration", o.seconds, 1, kLoadSecondsMax),
        within<double>("--warm-up", o.warm_up_seconds, 0, kLoadWarmUpMaxSeconds),
        within<std::int64_t>("--seed", o.seed, 0, INT64_MAX),
        within<double>("--mob-speed", o.mob_speed, 0.1, kLoadSpeedMax),
        within<double>("--player-speed", o.player_speed, 0, kLoadSpeedMax),
        within<std::int64_t>("--limit", o.expansions, 0, protocol::kExpansionsMax),
        within<std::int64_t>("--slices", o.slices, 1, kLoadSlicesMax),
        within<std::int64_t>("--area's width", o.area.width(), kLoadAreaSideMinBlocks, kLoadAreaSideMaxBlocks),
        within<std::int64_t>("--area's depth", o.area.depth(), kLoadAreaSideMinBlocks, kLoadAreaSideMaxBlocks)}) {
    if (!status) return status;
  }
  if (o.watch && o.mobs > o.connections * static_cast<std::int64_t>(protocol::kWatchesMax) / 2) {
    return world::Error{
        world::ErrorCode::invalid_argument,
        fmt::format("--watch: a connection has at most {} watches, of which a mob needs up to two; take more "
                    "--connections than {} for {} mobs",
                    protocol::kWatchesMax, o.connections, o.mobs)};
  }
  return world::ok_status();
}

}  // namespace voxpath::server
