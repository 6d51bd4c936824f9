#include "tests/judge/ground.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace voxpath::judge {
namespace {

using world::Door;
using world::floor_div16;
using world::Fluid;
using world::kPixelsPerBlock;
using world::mod16;
using world::Traits;

constexpr int kSwimDepth = 8;       // px: a swim node's floor above its cell's base, and the deepest water to stand in
constexpr int kClosedGateTop = 24;  // px
constexpr int kClosedDoorTop = 16;  // px

std::uint64_t key(int x, int z) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(x)) << 32 | static_cast<std::uint32_t>(z);
}

bool intersects(const Extent& extent, int low, int high) { return extent.bottom < high && extent.top > low; }

}  // namespace

Ground::Ground(const JudgeWorld& world, const JudgeAgent& agent)
    : world_(world), agent_(agent), n_(agent.footprint()) {}

const Ground::Column& Ground::column(int x, int z) {
  if (last_column_ != nullptr && last_key_ == key(x, z)) return *last_column_;
  const auto [place, is_new] = columns_.try_emplace(key(x, z));
  if (is_new) look_at(place->second, x, z);
  last_key_ = key(x, z);
  last_column_ = &place->second;
  return place->second;
}

void Ground::look_at(Column& column, int x, int z) {
  column.known = world_.block(x, world_.min_y(), z).has_value();
  if (!column.known) return;
  int used = 0;
  column.cells.resize(static_cast<std::size_t>(world_.height()));
  for (int i = 0; i < world_.height(); ++i) {
    const Traits traits = world_.block(x, world_.min_y() + i, z).value_or(world::air_traits());
    column.cells[static_cast<std::size_t>(i)] = traits;
    if (traits != world::air_traits()) used = i + 1;
  }
  column.cells.resize(static_cast<std::size_t>(used));
  find_surfaces(column, x, z);
}

// "In a column, an extent's top T is a surface when nothing in the column covers the space just above it. If two fall in one cell the
// higher counts."
void Ground::find_surfaces(Column& column, int x, int z) {
  const int end = world_.min_y() + static_cast<int>(column.cells.size());
  std::map<int, int> highest_in_cell;
  for (int y = world_.min_y(); y < end; ++y) {
    const std::optional<Extent> own = extent(x, y, z);
    if (!own) continue;
    bool covered = false;
    for (int other = y - 2; other <= y + 2; ++other) {
      const std::optional<Extent> e = extent(x, other, z);
      covered = covered || (e && intersects(*e, own->top, own->top + 1));
    }
    if (covered) continue;
    int& highest = highest_in_cell.try_emplace(floor_div16(own->top), own->top).first->second;
    highest = std::max(highest, own->top);
  }
  for (const auto& [y, top] : highest_in_cell) column.surfaces.push_back(top);
}

bool Ground::footprint_known(int x, int z) {
  for (int i = 0; i < n_; ++i) {
    for (int k = 0; k < n_; ++k) {
      if (!column(x + i, z + k).known) return false;
    }
  }
  return true;
}

Traits Ground::cell(int x, int y, int z) {
  const Column& c = column(x, z);
  const int i = y - world_.min_y();
  if (i < 0 || i >= static_cast<int>(c.cells.size())) return world::air_traits();
  return c.cells[static_cast<std::size_t>(i)];
}

std::optional<Extent> Ground::own_extent(int x, int y, int z) {
  const Traits t = cell(x, y, z);
  const int base = y * kPixelsPerBlock;
  if (t.climbable) return std::nullopt;
  if (t.door != Door::none && t.open) return std::nullopt;
  if (t.door == Door::gate) return Extent{base, base + kClosedGateTop};
  if (t.door != Door::none) return Extent{base, base + kClosedDoorTop};
  if (!t.has_extent()) return std::nullopt;
  return Extent{base + t.bottom, base + t.top};
}

std::optional<Extent> Ground::extent(int x, int y, int z) {
  const Traits t = cell(x, y, z);
  if (t.door == Door::gate && agent_.open_gates) return std::nullopt;
  if (t.door == Door::wooden && agent_.open_doors && !t.open) return std::nullopt;
  const bool is_door = t.door == Door::wooden || t.door == Door::iron;
  if (is_door && t.open && !agent_.pass_doors) {
    return Extent{y * kPixelsPerBlock, y * kPixelsPerBlock + kClosedDoorTop};
  }
  return own_extent(x, y, z);
}

bool Ground::free(int x, int z, int low, int high) {
  for (int i = 0; i < n_; ++i) {
    for (int k = 0; k < n_; ++k) {
      // An extent reaches at most 8 px out of its own cell, upwards: two cells below are enough.
      const int last = std::min(floor_div16(high), world_.min_y() + world_.height());
      for (int y = floor_div16(low) - 2; y <= last; ++y) {
        const std::optional<Extent> e = extent(x + i, y, z + k);
        if (e && intersects(*e, low, high)) return false;
      }
    }
  }
  return true;
}

