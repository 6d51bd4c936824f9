#include "world/store/world_store.hpp"

#include "world/store/stored_chunks.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace voxpath::world {

namespace {

constexpr std::string_view kWorldKey = "world";
constexpr std::uint32_t kNoNumber = 0xffffffff;
constexpr std::size_t kChunksPerTransaction = 256;  // of a whole world: so that not all of it is held in memory twice
constexpr std::uint64_t kHeadroomMinBytes = 1u << 20;
constexpr std::uint64_t kSectionMaxBytes = 32'768;  // with the pages around it

/// What a store that is full may grow by in order to shrink: erasing takes new pages before it frees old ones.
constexpr std::uint64_t headroom(std::uint64_t size_max_bytes) {
  return std::max(kHeadroomMinBytes, size_max_bytes / 16);
}

Result<std::optional<StoredWorld>> read_world(const LmdbEnvironment& environment) {
  Transaction transaction(environment, false);
  const std::string_view value = transaction.get(environment.world, kWorldKey);
  if (transaction.code() != 0) return environment.error(transaction.code(), "cannot read");
  if (value.data() == nullptr) return std::optional<StoredWorld>();
  const auto payload = unseal(kWorldKey, value);
  auto world = payload ? decode_world(*payload) : Result<StoredWorld>(payload.error());
  if (world) {
    if (auto status = World::validate(world->heights); !status) world = status.error();
  }
  if (!world) {
    return Error{ErrorCode::data_loss, fmt::format("the store in '{}' is damaged: what it says of its world: {}",
                                                   environment.folder().string(), world.error().message)};
  }
  return std::optional<StoredWorld>(*std::move(world));
}

}  // namespace

/// What one transaction writes; remembers the numbers that it gave to states, which an abort takes back.
class WorldStore::Writing {
 public:
  Writing(WorldStore& store, const StateRegistry* states)
      : store_(store), tables_(*store.environment_), transaction_(tables_, true), states_(states) {}
  Writing(const Writing&) = delete;
  Writing& operator=(const Writing&) = delete;
  ~Writing() {
    if (done_) return;
    for (const StateId id : numbered_) store_.numbers_[id] = kNoNumber;
    store_.next_number_ -= static_cast<std::uint32_t>(numbered_.size());
  }

  /// nullptr: air, or in a missing chunk.
  void section(SectionPos pos, const Section* section) {
    const std::string key = section_key(pos);
    if (section == nullptr) return transaction_.erase(tables_.sections, key);
    transaction_.put(tables_.sections, key,
                     seal(key, encode_section(*section, [this](StateId id) { return number(id); })));
  }
  void chunk(ChunkPos pos, const Chunk* chunk) {
    const std::string key = chunk_key(pos);
    if (chunk == nullptr) return transaction_.erase(tables_.chunks, key);
    const int low = floor_div16(chunk->min_y());
    std::vector<bool> listed(static_cast<std::size_t>(chunk->height() / kSectionSize));
    for (std::size_t i = 0; i < listed.size(); ++i) listed[i] = stored(*chunk, low + static_cast<int>(i)) != nullptr;
    const std::string value = seal(key, encode_chunk(listed));
    if (transaction_.get(tables_.chunks, key) != value) transaction_.put(tables_.chunks, key, value);
  }
  void state(std::uint32_t number, const RegisteredState& state) {
    const std::string key = state_key(number);
    transaction_.put(tables_.states, key, seal(key, encode_state(state)));
  }
  void world(const StoredWorld& world) {
    transaction_.put(tables_.world, kWorldKey, seal(kWorldKey, encode_world(world)));
  }
  void drop_everything() {
    transaction_.erase(tables_.world, kWorldKey);
    for (const MDB_dbi table : {tables_.states, tables_.chunks, tables_.sections}) transaction_.clear(table);
  }
  int commit() {
    const int code = transaction_.commit();
    done_ = code == 0;
    return code;
  }

  /// The section as it is stored: one that is all air is not.
  static const Section* stored(const Chunk& chunk, int y) {
    const Section* section = chunk.section(y);
    return section == nullptr || (section->uniform() && section->at(0) == PaletteEntry{}) ? nullptr : section;
  }

