#include "server/saving/stored_worlds.hpp"

#include "world/blocks/block_state.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace voxpath::server {

using protocol::ErrorKind;
using protocol::Failure;

namespace {

constexpr std::size_t kProblemsMax = 20;  // told to clients
constexpr std::uint64_t kMib = 1u << 20;

Failure load_failed(const world::Error& why, const std::string& world) {
  const bool full = why.code == world::ErrorCode::resource_exhausted;
  return {full ? ErrorKind::store_full : ErrorKind::load_failed, why.message, "open_world.world", world};
}

std::uint64_t table_of(const WorldConfig& config, const WorldOrigin& origin) {
  return world::text_hash(origin.game_version + '\n' + config.block_overrides);
}

}  // namespace

Durability durability_of(const WorldConfig& config, const StoreConfig& stores) {
  return config.durability.value_or(stores.durability);
}

Outcome<OpenStore> open_store(const WorldConfig& config, const StoreConfig& stores, const std::string& world) {
  auto opened = world::WorldStore::open(world::store_folder(stores.folder, world), stores.map_size_mib * kMib);
  if (!opened) return load_failed(opened.error(), world);
  return OpenStore{*std::move(opened), durability_of(config, stores)};
}

Outcome<WorldConfig> as_stored(const WorldConfig& config, const world::WorldStore& store) {
  const world::StoredWorld& stored = *store.stored();
  WorldConfig meant = config;
  if (!config.name.empty() && config.heights && *config.heights != stored.heights) {
    return Failure{ErrorKind::load_failed,
                   fmt::format("the configuration gives min_y {} and height {}, the store in '{}' has {} and {}",
                               config.heights->min_y, config.heights->height, store.folder().string(),
                               stored.heights.min_y, stored.heights.height),
                   "open_world.folder", config.name};
  }
  meant.heights = stored.heights;
  if (meant.game_version.empty()) meant.game_version = stored.game_version;
  return meant;
}

Outcome<std::unique_ptr<world::World>> restore(world::WorldStore& store, const WorldConfig& config,
                                               const world::BlockTable& table, WorldOrigin& origin) {
  world::WorldStore::TraitsOfName traits;
  world::StoredWorld about = *store.stored();
  about.open = true;
  about.game_version = origin.game_version;
  about.folder = origin.folder;
  about.table = table_of(config, origin);
  if (about.table != store.stored()->table) {
    traits = [&table](const std::string& name) -> std::optional<world::Traits> {
      const auto state = world::BlockState::parse(name);
      if (!state) return std::nullopt;
      return table.traits(*state);
    };
  }
  auto restored = store.load(traits);
  if (!restored) return load_failed(restored.error(), config.name);
  origin.restored = true;
  origin.chunks_damaged = restored->chunks_damaged;
  for (const std::string& problem : restored->problems) {
    spdlog::error("event=store_damaged folder={} why=\"{}\"", store.folder().string(), problem);
    if (origin.problems.size() < kProblemsMax) origin.problems.push_back(problem);
  }
  if (about != *store.stored()) {
    if (const auto status = store.update(about); !status) return load_failed(status.error(), config.name);
  }
  return std::move(restored->world);
}

std::optional<Failure> begin_store(world::WorldStore& store, const WorldConfig& config, const WorldOrigin& origin,
                                   const world::Snapshot& whole) {
  world::StoredWorld about;
  about.table = table_of(config, origin);
  about.game_version = origin.game_version;
  about.folder = origin.folder;
  if (const auto status = store.begin(std::move(about), whole); !status)
    return load_failed(status.error(), config.name);
  return std::nullopt;
}

std::vector<FoundWorld> worlds_to_open(const std::vector<WorldConfig>& configured, const StoreConfig& stores) {
  std::vector<FoundWorld> found;
  if (stores.folder.empty()) return found;
  std::error_code code;
  for (const auto& entry : std::filesystem::directory_iterator(stores.folder, code)) {
    std::error_code ignored;
    if (!std::filesystem::exists(entry.path() / "data.mdb", ignored)) continue;
    const std::string name = entry.path().filename().string();
    const auto stored = world::WorldStore::peek(entry.path());
    if (!stored) {
      spdlog::error("event=stored_world_unreadable world={} why=\"{}\"", protocol::printable(name),
                    protocol::printable(stored.error().message, 300));
      continue;
    }
    if (!*stored || !(*stored)->open) continue;
    const auto config = std::find_if(configured.begin(), configured.end(),
                                     [&](const WorldConfig& w) { return w.name == (*stored)->folder; });
    const bool known = config != configured.end();
    if (durability_of(known ? *config : WorldConfig(), stores) == Durability::none) {
      spdlog::info("event=stored_world_left world={} why=\"its durability is none\"", name);
      continue;
    }
    found.push_back({name, known ? config->name : ""});
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return found;
}

}  // namespace voxpath::server
