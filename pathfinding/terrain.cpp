#include "pathfinding/terrain.hpp"

#include <algorithm>
#include <cmath>

namespace voxpath::pathfinding {

using world::Door;
using world::floor_div16;
using world::Fluid;
using world::mod16;
using world::Section;
using world::StairFacing;
using world::Traits;

/// What the cells of a body at some floor, and the blocks that carry it, add up to.
struct Terrain::Body {
  bool water = false;
  bool dry = false;  // some cell holds no water
  bool hurts = false;
  bool opens = false;
  bool doorway = false;
  bool slow = false;
  bool on_door = false;
  bool supported = false;
  bool all_stairs = true;
  StairFacing stair = StairFacing::none;
};

Terrain::Terrain() = default;
Terrain::~Terrain() = default;

void Terrain::reset(const world::Snapshot& snapshot, const Agent& agent) {
  snapshot_ = &snapshot;
  agent_ = agent;
  footprint_ = agent.footprint();
  unknown_blocks_ = 0;
  nodes_.clear();
  pages_used_ = 0;
  page_of_.clear();
  recent_.fill(nullptr);
}

Terrain::Page& Terrain::find_page(std::int32_t x, std::int32_t y, std::int32_t z) {
  const std::uint64_t key = page_key(x, y, z);
  Page*& slot = page_of_[key];
  if (slot == nullptr) {
    // Not make_unique: that would clear the cells, which are cleared when they are first needed.
    if (pages_used_ == pages_.size()) pages_.push_back(std::unique_ptr<Page>(new Page));
    slot = pages_[pages_used_++].get();
    const world::Chunk* chunk = snapshot_->chunk({x, z});
    slot->key = key;
    slot->missing = chunk == nullptr;
    slot->section = chunk ? chunk->section(y) : nullptr;
    slot->cleared = 0;
  }
  recent_[(static_cast<std::uint32_t>(x) & 7u) | (static_cast<std::uint32_t>(z) & 7u) << 3 |
          (static_cast<std::uint32_t>(y) & 7u) << 6] = slot;
  return *slot;
}

std::optional<world::ChunkPos> Terrain::missing_across_border(std::int32_t x, std::int32_t y, std::int32_t z) {
  for (std::int32_t cx = floor_div16(x); cx <= floor_div16(x + footprint_ - 1); ++cx) {
    for (std::int32_t cz = floor_div16(z); cz <= floor_div16(z + footprint_ - 1); ++cz) {
      if (page(cx, floor_div16(y), cz).missing) return world::ChunkPos{cx, cz};
    }
  }
  return std::nullopt;
}

bool Terrain::blocked(std::int32_t x, std::int32_t z, std::int32_t low_px, std::int32_t high_px) {
  // An extent reaches at most 8 px into the cell above its own.
  const std::int32_t from = floor_div16(low_px) - (mod16(low_px) < 8 ? 1 : 0);
  const std::int32_t to = floor_div16(high_px - 1);
  for (std::int32_t dx = 0; dx < footprint_; ++dx) {
    for (std::int32_t dz = 0; dz < footprint_; ++dz) {
      for (std::int32_t y = from; y <= to; ++y) {
        const Span e = extent(traits(x + dx, y, z + dz), y);
        if (e.any() && e.low < high_px && e.high > low_px) return true;
      }
    }
  }
  return false;
}

bool Terrain::bars_diagonal(std::int32_t x, std::int32_t z, std::int32_t low_px, std::int32_t high_px) {
  for (std::int32_t dx = 0; dx < footprint_; ++dx) {
    for (std::int32_t dz = 0; dz < footprint_; ++dz) {
      for (std::int32_t y = floor_div16(low_px); y <= floor_div16(high_px - 1); ++y) {
        const Traits& t = traits(x + dx, y, z + dz);
        if (t.door != Door::none || agent_.hurt_by(t.hazard)) return true;
      }
    }
  }
  return false;
}

bool Terrain::inside_extent(std::int32_t x, std::int32_t z, double height_px) {
  const auto y = static_cast<std::int32_t>(std::floor(height_px / 16));
  for (std::int32_t dx = 0; dx < footprint_; ++dx) {
    for (std::int32_t dz = 0; dz < footprint_; ++dz) {
      for (const std::int32_t cy : {y, y - 1}) {
        const Span e = extent(traits(x + dx, cy, z + dz), cy);
        if (e.any() && e.low <= height_px && height_px < e.high) return true;
      }
    }
  }
  return false;
}

Terrain::Cell Terrain::remember(Page& page, std::int32_t x, std::int32_t y, std::int32_t z) {
  const Cell fresh = work_out(x, y, z);
  page.cells[static_cast<std::size_t>(Section::index(x, y, z))] =
      fresh.node == kNoNode ? fresh.bottom + 1u : fresh.node + kFirstNode;
  return fresh;
}

Terrain::Cell Terrain::work_out(std::int32_t x, std::int32_t y, std::int32_t z) {
  if (missing(x, y, z)) return {};
  const std::uint8_t bottom = survey(x, y, z);
  std::optional<Node> node;
  if (agent_.mode == Mode::walk) {
    node = standing(x, y, z);
    if (!node && agent_.water == WaterMode::float_) node = swimming(x, y, z);
    if (!node && agent_.climb) node = climbing(x, y, z);
  } else {
    node = afloat(x, y, z);
  }
  if (!node) return {kNoNode, bottom};
  node->cell_bottom = bottom;
  nodes_.push_back(*node);
  return {static_cast<NodeId>(nodes_.size() - 1), bottom};
}

/// The lowest bottom of the cell's extents; counts unknown blocks on the way.
std::uint8_t Terrain::survey(std::int32_t x, std::int32_t y, std::int32_t z) {
  std::uint8_t lowest = kNoExtent;
  for (std::int32_t dx = 0; dx < footprint_; ++dx) {
    for (std::int32_t dz = 0; dz < footprint_; ++dz) {
      const Traits& t = traits(x + dx, y, z + dz);
      const Span e = extent(t, y);
      if (e.any()) lowest = std::min(lowest, static_cast<std::uint8_t>(e.low - y * 16));
      // Footprints overlap: only the corner's block is counted, so that none is counted twice.
      if (t.unknown && dx == 0 && dz == 0) ++unknown_blocks_;
    }
  }
  return lowest;
}

/// The surfaces of the footprint's columns in the cell at height y, highest first, each height once. One a column: of
/// two in one cell the higher counts.
int Terrain::floors(std::int32_t x, std::int32_t y, std::int32_t z, std::array<std::int32_t, 64>& found) {
  int count = 0;
  for (std::int32_t dx = 0; dx < footprint_; ++dx) {
    for (std::int32_t dz = 0; dz < footprint_; ++dz) {
      const Span own = extent(traits(x + dx, y, z + dz), y);
      const Span below = extent(traits(x + dx, y - 1, z + dz), y - 1);
      std::int32_t surface = -1;
      bool any = false;
      if (own.any() && own.high < (y + 1) * 16 && !(below.any() && below.low <= own.high && own.high < below.high)) {
        surface = own.high;
        any = true;
      }
      if (below.any() && below.high >= y * 16 && !(own.any() && own.low <= below.high && below.high < own.high) &&
          (!any || below.high > surface)) {
        surface = below.high;
        any = true;
      }
      if (any) found[static_cast<std::size_t>(count++)] = surface;
    }
  }
  const auto begin = found.begin();
  std::sort(begin, begin + count, std::greater<>());
  return static_cast<int>(std::unique(begin, begin + count) - begin);
}

/// Reads the cells that the body (floor, floor + height) touches. Returns false when an extent is in its way.
bool Terrain::read_body(std::int32_t x, std::int32_t z, std::int32_t floor_px, Body& body) {
  const std::int32_t high_px = floor_px + agent_.height_px;
  if (blocked(x, z, floor_px, high_px)) return false;
  const std::int32_t to = floor_div16(high_px - 1);
  for (std::int32_t dx = 0; dx < footprint_; ++dx) {
    for (std::int32_t dz = 0; dz < footprint_; ++dz) {
      for (std::int32_t y = floor_div16(floor_px); y <= to; ++y) {
        const Traits& t = traits(x + dx, y, z + dz);
        body.water = body.water || t.fluid == Fluid::water;
        body.dry = body.dry || t.fluid != Fluid::water;
        body.hurts = body.hurts || (hurts_inside(t.hazard) && agent_.hurt_by(t.hazard));
        body.slow = body.slow || t.slow;
        if (t.door == Door::none) continue;
        body.doorway = true;
        if (!t.open && t.has_extent() && !extent(t, y).any()) body.opens = true;
      }
    }
  }
  return true;
}

/// Reads the blocks whose top is the floor.
void Terrain::read_supports(std::int32_t x, std::int32_t z, std::int32_t floor_px, Body& body) {
  const std::int32_t y = floor_div16(floor_px);
  for (std::int32_t dx = 0; dx < footprint_; ++dx) {
    for (std::int32_t dz = 0; dz < footprint_; ++dz) {
      for (const std::int32_t cy : {y, y - 1}) {
        const Traits& t = traits(x + dx, cy, z + dz);
        const Span e = extent(t, cy);
        if (!e.any() || e.high != floor_px) continue;
        body.hurts = body.hurts || (hurts_on_top(t.hazard) && agent_.hurt_by(t.hazard));
        body.slow = body.slow || t.slow;
        body.on_door = body.on_door || t.door != Door::none;
        if (t.stair == StairFacing::none || (body.supported && t.stair != body.stair)) body.all_stairs = false;
        body.stair = t.stair;
        body.supported = true;
      }
    }
  }
  if (!body.supported || !body.all_stairs) body.stair = StairFacing::none;
}

bool Terrain::overhang_is_safe(std::int32_t x, std::int32_t z, std::int32_t floor_px) {
  if (footprint_ == 1) return true;
  for (std::int32_t dx = 0; dx < footprint_; ++dx) {
    for (std::int32_t dz = 0; dz < footprint_; ++dz) {
      if (!is_safe_below(x + dx, z + dz, floor_px)) return false;
    }
  }
  return true;
}

/// Whether the column has a surface, or water for one that floats, at or below the floor and no deeper than max_drop
/// under it.
bool Terrain::is_safe_below(std::int32_t x, std::int32_t z, std::int32_t floor_px) {
  const std::int32_t least_px = floor_px - agent_.max_drop_px;
  const std::int32_t to = std::max(floor_div16(least_px) - 2, snapshot_->heights().min_y - 1);
  for (std::int32_t y = floor_div16(floor_px); y >= to; --y) {
    const Traits& t = traits(x, y, z);
    const Span e = extent(t, y);
    if (agent_.water == WaterMode::float_ && t.fluid == Fluid::water && y * 16 + 16 >= least_px) return true;
    if (!e.any() || e.high > floor_px) continue;
    // A fence in the cell below may stand higher than this cell's own block.
    const Span below = extent(traits(x, y - 1, z), y - 1);
    return std::max(e.high, below.any() && below.high <= floor_px ? below.high : e.high) >= least_px;
  }
  return false;
}

/// Whether more than 8 px of water stand over the floor, in the deepest column of the footprint (agents that float).
bool Terrain::too_deep(std::int32_t x, std::int32_t z, std::int32_t floor_px) {
  constexpr std::int32_t kWadePx = 8;
  const std::int32_t own = floor_div16(floor_px);
  for (std::int32_t dx = 0; dx < footprint_; ++dx) {
    for (std::int32_t dz = 0; dz < footprint_; ++dz) {
      std::int32_t y = own;
      if (traits(x + dx, y, z + dz).fluid != Fluid::water) {
        if (mod16(floor_px) == 0) continue;
        ++y;
      }
      for (; traits(x + dx, y, z + dz).fluid == Fluid::water; ++y) {
        if ((y + 1) * 16 - floor_px > kWadePx) return true;
      }
    }
  }
  return false;
}

std::optional<Node> Terrain::standing(std::int32_t x, std::int32_t y, std::int32_t z) {
  std::array<std::int32_t, 64> found;
  const int count = floors(x, y, z, found);
  for (int i = 0; i < count; ++i) {
    const std::int32_t floor_px = found[static_cast<std::size_t>(i)];
    Body body;
    if (!read_body(x, z, floor_px, body)) continue;
    if (!overhang_is_safe(x, z, floor_px)) continue;
    if (agent_.water == WaterMode::float_ && too_deep(x, z, floor_px)) continue;
    if (auto node = finish(x, y, z, NodeKind::standing, floor_px, body)) return node;
  }
  return std::nullopt;
}

std::optional<Node> Terrain::swimming(std::int32_t x, std::int32_t y, std::int32_t z) {
  bool surface = false;
  for (std::int32_t dx = 0; dx < footprint_ && !surface; ++dx) {
    for (std::int32_t dz = 0; dz < footprint_ && !surface; ++dz) {
      surface = traits(x + dx, y, z + dz).fluid == Fluid::water && traits(x + dx, y + 1, z + dz).fluid != Fluid::water;
    }
  }
  if (!surface) return std::nullopt;
  Body body;
  const std::int32_t floor_px = y * 16 + 8;
  if (!read_body(x, z, floor_px, body)) return std::nullopt;
  return finish(x, y, z, NodeKind::swim, floor_px, body);
}

std::optional<Node> Terrain::climbing(std::int32_t x, std::int32_t y, std::int32_t z) {
  if (!traits(x, y, z).climbable) return std::nullopt;
  Body body;
  if (!read_body(x, z, y * 16, body)) return std::nullopt;
  return finish(x, y, z, NodeKind::climb, y * 16, body);
}

/// Flyers and swimmers: the body hangs in the cell, at its base.
std::optional<Node> Terrain::afloat(std::int32_t x, std::int32_t y, std::int32_t z) {
  if (!snapshot_->heights().contains(y)) return std::nullopt;
  Body body;
  if (!read_body(x, z, y * 16, body)) return std::nullopt;
  if (agent_.mode == Mode::swim) {
    if (body.dry) return std::nullopt;
    return finish(x, y, z, NodeKind::swim, y * 16, body);
  }
  return finish(x, y, z, NodeKind::fly, y * 16, body);
}

/// What holds for every kind of node: forbidden bodies, and the price of entering.
std::optional<Node> Terrain::finish(std::int32_t x, std::int32_t y, std::int32_t z, NodeKind kind,
                                    std::int32_t floor_px, Body& body) {
  const bool walks = agent_.mode == Mode::walk;
  if (walks) read_supports(x, z, floor_px, body);
  const bool avoids = agent_.water == WaterMode::avoid && agent_.mode != Mode::swim;
  if (body.hurts || (avoids && body.water)) return std::nullopt;
  const bool wet =
      walks ? kind == NodeKind::swim : kind == NodeKind::fly && body.water && agent_.water == WaterMode::float_;
  std::int32_t price = 0;
  const auto charge = [&price](bool applies, std::int32_t field) {
    if (!applies || price == kForbidden) return;
    price = field == kForbidden ? kForbidden : price + field;
  };
  charge(wet, agent_.cost_water);
  charge(agent_.cost_near_hazard != 0 && near_hazard(x, y, z), agent_.cost_near_hazard);
  charge(body.slow, agent_.cost_slow);
  charge(body.opens, agent_.cost_open);

  Node node;
  node.cell = {x, y, z};
  node.floor_px = floor_px;
  node.enter_price = price;
  node.kind = kind;
  node.stair = body.stair;
  node.opens = body.opens;
  node.in_doorway = body.doorway;
  node.on_door = body.on_door;
  node.in_climbable = agent_.climb && traits(x, y, z).climbable;
  return node;
}

/// A hazard in the ring of cells around the footprint, at feet level or one below.
bool Terrain::near_hazard(std::int32_t x, std::int32_t y, std::int32_t z) {
  // A section whose palette holds no hazard needs no look at its blocks: the usual case.
  bool any = false;
  for (std::int32_t sx = floor_div16(x - 1); sx <= floor_div16(x + footprint_); ++sx) {
    for (std::int32_t sz = floor_div16(z - 1); sz <= floor_div16(z + footprint_); ++sz) {
      for (std::int32_t sy = floor_div16(y - 1); sy <= floor_div16(y); ++sy) {
        const Page& p = page(sx, sy, sz);
        any = any || (p.section != nullptr && p.section->may_hurt());
      }
    }
  }
  if (!any) return false;
  for (std::int32_t dx = -1; dx <= footprint_; ++dx) {
    for (std::int32_t dz = -1; dz <= footprint_; ++dz) {
      const bool inside = dx >= 0 && dx < footprint_ && dz >= 0 && dz < footprint_;
      if (inside) continue;
      if (agent_.hurt_by(traits(x + dx, y, z + dz).hazard) || agent_.hurt_by(traits(x + dx, y - 1, z + dz).hazard))
        return true;
    }
  }
  return false;
}

std::size_t Terrain::memory_bytes() const {
  return nodes_.capacity() * sizeof(Node) + pages_.size() * sizeof(Page) + page_of_.bucket_count() * 17;
}

}  // namespace voxpath::pathfinding
