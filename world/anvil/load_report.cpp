#include "world/anvil/load_report.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace voxpath::world {

namespace {

template <class Map>
std::int64_t sum(const Map& counts) {
  std::int64_t total = 0;
  for (const auto& [key, count] : counts) total += count;
  return total;
}

template <class Map>
void add(Map& to, const Map& from) {
  for (const auto& [key, count] : from) to[key] += count;
}

template <class T>
void append(std::vector<T>& to, std::vector<T>&& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

/// "a 3, b 2", the largest counts first.
template <class Map>
std::string by_count(const Map& counts, std::size_t entries_max) {
  std::vector<std::pair<typename Map::key_type, std::int64_t>> sorted(counts.begin(), counts.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return std::tie(b.second, a.first) < std::tie(a.second, b.first); });
  std::string text;
  for (std::size_t i = 0; i < sorted.size() && i < entries_max; ++i) {
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", sorted[i].first, sorted[i].second);
  }
  if (sorted.size() > entries_max) text += fmt::format(" and {} more", sorted.size() - entries_max);
  return text;
}

}  // namespace

std::int64_t LoadReport::skipped_total() const { return sum(skipped); }

void LoadReport::note_version(std::int32_t data_version) {
  if (!data_versions) data_versions = DataVersions{data_version, data_version};
  data_versions->oldest = std::min(data_versions->oldest, data_version);
  data_versions->newest = std::max(data_versions->newest, data_version);
}

void LoadReport::merge(LoadReport&& other) {
  if (other.data_versions) {
    note_version(other.data_versions->oldest);
    note_version(other.data_versions->newest);
  }
  files += other.files;
  empty_files += other.empty_files;
  append(damaged_files, std::move(other.damaged_files));
  file_bytes += other.file_bytes;
  nbt_bytes += other.nbt_bytes;
  loaded += other.loaded;
  add(skipped, other.skipped);
  append(damaged, std::move(other.damaged));
  repaired += other.repaired;
  moved += other.moved;
  add(unknown_blocks, other.unknown_blocks);
  add(sections_outside, other.sections_outside);
}

std::string LoadReport::text(std::size_t lines_max) const {
  std::string out = fmt::format("{} chunks loaded from {} region files", loaded, files);
  if (empty_files > 0) out += fmt::format(" ({} of them empty)", empty_files);
  out += '\n';
  if (!skipped.empty())
    out += fmt::format("  {} unfinished chunks skipped: {}\n", skipped_total(), by_count(skipped, lines_max));
  if (repaired > 0) out += fmt::format("  {} chunks with a length too short were read all the same\n", repaired);
  if (moved > 0)
    out += fmt::format("  {} chunks name a place in another region; loaded where their file's name says\n", moved);
  if (!unknown_blocks.empty()) {
    out += fmt::format("  {} unknown blocks taken for full cubes: {}\n", sum(unknown_blocks),
                       by_count(unknown_blocks, lines_max));
  }
  if (!sections_outside.empty()) {
    out +=
        fmt::format("  {} sections with blocks lie outside the world's heights and were left out; section y {} to {}\n",
                    sum(sections_outside), sections_outside.begin()->first, sections_outside.rbegin()->first);
  }
  const auto lines = [&](std::size_t count, const char* what, auto&& line) {
    if (count > 0) out += fmt::format("  {} {}\n", count, what);
    for (std::size_t i = 0; i < count && i < lines_max; ++i) out += fmt::format("    {}\n", line(i));
    if (count > lines_max) out += fmt::format("    and {} more\n", count - lines_max);
  };
  lines(damaged_files.size(), "damaged region files", [&](std::size_t i) { return damaged_files[i]; });
  lines(damaged.size(), "damaged chunks left missing", [&](std::size_t i) {
    const DamagedChunk& d = damaged[i];
    return fmt::format("{}: chunk {}, {} at byte {}: {}", d.file, d.chunk.x, d.chunk.z, d.offset, d.why);
  });
  return out;
}

}  // namespace voxpath::world