bool Ground::any_cell(int x, int z, int first_y, int last_y, const std::function<bool(const Traits&)>& test) {
  for (int i = 0; i < n_; ++i) {
    for (int k = 0; k < n_; ++k) {
      for (int y = first_y; y <= last_y; ++y) {
        if (test(cell(x + i, y, z + k))) return true;
      }
    }
  }
  return false;
}

std::vector<Traits> Ground::supporting(int x, int z, int floor) {
  std::vector<Traits> blocks;
  for (int i = 0; i < n_; ++i) {
    for (int k = 0; k < n_; ++k) {
      for (int y = floor_div16(floor) - 2; y <= floor_div16(floor); ++y) {
        const std::optional<Extent> e = extent(x + i, y, z + k);
        if (e && e->top == floor) blocks.push_back(cell(x + i, y, z + k));
      }
    }
  }
  return blocks;
}

// "some footprint column has a surface at F; no extent of any footprint column intersects the open interval (F, F + h); every other
// footprint column has, at or below F, a surface no deeper than max_drop under F, or (water = float) water at that depth or less"
bool Ground::is_standing(int x, int z, int floor) {
  if (!free(x, z, floor, floor + agent_.height_px) || !is_carried(x, z, floor)) return false;
  if (agent_.water == Water::floats && stands_too_deep(x, z, floor)) return false;
  return !is_forbidden(x, z, floor);
}

bool Ground::is_carried(int x, int z, int floor) {
  bool some_surface_at_floor = false;
  for (int i = 0; i < n_; ++i) {
    for (int k = 0; k < n_; ++k) {
      bool carried = false;
      for (const int surface : column(x + i, z + k).surfaces) {
        if (surface == floor) some_surface_at_floor = true;
        if (surface <= floor && floor - surface <= agent_.max_drop_px) carried = true;
      }
      if (agent_.water == Water::floats) {
        // Water counts as full cells: that of cell y begins at its base, which must be below F, and its top is at 16 (y + 1).
        for (int y = floor_div16(floor - agent_.max_drop_px) - 1; y * kPixelsPerBlock < floor; ++y) {
          const int depth = floor - (y + 1) * kPixelsPerBlock;
          if (is_water(x + i, y, z + k) && depth <= agent_.max_drop_px) carried = true;
        }
      }
      if (!carried) return false;
    }
  }
  return some_surface_at_floor;
}

// "a floor with more than 8 px of water over it is no standing node (water counts as full cells; the run of water begins in the cell of F,
// or in the next one up where F's cell is dry and F is not its base; the deepest column of the footprint counts)"
bool Ground::stands_too_deep(int x, int z, int floor) {
  for (int i = 0; i < n_; ++i) {
    for (int k = 0; k < n_; ++k) {
      int y = floor_div16(floor);
      if (!is_water(x + i, y, z + k) && mod16(floor) != 0) ++y;
      while (is_water(x + i, y, z + k)) ++y;
      const bool any_water = is_water(x + i, y - 1, z + k) && y * kPixelsPerBlock > floor;
      if (any_water && y * kPixelsPerBlock - floor > kSwimDepth) return true;
    }
  }
  return false;
}

// "A swim node is a water cell with no water in the cell above, F = 16 y + 8, no extent of the footprint in (F, F + h); for n > 1 one such
// cell in the footprint is enough, and nothing is asked of what is under the others."
bool Ground::is_swim(int x, int y, int z) {
  if (agent_.water != Water::floats) return false;
  bool water_surface = false;
  for (int i = 0; i < n_; ++i) {
    for (int k = 0; k < n_; ++k) {
      if (is_water(x + i, y, z + k) && !is_water(x + i, y + 1, z + k)) water_surface = true;
    }
  }
  const int floor = y * kPixelsPerBlock + kSwimDepth;
  return water_surface && free(x, z, floor, floor + agent_.height_px) && !is_forbidden(x, z, floor);
}

// "Climb node (climb = true; n = 1): a climbable cell with no extent in (16 y, 16 y + h); F = 16 y."
bool Ground::is_climb(int x, int y, int z) {
  if (!agent_.climb || n_ != 1 || !cell(x, y, z).climbable) return false;
  const int floor = y * kPixelsPerBlock;
  return free(x, z, floor, floor + agent_.height_px) && !is_forbidden(x, z, floor);
}

// "the body (F, F + h) touches lava or an in-it hazard, or a supporting block (any whose top is F) is an on-it hazard"; and under `avoid`:
// "no node has water in its body".
bool Ground::is_forbidden(int x, int z, int floor) {
  const auto harms_body = [this](const Traits& t) {
    if (agent_.water == Water::avoids && t.fluid == Fluid::water) return true;
    return agent_.is_hazard(t) && (t.fluid == Fluid::lava || world::hurts_inside(t.hazard));
  };
  if (any_cell(x, z, floor_div16(floor), last_body_cell(floor), harms_body)) return true;
  const std::vector<Traits> blocks = supporting(x, z, floor);
  return std::any_of(blocks.begin(), blocks.end(),
                     [this](const Traits& t) { return agent_.is_hazard(t) && world::hurts_on_top(t.hazard); });
}

