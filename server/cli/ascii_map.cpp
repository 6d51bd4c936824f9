#include "server/cli/ascii_map.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace voxpath::server {

namespace {

using pathfinding::MoveKind;
using pathfinding::Waypoint;
using world::BlockPos;
using world::Box;
using world::Traits;

constexpr std::int32_t kLookDownPx = 48;   // floors that far below the path are drawn as floors
constexpr std::int32_t kLookUpPxMax = 32;  // and that far above, where the agent jumps as high
constexpr int kVerticalRunMin = 3;         // blocks climbed in one column that begin a new layer
constexpr int kLabelEvery = 10;            // columns between two numbers

struct Meaning {
  char letter;
  std::string_view text;
};
constexpr std::array<Meaning, 23> kMeanings{{
    {'S', "start"},
    {'G', "goal"},
    {'E', "end of the path, short of the goal"},
    {'*', "path"},
    {'^', "jump up to here"},
    {'v', "drop down to here"},
    {'h', "climb"},
    {'l', "leap to here"},
    {'o', "opens a door or gate"},
    {'<', "comes from the layer before"},
    {'>', "goes on in the next layer"},
    {'.', "floor; for flyers and swimmers: free"},
    {'+', "floor a jump higher"},
    {'-', "floor up to 3 lower"},
    {'#', "wall, no room"},
    {' ', "nothing to stand on"},
    {'~', "water"},
    {'%', "lava"},
    {'!', "hurts"},
    {'D', "closed door or gate"},
    {'d', "open door or gate"},
    {'H', "ladder, vine"},
    {'?', "missing chunk"},
}};

int floor_blocks(std::int32_t px) { return world::floor_div16(px); }

std::int32_t look_up_px(const pathfinding::Agent& agent) {
  return std::clamp(std::max(agent.jump_px, agent.step_px), 0, kLookUpPxMax);
}

/// What one column of blocks has to offer to the agent around a height.
class Ground {
 public:
  Ground(const pathfinding::Agent& agent, const TraitsAt& blocks, int x, int z, const Box& window)
      : agent_(agent), blocks_(blocks), x_(x), z_(z), window_(window) {}

  char letter(std::int32_t height_px) const {
    if (!blocks_({x_, floor_blocks(height_px), z_})) return '?';
    const bool on_foot = agent_.mode == pathfinding::Mode::walk;
    if (const auto floor = nearest_floor(height_px); floor && on_foot) return floor_letter(*floor, height_px);
    if (const auto blocking = first_between(height_px, height_px + agent_.height_px)) {
      return blocking->door == world::Door::none ? '#' : blocking->open ? 'd' : 'D';
    }
    for (int y = floor_blocks(height_px); y >= window_.min.y; --y) {
      const Traits t = at(y);
      if (const char c = content(t)) return c;
      if (!on_foot) return '.';
      if (extent(t, y).second > 0) return ' ';
    }
    return ' ';
  }

 private:
  [[nodiscard]] Traits at(int y) const { return blocks_({x_, y, z_}).value_or(Traits()); }
  /// Bottom and top in px of what stops this agent; equal for nothing.
  [[nodiscard]] std::pair<std::int32_t, std::int32_t> extent(const Traits& t, int y) const {
    const bool opens = !t.open && ((t.door == world::Door::wooden && agent_.open_doors) ||
                                   (t.door == world::Door::gate && agent_.open_gates));
    if (opens || !t.has_extent()) return {0, 0};
    return {y * 16 + t.bottom, y * 16 + t.top};
  }
  /// The lowest block with an extent in the open interval.
  [[nodiscard]] std::optional<Traits> first_between(std::int32_t low_px, std::int32_t high_px) const {
    // One below too: fences reach half a block up into the cell above theirs.
    for (int y = std::max(floor_blocks(low_px) - 1, window_.min.y); y <= floor_blocks(high_px - 1); ++y) {
      const Traits t = at(y);
      const auto [bottom, top] = extent(t, y);
      if (bottom < high_px && top > low_px && bottom < top) return t;
    }
    return std::nullopt;
  }
  [[nodiscard]] std::optional<std::int32_t> nearest_floor(std::int32_t height_px) const {
    std::optional<std::int32_t> best;
    const std::int32_t highest = height_px + look_up_px(agent_);
    const std::int32_t lowest = height_px - kLookDownPx;
    for (int y = floor_blocks(highest); y >= std::max(floor_blocks(lowest) - 1, window_.min.y); --y) {
      const auto [bottom, top] = extent(at(y), y);
      if (bottom == top || top > highest || top < lowest) continue;
      if (best && std::abs(*best - height_px) <= std::abs(top - height_px)) continue;
      if (!first_between(top, top + agent_.height_px)) best = top;
    }
    return best;
  }
  /// What is worth telling of a block that a body may be in; 0 for nothing.
  [[nodiscard]] char content(const Traits& t) const {
    if (t.fluid == world::Fluid::lava) return '%';
    if (world::hurts_inside(t.hazard) && agent_.hurt_by(t.hazard)) return '!';
    if (t.door != world::Door::none) return t.open ? 'd' : 'D';
    if (t.fluid == world::Fluid::water) return '~';
    return t.climbable ? 'H' : '\0';
  }
  [[nodiscard]] char floor_letter(std::int32_t floor_px, std::int32_t height_px) const {
    for (int y = floor_blocks(floor_px); y <= floor_blocks(floor_px + agent_.height_px - 1); ++y) {
      if (const char c = content(at(y))) return c;
    }
    const Traits below = at(floor_blocks(floor_px - 1));
    if (world::hurts_on_top(below.hazard) && agent_.hurt_by(below.hazard)) return '!';
    const std::int32_t rise = floor_px - height_px;
    return rise > agent_.step_px ? '+' : rise < -agent_.step_px ? '-' : '.';
  }