 private:
  std::uint32_t number(StateId id) {
    if (store_.numbers_.size() <= id) store_.numbers_.resize(states_->size(), kNoNumber);
    std::uint32_t& known = store_.numbers_[id];
    if (known == kNoNumber) {
      known = store_.next_number_++;
      numbered_.push_back(id);
      state(known, states_->at(id));
    }
    return known;
  }

  WorldStore& store_;
  const LmdbEnvironment& tables_;
  Transaction transaction_;
  const StateRegistry* const states_;
  std::vector<StateId> numbered_;
  bool done_ = false;
};

Result<std::unique_ptr<WorldStore>> WorldStore::open(const std::filesystem::path& folder,
                                                     std::uint64_t size_max_bytes) {
  std::unique_ptr<WorldStore> store(new WorldStore(folder, size_max_bytes));
  if (auto status = store->reopen(); !status) return status.error();
  auto world = read_world(*store->environment_);
  if (!world) return world.error();
  store->stored_ = *std::move(world);
  return store;
}

Result<std::optional<StoredWorld>> WorldStore::peek(const std::filesystem::path& folder) {
  const auto environment = LmdbEnvironment::open_to_read(folder);
  if (!environment) return environment.error();
  return read_world(**environment);
}

Status WorldStore::reopen() {
  if (environment_) return ok_status();
  auto opened = LmdbEnvironment::open(folder_, size_max_bytes_);
  if (!opened) return opened.error();
  environment_ = *std::move(opened);
  return ok_status();
}

void WorldStore::forget_numbers() {
  numbers_.clear();
  next_number_ = 0;
}

Result<RestoredWorld> WorldStore::load(const TraitsOfName& traits) {
  if (auto status = reopen(); !status) return status.error();
  forget_numbers();
  const Heights heights = stored_->heights;
  auto states = std::make_shared<StateRegistry>();
  std::vector<std::optional<PaletteEntry>> entries;  // by the store's number
  RestoredWorld restored;
  std::vector<Change> changes;
  std::vector<std::pair<std::uint32_t, RegisteredState>> changed;
  {
    const Transaction transaction(*environment_, false);
    if (transaction.code() != 0) return environment_->error(transaction.code(), "cannot read");
    auto found = read_states(*environment_, transaction);
    if (!found) return found.error();
    restored.problems = std::move(found->problems);
    next_number_ = static_cast<std::uint32_t>(found->states.size());
    entries.resize(found->states.size());
    for (std::uint32_t number = 0; number < entries.size(); ++number) {
      if (!found->states[number]) continue;
      RegisteredState& state = *found->states[number];
      if (const auto anew = traits ? traits(state.text) : std::nullopt; anew && *anew != state.traits) {
        state.traits = *anew;
        changed.emplace_back(number, state);
      }
      const auto id = states->intern(state.text, state.traits);
      if (!id) return id.error();
      entries[number] = PaletteEntry{*id, state.traits};
      if (numbers_.size() <= *id) numbers_.resize(*id + 1, kNoNumber);
      if (numbers_[*id] == kNoNumber) numbers_[*id] = number;
    }
    const EntryOfNumber entry = [&](std::uint32_t number) {
      return number < entries.size() ? entries[number] : std::nullopt;
    };
    const auto keep = [&](const StoredChunk& chunk) {
      restored.problems.insert(restored.problems.end(), chunk.problems.begin(), chunk.problems.end());
      if (chunk.problems.empty()) {
        changes.emplace_back(PutChunk{chunk.pos, chunk.chunk(heights)});
      } else {
        ++restored.chunks_damaged;
      }
    };
    if (auto status = read_chunks(*environment_, transaction, heights, entry, keep); !status) return status.error();
  }
  // One version less, as applying makes one more. An empty world of version 0 has had no change.
  restored.world =
      std::make_unique<World>(heights, std::move(states), stored_->version == 0 ? 0 : stored_->version - 1);
  if (stored_->version > 0) {
    if (const auto commit = restored.world->apply(changes); !commit) return commit.error();
  }
  if (!changed.empty()) {
    const auto write = [&](Writing& writing) {
      for (const auto& [number, state] : changed) writing.state(number, state);
    };
    if (auto status = transact(nullptr, 0, write); !status) return status.error();
  }
  return restored;
}

