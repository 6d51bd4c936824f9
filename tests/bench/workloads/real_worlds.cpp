#include "pathfinding/engine/nav_store.hpp"
#include "server/checks/reference_check.hpp"
#include "server/loading/world_loader.hpp"
#include "tests/bench/workloads/workloads.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include <fmt/format.h>

namespace voxpath::bench {

namespace {

std::vector<server::ReferenceRow> read_table(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  auto rows = server::read_reference(text);
  if (!rows) throw std::runtime_error(file.string() + ": " + rows.error().message);
  return std::move(*rows);
}

void measure_world(Figures& figures, const std::filesystem::path& folder, const std::filesystem::path& table) {
  constexpr unsigned kThreads = 1;
  auto loaded = server::load_world(folder, {}, kThreads, {});
  if (!loaded) throw std::runtime_error(folder.string() + ": " + loaded.error().message);
  const Land land{.world = std::move(loaded->world), .chunks = {}, .places = {}};
  const auto rows = read_table(table);
  pathfinding::Search search;
  Samples unseen, found, not_found;
  double first_us = 0;
  pathfinding::NavClass::Usage usage;
  for (int pass = 0; pass < 2; ++pass) {
    const CpuTime time;
    for (const server::ReferenceRow& row : rows) {
      Samples& samples = pass == 0 ? unseen : row.found ? found : not_found;
      const pathfinding::Answer answer = ask(search, land, row.query, samples);
      if ((answer.status == pathfinding::AnswerStatus::found) != row.found) {
        throw std::runtime_error(fmt::format("{}: row {} is answered otherwise", table.string(), row.id));
      }
      if (row.found)
        samples.over_optimum.push_back(row.cost > 0 ? static_cast<double>(answer.cost) / static_cast<double>(row.cost)
                                                    : 1);
    }
    if (pass == 0) {
      first_us = time.us();
      usage = pathfinding::NavStore::of(*land.world->snapshot())->usage();
    }
  }
  const auto chunks = static_cast<double>(std::max<std::size_t>(usage.chunks, 1));
  const std::string name = folder.filename().string();
  figures.add(
      "W8", name + ", path exists", found,
      {.bytes_per_chunk = static_cast<double>(usage.bytes) / chunks, .first_pass_ms = first_us / 1e3, .note = {}});
  figures.add("W8", name + ", no path", not_found);
}

}  // namespace

void measure_real_worlds(Figures& figures, const std::filesystem::path& worlds, const std::filesystem::path& tables) {
  if (!std::filesystem::is_directory(worlds)) {
    figures.leave_out("W8", "no real worlds: " + worlds.string() + " is no folder");
    return;
  }
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(tables)) {
    if (entry.path().extension() == ".tsv") found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  for (const auto& table : found) {
    const auto folder = worlds / table.stem();
    if (std::filesystem::is_directory(folder)) {
      measure_world(figures, folder, table);
    } else {
      figures.leave_out("W8", folder.string() + " is no folder");
    }
  }
}

}  // namespace voxpath::bench
