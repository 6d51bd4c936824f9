// Pricing: a compile-time policy by which authors charge or forbid cells beyond MOVEMENT.md: no-go areas, roads, other mobs' places.
// Thread-safety: the search calls its policy from the thread that runs it.
// Usage: struct Crowd { static constexpr bool kActive = true; std::int32_t operator()(const Node& to) const {...} };
// BasicSearch<Crowd> s; s.begin(snapshot, query, limits, Crowd{...}).
// Invariants: a price is kForbidden or 0 .. kPriceMax and depends on the node alone while a search runs; prices only add, so that every
// heuristic stays a lower bound. With NoPricing the call is not compiled.
#pragma once

#include "pathfinding/query.hpp"
#include "pathfinding/terrain.hpp"

#include <concepts>
#include <cstdint>
#include <span>

namespace voxpath::pathfinding {

template <class P>
concept Pricing = requires(const P& p, const Node& node) {
  { P::kActive } -> std::convertible_to<bool>;
  { p(node) } -> std::convertible_to<std::int32_t>;
};

struct NoPricing {
  static constexpr bool kActive = false;
  std::int32_t operator()(const Node&) const { return 0; }
};

/// The boxes of a query.
struct BoxPricing {
  static constexpr bool kActive = true;
  std::span<const PricedBox> boxes;

  std::int32_t operator()(const Node& to) const { return at(to.cell); }
  [[nodiscard]] std::int32_t at(world::BlockPos cell) const {
    std::int32_t sum = 0;
    for (const PricedBox& b : boxes) {
      const bool inside = b.box.min.x <= cell.x && cell.x <= b.box.max.x && b.box.min.y <= cell.y &&
                          cell.y <= b.box.max.y && b.box.min.z <= cell.z && cell.z <= b.box.max.z;
      if (!inside) continue;
      if (b.price == kForbidden) return kForbidden;
      sum += b.price;
    }
    return sum;
  }
};
static_assert(Pricing<NoPricing> && Pricing<BoxPricing>);

}  // namespace voxpath::pathfinding
