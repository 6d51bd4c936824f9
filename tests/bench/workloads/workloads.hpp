// The workloads that voxpath alone can do; those that it shares with its peers are in ../peers.
// Thread-safety: one after another on one thread, which is the one measured; W10 starts a second one that edits.
// Invariants: the same worlds and questions each time. Each throws when an answer is not what it must be: figures of wrong answers tell nothing.
#pragma once

#include "pathfinding/search.hpp"
#include "tests/bench/workloads/figures.hpp"
#include "tests/bench/worlds/generated_lands.hpp"

#include <filesystem>

namespace voxpath::bench {

/// W8: the questions of the reference tables, in real worlds; left out where `worlds` is no folder.
void measure_real_worlds(Figures& figures, const std::filesystem::path& worlds, const std::filesystem::path& tables);
/// W9: 1 to 1,000 mobs with one target, together and each by itself.
void measure_hordes(Figures& figures);
/// W10: searches in a world that is edited between and during them.
void measure_edits(Figures& figures);
/// W11: 4,096 blocks over generated terrain.
void measure_long_way(Figures& figures);
/// W12: caves.
void measure_caves(Figures& figures);
/// W13: paths that are there already, after their target has moved or a block stands in the way, beside fresh searches.
void measure_replanning(Figures& figures);
/// W14: worlds of 1,000, 10,000 and 100,000 chunk columns.
void measure_scale(Figures& figures);

/// Asks, and adds what it took. The question is asked in the newest snapshot.
pathfinding::Answer ask(pathfinding::Search& search, const Land& land, const pathfinding::Query& query,
                        Samples& samples, std::uint32_t expansions = pathfinding::kExpansionsMax);
/// All pairs: once unseen, then measured, `passes` times.
Samples ask_pairs(const Land& land, const std::vector<Pair>& asked, bool best_effort, int passes);

/// Of level moves in the open, at the default agent's prices: no path is cheaper.
[[nodiscard]] std::int64_t least_cost(world::BlockPos a, world::BlockPos b);

}  // namespace voxpath::bench
