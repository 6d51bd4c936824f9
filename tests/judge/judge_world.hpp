// JudgeWorld: all that the judge may ask of a world, and a view of a world::Snapshot through it.
// Thread-safety: const members from any thread when the implementation's are. SnapshotWorld keeps its snapshot alive.
// Invariant: nullopt means a missing chunk and nothing else; above and below the world is air (below is void: nothing is drawn there).
#pragma once

#include "world/blocks/traits.hpp"
#include "world/snapshot.hpp"

#include <optional>

namespace voxpath::judge {

class JudgeWorld {
 public:
  virtual ~JudgeWorld() = default;
  /// The traits of the block in cell (x, y, z); nullopt when its chunk was never given.
  [[nodiscard]] virtual std::optional<world::Traits> block(int x, int y, int z) const = 0;
  [[nodiscard]] virtual int min_y() const = 0;   // blocks
  [[nodiscard]] virtual int height() const = 0;  // blocks
};

class SnapshotWorld final : public JudgeWorld {
 public:
  explicit SnapshotWorld(world::Ref<const world::Snapshot> snapshot) : snapshot_(std::move(snapshot)) {}
  [[nodiscard]] std::optional<world::Traits> block(int x, int y, int z) const override {
    const world::PaletteEntry* const entry = snapshot_->block({x, y, z});
    if (entry == nullptr) return std::nullopt;
    return entry->traits;
  }
  [[nodiscard]] int min_y() const override { return snapshot_->heights().min_y; }
  [[nodiscard]] int height() const override { return snapshot_->heights().height; }

 private:
  world::Ref<const world::Snapshot> snapshot_;
};

}  // namespace voxpath::judge
