#include "tests/judge/random_worlds.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace voxpath::judge {
namespace {

using world::BlockPos;

constexpr std::array<std::string_view, 58> kBlocks{"stone",
                                                   "stone_slab[type=bottom]",
                                                   "stone_slab[type=top]",
                                                   "stone_slab[type=bottom,waterlogged=true]",
                                                   "stone_slab[type=top,waterlogged=true]",
                                                   "white_carpet",
                                                   "farmland",
                                                   "soul_sand",
                                                   "oak_fence",
                                                   "oak_fence[waterlogged=true]",
                                                   "cobblestone_wall",
                                                   "oak_door[facing=east,half=lower,open=false]",
                                                   "oak_door[facing=east,half=lower,open=true]",
                                                   "iron_door[facing=east,half=lower,open=false]",
                                                   "iron_door[facing=east,half=lower,open=true]",
                                                   "oak_fence_gate[facing=east,open=false]",
                                                   "oak_fence_gate[facing=east,open=true]",
                                                   "oak_trapdoor[facing=north,half=bottom,open=false]",
                                                   "oak_trapdoor[facing=north,half=top,open=false]",
                                                   "oak_trapdoor[facing=north,half=bottom,open=true]",
                                                   "oak_trapdoor[facing=north,half=bottom,open=false,waterlogged=true]",
                                                   "oak_stairs[facing=east,half=bottom]",
                                                   "oak_stairs[facing=west,half=bottom]",
                                                   "oak_stairs[facing=north,half=bottom]",
                                                   "oak_stairs[facing=south,half=bottom]",
                                                   "oak_stairs[facing=east,half=top]",
                                                   "oak_stairs[facing=east,half=bottom,waterlogged=true]",
                                                   "ladder[facing=east]",
                                                   "ladder[facing=east,waterlogged=true]",
                                                   "vine[south=true]",
                                                   "scaffolding[bottom=false,distance=0]",
                                                   "water",
                                                   "lava",
                                                   "magma_block",
                                                   "cactus",
                                                   "fire",
                                                   "sweet_berry_bush",
                                                   "wither_rose",
                                                   "powder_snow",
                                                   "campfire[lit=true]",
                                                   "campfire[lit=false]",
                                                   "cobweb",
                                                   "honey_block",
                                                   "snow[layers=1]",
                                                   "snow[layers=2]",
                                                   "snow[layers=3]",
                                                   "snow[layers=5]",
                                                   "snow[layers=6]",
                                                   "snow[layers=8]",
                                                   "chest[facing=east]",
                                                   "red_bed[facing=east]",
                                                   "glass_pane",
                                                   "lily_pad",
                                                   "short_grass",
                                                   "dirt_path",
                                                   "oak_leaves",
                                                   "anvil",
                                                   "hopper"};

constexpr std::array<std::string_view, 6> kClosed{
    "oak_door[facing=east,half=lower,open=false]", "oak_door[facing=east,half=lower,open=false]",
    "oak_door[facing=east,half=lower,open=true]",  "oak_fence_gate[facing=east,open=false]",
    "oak_fence_gate[facing=east,open=false]",      "iron_door[facing=east,half=lower,open=false]"};
constexpr std::array<std::string_view, 4> kClimbable{"ladder[facing=east]", "ladder[facing=east,waterlogged=true]",
                                                     "vine[south=true]", "scaffolding[bottom=false,distance=0]"};

// Small worlds: many of their nodes meet many of the rules, and a case that fails can be read.
constexpr int kSizeX = 12, kSizeY = 8, kSizeZ = 12;  // blocks

class Painter {
 public:
  Painter(Random& random, RandomCase& drawn) : random_(random), case_(drawn) {
    const int kinds = random.between(3, 10);
    for (int i = 0; i < kinds; ++i) palette_.push_back(pick(random, kBlocks));
  }

