#include "server/loading/world_loader.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace voxpath::server {

namespace {

using world::ChunkLoader;
using world::DecodedChunk;
using world::Error;
using world::ErrorCode;
using world::LoadReport;
using world::Region;
using world::RegionFile;

constexpr double kMegabyte = 1e6;

/// The workers with their caches, kept from file to file, and what they have decoded.
class Loading {
 public:
  Loading(world::StateRegistry& states, const world::LoadOptions& options, unsigned threads) {
    for (unsigned i = 0; i < threads; ++i)
      workers_.push_back(std::make_unique<Worker>(states, options.block_overrides));
  }

  void run(const std::vector<RegionFile>& files, const ProgressCallback& progress) {
    now_.files_total = files.size();
    for (const RegionFile& file : files) now_.bytes_total += file.bytes;
    for (const RegionFile& file : files) {
      read(file, progress);
      ++now_.files_done;
      now_.bytes_done += file.bytes;
      if (progress) progress(now_);
    }
    for (auto& worker : workers_) report_.merge(std::move(worker->loader.report()));
    // Which worker took a chunk is chance; the result is not.
    std::sort(chunks_.begin(), chunks_.end(), [](const auto& a, const auto& b) { return a.pos < b.pos; });
    std::sort(report_.damaged.begin(), report_.damaged.end(),
              [](const auto& a, const auto& b) { return std::tie(a.file, a.chunk) < std::tie(b.file, b.chunk); });
  }

  std::vector<DecodedChunk>& chunks() { return chunks_; }
  LoadReport& report() { return report_; }

 private:
  struct Worker {
    Worker(world::StateRegistry& states, const std::string& overrides) : loader(states, overrides) {}
    ChunkLoader loader;
    std::vector<DecodedChunk> chunks;
  };

  void read(const RegionFile& file, const ProgressCallback& progress) {
    const auto bytes = read_region(file);
    const Region region(file.pos, bytes ? std::span<const std::uint8_t>(*bytes) : std::span<const std::uint8_t>());
    note_file(report_, file, bytes, region);
    const auto slots = region.slots();
    const auto external = external_beside(file);
    const std::string name = file.path.string();
    const std::int64_t before = now_.chunks_done;
    std::atomic<std::size_t> next{0};
    const auto work = [&](Worker& worker, bool reports) {
      for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < slots.size();) {
        if (auto chunk = worker.loader.load(region, slots[i], name, external))
          worker.chunks.push_back(*std::move(chunk));
        if (!reports) continue;
        LoadProgress shown = now_;
        shown.chunks_done = before + static_cast<std::int64_t>(i) + 1;
        shown.bytes_done += file.bytes * (i + 1) / slots.size();
        progress(shown);
      }
    };
    {
      std::vector<std::jthread> others;
      const std::size_t useful = std::min(workers_.size(), std::max<std::size_t>(1, slots.size()));
      for (std::size_t i = 1; i < useful; ++i) others.emplace_back([&, i] { work(*workers_[i], false); });
      work(*workers_.front(), static_cast<bool>(progress));
    }
    now_.chunks_done = before + static_cast<std::int64_t>(slots.size());
    for (auto& worker : workers_) {
      std::move(worker->chunks.begin(), worker->chunks.end(), std::back_inserter(chunks_));
      worker->chunks.clear();
    }
  }

  std::vector<std::unique_ptr<Worker>> workers_;
  std::vector<DecodedChunk> chunks_;
  LoadReport report_;
  LoadProgress now_;
};

world::Status validate(const world::LoadOptions& options, unsigned threads) {
  if (threads < 1 || threads > kLoadThreadsMax) {
    return Error{ErrorCode::invalid_argument, fmt::format("threads is {}, not 1 to {}", threads, kLoadThreadsMax)};
  }
  if (!options.block_overrides.empty()) {
    const auto table = world::BlockTable::for_data_version(0).with_overrides(options.block_overrides);
    if (!table) return table.error();
  }
  return options.heights ? world::World::validate(*options.heights) : world::ok_status();
}

}  // namespace

std::string LoadedWorld::summary() const {
  const double rate = 1 / std::max(seconds, 1e-9);
  return report.text() +
         fmt::format("  {:.2f} s with {} threads: {:.0f} chunks/s, {:.1f} MB/s of region files, {:.1f} MB/s of NBT\n",
                     seconds, threads, static_cast<double>(report.listed()) * rate,
                     static_cast<double>(report.file_bytes) / kMegabyte * rate,
                     static_cast<double>(report.nbt_bytes) / kMegabyte * rate);
}

world::Result<LoadedWorld> load_world(const std::filesystem::path& folder, const world::LoadOptions& options,
                                      unsigned threads, const ProgressCallback& progress) {
  const auto started = std::chrono::steady_clock::now();
  if (const auto status = validate(options, threads); !status) return status.error();
  const auto files = world::list_regions(folder, options.dimension);
  if (!files) return files.error();

  auto states = std::make_shared<world::StateRegistry>();
  Loading loading(*states, options, threads);
  loading.run(*files, progress);

  for (const DecodedChunk& chunk : loading.chunks()) loading.report().note_version(chunk.data_version);
  const std::int32_t newest = loading.report().data_versions.value_or(world::DataVersions()).newest;
  const auto heights = options.heights.value_or(world::usual_heights(options.dimension, newest));
  std::vector<world::Change> changes;
  changes.reserve(loading.chunks().size());
  for (DecodedChunk& chunk : loading.chunks()) {
    const world::ChunkPos pos = chunk.pos;
    changes.emplace_back(world::PutChunk{pos, make_chunk(std::move(chunk), heights, loading.report())});
  }
  LoadedWorld loaded{
      .world = std::make_unique<world::World>(heights, std::move(states)), .report = {}, .threads = threads};
  const auto commit = loaded.world->apply(changes);
  if (!commit) return commit.error();
  loaded.report = std::move(loading.report());
  loaded.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return loaded;
}

}  // namespace voxpath::server
