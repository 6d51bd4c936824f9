#include "pathfinding/engine/block_columns.hpp"

#include <algorithm>

namespace voxpath::pathfinding {

void BlockColumns::load(const Neighbourhood& chunks, world::Heights heights, std::int32_t margin_high,
                        const Columns& wanted) {
  std::int32_t low_x = 15;
  std::int32_t low_z = 15;
  std::int32_t high_x = 0;
  std::int32_t high_z = 0;
  for (std::int32_t c = 0; c < 256; ++c) {
    if (!wanted[static_cast<std::size_t>(c)]) continue;
    low_x = std::min(low_x, c & 15);
    high_x = std::max(high_x, c & 15);
    low_z = std::min(low_z, c >> 4);
    high_z = std::max(high_z, c >> 4);
  }
  side_ = 16 + kMarginLow + margin_high;
  constexpr std::int32_t kLanesAround = 1 + 1 + 4;  // padding below, above, and what a 64-bit read may run over
  lanes_ = (heights.height / 16 + kLanesAround + 3) / 4 * 4;
  const auto size = static_cast<std::size_t>(side_ * side_ * lanes_);
  cubes_.resize(size);
  odd_.resize(size);
  const auto columns = static_cast<std::size_t>(high_x - low_x + 1 + kMarginLow + margin_high);
  for (std::int32_t z = low_z - kMarginLow; z <= high_z + margin_high; ++z) {
    const std::size_t lane = first_lane(low_x - kMarginLow, z);
    std::fill_n(cubes_.begin() + static_cast<std::ptrdiff_t>(lane), columns * static_cast<std::size_t>(lanes_),
                std::uint16_t{0});
    std::fill_n(odd_.begin() + static_cast<std::ptrdiff_t>(lane), columns * static_cast<std::size_t>(lanes_),
                std::uint16_t{0});
  }
  any_odd_ = false;
  const std::int32_t sections = heights.height / 16;
  for (std::int32_t cz = -1; cz <= 1; ++cz) {
    for (std::int32_t cx = -1; cx <= 1; ++cx) {
      const world::Chunk* const chunk = chunks[static_cast<std::size_t>((cx + 1) + 3 * (cz + 1))].get();
      if (chunk == nullptr) continue;
      const std::int32_t x0 = std::max(low_x - kMarginLow, cx * 16);
      const std::int32_t x1 = std::min(high_x + margin_high, cx * 16 + 15);
      const std::int32_t z0 = std::max(low_z - kMarginLow, cz * 16);
      const std::int32_t z1 = std::min(high_z + margin_high, cz * 16 + 15);
      for (std::int32_t s = 0; s < sections; ++s) {
        const world::Section* const section = chunk->section(world::floor_div16(heights.min_y) + s);
        if (section != nullptr) take(*section, s, x0, x1, z0, z1);
      }
    }
  }
}

void BlockColumns::take(const world::Section& section, std::int32_t s, std::int32_t x0, std::int32_t x1,
                        std::int32_t z0, std::int32_t z1) {
  // Of a uniform section, nearly all of them, there are no words to be read, and of air none to be written.
  const std::span<const std::uint16_t> words = section.columns();
  const world::Section::Column all = words.empty() ? section.uniform_column() : world::Section::Column{};
  if (words.empty() && all.cubes == 0 && all.odd == 0) return;
  const std::uint16_t* const cubes = words.empty() ? nullptr : words.data();
  const std::uint16_t* const odd = words.size() > 256 ? words.data() + 256 : nullptr;
  std::uint32_t met = all.odd;
  const auto step = static_cast<std::size_t>(lanes_);
  for (std::int32_t z = z0; z <= z1; ++z) {
    std::size_t lane = first_lane(x0, z) + 1 + static_cast<std::size_t>(s);
    for (std::int32_t x = x0; x <= x1; ++x, lane += step) {
      const auto column = static_cast<std::size_t>((z & 15) << 4 | (x & 15));
      cubes_[lane] = cubes != nullptr ? cubes[column] : all.cubes;
      if (odd != nullptr) met |= odd_[lane] = odd[column];
      if (all.odd != 0) odd_[lane] = all.odd;
    }
  }
  any_odd_ = any_odd_ || met != 0;
}

}  // namespace voxpath::pathfinding
