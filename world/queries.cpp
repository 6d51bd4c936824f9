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
    return Error{
        ErrorCode::invalid_argument,
        fmt::format("box ({}, {}, {}) to ({}, {}, {}): the first corner must not exceed the second on any axis",
                    box.min.x, box.min.y, box.min.z, box.max.x, box.max.y, box.max.z)};
  }
  if (box.exceeds(kQueryVolumeMax)) {
    return Error{ErrorCode::out_of_range,
                 fmt::format("box ({}, {}, {}) to ({}, {}, {}): more than the {} blocks that are allowed", box.min.x,
                             box.min.y, box.min.z, box.max.x, box.max.y, box.max.z, kQueryVolumeMax)};
  }
  std::vector<const PaletteEntry*> result;
  result.reserve(static_cast<std::size_t>(box.volume()));
  // 64 bits wide: a box may end at the last number that a coordinate can have.
  for (std::int64_t y = box.min.y; y <= box.max.y; ++y) {
    for (std::int64_t z = box.min.z; z <= box.max.z; ++z) {
      for (std::int64_t x = box.min.x; x <= box.max.x; ++x) {
        result.push_back(snapshot.block({static_cast<int>(x), static_cast<int>(y), static_cast<int>(z)}));
      }
    }
  }
  return result;
}

namespace {

/// One axis of the voxel walk: the cell, and the ray's parameter where it leaves the cell along this axis. The
/// parameter is computed anew from each border, not added up, so that a ray through an edge reaches both borders at the
/// very same parameter.
struct Axis {
  double from;
  double d;
  std::int32_t cell;
  double leave = std::numeric_limits<double>::infinity();

  Axis(double start, double end, std::int32_t first) : from(start), d(end - start), cell(first) { look_ahead(); }
  void step() {
    cell += d > 0 ? 1 : -1;
    look_ahead();
  }
  void look_ahead() {
    if (d != 0) leave = ((d > 0 ? cell + 1 : cell) - from) / d;
  }
};

/// Whether the ray between parameters t0 < t1 passes through the height range of the extent in a cell at height y. A
/// level ray on a border belongs to the upper side, as cells do: at y = 64.0 it meets a wall that stands on the floor,
/// not the floor. A sloping ray that only touches an extent passes.
bool crosses(const Traits& traits, int y, const Vec3& from, const Vec3& to, double t0, double t1) {
  const double bottom = y + traits.bottom / double{kPixelsPerBlock};
  const double top = y + traits.top / double{kPixelsPerBlock};
  if (from.y == to.y) return from.y >= bottom && from.y < top;
  const double a = from.y + (to.y - from.y) * t0;
  const double b = from.y + (to.y - from.y) * t1;
  return std::max(a, b) > bottom && std::min(a, b) < top;
}

/// What the ray meets on its way through one cell, between parameters t0 and t1. nullopt: nothing.
std::optional<SightResult> meets(const Snapshot& snapshot, BlockPos cell, const Vec3& from, const Vec3& to, double t0,
                                 double t1) {
  // Nothing is met on no way at all: through an edge or a corner, the ray is in the cells before and after it only.
  if (t0 >= t1) return std::nullopt;
  // The cell below is looked at too: fences and walls stand up to half a block into the cell above theirs.
  for (const int y : {cell.y, cell.y - 1}) {
    const PaletteEntry* entry = snapshot.block({cell.x, y, cell.z});
    if (entry == nullptr) return SightResult{Sight::missing, cell};
    if (entry->traits.has_extent() && crosses(entry->traits, y, from, to, t0, t1)) {
      return SightResult{Sight::blocked, {cell.x, y, cell.z}};
    }
  }
  return std::nullopt;
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
  const BlockPos first = cell_of(from);
  const BlockPos last = cell_of(to);
  Axis x(from.x, to.x, first.x);
  Axis y(from.y, to.y, first.y);
  Axis z(from.z, to.z, first.z);
  double t = 0;
  for (;;) {
    const BlockPos cell{x.cell, y.cell, z.cell};
    const double leave = std::min({x.leave, y.leave, z.leave, 1.0});
    if (auto met = meets(snapshot, cell, from, to, t, leave)) return *met;
    if (cell == last || leave >= 1.0) return SightResult{Sight::clear, last};
    t = leave;
    Axis& next = x.leave <= y.leave && x.leave <= z.leave ? x : y.leave <= z.leave ? y : z;
    next.step();
  }
}

namespace {

/// Whether an extent of the column covers the space just above height `top_px`. Only two cells can reach there.
bool covered(const Chunk& chunk, int x, int z, int top_px) {
  const int cell = floor_div16(top_px);
  for (const int y : {cell, cell - 1}) {
    const Traits& traits = chunk.at(x, y, z).traits;
    const int base = y * kPixelsPerBlock;
    if (traits.has_extent() && base + traits.bottom <= top_px && top_px < base + traits.top) return true;
  }
  return false;
}

}  // namespace

std::optional<Surface> surface_below(const Snapshot& snapshot, const Vec3& from) {
  if (!is_place(from)) return Surface{.missing = true, .floor_px = 0, .block = {}};
  const BlockPos cell = cell_of(from);
  const Chunk* chunk = snapshot.chunk(chunk_of(cell));
  if (chunk == nullptr) return Surface{.missing = true, .floor_px = 0, .block = {}};
  const Heights heights = snapshot.heights();
  const double limit_px = from.y * kPixelsPerBlock;
  std::optional<Surface> best;
  for (int y = std::min(cell.y, heights.max_y()); y >= heights.min_y; --y) {
    if (chunk->section(floor_div16(y)) == nullptr) {
      y = floor_div16(y) * kSectionSize;  // all air: on to the section below
    } else if (const Traits& traits = chunk->at(cell.x, y, cell.z).traits; traits.has_extent()) {
      const int top_px = y * kPixelsPerBlock + traits.top;
      const bool higher = !best || top_px > best->floor_px;
      if (higher && top_px <= limit_px && !covered(*chunk, cell.x, cell.z, top_px)) {
        best = Surface{.missing = false, .floor_px = top_px, .block = {cell.x, y, cell.z}};
      }
    }
    // A fence under a thin block can be higher than it, so one cell more is looked at than the first that has a
    // surface.
    if (best && best->block.y > y) break;
  }
  return best;
}

}  // namespace voxpath::world
