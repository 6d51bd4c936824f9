#include "world/queries.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace voxpath::world {

Solidity solidity(const Snapshot& snapshot, BlockPos pos) {
  const PaletteEntry* entry = snapshot.block(pos);
  if (entry == nullptr) return Solidity::missing;
  return entry->traits.has_extent() ? Solidity::solid : Solidity::air;
}

std::optional<Traits> traits_at(const Snapshot& snapshot, BlockPos pos) {
  const PaletteEntry* entry = snapshot.block(pos);
  if (entry == nullptr) return std::nullopt;
  return entry->traits;
}

std::vector<const PaletteEntry*> blocks_at(const Snapshot& snapshot, std::span<const BlockPos> positions) {
  std::vector<const PaletteEntry*> result;
  result.reserve(positions.size());
  for (const BlockPos p : positions) result.push_back(snapshot.block(p));
  return result;
}

Result<std::vector<const PaletteEntry*>> blocks_in(const Snapshot& snapshot, const Box& box) {
  if (!box.valid()) {
    return Error{ErrorCode::invalid_argument,
                 fmt::format("box ({}, {}, {}) to ({}, {}, {}): the first corner is beyond the second", box.min.x,
                             box.min.y, box.min.z, box.max.x, box.max.y, box.max.z)};
  }
  // Side by side, so that three huge sides cannot overflow the product.
  const std::int64_t sides[] = {std::int64_t{box.max.x} - box.min.x + 1, std::int64_t{box.max.y} - box.min.y + 1,
                                std::int64_t{box.max.z} - box.min.z + 1};
  std::int64_t volume = 1;
  for (const std::int64_t side : sides) {
    volume = std::min(volume, kQueryVolumeMax + 1) * std::min(side, kQueryVolumeMax + 1);
  }
  if (volume > kQueryVolumeMax) {
    return Error{ErrorCode::out_of_range, fmt::format("box of {} x {} x {} blocks: at most {} blocks are allowed",
                                                      sides[0], sides[1], sides[2], kQueryVolumeMax)};
  }
  std::vector<const PaletteEntry*> result;
  result.reserve(static_cast<std::size_t>(volume));
  for (int y = box.min.y; y <= box.max.y; ++y) {
    for (int z = box.min.z; z <= box.max.z; ++z) {
      for (int x = box.min.x; x <= box.max.x; ++x) result.push_back(snapshot.block({x, y, z}));
    }
  }
  return result;
}

namespace {

/// One axis of the voxel walk: the ray's parameter at the next cell border, and how much of it a cell takes.
struct Axis {
  int step = 0;
  double next = std::numeric_limits<double>::infinity();
  double delta = std::numeric_limits<double>::infinity();

  Axis(double from, double to, std::int32_t cell) {
    const double d = to - from;
    if (d > 0) {
      step = 1;
      next = (cell + 1 - from) / d;
      delta = 1 / d;
    } else if (d < 0) {
      step = -1;
      next = (cell - from) / d;
      delta = -1 / d;
    }
  }
};

/// Whether the ray between parameters t0 and t1 passes through the height range of the extent in a cell at height y.
bool crosses(const Traits& traits, int y, const Vec3& from, const Vec3& to, double t0, double t1) {
  const double a = from.y + (to.y - from.y) * t0;
  const double b = from.y + (to.y - from.y) * t1;
  const double bottom = y + traits.bottom / double{kPixelsPerBlock};
  const double top = y + traits.top / double{kPixelsPerBlock};
  return std::max(a, b) > bottom && std::min(a, b) < top;
}

}  // namespace

Result<SightResult> line_of_sight(const Snapshot& snapshot, const Vec3& from, const Vec3& to) {
  for (const auto& [name, p] : {std::pair{"from", from}, std::pair{"to", to}}) {
    if (!is_place(p)) {
      return Error{ErrorCode::invalid_argument,
                   fmt::format("{} = ({}, {}, {}): every axis must be finite and within {}", name, p.x, p.y, p.z,
                               kCoordinateMax)};
    }
  }
  const double distance = std::hypot(to.x - from.x, to.y - from.y, to.z - from.z);
  if (distance > kSightDistanceMax) {
    return Error{ErrorCode::out_of_range,
                 fmt::format("distance = {}: at most {} blocks are allowed", distance, kSightDistanceMax)};
  }
  BlockPos cell = cell_of(from);
  const BlockPos last = cell_of(to);
  Axis x(from.x, to.x, cell.x);
  Axis y(from.y, to.y, cell.y);
  Axis z(from.z, to.z, cell.z);
  double t = 0;
  for (;;) {
    const double leave = std::min({x.next, y.next, z.next, 1.0});
    // The cell below is looked at too: fences and walls stand up to half a block into the cell above theirs.
    for (const int cy : {cell.y, cell.y - 1}) {
      const PaletteEntry* entry = snapshot.block({cell.x, cy, cell.z});
      if (entry == nullptr) return SightResult{Sight::missing, cell};
      if (entry->traits.has_extent() && crosses(entry->traits, cy, from, to, t, leave)) {
        return SightResult{Sight::blocked, {cell.x, cy, cell.z}};
      }
    }
    if (cell == last || leave >= 1.0) return SightResult{Sight::clear, last};
    t = leave;
    if (x.next <= y.next && x.next <= z.next) {
      cell.x += x.step;
      x.next += x.delta;
    } else if (y.next <= z.next) {
      cell.y += y.step;
      y.next += y.delta;
    } else {
      cell.z += z.step;
      z.next += z.delta;
    }
  }
}

std::optional<Surface> surface_below(const Snapshot& snapshot, const Vec3& from) {
  const BlockPos cell = cell_of(from);
  const Chunk* chunk = snapshot.chunk(chunk_of(cell));
  if (chunk == nullptr) return Surface{.missing = true, .floor_px = 0, .block = {}};
  const Heights heights = snapshot.heights();
  const double limit_px = from.y * kPixelsPerBlock;
  int y = std::min(cell.y, heights.max_y());
  while (y >= heights.min_y) {
    if (chunk->section(floor_div16(y)) == nullptr) {
      y = floor_div16(y) * kSectionSize - 1;
      continue;
    }
    const Traits& traits = chunk->at(cell.x, y, cell.z).traits;
    const int top = y * kPixelsPerBlock + traits.top;
    if (traits.has_extent() && top <= limit_px)
      return Surface{.missing = false, .floor_px = top, .block = {cell.x, y, cell.z}};
    --y;
  }
  return std::nullopt;
}

}  // namespace voxpath::world
