// World: the store that the game server feeds. One writer publishes snapshots; any number of readers take the newest.
// Thread-safety: snapshot() and states() from any thread, without waiting for the writer; all else one thread at a time.
// Usage: World w({.min_y = -64, .height = 384}); w.apply(changes); auto now = w.snapshot();
// Invariant: apply() is all or nothing: on an error the world is as it was and no version is spent.
#pragma once

#include "world/result.hpp"
#include "world/snapshot.hpp"

#include <memory>
#include <span>
#include <variant>
#include <vector>

namespace voxpath::world {

inline constexpr int kWorldMinYMin = -2048;              // blocks
inline constexpr int kWorldHeightMax = 4096;             // blocks
inline constexpr std::int64_t kFillVolumeMax = 1 << 24;  // blocks in one filled box
inline constexpr int kChunkCoordinateMax = 1'875'000;    // chunks from the origin: 30,000,000 blocks

struct SetBlock {
  BlockPos pos;
  StateId state = kAirState;
};
/// Every block of the box; the chunks that it touches must be known.
struct FillBox {
  Box box;
  StateId state = kAirState;
};
/// A whole section of a known chunk.
struct SetSection {
  SectionPos pos;
  Ref<Section> section;  // nullptr: air
};
/// A chunk column, new or replaced. Its min_y and height must be the world's. From apply() on it belongs to the world:
/// the giver may keep a reference, but must not change the chunk or its sections through it.
struct PutChunk {
  ChunkPos pos;
  Ref<Chunk> chunk;
};
/// The column becomes missing. Not an error when it was.
struct DropChunk {
  ChunkPos pos;
};
using Change = std::variant<SetBlock, FillBox, SetSection, PutChunk, DropChunk>;

/// What a change did.
struct Commit {
  std::uint64_t version = 0;  // the first snapshot that shows it
  std::vector<SectionPos> touched;
};

class World {
 public:
  /// Whether heights are multiples of 16 and within the limits above; names the field and the value.
  static Status validate(Heights heights);
  /// Precondition: validate(heights).
  explicit World(Heights heights);
  /// With block states that exist already: chunks that were decoded before the world's heights were known.
  /// `version`: that of the empty world, for one that goes on where it was left.
  World(Heights heights, std::shared_ptr<StateRegistry> states, std::uint64_t version = 0);
  /// Snapshots may outlive their world.
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  [[nodiscard]] Ref<const Snapshot> snapshot() const { return current_.load(); }
  [[nodiscard]] Heights heights() const { return heights_; }
  [[nodiscard]] StateRegistry& states() { return *states_; }

  /// Applies all changes in order and publishes one new snapshot.
  /// Errors: out_of_range (height, coordinates, state number, huge box), failed_precondition (a block of a missing
  /// chunk), invalid_argument (an empty box, a chunk of other heights, a palette whose traits are not this world's);
  /// the message names the change by its index.
  Result<Commit> apply(std::span<const Change> changes);

 private:
  Heights heights_;
  std::shared_ptr<StateRegistry> states_;
  ChunkIndexWriter chunks_;
  Ref<History> history_;
  std::uint64_t version_ = 0;
  AtomicRef<const Snapshot> current_;
};

}  // namespace voxpath::world
