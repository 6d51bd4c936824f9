#include "server/worlds.hpp"

#include "protocol/limits.hpp"
#include "server/access/world_folders.hpp"
#include "server/loading/generated_world.hpp"
#include "server/loading/world_loader.hpp"
#include "server/saving/stored_worlds.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include <boost/asio/post.hpp>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace voxpath::server {

using protocol::ErrorKind;
using protocol::Failure;

namespace {

constexpr world::Heights kUsualHeights{-64, 384};
constexpr std::size_t kProblemsMax = 20;  // told to clients

/// Whether a world that is there is the one that the request means.
std::optional<Failure> difference(const v1::OpenWorld& request, const HostedWorld& world) {
  const auto differs = [&](std::string_view field, const std::string& asked, const std::string& is) {
    return Failure{ErrorKind::world_differs,
                   fmt::format("world '{}' is open with {} = {}, not {}", world.name(), field, is, asked),
                   fmt::format("open_world.{}", field), asked, is};
  };
  const world::Heights heights = world.heights();
  if (request.has_min_y() && request.min_y() != heights.min_y) {
    return differs("min_y", fmt::format("{}", request.min_y()), fmt::format("{}", heights.min_y));
  }
  if (request.has_height() && static_cast<int>(request.height()) != heights.height) {
    return differs("height", fmt::format("{}", request.height()), fmt::format("{}", heights.height));
  }
  if (!request.game_version().empty() && request.game_version() != world.origin().game_version) {
    return differs("game_version", request.game_version(), world.origin().game_version);
  }
  if (!request.folder().empty() && request.folder() != world.origin().folder) {
    return differs("folder", request.folder(), world.origin().folder.empty() ? "(none)" : world.origin().folder);
  }
  return std::nullopt;
}

v1::WorldInfo info_of(const WorldHost& host) {
  // The values of the enumeration are the same on the wire.
  static_assert(static_cast<int>(Durability::sync) == v1::WorldInfo::SYNC);
  v1::WorldInfo info = host.world.info();
  if (host.saver) {
    info.set_durability(static_cast<v1::WorldInfo::Durability>(host.saver->durability()));
    info.set_stored_version(host.saver->counts().stored_version);
  }
  return info;
}

void answer_world(const v1::OpenWorld& request, Reply reply, const WorldHost& host, bool created) {
  if (const auto refused = difference(request, host.world)) return reply.refuse(*refused);
  v1::ServerFrame frame;
  *frame.mutable_world() = info_of(host);
  frame.mutable_world()->set_created(created);
  reply.answer(std::move(frame));
}

void note_report(const world::LoadReport& report, WorldOrigin& origin) {
  origin.chunks_skipped = static_cast<std::uint64_t>(report.skipped_total());
  origin.chunks_damaged = report.damaged.size();
  origin.data_versions = report.data_versions;
  for (const std::string& file : report.damaged_files) origin.problems.push_back(file);
  for (const world::DamagedChunk& chunk : report.damaged) {
    origin.problems.push_back(fmt::format("{}: chunk {}, {} at byte {}: {}", chunk.file, chunk.chunk.x, chunk.chunk.z,
                                          chunk.offset, chunk.why));
  }
  if (origin.problems.size() > kProblemsMax) origin.problems.resize(kProblemsMax);
}

}  // namespace

Worlds::Worlds(boost::asio::any_io_executor executor, std::vector<WorldConfig> configured, std::size_t chunks_max,
               std::filesystem::path folder, StoreConfig stores)
    : executor_(std::move(executor)),
      configured_(std::move(configured)),
      chunks_max_(chunks_max),
      folder_(std::move(folder)),
      stores_(std::move(stores)) {}

Worlds::~Worlds() { loader_.join(); }

std::shared_ptr<WorldHost> Worlds::find(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(name);
  return found == entries_.end() ? nullptr : found->second.host;
}

const WorldConfig* Worlds::configured(const std::string& name) const {
  const auto found =
      std::find_if(configured_.begin(), configured_.end(), [&](const WorldConfig& w) { return w.name == name; });
  return found == configured_.end() ? nullptr : &*found;
}

std::optional<WorldConfig> Worlds::openable(const std::string& name) const {
  if (const WorldConfig* known = configured(name)) return *known;
  if (folder_.empty()) return std::nullopt;
  WorldConfig found;  // the name has no slash in it and begins with no dot: validate() has looked
  found.name = name;
  found.folder = folder_ / name;
  found.confined_to = folder_;
  return found;
}

