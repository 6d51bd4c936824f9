#include "server/cli/world_drawing.hpp"

#include <algorithm>
#include <utility>

namespace voxpath::server {

namespace {

/// A box as large as a path's map may need, asked for in slices that blocks() allows.
class Blocks {
 public:
  static world::Result<Blocks> fetch(const world::Box& box, WorldAccess& world) {
    Blocks result;
    result.box_ = box;
    const std::int64_t area = box.volume() / (box.max.y - box.min.y + 1);
    result.slice_ = static_cast<int>(std::max<std::int64_t>(1, world.blocks_max() / area));
    for (int y = box.min.y; y <= box.max.y; y += result.slice_) {
      world::Box slice = box;
      slice.min.y = y;
      slice.max.y = std::min(box.max.y, y + result.slice_ - 1);
      auto blocks = world.blocks(slice);
      if (!blocks) return blocks.error();
      result.slices_.push_back(*std::move(blocks));
    }
    return result;
  }
  [[nodiscard]] std::optional<world::Traits> at(world::BlockPos pos) const {
    const KnownBlock* block = slices_[static_cast<std::size_t>((pos.y - box_.min.y) / slice_)].at(pos);
    if (block == nullptr) return std::nullopt;
    return block->traits;
  }

 private:
  world::Box box_;
  int slice_ = 1;
  std::vector<BlockBox> slices_;
};

}  // namespace

world::Result<std::string> draw_path(const PathMap& map, WorldAccess& world) {
  std::string text;
  std::set<char> letters;
  for (const MapLayer& layer : map_layers(map)) {
    const auto blocks = Blocks::fetch(layer.window, world);
    if (!blocks) return blocks.error();
    Drawing drawing = draw_layer(map, layer, [&](world::BlockPos pos) { return blocks->at(pos); });
    text += drawing.text + "\n";
    letters.merge(drawing.letters);
  }
  return text + map_legend(letters);
}

world::Result<std::string> draw_surface(world::BlockPos centre, int radius, WorldAccess& world) {
  std::vector<HeightCell> cells;
  const int side = 2 * radius + 1;
  for (int z = centre.z - radius; z <= centre.z + radius; ++z) {
    for (int x = centre.x - radius; x <= centre.x + radius; ++x) {
      const auto surface = world.surface_below({x + 0.5, static_cast<double>(centre.y), z + 0.5});
      if (!surface) return surface.error();
      HeightCell cell{.kind = HeightCell::Kind::pit, .floor_px = 0};
      if (*surface && (*surface)->missing) cell.kind = HeightCell::Kind::missing;
      if (*surface && !(*surface)->missing) {
        cell = {.kind = HeightCell::Kind::dry, .floor_px = (*surface)->floor_px};
        const world::BlockPos above{x, world::floor_div16(cell.floor_px), z};
        const auto block = world.blocks({above, above});
        if (!block) return block.error();
        const KnownBlock* found = block->at(above);
        if (found != nullptr && found->traits.fluid == world::Fluid::water) cell.kind = HeightCell::Kind::water;
        if (found != nullptr && found->traits.fluid == world::Fluid::lava) cell.kind = HeightCell::Kind::lava;
      }
      cells.push_back(cell);
    }
  }
  return draw_heights(centre.x - radius, centre.z - radius, side, cells);
}

}  // namespace voxpath::server
