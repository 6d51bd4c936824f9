#include "world/generate/terrain.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace voxpath::world {

namespace {

enum Kind : std::uint8_t { air, bedrock, stone, dirt, grass, sand, water, trunk, leaves, slab, fence, wall, kinds };

constexpr std::array<const char*, kinds> kNames = {"minecraft:air",
                                                   "minecraft:bedrock",
                                                   "minecraft:stone",
                                                   "minecraft:dirt",
                                                   "minecraft:grass_block[snowy=false]",
                                                   "minecraft:sand",
                                                   "minecraft:water[level=0]",
                                                   "minecraft:oak_log[axis=y]",
                                                   "minecraft:oak_leaves[distance=1,persistent=false]",
                                                   "minecraft:stone_slab[type=bottom,waterlogged=false]",
                                                   "minecraft:oak_fence",
                                                   "minecraft:stone_bricks"};

constexpr int kSeaLevelUsual = 62;
constexpr int kRoomAboveSea = 48;  // blocks, for hills and trees
constexpr int kTreeTop = 7;        // blocks above the ground
constexpr std::uint64_t kTreeSalt = 1, kSlabSalt = 2, kPenSalt = 3, kMazeSalt = 4;

/// SplitMix64's finisher over the coordinates: Steele, Lea and Flood (OOPSLA 2014).
std::uint64_t scatter(std::uint64_t seed, std::int64_t x, std::int64_t z) {
  std::uint64_t h =
      seed + static_cast<std::uint64_t>(x) * 0x9E3779B97F4A7C15u + static_cast<std::uint64_t>(z) * 0xD1B54A32D192ED03u;
  h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9u;
  h = (h ^ (h >> 27)) * 0x94D049BB133111EBu;
  return h ^ (h >> 31);
}

/// Smooth between lattice points 2^shift blocks apart: 0..65535.
std::int64_t value_noise(std::uint64_t seed, std::int32_t x, std::int32_t z, int shift) {
  const std::int32_t cell_x = x >> shift;
  const std::int32_t cell_z = z >> shift;
  const auto smooth = [shift](std::int32_t v) {  // 3t^2 - 2t^3 in 1/65536
    const std::int64_t t = (std::int64_t{v} & ((std::int64_t{1} << shift) - 1)) << (16 - shift);
    return (t * t >> 16) * (std::int64_t{3} * 65536 - 2 * t) >> 16;
  };
  const auto corner = [&](int dx, int dz) {
    return static_cast<std::int64_t>(scatter(seed, cell_x + dx, cell_z + dz) & 0xFFFF);
  };
  const auto mix = [](std::int64_t a, std::int64_t b, std::int64_t t) { return a + ((b - a) * t >> 16); };
  const std::int64_t tx = smooth(x);
  return mix(mix(corner(0, 0), corner(1, 0), tx), mix(corner(0, 1), corner(1, 1), tx), smooth(z));
}

/// The blocks of one chunk while it is made.
class Canvas {
 public:
  explicit Canvas(Heights heights) : heights_(heights), blocks_(static_cast<std::size_t>(heights.height) * 256, air) {}

  void set(int x, int y, int z, Kind kind) {
    if (heights_.contains(y)) blocks_[index(x, y, z)] = kind;
  }
  [[nodiscard]] Kind at(int x, int y, int z) const { return heights_.contains(y) ? blocks_[index(x, y, z)] : air; }
  void fill(int x, int from_y, int to_y, int z, Kind kind) {
    for (int y = from_y; y <= to_y; ++y) set(x, y, z, kind);
  }

  [[nodiscard]] Ref<Chunk> chunk(StateRegistry& states, const BlockTable& table) const {
    std::array<PaletteEntry, kinds> palette;
    for (std::size_t i = 0; i < kinds; ++i) {
      const BlockState state = *BlockState::parse(kNames[i]);
      const Traits traits = table.traits(state);
      palette[i] = {*states.intern(state.text(), traits), traits};
    }
    auto made = make_ref<Chunk>(heights_.min_y, heights_.height);
    std::vector<std::uint16_t> indices(kSectionVolume);
    for (int s = 0; s < heights_.height / kSectionSize; ++s) {
      const auto from = blocks_.begin() + std::ptrdiff_t{s} * kSectionVolume;
      std::copy_n(from, kSectionVolume, indices.begin());
      made->set_section(floor_div16(heights_.min_y) + s, make_ref<Section>(palette, indices));
    }
    return made;
  }

