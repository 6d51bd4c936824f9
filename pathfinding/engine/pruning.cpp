#include "pathfinding/engine/pruning.hpp"

#include "pathfinding/engine/nav_chunk.hpp"

namespace voxpath::pathfinding {

namespace {

constexpr std::uint8_t direction(std::int32_t dx, std::int32_t dz) {
  std::uint8_t d = 0;
  while (kStepX[d] != dx || kStepZ[d] != dz) ++d;
  return d;
}
constexpr std::uint8_t bit(std::int32_t dx, std::int32_t dz) {
  return static_cast<std::uint8_t>(1u << direction(dx, dz));
}

constexpr Pruning diagonal_first() {
  Pruning p;
  for (std::size_t d = 0; d < 8; ++d) {
    const std::int32_t dx = kStepX[d];
    const std::int32_t dz = kStepZ[d];
    auto& deciding = p.deciding[d];
    auto& pruned = p.pruned[d + 1];
    const auto prune = [&pruned](unsigned bits, unsigned directions) {
      for (unsigned b = 0; b < 4; ++b) {
        if ((b & bits) == bits) pruned[b] = static_cast<std::uint8_t>(pruned[b] | directions);
      }
    };
    prune(0, bit(-dx, -dz));
    if (dx != 0 && dz != 0) {
      deciding = {direction(dx, 0), direction(0, dz)};
      prune(1, bit(0, -dz) | bit(dx, -dz));
      prune(2, bit(-dx, 0) | bit(-dx, dz));
      continue;
    }
    // To either side: the parent's own neighbour, and where the parent gets to diagonally.
    const std::int32_t sx = dx == 0 ? 1 : 0;
    const std::int32_t sz = dz == 0 ? 1 : 0;
    deciding = {direction(dx + sx, dz + sz), direction(dx - sx, dz - sz)};
    prune(0, bit(sx - dx, sz - dz) | bit(-sx - dx, -sz - dz));
    prune(1, bit(sx, sz) | bit(dx + sx, dz + sz));
    prune(2, bit(-sx, -sz) | bit(dx - sx, dz - sz));
  }
  return p;
}

constexpr Pruning along_z_first() {
  Pruning p;
  for (std::size_t d = 0; d < 4; ++d) {
    p.deciding[d] = {direction(0, 1), direction(0, -1)};
    for (unsigned b = 0; b < 4; ++b) {
      unsigned directions = bit(-kStepX[d], -kStepZ[d]);
      if (kStepZ[d] == 0) directions |= ((b & 1) != 0 ? bit(0, 1) : 0u) | ((b & 2) != 0 ? bit(0, -1) : 0u);
      p.pruned[d + 1][b] = static_cast<std::uint8_t>(directions);
    }
  }
  return p;
}

}  // namespace

constinit const Pruning kNoPruning{};
constinit const Pruning kDiagonalFirst = diagonal_first();
constinit const Pruning kAlongZFirst = along_z_first();

}  // namespace voxpath::pathfinding
