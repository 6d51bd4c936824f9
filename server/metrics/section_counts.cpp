#include "server/metrics/section_counts.hpp"

namespace voxpath::server {

namespace {

std::size_t count_sections(const world::Snapshot& snapshot) {
  const int low = world::floor_div16(snapshot.heights().min_y);
  const int high = world::floor_div16(snapshot.heights().max_y());
  std::size_t sections = 0;
  snapshot.chunks().for_each([&](world::ChunkPos, const world::Chunk& chunk) {
    for (int y = low; y <= high; ++y) {
      if (chunk.section(y) != nullptr) ++sections;
    }
  });
  return sections;
}

}  // namespace

std::size_t SectionCounts::of(std::uint64_t world, const world::Snapshot& snapshot, std::int64_t now_ms) {
  const auto [at, first] = counts_.try_emplace(world);
  Count& count = at->second;
  const bool stale = count.version != snapshot.version() && now_ms - count.counted_ms >= kCountEveryMs;
  if (first || stale) count = {snapshot.version(), now_ms, count_sections(snapshot)};
  return count.sections;
}

void SectionCounts::keep(const std::set<std::uint64_t>& worlds) {
  std::erase_if(counts_, [&](const auto& entry) { return !worlds.contains(entry.first); });
}

}  // namespace voxpath::server