  void paint() {
    if (case_.agent.mode == Mode::swim) {
      pool();
    } else {
      paint_land();
    }
    if (case_.agent.mode == Mode::walk) fittings();
    if (case_.agent.mode != Mode::walk && random_.chance(50)) shell();
  }

 private:
  void paint_land() {
    switch (random_.below(4)) {
      case 0:
        noise();
        break;
      case 1:
        terrain();
        break;
      case 2:
        rooms();
        break;
      default:
        cluttered_floor();
        break;
    }
  }

  void put(int x, int y, int z, std::string_view block) {
    case_.blocks[{case_.box.min.x + x, case_.box.min.y + y, case_.box.min.z + z}] = block;
  }
  void clear(int x, int y, int z) {
    case_.blocks.erase({case_.box.min.x + x, case_.box.min.y + y, case_.box.min.z + z});
  }
  std::string_view any() {
    return palette_[static_cast<std::size_t>(random_.below(static_cast<int>(palette_.size())))];
  }

  void for_each_column(const std::function<void(int, int)>& visit) {
    for (int x = 0; x < kSizeX; ++x) {
      for (int z = 0; z < kSizeZ; ++z) visit(x, z);
    }
  }

  /// Water with things in it, for swimmers.
  void pool() {
    const int things = random_.between(0, 40);
    const int bubbles = random_.between(0, 15);
    for_each_column([&](int x, int z) {
      for (int y = 0; y < kSizeY; ++y) {
        if (random_.chance(bubbles)) continue;
        put(x, y, z, random_.chance(things) ? any() : "water");
      }
    });
  }

  /// Closes the box with stone: else those who need no floor could always leave it.
  void shell() {
    for_each_column([&](int x, int z) {
      const bool side = x == 0 || z == 0 || x == kSizeX - 1 || z == kSizeZ - 1;
      for (int y = 0; y < kSizeY; ++y) {
        if (side || y == 0 || y == kSizeY - 1) put(x, y, z, "stone");
      }
    });
  }

  /// What mobs climb and open, where they cannot well go round it: left to chance it is hardly ever on a way.
  void fittings() {
    const bool opener = case_.agent.open_doors || case_.agent.open_gates;
    if (random_.chance(opener ? 75 : 10)) wall_with_doors();
    if (random_.chance(case_.agent.climb ? 40 : 10)) cliff_with_ladders();
  }

  /// Across the whole box, with some ways through.
  void wall_with_doors() {
    const int x = random_.between(3, kSizeX - 4);
    const int foot = random_.between(1, 3);
    for (int z = 0; z < kSizeZ; ++z) {
      put(x - 1, foot - 1, z, "stone");
      put(x + 1, foot - 1, z, "stone");
      for (int y = foot - 1; y <= foot + 2; ++y) put(x, y, z, "stone");
    }
    const int ways = random_.between(2, 5);
    for (int i = 0; i < ways; ++i) {
      const int z = random_.below(kSizeZ);
      const std::string_view block = pick(random_, kClosed);
      put(x, foot, z, block);
      put(x, foot + 1, z, block.find("door") == std::string_view::npos ? "short_grass" : block);
      for (const int beside : {x - 1, x + 1}) {
        for (int y = foot; y <= foot + 1; ++y) clear(beside, y, z);
      }
    }
  }

  /// One side of the box higher than anyone jumps, with two or three ways up.
  void cliff_with_ladders() {
    const int x = random_.between(4, kSizeX - 3);
    const int foot = random_.between(1, 2);
    const int top = random_.between(foot + 2, kSizeY - 3);
    for_each_column([&](int at, int z) {
      if (at < x - 1) return;
      for (int y = 0; y < kSizeY; ++y) {
        if (at == x - 1 ? y < foot : y <= top) {
          put(at, y, z, "stone");
        } else if (!random_.chance(5)) {
          clear(at, y, z);
        }
      }
    });
    const int ways = random_.between(2, 3);
    for (int i = 0; i < ways; ++i) {
      const int z = random_.below(kSizeZ);
      const std::string_view block = pick(random_, kClimbable);
      const int high = top + random_.between(-1, 1);
      for (int y = foot; y <= high; ++y) put(x - 1, y, z, block);
    }
  }

