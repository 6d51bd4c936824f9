// WorldStore: one world on disk, in a folder of its own: written as the world changes, and read back as it was.
// Thread-safety: one thread at a time. It has no thread or clock of its own: who owns it says when to write.
// Usage: auto store = WorldStore::open(folder, 1 << 30); (*store)->stored() ? (*store)->load(...) : (*store)->begin(...);
// then after edits (*store)->commit(*world.snapshot(), touched);
// Invariants: what is on disk is one version of the world, whole: that of the last begin(), commit() or update() that
// returned in order; however the process or the machine ends in between. An operation that returns an error has changed
// nothing, and the next one may be tried.
#pragma once

#include "world/store/lmdb_environment.hpp"
#include "world/store/store_format.hpp"
#include "world/world.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace voxpath::world {

/// A world as it was read back.
struct RestoredWorld {
  std::unique_ptr<World> world;       // at the version it had
  std::vector<std::string> problems;  // one for each damaged value, with its place
  std::size_t chunks_damaged = 0;     // left missing; they stay in the store until they are put again
};

class WorldStore {
 public:
  /// The traits of a state by its name, where they are to be looked up anew; nullopt: those stored are kept.
  using TraitsOfName = std::function<std::optional<Traits>(const std::string& name)>;

  /// Makes the folder when it is missing. `size_max_bytes`: what its file may grow to.
  /// Errors: those of LmdbEnvironment::open(); data_loss when what it says of its world is damaged.
  static Result<std::unique_ptr<WorldStore>> open(const std::filesystem::path& folder, std::uint64_t size_max_bytes);
  /// What it says of its world, without taking it into use. Errors: those of LmdbEnvironment::open_to_read().
  static Result<std::optional<StoredWorld>> peek(const std::filesystem::path& folder);

  /// nullopt: it holds no world; also when the process ended while begin() was writing one.
  [[nodiscard]] const std::optional<StoredWorld>& stored() const { return stored_; }
  /// Reads the world. With `traits`, names are looked up anew and what was found is stored.
  /// Precondition: stored(). Errors: data_loss where LMDB cannot go on.
  Result<RestoredWorld> load(const TraitsOfName& traits = {});
  /// Writes a whole world, in place of anything that was there. `about.version` and `.heights` are the snapshot's.
  Status begin(StoredWorld about, const Snapshot& whole);
  /// Writes what came out different since the last time: `touched`, in any order, as `now` has it, and its version.
  /// Precondition: stored(), and the snapshot is of the world that load() made or begin() was given.
  /// Errors: resource_exhausted: the file has grown to its limit, or the device is full; others as the disk fails.
  /// `promised`: edits that were acknowledged before: they are written even where the file then outgrows its limit.
  Status commit(const Snapshot& now, std::vector<SectionPos> touched, bool promised = false);
  /// Whether the last commit went beyond the limit.
  [[nodiscard]] bool beyond_limit() const { return beyond_limit_; }
  /// Changes what is said of the world: open, table, game_version, folder. Precondition: stored().
  Status update(StoredWorld about);

  [[nodiscard]] std::uint64_t used_bytes() const { return environment_ ? environment_->used_bytes() : 0; }
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

 private:
  class Writing;

  WorldStore(std::filesystem::path folder, std::uint64_t size_max_bytes)
      : folder_(std::move(folder)), size_max_bytes_(size_max_bytes) {}
  Status reopen();
  /// Calls `write` in one transaction and commits it; may go beyond the limit by so much.
  Status transact(const StateRegistry* states, std::uint64_t beyond_bytes, const std::function<void(Writing&)>& write);
  void forget_numbers();

  const std::filesystem::path folder_;
  const std::uint64_t size_max_bytes_;
  std::unique_ptr<LmdbEnvironment> environment_;  // nullptr: LMDB gave up after a failed write, and is opened again
  std::optional<StoredWorld> stored_;
  std::vector<std::uint32_t> numbers_;  // the store's, by the world's state
  std::uint32_t next_number_ = 0;
  bool beyond_limit_ = false;
};

/// The folder of a world's store.
[[nodiscard]] inline std::filesystem::path store_folder(const std::filesystem::path& stores, const std::string& world) {
  return stores / world;
}

}  // namespace voxpath::world
