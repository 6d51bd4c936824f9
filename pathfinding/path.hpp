// Paths after they were found: what they depend on, whether they still hold, and with fewer waypoints.
// Thread-safety: sections_of() is pure; the others as Terrain.
// Invariant: every straight piece of a simplified path was checked with the mob's whole box against the world.
#pragma once

#include "pathfinding/answer.hpp"
#include "pathfinding/query.hpp"
#include "pathfinding/terrain.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace voxpath::pathfinding {

/// The sections whose blocks decide whether the path's moves exist: those of the bodies, of all the ways swept, of what carries them, and
/// of the ring around. Sorted, each once. An edit elsewhere cannot break the path.
std::vector<world::SectionPos> sections_of(std::span<const Waypoint> path, const Agent& agent);

/// Leaves out waypoints, see Simplify. Boxes with a price are not cut through. Flyers and swimmers: line_of_sight does what corners does.
void simplify(std::vector<Waypoint>& path, Simplify how, Terrain& terrain, std::span<const PricedBox> priced_boxes);

struct PathFault {
  std::size_t index = 0;  // the first waypoint that cannot be reached from the one before, or that is no place to be
  Obstacle obstacle = Obstacle::no_floor;
  world::BlockPos at;  // the cell that speaks against it
};
/// nullopt: the path, whole or simplified, can still be gone in this snapshot. Prices are not looked at.
std::optional<PathFault> validate(std::span<const Waypoint> path, const Agent& agent, const world::Snapshot& snapshot);

/// The same in slices, so that a long path can be given up on the way. Path and snapshot outlive it.
class PathCheck {
 public:
  PathCheck(std::span<const Waypoint> path, const Agent& agent, const world::Snapshot& snapshot);
  ~PathCheck();
  PathCheck(const PathCheck&) = delete;
  PathCheck& operator=(const PathCheck&) = delete;

  /// Works on for that many moves; whether it is over.
  bool advance(std::uint32_t moves);
  /// As validate() has it. Precondition: it is over.
  [[nodiscard]] const std::optional<PathFault>& fault() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace voxpath::pathfinding
