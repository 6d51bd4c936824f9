// ASCII maps: a path through a voxel world, or the heights of a piece of it, drawn from above with letters.
// Thread-safety: pure functions.
// Invariants: rows run along z, columns along x, a letter a column. A path is drawn in layers: along one layer no
// column is passed at two heights, and no side is longer than kMapSideMax; a path that climbs over itself, or is
// longer, goes on in the next layer. Each cell is judged at the height of the nearest piece of the path.
#pragma once

#include "pathfinding/answer.hpp"
#include "pathfinding/query.hpp"
#include "world/queries.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace voxpath::server {

inline constexpr int kMapSideMax = 120;   // columns or rows of one drawing
inline constexpr int kMapRiseMax = 48;    // blocks between the lowest and the highest piece of path on one drawing
inline constexpr int kMapMarginMax = 32;  // cells around the path
inline constexpr int kMapMarginDefault = 3;

/// nullopt: in a missing chunk.
using TraitsAt = std::function<std::optional<world::Traits>(world::BlockPos)>;

struct PathMap {
  std::vector<pathfinding::Waypoint> path{};  // may be empty: then the surroundings of the start are drawn
  pathfinding::Agent agent{};
  world::BlockPos start{}, goal{};  // cells; used where the path does not reach
  bool found = false;               // the path ends in the goal
  int margin = kMapMarginDefault;   // 0 .. kMapMarginMax
};

/// A piece of the path that fits on one drawing.
struct MapLayer {
  std::size_t first = 0, last = 0;  // waypoints; both 0 for an empty path
  world::Box window;                // what is drawn; its y range holds every block that the drawing depends on
};

std::vector<MapLayer> map_layers(const PathMap& map);
struct Drawing {
  std::string text;          // title, columns' and rows' numbers, cells; lines
  std::set<char> letters{};  // that occur in the cells
};
/// `blocks` is asked inside the layer's window only.
Drawing draw_layer(const PathMap& map, const MapLayer& layer, const TraitsAt& blocks);
/// What these letters mean, in a few lines.
std::string map_legend(const std::set<char>& letters);

/// One column of a height map.
struct HeightCell {
  enum class Kind { missing, pit, dry, water, lava } kind = Kind::missing;
  std::int32_t floor_px = 0;  // of pits and missing columns: nothing
};
/// A window seen from above: each column's height as a digit or letter, counted from the lowest. `cells`: z slowest.
std::string draw_heights(int min_x, int min_z, int width, const std::vector<HeightCell>& cells);

}  // namespace voxpath::server
