// A world loaded into this process: from a world folder, or drawn in a scenario file.
#include "pathfinding/horde_search.hpp"
#include "pathfinding/search.hpp"
#include "server/cli/text_file.hpp"
#include "server/cli/world_access.hpp"
#include "server/loading/generated_world.hpp"
#include "server/loading/terminal_progress.hpp"
#include "server/loading/world_loader.hpp"
#include "server/scenario/scenario_file.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

namespace voxpath::server {

namespace {

constexpr std::string_view kScenarioExtension = ".scn";

class LocalWorld : public WorldAccess {
 public:
  LocalWorld(std::string name, std::unique_ptr<world::World> world, world::LoadReport report, std::string summary)
      : name_(std::move(name)),
        world_(std::move(world)),
        snapshot_(world_->snapshot()),
        report_(std::move(report)),
        summary_(std::move(summary)) {}

  world::Result<PathOutcome> find_path(const PathQuestion& question) override {
    const auto started = std::chrono::steady_clock::now();
    auto answer = pathfinding::search(snapshot_, question.query, question.limits);
    if (!answer) return answer.error();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - started;
    return PathOutcome{.answer = std::move(*answer), .search_ms = took.count(), .queue_ms = 0};
  }

  world::Result<HordeOutcome> find_paths(const HordeQuestion& question) override {
    constexpr std::uint32_t kStep = 1'000'000;  // expansions; nobody waits for a turn here
    const auto started = std::chrono::steady_clock::now();
    pathfinding::HordeSearch horde;
    const auto begun = horde.begin(snapshot_, question.question.query, question.starts, question.question.limits);
    if (!begun) return begun.error();
    while (!horde.advance(kStep)) {
    }
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - started;
    HordeOutcome outcome{.paths = {}, .shared = horde.shared(), .search_ms = took.count(), .queue_ms = 0};
    for (pathfinding::Answer& answer : horde.answers()) outcome.paths.push_back({.answer = std::move(answer)});
    return outcome;
  }

  [[nodiscard]] world::Ref<const world::Snapshot> snapshot() const override { return snapshot_; }

  world::Result<std::optional<Invalidation>> next_invalidation(std::chrono::milliseconds) override {
    return std::optional<Invalidation>();  // nobody edits it
  }

  world::Result<BlockBox> blocks(const world::Box& box) override {
    const auto entries = world::blocks_in(*snapshot_, box);
    if (!entries) return entries.error();
    BlockBox result{.box = box, .palette = {}, .cells = {}};
    result.cells.reserve(entries->size());
    std::unordered_map<world::StateId, std::uint32_t> number_of;
    for (const world::PaletteEntry* entry : *entries) {
      if (entry == nullptr) {
        result.cells.push_back(BlockBox::kMissing);
        continue;
      }
      const auto [it, added] = number_of.try_emplace(entry->state, static_cast<std::uint32_t>(result.palette.size()));
      if (added) result.palette.push_back({snapshot_->states().at(entry->state).text, entry->traits});
      result.cells.push_back(it->second);
    }
    return result;
  }

  world::Result<std::optional<world::Surface>> surface_below(const world::Vec3& from) override {
    return world::surface_below(*snapshot_, from);
  }

  world::Result<WorldInfo> info() override {
    WorldInfo info{.name = name_,
                   .heights = snapshot_->heights(),
                   .version = snapshot_->version(),
                   .chunks = snapshot_->chunks().size(),
                   .extent = {},
                   .memory_bytes = 0,
                   .unknown_blocks = report_.unknown_blocks,
                   .data_versions = report_.data_versions,
                   .summary = summary_};
    snapshot_->chunks().for_each([&](world::ChunkPos pos, const world::Chunk& chunk) {
      *info.memory_bytes += chunk.memory_bytes();
      const world::Box column{{pos.x * 16, info.heights.min_y, pos.z * 16},
                              {pos.x * 16 + 15, info.heights.max_y(), pos.z * 16 + 15}};
      if (!info.extent) info.extent = column;
      world::Box& all = *info.extent;
      all.min.x = std::min(all.min.x, column.min.x);
      all.min.z = std::min(all.min.z, column.min.z);
      all.max.x = std::max(all.max.x, column.max.x);
      all.max.z = std::max(all.max.z, column.max.z);
    });
    return info;
  }

 private:
  std::string name_;
  std::unique_ptr<world::World> world_;
  world::Ref<const world::Snapshot> snapshot_;
  world::LoadReport report_;
  std::string summary_;
};

world::Result<std::unique_ptr<WorldAccess>> open_scenario(const std::filesystem::path& path,
                                                          const std::string& overrides) {
  const auto text = read_text_file(path, kScenarioTextMax);
  if (!text) return text.error();
  auto table = world::BlockTable::for_version(world::BlockTable::versions().back());
  if (table && !overrides.empty()) table = table->with_overrides(overrides);
  if (!table) return table.error();
  auto scenario = read_scenario(*text, *table);
  if (!scenario) {
    return world::Error{world::ErrorCode::data_loss, fmt::format("{}: {}", path.string(), scenario.error().message)};
  }
  return std::unique_ptr<WorldAccess>(std::make_unique<LocalWorld>(path.string(), std::move(scenario->world),
                                                                   world::LoadReport(), "  " + scenario->name + "\n"));
}

}  // namespace

world::Result<std::unique_ptr<WorldAccess>> open_local_world(const WorldOptions& options, const Console& console) {
  std::string overrides;
  if (!options.block_overrides.empty()) {
    auto text = read_text_file(options.block_overrides, world::kOverridesTextMax);
    if (!text) return text.error();
    overrides = std::move(*text);
  }
  if (names_generated_world(options.world)) {
    auto generated = generated_world(options.world, {.min_y = -64, .height = 384});
    if (!generated) return generated.error();
    return std::unique_ptr<WorldAccess>(
        std::make_unique<LocalWorld>(options.world, *std::move(generated), world::LoadReport(), "  generated\n"));
  }
  const std::filesystem::path path(options.world);
  if (path.extension() == kScenarioExtension) return open_scenario(path, overrides);

  const world::LoadOptions load{.dimension = options.dimension, .heights = {}, .block_overrides = overrides};
  auto loaded = load_world(path, load, options.threads, TerminalProgress(console.err));
  if (!loaded) return loaded.error();
  std::string summary = loaded->summary();
  return std::unique_ptr<WorldAccess>(std::make_unique<LocalWorld>(path.string(), std::move(loaded->world),
                                                                   std::move(loaded->report), std::move(summary)));
}

}  // namespace voxpath::server
