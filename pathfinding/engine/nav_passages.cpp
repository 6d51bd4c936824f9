#include "pathfinding/engine/nav_passages.hpp"

#include "pathfinding/engine/nav_regions.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <utility>

namespace voxpath::pathfinding {

namespace {

/// Calls visit(neighbour, node, price, priced) for each move of a node. `priced`: what the node asks for that is entered comes on top.
template <class Visit>
void for_each_priced_move(const NavChunk& moves, const EdgePrices& prices, std::uint32_t node, const Visit& visit) {
  const std::uint64_t edges = moves.edges[node];
  for (std::size_t d = 0; d < 8; ++d) {
    const auto byte = static_cast<std::uint32_t>(edges >> (8 * d) & 0xFF);
    const std::uint32_t type = byte & 7u;
    if (type == static_cast<std::uint32_t>(EdgeType::extra)) continue;
    const std::int32_t x = static_cast<std::int32_t>(node & 15u) + kStepX[d];
    const std::int32_t z = static_cast<std::int32_t>(node >> 4 & 15u) + kStepZ[d];
    visit(static_cast<std::uint32_t>((x >> 4) + 1 + 3 * ((z >> 4) + 1)),
          (byte >> 3) << 8 | static_cast<std::uint32_t>((z & 15) << 4 | (x & 15)),
          static_cast<std::uint64_t>(prices[type][d]), type == static_cast<std::uint32_t>(EdgeType::priced));
  }
  for (const ExtraEdge* e = moves.extras_from(node); e != moves.extras_to(node); ++e) {
    if (!e->missing)
      visit(std::uint32_t{e->neighbour}, std::uint32_t{e->layer} << 8 | e->column, static_cast<std::uint64_t>(e->price),
            false);
  }
}

constexpr bool is_corner(std::uint32_t neighbour) { return neighbour % 2 == 0 && neighbour != 4; }

}  // namespace

NavPassages::NavPassages(const NavRegions& regions, const EdgePrices& prices) : regions_(regions), prices_(prices) {
  find_passages();
}

void NavPassages::find_passages() {
  struct Candidate {
    Passage passage;
    std::uint32_t kin = 0;    // candidates that may stand for each other: within the chunk, those into one region
    std::uint32_t along = 0;  // place along the border
    std::int32_t height = 0;
    [[nodiscard]] auto key() const {
      return std::tuple(passage.region, passage.neighbour, kin, passage.enters_priced, along, height, passage.from,
                        passage.to);
    }
  };
  const NavChunk& moves = *regions_.moves();
  const NavNodes& nodes = *moves.nodes;
  std::vector<Candidate> candidates;
  for (std::uint32_t node = 0; node < nodes.info.size(); ++node) {
    if (!nodes.info[node].exists()) continue;
    const std::uint32_t region = regions_.of(node);
    for_each_priced_move(
        moves, prices_, node, [&](std::uint32_t neighbour, std::uint32_t to, std::uint64_t price, bool priced) {
          if (is_corner(neighbour) || price >= kNever) return;
          const std::uint32_t kin = neighbour == 4 ? regions_.of(to) : 0;
          if (neighbour == 4 && kin == region) return;
          const std::uint32_t along = neighbour == 4 ? 0 : neighbour == 3 || neighbour == 5 ? to >> 4 & 15u : to & 15u;
          candidates.push_back(
              {{region, node, to, static_cast<std::uint32_t>(price), static_cast<std::uint8_t>(neighbour), priced},
               kin,
               along,
               nodes.info[node].height()});
        });
  }
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.key() < b.key(); });
  const auto belongs = [](const Candidate& a, const Candidate& b) {
    return a.passage.region == b.passage.region && a.passage.neighbour == b.passage.neighbour && a.kin == b.kin &&
           a.passage.enters_priced == b.passage.enters_priced &&
           (a.passage.neighbour == 4 || (b.along - a.along <= 1 && std::abs(b.height - a.height) <= 1));
  };
  for (std::size_t begin = 0, end = 0; begin < candidates.size(); begin = end) {
    for (end = begin + 1; end < candidates.size() && belongs(candidates[end - 1], candidates[end]);) ++end;
    passages_.push_back(candidates[begin + (end - begin) / 2].passage);
  }
  begin_.resize(regions_.count() + 1);
  for (const Passage& p : passages_) ++begin_[p.region + 1];
  for (std::size_t r = 1; r < begin_.size(); ++r) begin_[r] += begin_[r - 1];
  passages_.shrink_to_fit();
}

/// Dijkstra's search within the chunk, until `enough` says so of a node that is settled.
template <class Enough>
void NavPassages::spread(std::uint32_t node, Scratch& scratch, const Enough& enough) const {
  const NavChunk& moves = *regions_.moves();
  scratch.cost.assign(moves.nodes->info.size(), kNever);
  scratch.open.clear();
  scratch.cost[node] = 0;
  scratch.open.push(0, node);
  while (!scratch.open.empty()) {
    const std::uint32_t at = scratch.open.pop();
    const std::uint64_t cost = scratch.cost[at];
    if (cost < scratch.open.greatest()) continue;  // it came up before, cheaper
    if (enough(at)) return;
    for_each_priced_move(moves, prices_, at,
                         [&](std::uint32_t neighbour, std::uint32_t to, std::uint64_t price, bool priced) {
                           if (neighbour != 4) return;
                           std::uint64_t reached = cost + price;
                           if (priced) reached += static_cast<std::uint64_t>(moves.nodes->enter_price(to));
                           if (reached >= scratch.cost[to]) return;
                           scratch.cost[to] = static_cast<std::uint32_t>(reached);
                           scratch.open.push(reached, to);
                         });
  }
}

void NavPassages::costs_from(std::uint32_t node, Scratch& scratch, std::vector<std::uint32_t>& costs) const {
  const auto passages = of(regions_.of(node));
  spread(node, scratch, [](std::uint32_t) { return false; });
  costs.resize(passages.size());
  for (std::size_t i = 0; i < passages.size(); ++i) costs[i] = scratch.cost[passages[i].from];
}

const std::uint32_t* NavPassages::costs_from(std::uint32_t node, Scratch& scratch) const {
  const std::uint32_t* known = rows_.with([&](const auto& rows) -> const std::uint32_t* {
    const auto found = rows.find(node);
    return found == rows.end() ? nullptr : found->second.get();
  });
  if (known != nullptr) return known;
  std::vector<std::uint32_t> costs;
  costs_from(node, scratch, costs);
  auto row = std::make_unique<std::uint32_t[]>(std::max<std::size_t>(costs.size(), 1));
  std::copy(costs.begin(), costs.end(), row.get());
  return rows_.with([&](auto& rows) { return rows.try_emplace(node, std::move(row)).first->second.get(); });
}

std::uint32_t NavPassages::cost_between(std::uint32_t from, std::uint32_t to, Scratch& scratch) const {
  spread(from, scratch, [to](std::uint32_t node) { return node == to; });
  return scratch.cost[to];
}

std::size_t NavPassages::memory_bytes() const {
  std::size_t bytes =
      sizeof(NavPassages) + passages_.capacity() * sizeof(Passage) + begin_.capacity() * sizeof(begin_[0]);
  rows_.with([&](const auto& rows) {
    for (const auto& [node, row] : rows)
      bytes += sizeof(node) + sizeof(row) + of(regions_.of(node)).size() * sizeof(std::uint32_t);
  });
  return bytes;
}

}  // namespace voxpath::pathfinding
