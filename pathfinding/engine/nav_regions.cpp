#include "pathfinding/engine/nav_regions.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace voxpath::pathfinding {

namespace {

/// What a byte of an edge word leads to: the neighbour and the node in it.
struct Step {
  std::uint32_t neighbour = 4;
  std::uint32_t node = 0;
};
Step step(std::uint32_t from, std::size_t direction, std::uint32_t byte) {
  const std::int32_t x = static_cast<std::int32_t>(from & 15u) + kStepX[direction];
  const std::int32_t z = static_cast<std::int32_t>(from >> 4 & 15u) + kStepZ[direction];
  return {static_cast<std::uint32_t>((x >> 4) + 1 + 3 * ((z >> 4) + 1)),
          (byte >> 3) << 8 | static_cast<std::uint32_t>((z & 15) << 4 | (x & 15))};
}

std::uint32_t node_of(const ExtraEdge& e) { return std::uint32_t{e.layer} << 8 | e.column; }

/// Calls visit(neighbour, node) for each move of a node, and missing() where one would lead into a missing chunk.
template <class Visit, class Missing>
void for_each_exit(const NavChunk& moves, std::uint32_t node, const Visit& visit, const Missing& missing) {
  const std::uint64_t edges = moves.edges[node];
  for (std::size_t d = 0; d < 8; ++d) {
    const auto byte = static_cast<std::uint32_t>(edges >> (8 * d) & 0xFF);
    const auto type = static_cast<EdgeType>(byte & 7u);
    if (type == EdgeType::extra) continue;
    const Step to = step(node, d, byte);
    visit(to.neighbour, to.node);
  }
  for (const ExtraEdge* e = moves.extras_from(node); e != moves.extras_to(node); ++e) {
    if (e->missing) {
      missing();
    } else {
      visit(std::uint32_t{e->neighbour}, node_of(*e));
    }
  }
}

bool has_extra(const NavChunk& moves, std::uint32_t from, std::uint32_t to) {
  return std::any_of(moves.extras_from(from), moves.extras_to(from),
                     [to](const ExtraEdge& e) { return !e.missing && e.neighbour == 4 && node_of(e) == to; });
}

/// Sets of nodes that grow together. The lowest node stands for its set.
class NodeSets {
 public:
  explicit NodeSets(std::size_t nodes) : parent_(nodes) { std::iota(parent_.begin(), parent_.end(), 0u); }
  std::uint32_t lowest(std::uint32_t node) {
    while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
    return node;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = lowest(a);
    b = lowest(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace

NavRegions::NavRegions(world::Ref<const NavChunk> moves) : moves_(std::move(moves)) {
  join_nodes();
  find_exits();
}

void NavRegions::join_nodes() {
  const NavChunk& moves = *moves_;
  const std::vector<NodeInfo>& info = moves.nodes->info;
  NodeSets sets(info.size());
  for (std::uint32_t node = 0; node < info.size(); ++node) {
    const std::uint64_t edges = moves.edges[node];
    for (std::size_t d = 0; edges != 0 && d < 8; ++d) {
      const auto byte = static_cast<std::uint32_t>(edges >> (8 * d) & 0xFF);
      const auto type = static_cast<EdgeType>(byte & 7u);
      if (type == EdgeType::extra) continue;
      // Flat moves have counterparts; each pair is looked at from one side.
      const bool forward = kStepX[d] > 0 || (kStepX[d] == 0 && kStepZ[d] > 0);
      if (type == EdgeType::flat && !forward) continue;
      const Step to = step(node, d, byte);
      if (to.neighbour != 4) continue;
      if (type != EdgeType::flat) {
        const auto back = static_cast<std::uint32_t>(moves.edges[to.node] >> (8 * opposite(d)) & 0xFF);
        const auto back_type = static_cast<EdgeType>(back & 7u);
        const bool byte_leads_back = back_type != EdgeType::extra && back >> 3 == node >> 8;
        if (!byte_leads_back && !has_extra(moves, to.node, node)) continue;
      }
      sets.join(node, to.node);
    }
    for (const ExtraEdge* e = moves.extras_from(node); e != moves.extras_to(node); ++e) {
      if (e->missing || e->neighbour != 4) continue;
      bool back = false;
      for_each_exit(
          moves, node_of(*e), [&](std::uint32_t neighbour, std::uint32_t to) { back |= neighbour == 4 && to == node; },
          [] {});
      if (back) sets.join(node, node_of(*e));
    }
  }
  std::vector<std::uint32_t> region(info.size());
  for (std::uint32_t node = 0; node < info.size(); ++node) {
    if (!info[node].exists()) continue;
    const std::uint32_t lowest = sets.lowest(node);
    region[node] = lowest == node ? count_++ : region[lowest];
  }
  if (count_ > std::numeric_limits<std::uint16_t>::max()) {
    wide_ = std::move(region);
  } else {
    narrow_.assign(region.begin(), region.end());
  }
}

void NavRegions::find_exits() {
  const std::vector<NodeInfo>& info = moves_->nodes->info;
  std::array<std::vector<Exit>, 9> by_neighbour;
  for (std::uint32_t node = 0; node < info.size(); ++node) {
    if (!info[node].exists()) continue;
    const std::uint32_t region = of(node);
    for_each_exit(
        *moves_, node,
        [&](std::uint32_t neighbour, std::uint32_t to) {
          if (neighbour != 4 || of(to) != region) by_neighbour[neighbour].push_back({region, to});
        },
        [&] {
          if (beside_missing_.empty() || beside_missing_.back() != region) beside_missing_.push_back(region);
        });
  }
  for (std::size_t i = 0; i < 9; ++i) {
    std::vector<Exit>& exits = by_neighbour[i];
    std::sort(exits.begin(), exits.end());
    exits.erase(std::unique(exits.begin(), exits.end()), exits.end());
    exits_.insert(exits_.end(), exits.begin(), exits.end());
    exits_begin_[i + 1] = static_cast<std::uint32_t>(exits_.size());
  }
  exits_.shrink_to_fit();
  std::sort(beside_missing_.begin(), beside_missing_.end());
  beside_missing_.erase(std::unique(beside_missing_.begin(), beside_missing_.end()), beside_missing_.end());
}

std::span<const NavRegions::Exit> NavRegions::exits(std::uint32_t neighbour, std::uint32_t region) const {
  const std::span<const Exit> all = exits(neighbour);
  const auto [from, to] = std::equal_range(all.begin(), all.end(), Exit{region, 0},
                                           [](const Exit& a, const Exit& b) { return a.region < b.region; });
  return all.subspan(static_cast<std::size_t>(from - all.begin()), static_cast<std::size_t>(to - from));
}

const NavPassages& NavRegions::passages(const EdgePrices& prices) const {
  const auto now = [this] { return passages_.with([](const auto& p) { return p.get(); }); };
  if (const NavPassages* known = now()) return *known;
  auto fresh = std::make_unique<const NavPassages>(*this, prices);
  passages_.with([&](auto& p) {
    if (p == nullptr) p = std::move(fresh);
  });
  return *now();
}

std::size_t NavRegions::memory_bytes() const {
  const std::size_t passages =
      passages_.with([](const auto& p) { return p == nullptr ? std::size_t{0} : p->memory_bytes(); });
  return passages + sizeof(NavRegions) + narrow_.capacity() * sizeof(narrow_[0]) + wide_.capacity() * sizeof(wide_[0]) +
         exits_.capacity() * sizeof(Exit) + beside_missing_.capacity() * sizeof(beside_missing_[0]);
}

}  // namespace voxpath::pathfinding