  void noise() {
    const int density = random_.between(10, 45);
    const int stone = random_.between(0, 60);
    for_each_column([&](int x, int z) {
      for (int y = 0; y < kSizeY; ++y) {
        if (random_.chance(density)) put(x, y, z, random_.chance(stone) ? "stone" : any());
      }
    });
  }

  void cluttered_floor() {
    const int floor = random_.between(0, 3);
    const int clutter = random_.between(10, 50);
    const int ceiling = random_.chance(40) ? random_.between(floor + 2, kSizeY - 1) : kSizeY;
    const int pool = random_.between(0, 25);
    for_each_column([&](int x, int z) {
      for (int y = 0; y <= floor; ++y) {
        if (!random_.chance(8)) put(x, y, z, "stone");
      }
      if (random_.chance(pool)) put(x, floor, z, random_.chance(70) ? "water" : any());
      for (int y = floor + 1; y < kSizeY && random_.chance(clutter); ++y) put(x, y, z, any());
      if (ceiling < kSizeY && random_.chance(60)) put(x, ceiling, z, random_.chance(70) ? "stone" : any());
    });
  }

  void terrain() {
    std::array<std::array<int, kSizeZ>, kSizeX> height{};
    const int water_level = random_.chance(50) ? random_.between(1, 4) : 0;
    const int odd = random_.between(5, 60);
    for_each_column([&](int x, int z) {
      const int before = x > 0 && (z == 0 || random_.chance(50))
                             ? height.at(static_cast<std::size_t>(x - 1)).at(static_cast<std::size_t>(z))
                         : z > 0 ? height.at(static_cast<std::size_t>(x)).at(static_cast<std::size_t>(z - 1))
                                 : random_.between(1, 4);
      const int direction = random_.between(-1, 1);
      const int slope = direction * random_.between(0, 2);
      const int top = std::clamp(before + slope, 0, kSizeY - 2);
      height.at(static_cast<std::size_t>(x)).at(static_cast<std::size_t>(z)) = top;
      for (int y = 0; y < top; ++y) put(x, y, z, "stone");
      put(x, top, z, random_.chance(odd) ? any() : "stone");
      for (int y = top + 1; y <= water_level; ++y) put(x, y, z, "water");
      if (random_.chance(odd / 3)) put(x, std::max(top, water_level) + 1, z, any());
    });
  }

  void rooms() {
    const int walls = random_.between(20, 45);
    const int high = random_.between(2, 4);
    const bool roof = random_.chance(50);
    for_each_column([&](int x, int z) {
      put(x, 0, z, random_.chance(85) ? "stone" : any());
      const bool wall = random_.chance(walls);
      for (int y = 1; y <= high; ++y) {
        if (wall) put(x, y, z, random_.chance(75) ? "stone" : any());
      }
      if (!wall && random_.chance(30)) {
        const std::string_view block = any();
        put(x, 1, z, block);
        if (random_.chance(50)) put(x, 2, z, block);
      }
      if (roof && random_.chance(80)) put(x, high + 1, z, "stone");
    });
  }

