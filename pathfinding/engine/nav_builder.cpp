#include "pathfinding/engine/nav_builder.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

namespace voxpath::pathfinding {

using world::BlockPos;
using world::ChunkPos;

namespace {

constexpr std::int32_t kBodyMax = 3;    // blocks, of those whose moves are read off bits
constexpr std::int32_t kReachMax = 10;  // blocks below the feet
constexpr std::int32_t kStride = 40;    // heights that are looked at in one go; a read has 48 bits and some lie around
/// Heights are numbered from so many blocks below the world's lowest.
constexpr std::int32_t kBelow = BlockColumns::kPadding;
static_assert(kBelow == NodeInfo::kBelow && kReachMax + 1 <= kBelow);

std::uint64_t low_bits(std::int32_t n) { return (std::uint64_t{1} << n) - 1; }

std::uint8_t neighbour_of(std::int32_t x, std::int32_t z) {
  return static_cast<std::uint8_t>((world::floor_div16(x) + 1) + 3 * (world::floor_div16(z) + 1));
}
std::uint32_t column_of(std::int32_t x, std::int32_t z) { return static_cast<std::uint32_t>((z & 15) << 4 | (x & 15)); }

/// 0..7, or 8 for what is not one step away.
std::size_t direction_of(std::int32_t dx, std::int32_t dz) {
  std::size_t d = 0;
  while (d < 8 && (kStepX[d] != dx || kStepZ[d] != dz)) ++d;
  return d;
}

std::uint8_t byte_at(std::uint64_t bytes, std::size_t direction) {
  return static_cast<std::uint8_t>(bytes >> (8 * direction));
}

}  // namespace

EdgePrices edge_prices(const Agent& agent) {
  EdgePrices prices{};
  for (std::size_t d = 0; d < 8; ++d) {
    const std::int32_t base = d < 4 ? agent.cost_cardinal : agent.cost_diagonal;
    prices[static_cast<std::size_t>(EdgeType::flat)][d] = base;
    prices[static_cast<std::size_t>(EdgeType::level)][d] = base;
    prices[static_cast<std::size_t>(EdgeType::priced)][d] = base;
    prices[static_cast<std::size_t>(EdgeType::jump)][d] = base + agent.cost_jump;
    for (std::int32_t k = 1; k <= 3; ++k) {
      prices[static_cast<std::size_t>(EdgeType::drop1) + static_cast<std::size_t>(k) - 1][d] =
          base + agent.cost_drop * k;
    }
  }
  return prices;
}

MoveKind move_kind(EdgeType type, std::size_t direction) {
  if (type == EdgeType::jump) return MoveKind::jump;
  if (type >= EdgeType::drop1 && type <= EdgeType::drop3) return MoveKind::drop;
  return direction < 4 ? MoveKind::walk : MoveKind::diagonal;
}

void NavBuilder::begin(const world::Snapshot& snapshot, const Agent& agent) {
  snapshot_ = &snapshot;
  if (agent.footprint() != agent_.footprint()) loaded_ = {};  // with a margin for that footprint
  agent_ = agent;
  terrain_ready_ = false;
  prices_ = edge_prices(agent);
  body_ = (agent.height_px + 15) / 16;
  drop_ = agent.max_drop_px / 16;
  reach_ = (std::max(agent.step_px, agent.max_drop_px) + 15) / 16;
  forbids_ = agent.cost_water == kForbidden || agent.cost_near_hazard == kForbidden || agent.cost_slow == kForbidden ||
             agent.cost_open == kForbidden;
  whole_blocks_ = agent.mode == Mode::walk && agent.footprint() == 1 && agent.leap == 0 && agent.step_px < 16 &&
                  agent.jump_px < 32 && body_ <= kBodyMax && reach_ <= kReachMax;
}

Terrain& NavBuilder::terrain() {
  if (!terrain_ready_) {
    terrain_.reset(*snapshot_, agent_);
    terrain_ready_ = true;
  }
  return terrain_;
}

void NavBuilder::load(const Neighbourhood& chunks, const Columns& wanted) {
  if (loaded_[4] && loaded_ == chunks && (wanted & ~loaded_columns_).none()) return;
  blocks_.load(chunks, snapshot_->heights(), std::max(1, agent_.footprint()), wanted);
  loaded_ = chunks;
  loaded_columns_ = wanted;
}

world::Ref<const NavNodes> NavBuilder::nodes(ChunkPos pos, const Neighbourhood& chunks, const NavNodes* old,
                                             const Columns& fresh) {
  auto result = world::make_ref<NavNodes>();
  result->pos = pos;
  result->min_y = snapshot_->heights().min_y;
  if (old != nullptr) {
    result->layers = old->layers;
    result->info = old->info;
    result->enter_prices = old->enter_prices;
  }
  load(chunks, fresh);
  const world::Chunk& chunk = *chunks[4];
  for (std::int32_t s = 0; s < chunk.height() / 16; ++s) {
    const world::Section* const section = chunk.section(world::floor_div16(chunk.min_y()) + s);
    if (section != nullptr) result->unknown_blocks += section->unknown_blocks();
  }
  std::vector<NodeInfo> column;
  for (std::size_t c = 0; c < 256; ++c) {
    if (!fresh[c]) continue;
    column.clear();
    column_nodes(*result, static_cast<std::int32_t>(c & 15), static_cast<std::int32_t>(c >> 4), column);
    if (column.size() > result->layers) {
      result->layers = static_cast<std::uint32_t>(column.size());
      result->info.resize(std::size_t{result->layers} << 8);
    }
    for (std::size_t l = 0; l < result->layers; ++l)
      result->info[l << 8 | c] = l < column.size() ? column[column.size() - 1 - l] : NodeInfo();
  }
  return result;
}

/// Heights t .. t + kStride - 1 at which the agent stands with nothing but plain blocks near (bits of the result), and
/// those at which Terrain has to be asked (`ask`).
std::uint64_t NavBuilder::candidates(std::int32_t x, std::int32_t z, std::int32_t t, std::uint64_t& ask) const {
  if (!whole_blocks_) {
    std::uint64_t filled = 0;
    std::uint64_t carried = 0;
    for (std::int32_t dz = 0; dz < agent_.footprint(); ++dz) {
      for (std::int32_t dx = 0; dx < agent_.footprint(); ++dx) {
        const std::uint64_t below = blocks_.cubes(x + dx, z + dz, t - 1);
        const std::uint64_t odd = blocks_.odd(x + dx, z + dz, t - 1);
        filled |= below >> 1;
        carried |= below | odd | odd >> 1;
      }
    }
    ask = carried & ~filled;
    return 0;
  }
  const std::uint64_t below = blocks_.cubes(x, z, t - 1);
  const std::uint64_t odd = blocks_.any_odd() ? blocks_.odd(x, z, t - 1) : 0;
  // Most of a column is air, or ground, and nothing to stand on.
  const std::uint64_t floors = (below | odd | odd >> 1) & ~(below >> 1) & low_bits(kStride);
  ask = 0;
  if (floors == 0) return 0;
  std::uint64_t stands = below;
  for (std::int32_t i = 1; i <= body_; ++i) stands &= ~(below >> i);
  if (!blocks_.any_odd()) return stands;
  std::uint64_t odd_near = 0;  // in the cells of the support and the body
  for (std::int32_t i = 0; i <= body_; ++i) odd_near |= odd >> i;
  for (std::size_t d = 0; d < 8; ++d) {  // something that hurts beside feet or support
    const std::uint64_t beside = blocks_.odd(x + kStepX[d], z + kStepZ[d], t - 1);
    odd_near |= beside | beside >> 1;
  }
  ask = odd_near & floors;
  return stands & ~odd_near;
}

/// From the lowest to the highest.
void NavBuilder::column_nodes(NavNodes& into, std::int32_t x, std::int32_t z, std::vector<NodeInfo>& column) {
  const std::int32_t end = kBelow + snapshot_->heights().height + 2;  // one can stand on the highest block
  for (std::int32_t t = kBelow; t < end; t += kStride) {
    std::uint64_t ask = 0;
    const std::uint64_t stands = candidates(x, z, t, ask);
    std::uint64_t all = (stands | ask) & low_bits(std::min(kStride, end - t));
    for (; all != 0; all &= all - 1) {
      const int bit = std::countr_zero(all);
      const std::int32_t height = t + bit - kBelow;
      if ((stands >> bit & 1u) != 0) {
        column.push_back(NodeInfo::of(true, false, NodeKind::standing, height, 0));
        continue;
      }
      const std::int32_t y = into.min_y + height;
      const NodeId id = terrain().cell(into.pos.x * 16 + x, y, into.pos.z * 16 + z).node;
      if (id == kNoNode) continue;
      const Node& node = terrain_.node(id);
      column.push_back(NodeInfo::of(false, node.opens, node.kind, height, node.floor_px - y * 16,
                                    price_class(into, node.enter_price)));
    }
  }
}

/// 0 where there is no room for another one: then the moves that lead there are extras.
std::uint32_t NavBuilder::price_class(NavNodes& nodes, std::int32_t enter_price) {
  if (enter_price == kForbidden) return 0;
  std::vector<std::int32_t>& prices = nodes.enter_prices;
  auto found = std::find(prices.begin(), prices.end(), enter_price);
  if (found == prices.end()) {
    if (prices.size() == NodeInfo::kPriceClassesMax) return 0;
    found = prices.insert(prices.end(), enter_price);
  }
  return static_cast<std::uint32_t>(found - prices.begin());
}

world::Ref<const NavChunk> NavBuilder::moves(const Around& around, const Neighbourhood& chunks, const NavChunk* old,
                                             const Columns& fresh) {
  const NavNodes& own = *around[4];
  auto result = world::make_ref<NavChunk>();
  result->nodes = around[4];
  load(chunks, fresh);
  if (old != nullptr) result->edges = old->edges;
  result->edges.resize(own.info.size());
  columns_.clear();
  for (std::size_t c = 0; c < 256; ++c) {
    if (fresh[c]) columns_.push_back(static_cast<std::uint8_t>(c));
  }
  fresh_extras_.clear();
  fresh_ends_.clear();
  for (std::uint32_t layer = 0; layer < own.layers; ++layer) {
    for (const std::uint8_t c : columns_) {
      const std::uint32_t node = layer << 8 | c;
      const std::size_t before = fresh_extras_.size();
      result->edges[node] = own.info[node].exists() ? word_of(around, node) : 0;
      if (fresh_extras_.size() > before)
        fresh_ends_.push_back({node, static_cast<std::uint32_t>(fresh_extras_.size())});
    }
  }
  if (!fresh_extras_.empty() || (old != nullptr && !old->extras.empty())) put_extras(old, fresh, *result);
  return result;
}

/// The extras of all nodes: those of the fresh columns' nodes are in fresh_extras_, all others in `old`.
void NavBuilder::put_extras(const NavChunk* old, const Columns& fresh, NavChunk& into) {
  const std::size_t nodes = into.edges.size();
  into.extras.reserve(fresh_extras_.size() + (old != nullptr ? old->extras.size() : 0));
  into.extras_begin.reserve(nodes + 1);
  std::uint32_t taken = 0;
  auto next = fresh_ends_.begin();
  for (std::uint32_t node = 0; node < nodes; ++node) {
    into.extras_begin.push_back(static_cast<std::uint32_t>(into.extras.size()));
    if (next != fresh_ends_.end() && next->node == node) {
      into.extras.insert(into.extras.end(), fresh_extras_.begin() + taken, fresh_extras_.begin() + next->end);
      taken = next++->end;
    } else if (!fresh[node & 255u] && old != nullptr && node < old->edges.size()) {
      into.extras.insert(into.extras.end(), old->extras_from(node), old->extras_to(node));
    }
  }
  into.extras_begin.push_back(static_cast<std::uint32_t>(into.extras.size()));
  if (into.extras.empty()) {
    into.extras_begin = {};
    return;
  }
  into.extras.shrink_to_fit();
  for (std::uint32_t node = 0; node < nodes; ++node) {
    for (const ExtraEdge* e = into.extras_from(node); e != into.extras_to(node); ++e) {
      if (e->missing) continue;
      const auto target = static_cast<std::uint32_t>(e->neighbour) << 24 | std::uint32_t{e->layer} << 8 | e->column;
      into.sources.push_back({target, node, e->price});
    }
  }
  std::sort(into.sources.begin(), into.sources.end());
}

/// The moves of a node: its edge word, and its extras behind those in fresh_extras_.
std::uint64_t NavBuilder::word_of(const Around& around, std::uint32_t node) {
  bytes_ = 0;
  own_extras_.clear();
  if (!around[4]->info[node].plain() || !plain_moves(around, node)) {
    bytes_ = 0;
    own_extras_.clear();
    asked_moves(around, node);
  }
  if (!own_extras_.empty()) mark_extras(around, node);
  return bytes_;
}

/// A column of blocks from reach_ + 1 below a node to body_ above it. The lowest block may be a fence that reaches into the lowest cell
/// in which a floor within reach can lie.
struct NavBuilder::Window {
  std::uint64_t cubes = 0;
  bool missing = false;
};

/// Whether nothing but plain blocks are near; then the moves are in bytes_ and own_extras_.
bool NavBuilder::plain_moves(const Around& around, std::uint32_t node) {
  const NavNodes& own = *around[4];
  const auto x = static_cast<std::int32_t>(node & 15u);
  const auto z = static_cast<std::int32_t>(node >> 4 & 15u);
  const std::int32_t t = own.info[node].height() + kBelow;
  const std::int32_t base = t - reach_ - 1;
  const std::uint64_t mask = low_bits(reach_ + 2 + body_);
  const std::int32_t feet = reach_ + 1;  // as a bit of the windows
  const std::uint64_t body = low_bits(body_) << feet;

  std::array<Window, 8> near;
  std::uint64_t odd = 0;
  for (std::size_t d = 0; d < 8; ++d) {
    const std::int32_t nx = x + kStepX[d];
    const std::int32_t nz = z + kStepZ[d];
    near[d].missing = around[neighbour_of(nx, nz)] == nullptr;
    near[d].cubes = blocks_.cubes(nx, nz, base) & mask;
    if (blocks_.any_odd()) odd |= blocks_.odd(nx, nz, base);
  }
  if (blocks_.any_odd()) odd |= blocks_.odd(x, z, base);
  if ((odd & mask) != 0) return false;
  const std::uint64_t overhead = blocks_.cubes(x, z, t + body_) & 1u;

  const std::int32_t y = own.min_y + own.info[node].height();
  const auto target = [&](std::size_t d, std::int32_t rise, EdgeType type, MoveKind kind, std::int64_t price) {
    const std::int32_t nx = x + kStepX[d];
    const std::int32_t nz = z + kStepZ[d];
    const NavNodes& there = *around[neighbour_of(nx, nz)];
    const std::uint32_t layer = there.layer_at(column_of(nx, nz), y + rise);
    if (layer == NavNodes::kNone) return false;
    const std::uint32_t to = layer << 8 | column_of(nx, nz);
    if (!there.info[to].plain()) {
      // It stands as plainly as others, or something odd would be in the windows; only what is beside it may put a price on it, which could
      // be one that forbids. Flat it is not: its own moves are asked for.
      if (forbids_) return false;
      const std::int32_t enter = there.enter_price(to);
      if (enter != 0) {
        type = type == EdgeType::flat ? EdgeType::priced : EdgeType::extra;
        price += enter;
      } else if (type == EdgeType::flat) {
        type = EdgeType::level;
      }
    }
    if (type == EdgeType::extra || type == EdgeType::priced || layer > kEdgeLayerMax) {
      add(around, kStepX[d], kStepZ[d], node, y + rise, type, kind, price);
    } else {
      // No direction has a second landing here.
      bytes_ |= (std::uint64_t{static_cast<std::uint8_t>(type)} | std::uint64_t{layer} << 3) << (8 * d);
    }
    return true;
  };

  for (std::size_t d = 0; d < 4; ++d) {
    if (near[d].missing) {
      add_missing(node, kStepX[d], kStepZ[d]);
      continue;
    }
    if (agent_.cost_cardinal == kForbidden) continue;
    const std::uint64_t cubes = near[d].cubes;
    if ((cubes >> feet & 1u) != 0) {
      const bool jumps = agent_.jump_px >= 16 && agent_.cost_jump != kForbidden && overhead == 0;
      if (!jumps || (cubes & body << 1) != 0) continue;
      if (!target(d, 1, EdgeType::jump, MoveKind::jump, std::int64_t{agent_.cost_cardinal} + agent_.cost_jump))
        return false;
      continue;
    }
    if ((cubes & body) != 0) continue;
    const std::uint64_t ground = cubes & low_bits(feet);
    if (ground == 0) {
      // Water may be fallen into from any height: what is the first block below?
      if (agent_.water != WaterMode::float_ || !blocks_.any_odd()) continue;
      const std::int32_t nx = x + kStepX[d];
      const std::int32_t nz = z + kStepZ[d];
      for (std::int32_t at = base - kStride; at > -kStride; at -= kStride) {
        const std::int32_t from = std::max(at, 0);
        const std::uint64_t some = low_bits(at + kStride - from);
        const std::uint64_t odd_below = blocks_.odd(nx, nz, from) & some;
        const std::uint64_t cubes_below = blocks_.cubes(nx, nz, from) & some;
        if (odd_below > cubes_below) return false;  // the highest bit of either decides
        if (cubes_below != 0) break;
      }
      continue;
    }
    const std::int32_t fall = feet - static_cast<std::int32_t>(std::bit_width(ground));
    if (fall > drop_ || (fall > 0 && agent_.cost_drop == kForbidden)) continue;
    const auto type = fall == 0   ? EdgeType::flat
                      : fall <= 3 ? static_cast<EdgeType>(static_cast<std::int32_t>(EdgeType::drop1) + fall - 1)
                                  : EdgeType::extra;
    if (!target(d, -fall, type, fall == 0 ? MoveKind::walk : MoveKind::drop,
                std::int64_t{agent_.cost_cardinal} + std::int64_t{agent_.cost_drop} * fall))
      return false;
  }
  if (agent_.corners == Corners::never || agent_.cost_diagonal == kForbidden) return true;
  for (std::size_t d = 4; d < 8; ++d) {
    if (near[d].missing) {
      add_missing(node, kStepX[d], kStepZ[d]);
      continue;
    }
    const Window& along_x = near[kStepX[d] > 0 ? 0 : 1];
    const Window& along_z = near[kStepZ[d] > 0 ? 2 : 3];
    if (along_x.missing || along_z.missing) continue;
    if ((near[d].cubes >> (feet - 1) & 1u) == 0 || (near[d].cubes & body) != 0) continue;
    const int free = ((along_x.cubes & body) == 0 ? 1 : 0) + ((along_z.cubes & body) == 0 ? 1 : 0);
    if (free < (agent_.corners == Corners::strict ? 2 : 1)) continue;
    if (!target(d, 0, EdgeType::flat, MoveKind::diagonal, agent_.cost_diagonal)) return false;
  }
  return true;
}

void NavBuilder::asked_moves(const Around& around, std::uint32_t node) {
  const NavNodes& own = *around[4];
  const BlockPos cell = own.cell(node);
  const NodeId id = terrain().cell(cell.x, cell.y, cell.z).node;
  assert(id != kNoNode);
  for_each_move(
      terrain_, id,
      [&](NodeId to_id, MoveKind kind, std::int64_t price) {
        const Node& to = terrain_.node(to_id);
        if (to.enter_price == kForbidden) return;
        const std::int32_t dx = to.cell.x - cell.x;
        const std::int32_t dz = to.cell.z - cell.z;
        EdgeType type = EdgeType::extra;
        const std::size_t d = direction_of(dx, dz);
        if (d < 8 && to.enter_price != 0) {
          if (kind == move_kind(EdgeType::priced, d) && prices_[static_cast<std::size_t>(EdgeType::priced)][d] == price)
            type = EdgeType::priced;
        } else if (d < 8) {
          for (const EdgeType plain :
               {EdgeType::level, EdgeType::jump, EdgeType::drop1, EdgeType::drop2, EdgeType::drop3}) {
            if (move_kind(plain, d) == kind && prices_[static_cast<std::size_t>(plain)][d] == price) {
              type = plain;
              break;
            }
          }
        }
        add(around, dx, dz, node, to.cell.y, type, kind, price + to.enter_price);
      },
      [&](ChunkPos chunk) {
        ExtraEdge e;
        e.missing = true;
        e.neighbour = static_cast<std::uint8_t>((chunk.x - own.pos.x + 1) + 3 * (chunk.z - own.pos.z + 1));
        own_extras_.push_back(e);
      });
}

/// Notes a move of the node at work.
void NavBuilder::add(const Around& around, std::int32_t dx, std::int32_t dz, std::uint32_t node, std::int32_t y,
                     EdgeType type, MoveKind kind, std::int64_t price) {
  const std::int32_t x = static_cast<std::int32_t>(node & 15u) + dx;
  const std::int32_t z = static_cast<std::int32_t>(node >> 4 & 15u) + dz;
  ExtraEdge e;
  e.neighbour = neighbour_of(x, z);
  e.column = static_cast<std::uint8_t>(column_of(x, z));
  const std::uint32_t layer = around[e.neighbour]->layer_at(e.column, y);
  assert(layer != NavNodes::kNone);
  e.layer = static_cast<std::uint16_t>(layer);
  e.kind = kind;
  e.price = price;
  const std::size_t d = direction_of(dx, dz);
  if (type == EdgeType::priced && around[e.neighbour]->enter_price(layer << 8 | e.column) +
                                          prices_[static_cast<std::size_t>(EdgeType::priced)][d] !=
                                      price)
    type = EdgeType::extra;
  if (type == EdgeType::extra || layer > kEdgeLayerMax || byte_at(bytes_, d) != 0) {
    own_extras_.push_back(e);
    return;
  }
  bytes_ |= (std::uint64_t{static_cast<std::uint8_t>(type)} | std::uint64_t{layer} << 3) << (8 * d);
}

void NavBuilder::add_missing(std::uint32_t node, std::int32_t dx, std::int32_t dz) {
  ExtraEdge e;
  e.missing = true;
  e.neighbour =
      neighbour_of(static_cast<std::int32_t>(node & 15u) + dx, static_cast<std::int32_t>(node >> 4 & 15u) + dz);
  own_extras_.push_back(e);
}

/// Some byte must say that there are extras: one that leads nowhere, or else the first, whose move becomes an extra.
void NavBuilder::mark_extras(const Around& around, std::uint32_t node) {
  std::size_t d = 0;
  while (d < 8 && byte_at(bytes_, d) != 0) ++d;
  if (d == 8) {
    d = 0;
    const std::uint8_t byte = byte_at(bytes_, d);
    const auto type = static_cast<EdgeType>(byte & 7u);
    const std::int32_t x = static_cast<std::int32_t>(node & 15u) + kStepX[d];
    const std::int32_t z = static_cast<std::int32_t>(node >> 4 & 15u) + kStepZ[d];
    ExtraEdge e;
    e.neighbour = neighbour_of(x, z);
    e.column = static_cast<std::uint8_t>(column_of(x, z));
    e.layer = static_cast<std::uint16_t>(byte >> 3);
    e.kind = move_kind(type, d);
    e.price = prices_[static_cast<std::size_t>(type)][d];
    if (type == EdgeType::priced) e.price += around[e.neighbour]->enter_price(std::uint32_t{e.layer} << 8 | e.column);
    own_extras_.push_back(e);
    bytes_ &= ~std::uint64_t{0xFF};
  }
  bytes_ |= std::uint64_t{kExtraByte} << (8 * d);
  fresh_extras_.insert(fresh_extras_.end(), own_extras_.begin(), own_extras_.end());
}

}  // namespace voxpath::pathfinding
