#include "world/store/store_report.hpp"

#include "world/store/lmdb_environment.hpp"
#include "world/store/stored_chunks.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace voxpath::world {

namespace {

/// Without the world's heights no column can be told to be whole: then the greatest are taken.
constexpr Heights kAnyHeights{-2048, 4096};

std::string section_line(SectionPos pos, const Section& section, const StoredStates& states) {
  std::string line = fmt::format("section {} {} {}", pos.x, pos.y, pos.z);
  for (int i = 0; i < kSectionVolume;) {
    const StateId state = section.at(i).state;
    int end = i + 1;
    while (end < kSectionVolume && section.at(end).state == state) ++end;
    fmt::format_to(std::back_inserter(line), " {}*{}", states.states[state]->text, end - i);
    i = end;
  }
  return line;
}

void read_about(const LmdbEnvironment& store, Transaction& transaction, StoreReport& report) {
  constexpr std::string_view kKey = "world";
  const std::string_view value = transaction.get(store.world, kKey);
  if (value.data() == nullptr) {
    report.problems.emplace_back("world: there is none: the process ended while it was written for the first time");
    return;
  }
  const auto payload = unseal(kKey, value);
  auto about = payload ? decode_world(*payload) : Result<StoredWorld>(payload.error());
  if (about) {
    report.about = *std::move(about);
  } else {
    report.problems.push_back(fmt::format("world: {}", about.error().message));
  }
}

}  // namespace

Result<StoreReport> check_store(const std::filesystem::path& folder) { return export_store(folder, {}); }

Result<StoreReport> export_store(const std::filesystem::path& folder,
                                 const std::function<void(std::string_view)>& line) {
  const auto store = LmdbEnvironment::open_to_read(folder);
  if (!store) return store.error();
  StoreReport report;
  report.used_bytes = (*store)->used_bytes();
  Transaction transaction(**store, false);
  if (transaction.code() != 0) return (*store)->error(transaction.code(), "cannot read");
  read_about(**store, transaction, report);
  if (report.about && line) {
    line(fmt::format("world version={} min_y={} height={} game_version={}", report.about->version,
                     report.about->heights.min_y, report.about->heights.height, report.about->game_version));
  }
  const auto states = read_states(**store, transaction);
  if (!states) return states.error();
  report.states = static_cast<std::size_t>(
      std::count_if(states->states.begin(), states->states.end(), [](const auto& state) { return state.has_value(); }));
  report.problems.insert(report.problems.end(), states->problems.begin(), states->problems.end());
  // The store's numbers serve as the world's here.
  const EntryOfNumber entry = [&](std::uint32_t number) -> std::optional<PaletteEntry> {
    if (number >= states->states.size() || !states->states[number]) return std::nullopt;
    return PaletteEntry{number, states->states[number]->traits};
  };
  const auto visit = [&](const StoredChunk& chunk) {
    ++report.chunks;
    report.sections += chunk.sections.size();
    report.value_bytes += chunk.bytes;
    report.chunks_damaged += chunk.problems.empty() ? 0 : 1;
    report.problems.insert(report.problems.end(), chunk.problems.begin(), chunk.problems.end());
    if (!line) return;
    line(fmt::format("chunk {} {}{}", chunk.pos.x, chunk.pos.z, chunk.problems.empty() ? "" : " damaged"));
    for (const auto& [y, section] : chunk.sections)
      line(section_line({chunk.pos.x, y, chunk.pos.z}, *section, *states));
  };
  const Heights heights = report.about ? report.about->heights : kAnyHeights;
  if (const auto status = read_chunks(**store, transaction, heights, entry, visit); !status) return status.error();
  return report;
}

}  // namespace voxpath::world