 private:
  [[nodiscard]] std::size_t index(int x, int y, int z) const {
    return static_cast<std::size_t>((y - heights_.min_y) << 8 | z << 4 | x);
  }
  Heights heights_;
  std::vector<Kind> blocks_;  // as Section's index, from the lowest section up
};

/// Whole trees only: they keep two blocks from the chunk's edge, so that no chunk needs its neighbours'.
void plant_trees(Canvas& canvas, std::uint64_t seed, ChunkPos pos, Heights heights) {
  for (int quarter = 0; quarter < 4; ++quarter) {
    const std::uint64_t h =
        scatter(seed + kTreeSalt, 2 * std::int64_t{pos.x} + quarter % 2, 2 * std::int64_t{pos.z} + quarter / 2);
    if (h % 3 != 0) continue;
    const int x = 2 + quarter % 2 * 6 + static_cast<int>(h >> 8 & 3);
    const int z = 2 + quarter / 2 * 6 + static_cast<int>(h >> 16 & 3);
    const int ground = generated_ground(seed, pos.x * 16 + x, pos.z * 16 + z, heights);
    if (canvas.at(x, ground, z) != grass) continue;
    const int top = ground + 4 + static_cast<int>(h >> 24 & 1);
    for (int y = top - 1; y <= top + 1; ++y) {
      const int reach = y > top ? 1 : 2;
      for (int dz = -reach; dz <= reach; ++dz) {
        for (int dx = -reach; dx <= reach; ++dx) canvas.set(x + dx, y, z + dz, leaves);
      }
    }
    canvas.fill(x, ground + 1, top, z, trunk);
  }
}

/// A square of fences that follows the ground, with one block left open, in some chunks on dry land.
void build_pen(Canvas& canvas, std::uint64_t seed, ChunkPos pos, Heights heights) {
  const std::uint64_t h = scatter(seed + kPenSalt, pos.x, pos.z);
  if (h % 9 != 0) return;
  constexpr int kFrom = 4;
  constexpr int kTo = 11;
  const int gap = kFrom + 1 + static_cast<int>(h >> 8 & 3);
  for (int x = kFrom; x <= kTo; ++x) {
    for (int z = kFrom; z <= kTo; ++z) {
      const bool edge = x == kFrom || x == kTo || z == kFrom || z == kTo;
      const int ground = generated_ground(seed, pos.x * 16 + x, pos.z * 16 + z, heights);
      const Kind above = canvas.at(x, ground + 1, z);
      if (!edge || (x == gap && z == kFrom) || canvas.at(x, ground, z) != grass || (above != air && above != slab))
        continue;
      canvas.set(x, ground + 1, z, fence);
    }
  }
}

}  // namespace

int generated_sea_level(Heights heights) {
  return heights.contains(kSeaLevelUsual) && heights.contains(kSeaLevelUsual + kRoomAboveSea)
             ? kSeaLevelUsual
             : heights.min_y + heights.height / 4;
}

int generated_ground(std::uint64_t seed, std::int32_t x, std::int32_t z, Heights heights) {
  const std::int64_t relief =
      36 * value_noise(seed, x, z, 6) + 12 * value_noise(seed + 17, x, z, 5) + 5 * value_noise(seed + 29, x, z, 3);
  const int ground = generated_sea_level(heights) - 18 + static_cast<int>(relief >> 16);
  return std::clamp(ground, heights.min_y + 1, std::max(heights.min_y + 1, heights.max_y() - kTreeTop));
}

Ref<Chunk> generate_terrain_chunk(std::uint64_t seed, ChunkPos pos, Heights heights, StateRegistry& states,
                                  const BlockTable& table) {
  Canvas canvas(heights);
  const int sea = generated_sea_level(heights);
  for (int z = 0; z < 16; ++z) {
    for (int x = 0; x < 16; ++x) {
      const std::int32_t wx = pos.x * 16 + x;
      const std::int32_t wz = pos.z * 16 + z;
      const int ground = generated_ground(seed, wx, wz, heights);
      const Kind cover = ground <= sea + 1 ? sand : grass;
      canvas.fill(x, heights.min_y, ground, z, stone);
      canvas.fill(x, std::max(heights.min_y, ground - 3), ground, z, cover == sand ? sand : dirt);
      canvas.set(x, ground, z, cover);
      canvas.set(x, heights.min_y, z, bedrock);
      canvas.fill(x, ground + 1, sea, z, water);
      // A slab at the foot of some of the steps.
      const bool step = generated_ground(seed, wx + 1, wz, heights) == ground + 1 ||
                        generated_ground(seed, wx, wz + 1, heights) == ground + 1;
      if (step && ground > sea && scatter(seed + kSlabSalt, wx, wz) % 4 == 0) canvas.set(x, ground + 1, z, slab);
    }
  }
  plant_trees(canvas, seed, pos, heights);
  build_pen(canvas, seed, pos, heights);
  return canvas.chunk(states, table);
}

Ref<Chunk> generate_maze_chunk(std::uint64_t seed, ChunkPos pos, Heights heights, StateRegistry& states,
                               const BlockTable& table) {
  Canvas canvas(heights);
  const int floor = generated_sea_level(heights);
  for (int z = 0; z < 16; ++z) {
    for (int x = 0; x < 16; ++x) {
      canvas.set(x, heights.min_y, z, bedrock);
      canvas.set(x, floor, z, stone);
      const bool west = x % kMazeCell == 0;
      const bool north = z % kMazeCell == 0;
      const std::int64_t cell_x = std::int64_t{pos.x} * (16 / kMazeCell) + x / kMazeCell;
      const std::int64_t cell_z = std::int64_t{pos.z} * (16 / kMazeCell) + z / kMazeCell;
      const bool opens_west = (scatter(seed + kMazeSalt, cell_x, cell_z) & 1) != 0;  // else north
      if ((west && north) || (west && !opens_west) || (north && opens_west))
        canvas.fill(x, floor + 1, floor + kMazeWallHeight, z, wall);
    }
  }
  return canvas.chunk(states, table);
}

}  // namespace voxpath::world