Outcome<WorldConfig> Worlds::config_of(const v1::OpenWorld& request) const {
  WorldConfig config;
  if (!request.folder().empty()) {
    auto known = openable(request.folder());
    if (!known) {
      return Failure{ErrorKind::folder_unknown, fmt::format("the configuration names no world '{}'", request.folder()),
                     "open_world.folder", request.folder(), "names listed by list_worlds"};
    }
    config = *std::move(known);
  } else {
    config.heights = world::Heights{request.has_min_y() ? request.min_y() : kUsualHeights.min_y,
                                    request.has_height() ? static_cast<int>(request.height()) : kUsualHeights.height};
    if (const auto status = world::World::validate(*config.heights); !status)
      return failure_of(status.error(), "open_world.height");
  }
  if (!request.game_version().empty()) config.game_version = request.game_version();
  return config;
}

void Worlds::open(const v1::OpenWorld& request, Reply reply) {
  const auto config = config_of(request);
  if (const auto* refused = std::get_if<Failure>(&config)) return reply.refuse(*refused);
  std::shared_ptr<WorldHost> there;
  {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(request.world());
    if (found != entries_.end()) {
      there = found->second.host;
      if (!there) return found->second.waiting.push_back({request, std::move(reply)});
    } else {
      if (entries_.size() >= protocol::kWorldsMax) {
        return reply.refuse({ErrorKind::worlds_full, fmt::format("{} worlds are open", entries_.size()),
                             "open_world.world", fmt::format("{}", entries_.size()),
                             fmt::format("{} worlds", protocol::kWorldsMax)});
      }
      entries_[request.world()].waiting.push_back({request, std::move(reply)});
    }
  }
  if (!there) return load(std::get<WorldConfig>(config), request.world());
  answer_world(request, std::move(reply), *there, false);
}

void Worlds::load(const WorldConfig& config, const std::string& name) {
  const bool quick =
      config.folder.empty() && config.generate.empty() && durability_of(config, stores_) == Durability::none;
  if (quick) return finish(name, make_host(config, name));
  boost::asio::post(loader_, [this, config, name] { finish(name, make_host(config, name)); });
}

Outcome<std::shared_ptr<WorldHost>> Worlds::make_host(WorldConfig config, const std::string& name) const {
  OpenStore durable;
  if (durability_of(config, stores_) != Durability::none) {
    auto opened = open_store(config, stores_, name);
    if (auto* refused = std::get_if<Failure>(&opened)) return std::move(*refused);
    durable = std::move(std::get<OpenStore>(opened));
  }
  const bool stored = durable.store && durable.store->stored();
  if (stored) {
    auto meant = as_stored(config, *durable.store);
    if (auto* refused = std::get_if<Failure>(&meant)) return std::move(*refused);
    config = std::move(std::get<WorldConfig>(meant));
  }
  const auto versions = world::BlockTable::versions();
  WorldOrigin origin;
  origin.game_version = config.game_version.empty() ? std::string(versions.back()) : config.game_version;
  origin.folder = config.name;
  auto table = world::BlockTable::for_version(origin.game_version);
  if (!table) {
    Failure refused = failure_of(table.error(), "open_world.game_version");
    refused.value = origin.game_version;
    refused.limit = fmt::format("{}", fmt::join(versions, ", "));
    return refused;
  }
  if (!config.block_overrides.empty()) {
    table = table->with_overrides(config.block_overrides);
    if (!table) return failure_of(table.error(), "open_world.folder");
  }
  auto made = stored ? restore(*durable.store, config, *table, origin) : make_world(config, origin);
  if (auto* refused = std::get_if<Failure>(&made)) return std::move(*refused);
  auto& world = std::get<std::unique_ptr<world::World>>(made);
  const auto snapshot = world->snapshot();
  if (durable.store && !stored) {
    if (auto refused = begin_store(*durable.store, config, origin, *snapshot)) return std::move(*refused);
  }
  auto host =
      std::make_shared<WorldHost>(executor_, name, std::move(world), *std::move(table), std::move(origin), chunks_max_);
  if (durable.store) {
    host->saver = std::make_unique<WorldSaver>(name, std::move(durable.store), durable.durability,
                                               stores_.async_interval_ms, snapshot);
    host->saver->start(host, taken_back_);
  }
  return host;
}