Status WorldStore::begin(StoredWorld about, const Snapshot& whole) {
  about.version = whole.version();
  about.heights = whole.heights();
  const auto clear = [](Writing& writing) { writing.drop_everything(); };
  if (auto status = transact(nullptr, headroom(size_max_bytes_), clear); !status) return status;
  stored_.reset();
  forget_numbers();
  std::vector<std::pair<ChunkPos, const Chunk*>> chunks;
  whole.chunks().for_each([&](ChunkPos pos, const Chunk& chunk) { chunks.emplace_back(pos, &chunk); });
  std::sort(chunks.begin(), chunks.end());
  const int low = floor_div16(about.heights.min_y);
  const int high = floor_div16(about.heights.max_y());
  for (std::size_t first = 0; first < chunks.size(); first += kChunksPerTransaction) {
    const auto some = std::span(chunks).subspan(first, std::min(kChunksPerTransaction, chunks.size() - first));
    const auto write = [&](Writing& writing) {
      for (const auto& [pos, chunk] : some) {
        writing.chunk(pos, chunk);
        for (int y = low; y <= high; ++y) {
          if (const Section* section = Writing::stored(*chunk, y)) writing.section({pos.x, y, pos.z}, section);
        }
      }
    };
    if (auto status = transact(&whole.states(), 0, write); !status) return status;
  }
  return update(std::move(about));
}

Status WorldStore::commit(const Snapshot& now, std::vector<SectionPos> touched, bool promised) {
  const auto by_column = [](const SectionPos& p) { return std::tuple(p.x, p.z, p.y); };
  std::sort(touched.begin(), touched.end(), [&](const auto& a, const auto& b) { return by_column(a) < by_column(b); });
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  bool only_erases = true;
  for (const SectionPos& pos : touched) {
    const Chunk* chunk = now.chunk({pos.x, pos.z});
    only_erases = only_erases && (chunk == nullptr || Writing::stored(*chunk, pos.y) == nullptr);
  }
  StoredWorld about = *stored_;
  about.version = now.version();
  const auto write = [&](Writing& writing) {
    for (std::size_t i = 0; i < touched.size(); ++i) {
      const ChunkPos column{touched[i].x, touched[i].z};
      const Chunk* chunk = now.chunk(column);
      if (i == 0 || column != ChunkPos{touched[i - 1].x, touched[i - 1].z}) writing.chunk(column, chunk);
      writing.section(touched[i], chunk == nullptr ? nullptr : Writing::stored(*chunk, touched[i].y));
    }
    writing.world(about);
  };
  const std::uint64_t beyond =
      (only_erases || promised ? headroom(size_max_bytes_) : 0) + (promised ? touched.size() * kSectionMaxBytes : 0);
  if (auto status = transact(&now.states(), beyond, write); !status) return status;
  stored_ = std::move(about);
  return ok_status();
}

Status WorldStore::update(StoredWorld about) {
  if (auto status = transact(nullptr, headroom(size_max_bytes_), [&](Writing& writing) { writing.world(about); });
      !status)
    return status;
  stored_ = std::move(about);
  return ok_status();
}

Status WorldStore::transact(const StateRegistry* states, std::uint64_t beyond_bytes,
                            const std::function<void(Writing&)>& write) {
  beyond_limit_ = false;
  if (auto status = reopen(); !status) return status;
  const auto attempt = [&] {
    Writing writing(*this, states);
    write(writing);
    return writing.commit();
  };
  int code = attempt();
  if (code == MDB_MAP_FULL && beyond_bytes > 0) {
    environment_->set_map_size(std::max(size_max_bytes_, environment_->used_bytes()) + beyond_bytes);
    code = attempt();
    environment_->set_map_size(size_max_bytes_);  // or what is used already
    beyond_limit_ = code == 0;
  }
  if (code == 0) return ok_status();
  const Error error = environment_->error(code, "cannot write");
  // After a write that the disk refused LMDB does nothing more until it is opened again.
  if (code != MDB_MAP_FULL && code != MDB_TXN_FULL) environment_.reset();
  return error;
}

}  // namespace voxpath::world