  Random& random_;
  RandomCase& case_;
  std::vector<std::string_view> palette_;
};

std::int64_t random_price(Random& random, std::int64_t usual) {
  constexpr std::array<std::int64_t, 8> kPrices{-1, 0, 1, 3, 10, 500, 99'999, 1'000'000};
  return random.chance(60) ? usual : pick(random, kPrices);
}

JudgeAgent random_agent(Random& random) {
  JudgeAgent a;
  a.width = pick(random, std::array{0.3, 0.6, 0.6, 0.6, 0.75, 1.0, 1.4, 1.95, 2.0, 2.6});
  a.height_px = pick(random, std::array{8, 11, 15, 16, 24, 32, 32, 32, 35, 48});
  a.step_px = pick(random, std::array{9, 9, 9, 0, 5, 8, 16, 20});
  a.jump_px = pick(random, std::array{18, 18, 18, 0, 8, 16, 24, 32});
  a.max_drop_px = pick(random, std::array{48, 48, 48, 0, 8, 16, 80});
  a.water = pick(random, std::array{Water::floats, Water::floats, Water::floats, Water::avoids, Water::walks});
  a.corners = pick(random, std::array{Corners::strict, Corners::strict, Corners::loose, Corners::never});
  a.metric = random.chance(15) ? Metric::moves : Metric::cost;
  a.mode = random.chance(84) ? Mode::walk : random.chance(60) ? Mode::fly : Mode::swim;
  a.leap = random.chance(65) ? 0 : random.between(1, 3);
  a.climb = a.footprint() == 1 && random.chance(50);
  a.open_doors = random.chance(40);
  a.pass_doors = random.chance(75);
  a.open_gates = random.chance(40);
  for (std::size_t i = 1; i < a.immune.size(); ++i) a.immune.at(i) = random.chance(12);
  if (random.chance(50)) return a;
  // A mob that may not walk straight at all is rare: it makes for short answers.
  if (random.chance(95))
    a.cost_cardinal = pick(random, std::array<std::int64_t, 6>{10, 10, 0, 1, 7, 100'000});
  else
    a.cost_cardinal = -1;
  a.cost_diagonal = random_price(random, a.cost_diagonal);
  a.cost_space_diagonal = random_price(random, a.cost_space_diagonal);
  a.cost_climb = random_price(random, a.cost_climb);
  a.cost_jump = random_price(random, a.cost_jump);
  a.cost_drop = random_price(random, a.cost_drop);
  a.cost_leap = random_price(random, a.cost_leap);
  a.cost_water = random_price(random, a.cost_water);
  a.cost_near_hazard = random_price(random, a.cost_near_hazard);
  a.cost_slow = random_price(random, a.cost_slow);
  a.cost_open = random_price(random, a.cost_open);
  return a;
}

}  // namespace

std::uint64_t Random::next() {
  state_ ^= state_ >> 12;
  state_ ^= state_ << 25;
  state_ ^= state_ >> 27;
  return state_ * 0x2545F4914F6CDD1DULL;
}

RandomCase random_case(std::uint64_t seed) {
  Random random(seed);
  RandomCase drawn;
  drawn.seed = seed;
  drawn.agent = random_agent(random);
  drawn.outside_missing = random.chance(25);
  drawn.heights = {.min_y = -16, .height = 32};
  // Across chunk borders and the origin, at the bottom and the top of the world.
  BlockPos origin{pick(random, std::array{-6, 9, -23, -40, 2}), pick(random, std::array{-16, -4, 0, 8}),
                  pick(random, std::array{-6, 10, -22, 5, 90})};  // in this order: braces
  if (drawn.agent.mode != Mode::walk) {
    // Every cell can be a node: little room around.
    drawn.outside_missing = true;
    drawn.heights.height = 16;
    origin = {pick(random, std::array{2, -14, 2, -6}), pick(random, std::array{-16, -12, -8}),
              pick(random, std::array{2, -14, 2, -6})};
  }
  drawn.box = {.min = origin, .max = {origin.x + kSizeX - 1, origin.y + kSizeY - 1, origin.z + kSizeZ - 1}};
  Painter(random, drawn).paint();
  if (random.chance(15)) {
    const int x = random.between(drawn.box.min.x, drawn.box.max.x);
    const int z = random.between(drawn.box.min.z, drawn.box.max.z);
    drawn.missing.insert(world::chunk_of({x, 0, z}));
  }
  return drawn;
}

}  // namespace voxpath::judge
