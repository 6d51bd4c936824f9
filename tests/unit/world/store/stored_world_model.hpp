// A scripted life of a world, the same each time, and the comparison of two worlds; for tests of stores.
// Thread-safety: none.
#pragma once

#include "tests/unit/world/store_model.hpp"
#include "world/world.hpp"

#include <map>
#include <random>
#include <string>
#include <vector>

namespace voxpath::world {

/// Whether two worlds have the same chunks and the same blocks by name and traits; the first difference in words.
inline std::string difference(const Snapshot& a, const Snapshot& b) {
  if (a.heights() != b.heights()) return "heights";
  if (a.chunks().size() != b.chunks().size())
    return fmt::format("{} chunks, not {}", b.chunks().size(), a.chunks().size());
  std::map<std::pair<StateId, StateId>, bool> same;
  std::string found;
  a.chunks().for_each([&](ChunkPos pos, const Chunk& chunk) {
    const Chunk* other = b.chunk(pos);
    if (other == nullptr) found = fmt::format("chunk {}, {} is missing", pos.x, pos.z);
    for (int y = a.heights().min_y; found.empty() && y <= a.heights().max_y(); ++y) {
      for (int i = 0; i < 256 && found.empty(); ++i) {
        const PaletteEntry& p = chunk.at(i & 15, y, i >> 4);
        const PaletteEntry& q = other->at(i & 15, y, i >> 4);
        const auto [known, is_new] = same.try_emplace({p.state, q.state}, false);
        if (is_new) {
          known->second = a.states().at(p.state).text == b.states().at(q.state).text &&
                          a.states().at(p.state).traits == b.states().at(q.state).traits;
        }
        if (known->second && p.traits == q.traits) continue;
        found = fmt::format("block {}, {}, {} of chunk {}, {}: {}, not {}", i & 15, y, i >> 4, pos.x, pos.z,
                            b.states().at(q.state).text, a.states().at(p.state).text);
      }
    }
  });
  return found;
}

/// Step after step of random edits of a few chunks on both sides of the origin.
class ScriptedWorld {
 public:
  explicit ScriptedWorld(std::uint32_t seed) : random_(seed) {
    for (const char* name : {"stone", "dirt", "sand", "glass", "oak_planks"}) {
      states_.push_back(state(world_.states(), name, extent(0, 8 + static_cast<int>(states_.size()))).state);
    }
    must(world_, {PutChunk{{0, 0}, air_chunk()}});
  }

  World& world() { return world_; }
  /// The next edit.
  Commit step() {
    const ChunkPos column{pick(-1, 1), pick(-1, 1)};
    const bool known = world_.snapshot()->chunk(column) != nullptr;
    const int kind = pick(0, 9);
    if (!known || kind == 0) return must(world_, {PutChunk{column, filled_chunk()}});
    if (kind == 1) return must(world_, {DropChunk{column}});
    const BlockPos at{column.x * 16 + pick(0, 15), pick(-64, 63), column.z * 16 + pick(0, 15)};
    if (kind == 2) {
      const BlockPos to{column.x * 16 + 15, std::min(at.y + pick(0, 40), 63), at.z};
      return must(world_, {FillBox{{at, to}, any_state()}});
    }
    std::vector<Change> changes;
    for (int i = pick(1, 6); i > 0; --i)
      changes.emplace_back(SetBlock{{at.x, pick(-64, 63), column.z * 16 + pick(0, 15)}, any_state()});
    if (kind == 3) {  // a name that is new now and then
      changes.emplace_back(SetBlock{at, state(world_.states(), fmt::format("new_{}", pick(0, 50))).state});
    }
    return must(world_, changes);
  }

 private:
  int pick(int low, int high) { return low + static_cast<int>(random_() % static_cast<std::uint32_t>(high - low + 1)); }
  StateId any_state() { return pick(0, 4) == 0 ? kAirState : states_[static_cast<std::size_t>(pick(0, 4))]; }
  Ref<Chunk> filled_chunk() {
    auto chunk = air_chunk();
    for (int y = pick(-4, 0); y < pick(0, 4); ++y) {
      const StateId id = any_state();
      Section section(PaletteEntry{id, world_.states().at(id).traits});
      for (int i = 0; i < 300; ++i) {
        const StateId other = any_state();
        section.set(pick(0, kSectionVolume - 1), {other, world_.states().at(other).traits});
      }
      chunk->set_section(y, make_ref<Section>(section));
    }
    return chunk;
  }

  std::mt19937 random_;
  World world_{kTestHeights};
  std::vector<StateId> states_;
};

}  // namespace voxpath::world
