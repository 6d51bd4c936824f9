#include "pathfinding/engine/chunk_changes.hpp"

#include <algorithm>

namespace voxpath::pathfinding {

namespace {

void spread(const std::vector<std::uint8_t>& changed, std::int32_t base_x, std::int32_t base_z, std::int32_t reach,
            Columns& into) {
  for (const std::uint8_t c : changed) {
    const std::int32_t x = base_x + static_cast<std::int32_t>(c & 15);
    const std::int32_t z = base_z + static_cast<std::int32_t>(c >> 4);
    for (std::int32_t nz = std::max(z - reach, 0); nz <= std::min(z + reach, 15); ++nz) {
      for (std::int32_t nx = std::max(x - reach, 0); nx <= std::min(x + reach, 15); ++nx)
        into.set(static_cast<std::size_t>(nz << 4 | nx));
    }
  }
}

}  // namespace

const ChunkChanges::Changes& ChunkChanges::between(const world::Ref<const world::Chunk>& before,
                                                   const world::Ref<const world::Chunk>& after) {
  for (const Changes& known : remembered_) {
    if (known.before == before && known.after == after) return known;
  }
  Changes& changes = remembered_[next_];
  next_ = (next_ + 1) % kRemembered;
  changes = {before, after, true, {}, {}};
  if (before == nullptr || after == nullptr || before->min_y() != after->min_y() ||
      before->height() != after->height()) {
    changes.comparable = false;
    return changes;
  }
  static const world::Section air;
  const std::int32_t lowest = world::floor_div16(after->min_y());
  for (std::int32_t s = lowest; s < lowest + after->height() / 16; ++s) {
    const world::Section* a = before->section(s);
    const world::Section* b = after->section(s);
    if (a == b) continue;
    if (a == nullptr) a = &air;
    if (b == nullptr) b = &air;
    Columns changed;
    a->differing_columns(*b, changed);
    for (int c = 0; c < 256; ++c) {
      if (!changed[static_cast<std::size_t>(c)]) continue;
      const bool plain = a->column(c).odd == 0 && b->column(c).odd == 0;
      (plain ? changes.plain : changes.odd).push_back(static_cast<std::uint8_t>(c));
    }
  }
  return changes;
}

std::optional<Columns> ChunkChanges::near(const Neighbourhood& before, const Neighbourhood& after, Reach reach) {
  constexpr std::size_t kChangesMax = 64;  // columns of sections
  Columns near;
  for (std::size_t i = 0; i < 9; ++i) {
    if (before[i] == after[i]) continue;
    const Changes& changes = between(before[i], after[i]);
    if (!changes.comparable || changes.plain.size() + changes.odd.size() > kChangesMax) return std::nullopt;
    const auto base_x = (static_cast<std::int32_t>(i) % 3 - 1) * 16;
    const auto base_z = (static_cast<std::int32_t>(i) / 3 - 1) * 16;
    spread(changes.plain, base_x, base_z, reach.plain, near);
    spread(changes.odd, base_x, base_z, reach.odd, near);
  }
  return near;
}

}  // namespace voxpath::pathfinding
