// Goals: which nodes a query leads to (sections 6 and 10 of the movement contract), and boxes with a price.
// Thread-safety: as Ground.
// Invariant: the set depends on the goal and the world alone; every test is said here anew, point by point, without any index.
#pragma once

#include "tests/judge/places.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace voxpath::judge {

/// `reach`, in blocks, is a radius, a distance or a range. A column uses x and z of its place, a level y; next_to a cell.
struct Goal {
  enum class Kind : std::uint8_t { places, radius, column, level, next_to, flee, sight };
  Kind kind = Kind::places;
  std::vector<Place> places;
  double reach = 0;
};

/// Entering a node whose cell is in the box costs more; -1 forbids.
struct PricedBox {
  world::Box box;
  std::int64_t price = 0;
};
/// What entering `node` costs more; nullopt when it is forbidden.
[[nodiscard]] std::optional<std::int64_t> surcharge(std::span<const PricedBox> boxes, const Node& node);

class GoalSet {
 public:
  GoalSet(Ground& ground, const Goal& goal);
  [[nodiscard]] bool contains(const Node& node);
  /// Whether no node is in it; looks at every place where one could be.
  [[nodiscard]] bool empty();
  /// The nodes of the goal's places, in their order; of areas none.
  [[nodiscard]] const std::vector<std::optional<Node>>& resolved() const { return resolved_; }

 private:
  bool sees(const Node& node);
  bool any_between(int min_x, int max_x, int min_z, int max_z);

  Ground& ground_;
  Goal goal_;
  std::vector<std::optional<Node>> resolved_;
};

}  // namespace voxpath::judge