// "a hazard in the ring of cells around its footprint, at its feet level y or at y - 1 (missing chunks count as harmless)"
bool Ground::has_hazard_around(int x, int y, int z) {
  for (int i = -1; i <= n_; ++i) {
    for (int k = -1; k <= n_; ++k) {
      const bool inside = i >= 0 && i < n_ && k >= 0 && k < n_;
      if (inside) continue;
      if (agent_.is_hazard(cell(x + i, y, z + k)) || agent_.is_hazard(cell(x + i, y - 1, z + k))) return true;
    }
  }
  return false;
}

Node Ground::describe(int x, int z, int floor, NodeKind kind) {
  Node node{.x = x, .y = floor_div16(floor), .z = z, .floor = floor, .kind = kind};
  const int last = last_body_cell(floor);
  node.near_hazard = has_hazard_around(x, node.y, z);
  const std::vector<Traits> blocks = supporting(x, z, floor);
  // Flyers and swimmers stand on nothing: "slow cells in the body".
  const bool stands = agent_.mode == Mode::walk;
  node.slow = (stands && std::any_of(blocks.begin(), blocks.end(), [](const Traits& t) { return t.slow; })) ||
              any_cell(x, z, node.y, last, [](const Traits& t) { return t.slow; });
  node.door_in_body = any_cell(x, z, node.y, last, [](const Traits& t) { return t.door != Door::none; });
  node.opens = any_cell(x, z, node.y, last, [this](const Traits& t) {
    return !t.open && ((t.door == Door::wooden && agent_.open_doors) || (t.door == Door::gate && agent_.open_gates));
  });
  node.in_climbable = n_ == 1 && cell(x, node.y, z).climbable;
  node.wet = any_cell(x, z, node.y, last, [](const Traits& t) { return t.fluid == Fluid::water; });
  return node;
}

// Section 9: "a cell within the world's height, F = 16 y, no extent of the footprint in (F, F + h), no hazard in the body. A swimmer's body
// touches only water cells. A flyer with water = avoid touches no water".
bool Ground::is_floating(int x, int y, int z) {
  const int floor = y * kPixelsPerBlock;
  const int last = last_body_cell(floor);
  if (!free(x, z, floor, floor + agent_.height_px)) return false;
  return !any_cell(x, z, y, last, [this](const Traits& t) {
    const bool water = t.fluid == Fluid::water;
    if (agent_.mode == Mode::swim ? !water : water && agent_.water == Water::avoids) return true;
    return agent_.is_hazard(t);
  });
}

std::vector<Node> Ground::find_floating_nodes(int x, int z) {
  std::vector<Node> found;
  for (int y = world_.min_y(); y < world_.min_y() + world_.height(); ++y) {
    if (!is_floating(x, y, z)) continue;
    found.push_back(describe(x, z, y * kPixelsPerBlock, agent_.mode == Mode::fly ? NodeKind::fly : NodeKind::swim));
  }
  return found;
}

// "In one cell a standing node wins over a swim node, a swim node over a climb node; of several floors the highest that is a node."
std::vector<Node> Ground::find_nodes(int x, int z) {
  std::vector<Node> found;
  if (!footprint_known(x, z)) return found;
  if (agent_.mode != Mode::walk) return find_floating_nodes(x, z);
  std::map<int, std::set<int, std::greater<>>> floors;  // by cell, highest first
  int end = world_.min_y();
  for (int i = 0; i < n_; ++i) {
    for (int k = 0; k < n_; ++k) {
      const Column& c = column(x + i, z + k);
      end = std::max(end, world_.min_y() + static_cast<int>(c.cells.size()));
      for (const int surface : c.surfaces) floors[floor_div16(surface)].insert(surface);
    }
  }
  for (int y = world_.min_y(); y <= end + 1; ++y) {
    bool stands = false;
    if (const auto in_cell = floors.find(y); in_cell != floors.end()) {
      for (const int floor : in_cell->second) {
        if (!is_standing(x, z, floor)) continue;
        found.push_back(describe(x, z, floor, NodeKind::standing));
        stands = true;
        break;
      }
    }
    if (stands) continue;
    if (is_swim(x, y, z)) {
      found.push_back(describe(x, z, y * kPixelsPerBlock + kSwimDepth, NodeKind::swim));
    } else if (is_climb(x, y, z)) {
      found.push_back(describe(x, z, y * kPixelsPerBlock, NodeKind::climb));
    }
  }
  return found;
}

const std::vector<Node>& Ground::nodes(int x, int z) {
  const auto found = nodes_.find(key(x, z));
  if (found != nodes_.end()) return found->second;
  return nodes_.emplace(key(x, z), find_nodes(x, z)).first->second;
}

std::optional<Node> Ground::node(int x, int y, int z) {
  const std::vector<Node>& column = nodes(x, z);
  const auto found =
      std::lower_bound(column.begin(), column.end(), y, [](const Node& node, int cell_y) { return node.y < cell_y; });
  if (found == column.end() || found->y != y) return std::nullopt;
  return *found;
}

}  // namespace voxpath::judge
