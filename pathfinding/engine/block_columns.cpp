#include "pathfinding/engine/block_columns.hpp"

#include <algorithm>

namespace voxpath::pathfinding {

void BlockColumns::load(const Neighbourhood& chunks, world::Heights heights, std::int32_t margin_high) {
  side_ = 16 + kMarginLow + margin_high;
  constexpr std::int32_t kLanesAround = 1 + 1 + 4;  // padding below, above, and what a 64-bit read may run over
  lanes_ = (heights.height / 16 + kLanesAround + 3) / 4 * 4;
  const auto size = static_cast<std::size_t>(side_ * side_ * lanes_);
  cubes_.assign(size, 0);
  odd_.assign(size, 0);
  any_odd_ = false;
  const std::int32_t sections = heights.height / 16;
  for (std::int32_t cz = -1; cz <= 1; ++cz) {
    for (std::int32_t cx = -1; cx <= 1; ++cx) {
      const world::Chunk* const chunk = chunks[static_cast<std::size_t>((cx + 1) + 3 * (cz + 1))].get();
      if (chunk == nullptr) continue;
      const std::int32_t x0 = std::max(-kMarginLow, cx * 16);
      const std::int32_t x1 = std::min(15 + margin_high, cx * 16 + 15);
      const std::int32_t z0 = std::max(-kMarginLow, cz * 16);
      const std::int32_t z1 = std::min(15 + margin_high, cz * 16 + 15);
      for (std::int32_t s = 0; s < sections; ++s) {
        const world::Section* const section = chunk->section(world::floor_div16(heights.min_y) + s);
        if (section == nullptr) continue;
        if (section->uniform()) {
          const auto all = section->uniform_column();
          if (all.cubes == 0 && all.odd == 0) continue;
        }
        for (std::int32_t z = z0; z <= z1; ++z) {
          for (std::int32_t x = x0; x <= x1; ++x) {
            const auto column = section->column((z & 15) << 4 | (x & 15));
            const std::size_t lane = first_lane(x, z) + 1 + static_cast<std::size_t>(s);
            cubes_[lane] = column.cubes;
            odd_[lane] = column.odd;
            any_odd_ = any_odd_ || column.odd != 0;
          }
        }
      }
    }
  }
}

}  // namespace voxpath::pathfinding