Outcome<std::unique_ptr<world::World>> Worlds::make_world(const WorldConfig& config, WorldOrigin& origin) const {
  if (!config.confined_to.empty()) {
    if (const auto status = check_confined(config.folder, config.confined_to); !status)
      return Failure{ErrorKind::folder_unknown, status.error().message, "open_world.folder", config.name};
  }
  if (!config.folder.empty()) {
    const unsigned threads = std::clamp(std::thread::hardware_concurrency(), 1u, kLoadThreadsMax);
    auto loaded = load_world(config.folder, {config.dimension, config.heights, config.block_overrides}, threads, {});
    if (!loaded) return Failure{ErrorKind::load_failed, loaded.error().message, "open_world.folder", config.name};
    note_report(loaded->report, origin);
    return std::move(loaded->world);
  }
  if (config.generate.empty()) return std::make_unique<world::World>(*config.heights);
  auto made = generated_world(config.generate, config.heights.value_or(kUsualHeights));
  if (!made) return Failure{ErrorKind::load_failed, made.error().message, "open_world.folder", config.name};
  return *std::move(made);
}

void Worlds::finish(const std::string& name, Outcome<std::shared_ptr<WorldHost>> outcome) {
  std::vector<Waiting> waiting;
  const auto* host = std::get_if<std::shared_ptr<WorldHost>>(&outcome);
  {
    const std::lock_guard lock(mutex_);
    Entry& entry = entries_[name];
    waiting = std::exchange(entry.waiting, {});
    if (host) {
      entry.host = *host;
    } else {
      entries_.erase(name);
    }
  }
  if (host) {
    const v1::WorldInfo info = info_of(**host);
    spdlog::info("event=world_opened world={} version={} chunks={} skipped={} damaged={} restored={}", name,
                 info.version(), info.chunks(), info.chunks_skipped(), info.chunks_damaged(), info.restored());
  } else {
    spdlog::warn("event=world_failed world={} why=\"{}\"", name,
                 protocol::printable(std::get<Failure>(outcome).message, 300));
  }
  bool first = true;
  for (Waiting& one : waiting) {
    if (host) {
      answer_world(one.request, std::move(one.reply), **host, first);
    } else {
      one.reply.refuse(std::get<Failure>(outcome));
    }
    first = false;
  }
}

std::shared_ptr<WorldHost> Worlds::close(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(name);
  if (found == entries_.end() || !found->second.host) return nullptr;
  std::shared_ptr<WorldHost> closed = std::move(found->second.host);
  if (!closed->saver) entries_.erase(found);
  return closed;
}

void Worlds::closed(const std::string& name, const std::shared_ptr<WorldHost>& still) {
  std::vector<Waiting> waiting;
  std::optional<v1::OpenWorld> again;
  {
    const std::lock_guard lock(mutex_);
    Entry& entry = entries_[name];
    if (still) {
      entry.host = still;
      waiting = std::exchange(entry.waiting, {});
    } else if (entry.waiting.empty()) {
      entries_.erase(name);
    } else {
      again = entry.waiting.front().request;
    }
  }
  for (Waiting& one : waiting) answer_world(one.request, std::move(one.reply), *still, false);
  if (again) load(std::get<WorldConfig>(config_of(*again)), name);  // it was checked before it began to wait
}

void Worlds::finish_saving() {
  std::vector<std::shared_ptr<WorldHost>> durable;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [name, entry] : entries_) {
      if (entry.host && entry.host->saver) durable.push_back(entry.host);
    }
  }
  for (const auto& host : durable) host->saver->finish();
}

v1::WorldList Worlds::list() const {
  v1::WorldList list;
  const std::lock_guard lock(mutex_);
  for (const auto& [name, entry] : entries_) {
    if (entry.host) *list.add_worlds() = info_of(*entry.host);
  }
  for (const WorldConfig& config : configured_) list.add_folders(config.name);
  return list;
}

std::size_t Worlds::size() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

bool Worlds::loading() const {
  const std::lock_guard lock(mutex_);
  return std::any_of(entries_.begin(), entries_.end(), [](const auto& entry) { return !entry.second.host; });
}

bool Worlds::loading(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(name);
  return found != entries_.end() && !found->second.host;
}

void Worlds::open_configured(const Loaded& done) {
  std::vector<FoundWorld> to_open;
  for (const WorldConfig& config : configured_) {
    if (config.load) to_open.push_back({config.name, config.name});
  }
  for (FoundWorld& found : worlds_to_open(configured_, stores_)) {
    const bool twice =
        std::any_of(to_open.begin(), to_open.end(), [&](const FoundWorld& one) { return one.name == found.name; });
    if (!twice) to_open.push_back(std::move(found));
  }
  for (const FoundWorld& world : to_open) {
    v1::OpenWorld request;
    request.set_world(world.name);
    request.set_folder(world.folder);
    open(request, Reply(1, [done, name = world.name](const v1::ServerFrame& answer) {
           if (!answer.has_error()) return done(name, nullptr);
           const Failure failure{ErrorKind::load_failed, answer.error().message()};
           done(name, &failure);
         }));
  }
}

}  // namespace voxpath::server