  const pathfinding::Agent& agent_;
  const TraitsAt& blocks_;
  int x_, z_;
  const Box& window_;
};

struct Grid {
  int min_x, min_z, width, depth;

  [[nodiscard]] bool holds(int x, int z) const {
    return x >= min_x && z >= min_z && x < min_x + width && z < min_z + depth;
  }
  [[nodiscard]] std::size_t index(int x, int z) const {
    return static_cast<std::size_t>(z - min_z) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x - min_x);
  }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(depth); }
};

/// Each cell's height: that of the nearest piece of path, spread from the path outwards, in the order of the waypoints.
std::vector<std::int32_t> nearest_heights(const Grid& grid,
                                          const std::vector<std::pair<BlockPos, std::int32_t>>& seeds) {
  std::vector<std::int32_t> heights(grid.size());
  std::vector<bool> known(grid.size());
  std::vector<std::pair<int, int>> queue;
  const auto reach = [&](int x, int z, std::int32_t height) {
    if (!grid.holds(x, z) || known[grid.index(x, z)]) return;
    known[grid.index(x, z)] = true;
    heights[grid.index(x, z)] = height;
    queue.emplace_back(x, z);
  };
  for (const auto& [cell, height] : seeds) reach(cell.x, cell.z, height);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const auto [x, z] = queue[i];
    const std::int32_t height = heights[grid.index(x, z)];
    for (const auto& [dx, dz] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}) {
      reach(x + dx, z + dz, height);
    }
  }
  return heights;
}

/// The rows with the numbers of columns above and of rows at their left.
std::string with_labels(const Grid& grid, const std::vector<char>& cells) {
  const std::size_t margin =
      std::max(fmt::formatted_size("{}", grid.min_z), fmt::formatted_size("{}", grid.min_z + grid.depth - 1)) + 3;
  std::string numbers, ticks;
  const auto label = [&](int x) {
    const auto column = static_cast<std::size_t>(x - grid.min_x);
    numbers.resize(std::max(numbers.size(), column), ' ');
    ticks.resize(column, ' ');
    numbers += fmt::format("{}", x);
    ticks += '|';
  };
  const int first = grid.min_x + ((-grid.min_x % kLabelEvery) + kLabelEvery) % kLabelEvery;
  if (first >= grid.min_x + grid.width) label(grid.min_x);
  for (int x = first; x < grid.min_x + grid.width; x += kLabelEvery) label(x);

  std::string text = fmt::format("{:>{}} {}\n{:>{}} {}\n", "x", margin, numbers, "", margin, ticks);
  for (int z = grid.min_z; z < grid.min_z + grid.depth; ++z) {
    const auto* row = cells.data() + grid.index(grid.min_x, z);
    std::string_view letters(row, static_cast<std::size_t>(grid.width));
    letters = letters.substr(0, letters.find_last_not_of(' ') + 1);
    std::string line = fmt::format("{:>{}} {}", fmt::format("{}{}", z == grid.min_z ? "z " : "", z), margin, letters);
    line.resize(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

char path_letter(const Waypoint& w) {
  if (w.action == pathfinding::Action::open) return 'o';
  if (w.kind == MoveKind::jump) return '^';
  if (w.kind == MoveKind::drop) return 'v';
  if (w.kind == MoveKind::leap) return 'l';
  return w.kind == MoveKind::climb ? 'h' : '*';
}

/// A layer in the making.
class LayerBuilder {
 public:
  LayerBuilder(const PathMap& map, std::size_t first) : map_(map) {
    layer_.first = layer_.last = first;
    cover(first);
  }

  /// Whether the next waypoint still fits; if so it is part of the layer.
  bool take(std::size_t i) {
    const BlockPos cell = map_.path[i].cell;
    const BlockPos before = map_.path[i - 1].cell;
    const bool vertical = cell.x == before.x && cell.z == before.z;
    // The second waypoint always fits, so that a path of any shape is drawn to its end.
    const bool forced = i == layer_.first + 1;
    if (!vertical) {
      if (!forced && std::abs(before.y - run_from_) >= kVerticalRunMin) return false;
      run_from_ = cell.y;
      if (const auto known = height_of_.find({cell.x, cell.z}); known != height_of_.end() && known->second != cell.y) {
        return false;
      }
    }
    const Box grown = around(cell, cells_);
    const int side_max = kMapSideMax - 2 * map_.margin;
    const bool too_large = grown.max.x - grown.min.x >= side_max || grown.max.z - grown.min.z >= side_max ||
                           grown.max.y - grown.min.y > kMapRiseMax;
    if (too_large && !forced) return false;
    layer_.last = i;
    cover(i);
    return true;
  }

  MapLayer finish() {
    layer_.window = window(map_, cells_);
    return layer_;
  }

  /// The cells with the margin around them, and the heights that drawing them looks at.
  static Box window(const PathMap& map, const Box& cells) {
    return {{cells.min.x - map.margin, cells.min.y - kLookDownPx / 16 - 2, cells.min.z - map.margin},
            {cells.max.x + map.margin, cells.max.y + 1 + floor_blocks(look_up_px(map.agent) + map.agent.height_px + 15),
             cells.max.z + map.margin}};
  }
  static Box footprint(const PathMap& map, BlockPos cell) {
    const int n = map.agent.footprint();
    return {cell, {cell.x + n - 1, cell.y, cell.z + n - 1}};
  }

 private:
  [[nodiscard]] Box around(BlockPos cell, Box box) const {
    const Box f = footprint(map_, cell);
    return {{std::min(box.min.x, f.min.x), std::min(box.min.y, f.min.y), std::min(box.min.z, f.min.z)},
            {std::max(box.max.x, f.max.x), std::max(box.max.y, f.max.y), std::max(box.max.z, f.max.z)}};
  }
  void cover(std::size_t i) {
    const BlockPos cell = map_.path[i].cell;
    if (i == layer_.first) {
      cells_ = footprint(map_, cell);
      run_from_ = cell.y;
    }
    height_of_[{cell.x, cell.z}] = cell.y;
    cells_ = around(cell, cells_);
  }

  const PathMap& map_;
  MapLayer layer_;
  Box cells_;
  int run_from_ = 0;  // height at which the mob came into its column
  std::map<std::pair<int, int>, int> height_of_;
};

}  // namespace

std::vector<MapLayer> map_layers(const PathMap& map) {
  if (map.path.empty()) {
    return {{.first = 0, .last = 0, .window = LayerBuilder::window(map, LayerBuilder::footprint(map, map.start))}};
  }
  std::vector<MapLayer> layers;
  std::optional<LayerBuilder> layer(std::in_place, map, 0);
  for (std::size_t i = 1; i < map.path.size(); ++i) {
    if (layer->take(i)) continue;
    layers.push_back(layer->finish());
    layer.emplace(map, i - 1);
    layer->take(i);
  }
  layers.push_back(layer->finish());
  return layers;
}

Drawing draw_layer(const PathMap& map, const MapLayer& layer, const TraitsAt& blocks) {
  const Box& w = layer.window;
  const Grid grid{w.min.x, w.min.z, w.max.x - w.min.x + 1, w.max.z - w.min.z + 1};

  std::vector<std::pair<BlockPos, std::int32_t>> seeds;
  const auto add_footprint = [&](BlockPos cell, std::int32_t height_px) {
    for (int dz = 0; dz < map.agent.footprint(); ++dz) {
      for (int dx = 0; dx < map.agent.footprint(); ++dx)
        seeds.push_back({{cell.x + dx, cell.y, cell.z + dz}, height_px});
    }
  };
  if (map.path.empty()) add_footprint(map.start, map.start.y * 16);
  for (std::size_t i = layer.first; i <= layer.last && i < map.path.size(); ++i) {
    add_footprint(map.path[i].cell, map.path[i].floor_px);
  }

  const auto heights = nearest_heights(grid, seeds);
  std::vector<char> cells(grid.size());
  for (int z = grid.min_z; z < grid.min_z + grid.depth; ++z) {
    for (int x = grid.min_x; x < grid.min_x + grid.width; ++x) {
      cells[grid.index(x, z)] = Ground(map.agent, blocks, x, z, w).letter(heights[grid.index(x, z)]);
    }
  }
  const auto mark = [&](BlockPos cell, char letter) {
    for (int dz = 0; dz < map.agent.footprint(); ++dz) {
      for (int dx = 0; dx < map.agent.footprint(); ++dx) {
        if (grid.holds(cell.x + dx, cell.z + dz)) cells[grid.index(cell.x + dx, cell.z + dz)] = letter;
      }
    }
  };
  std::string title = fmt::format("y = {}", map.start.y);
  if (map.path.empty()) {
    mark(map.goal, 'G');
    mark(map.start, 'S');
  } else {
    const auto low_high = std::minmax_element(map.path.begin() + static_cast<std::ptrdiff_t>(layer.first),
                                              map.path.begin() + static_cast<std::ptrdiff_t>(layer.last) + 1,
                                              [](const Waypoint& a, const Waypoint& b) { return a.cell.y < b.cell.y; });
    title = fmt::format("y = {}", low_high.first->cell.y);
    if (low_high.first->cell.y != low_high.second->cell.y) title += fmt::format("..{}", low_high.second->cell.y);
    title += fmt::format(", moves {} to {}", layer.first, layer.last);
    if (!map.found) mark(map.goal, 'G');
    // Plain steps first: where footprints overlap, what happens on the way is worth more.
    for (const bool plain : {true, false}) {
      for (std::size_t i = layer.first; i <= layer.last; ++i) {
        if ((path_letter(map.path[i]) == '*') == plain) mark(map.path[i].cell, path_letter(map.path[i]));
      }
    }
    if (layer.first > 0) mark(map.path[layer.first].cell, '<');
    if (layer.last + 1 < map.path.size()) mark(map.path[layer.last].cell, '>');
    if (layer.last + 1 == map.path.size()) mark(map.path.back().cell, map.found ? 'G' : 'E');
    if (layer.first == 0) mark(map.path.front().cell, 'S');
  }
  return {.text = title + "\n" + with_labels(grid, cells), .letters = {cells.begin(), cells.end()}};
}

std::string map_legend(const std::set<char>& letters) {
  constexpr std::size_t kLineWidth = 100;
  std::string text, line;
  for (const Meaning& m : kMeanings) {
    if (!letters.contains(m.letter)) continue;
    const std::string entry =
        m.letter == ' ' ? fmt::format("blank {}", m.text) : fmt::format("{} {}", m.letter, m.text);
    if (!line.empty() && line.size() + entry.size() > kLineWidth) {
      text += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : "   ") + entry;
  }
  return text + line + "\n";
}

std::string draw_heights(int min_x, int min_z, int width, const std::vector<HeightCell>& cells) {
  constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyz";
  const Grid grid{min_x, min_z, width, static_cast<int>(cells.size()) / width};
  std::optional<int> low, high;
  for (const HeightCell& c : cells) {
    if (c.kind == HeightCell::Kind::missing || c.kind == HeightCell::Kind::pit) continue;
    const int y = floor_blocks(c.floor_px);
    low = std::min(low.value_or(y), y);
    high = std::max(high.value_or(y), y);
  }
  // So many blocks a digit that the digits suffice.
  const int digits = static_cast<int>(kDigits.size());
  const int step = low ? (*high - *low + digits) / digits : 1;
  std::vector<char> letters;
  letters.reserve(cells.size());
  for (const HeightCell& c : cells) {
    switch (c.kind) {
      case HeightCell::Kind::missing:
        letters.push_back('?');
        break;
      case HeightCell::Kind::pit:
        letters.push_back(' ');
        break;
      case HeightCell::Kind::water:
        letters.push_back('~');
        break;
      case HeightCell::Kind::lava:
        letters.push_back('%');
        break;
      case HeightCell::Kind::dry:
        letters.push_back(kDigits[static_cast<std::size_t>((floor_blocks(c.floor_px) - *low) / step)]);
        break;
    }
  }
  std::string text = with_labels(grid, letters);
  if (low) {
    text += fmt::format("0 is y = {}", *low);
    if (step > 1) {
      text += fmt::format(", each digit and letter {} blocks more", step);
    } else if (*high > *low) {
      text += fmt::format(", 1 is {}, ... {} is {}", *low + 1, kDigits[static_cast<std::size_t>(*high - *low)], *high);
    }
  }
  return text + "   ~ water   % lava   ? missing chunk   blank: no ground\n";
}

}  // namespace voxpath::server
