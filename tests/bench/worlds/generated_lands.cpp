#include "tests/bench/worlds/generated_lands.hpp"

#include "pathfinding/engine/nav_store.hpp"
#include "pathfinding/search.hpp"
#include "pathfinding/terrain.hpp"
#include "world/generate/terrain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace voxpath::bench {

namespace {

using world::BlockPos;
using world::ChunkPos;
using world::Heights;

constexpr Heights kWorldHeights{.min_y = -64, .height = 384};
constexpr Heights kFlatHeights{.min_y = 0, .height = 16};
constexpr Heights kCaveHeights{.min_y = 0, .height = 128};
constexpr std::int32_t kFloor = 3;                // y of the flat land's ground
constexpr std::int32_t kCavePeriod = 12;          // blocks from lattice point to lattice point
constexpr std::uint32_t kCaveOpenness = 0x7000;   // of 0x10000: how dense the noise must be to be stone
constexpr std::uint64_t kPlenty = 1'000'000'000;  // expansions, to pay for the whole index

/// SplitMix64's finisher over the coordinates: Steele, Lea and Flood (OOPSLA 2014).
std::uint64_t scatter(std::uint64_t seed, std::int32_t x, std::int32_t y, std::int32_t z) {
  std::uint64_t h = seed;
  for (const std::int32_t v : {x, y, z}) {
    h += static_cast<std::uint64_t>(static_cast<std::uint32_t>(v)) + 0x9E3779B97F4A7C15u;
    h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9u;
    h = (h ^ (h >> 27)) * 0x94D049BB133111EBu;
    h ^= h >> 31;
  }
  return h;
}

/// Value noise in space: 0 .. 0xFFFF, linear between lattice points.
std::int64_t noise(std::uint64_t seed, BlockPos p) {
  const std::array<std::int32_t, 3> v{p.x, p.y, p.z};
  std::array<std::int32_t, 3> cell{}, rest{};
  for (std::size_t i = 0; i < 3; ++i) {
    cell.at(i) = v.at(i) / kCavePeriod;
    rest.at(i) = v.at(i) % kCavePeriod;
  }
  std::int64_t sum = 0;
  for (std::int32_t corner = 0; corner < 8; ++corner) {
    std::int64_t weight = 1;
    std::array<std::int32_t, 3> at = cell;
    for (std::size_t i = 0; i < 3; ++i) {
      const bool upper = (corner >> i & 1) != 0;
      weight *= upper ? rest.at(i) : kCavePeriod - rest.at(i);
      at.at(i) += upper ? 1 : 0;
    }
    sum += weight * static_cast<std::int64_t>(scatter(seed, at[0], at[1], at[2]) & 0xFFFF);
  }
  return sum / (std::int64_t{kCavePeriod} * kCavePeriod * kCavePeriod);
}

template <class MakeChunk>
Land land_of(Heights heights, Extent chunks, const MakeChunk& make_chunk) {
  Land land;
  land.world = std::make_unique<world::World>(heights);
  land.chunks = chunks;
  land.stone = *land.world->states().intern("minecraft:stone", world::full_cube_traits());
  land.air = *land.world->states().intern("minecraft:air", {});
  std::vector<world::Change> changes;
  for (std::int32_t z = 0; z < chunks.z; ++z) {
    for (std::int32_t x = 0; x < chunks.x; ++x)
      changes.emplace_back(world::PutChunk{{x, z}, make_chunk(land, ChunkPos{x, z})});
  }
  const std::int32_t bottom = heights.min_y, top = heights.min_y + heights.height - 1;
  const std::int32_t last_x = chunks.x * 16 - 1, last_z = chunks.z * 16 - 1;
  for (const world::Box wall :
       {world::Box{{0, bottom, 0}, {last_x, top, 0}}, world::Box{{0, bottom, last_z}, {last_x, top, last_z}},
        world::Box{{0, bottom, 0}, {0, top, last_z}}, world::Box{{last_x, bottom, 0}, {last_x, top, last_z}}}) {
    changes.emplace_back(world::FillBox{wall, land.stone});
  }
  land.apply(changes);
  return land;
}

template <class Solid>
world::Ref<world::Chunk> chunk_of(const Land& land, ChunkPos pos, const Solid& solid) {
  const Heights heights = land.world->heights();
  auto chunk = world::make_ref<world::Chunk>(heights.min_y, heights.height);
  const std::array<world::PaletteEntry, 2> palette{world::PaletteEntry{land.air, {}},
                                                   world::PaletteEntry{land.stone, world::full_cube_traits()}};
  std::vector<std::uint16_t> indices(world::kSectionVolume);
  for (std::int32_t section = heights.min_y / 16; section < (heights.min_y + heights.height) / 16; ++section) {
    for (std::int32_t i = 0; i < world::kSectionVolume; ++i) {
      const BlockPos p{pos.x * 16 + (i & 15), section * 16 + (i >> 8), pos.z * 16 + (i >> 4 & 15)};
      indices[static_cast<std::size_t>(i)] = solid(p) ? 1 : 0;
    }
    chunk->set_section(section, world::make_ref<world::Section>(palette, indices));
  }
  return chunk;
}

using GenerateChunk = world::Ref<world::Chunk> (*)(std::uint64_t, ChunkPos, Heights, world::StateRegistry&,
                                                   const world::BlockTable&);

Land land_by(GenerateChunk generate, std::uint64_t seed, Extent chunks) {
  const auto table = world::BlockTable::for_version(world::BlockTable::versions().back());
  return land_of(kWorldHeights, chunks, [&](const Land& land, ChunkPos pos) {
    return generate(seed, pos, kWorldHeights, land.world->states(), *table);
  });
}

class PathTest {
 public:
  explicit PathTest(const Land& land) : snapshot_(land.world->snapshot()) { query_.best_effort = false; }
  bool both_ways(BlockPos a, BlockPos b) { return one_way(a, b) && one_way(b, a); }

 private:
  bool one_way(BlockPos from, BlockPos to) {
    query_.start = from;
    query_.goal = pathfinding::GoalPlaces{{to}};
    if (!search_.begin(snapshot_, query_, {.expansions = pathfinding::kExpansionsMax})) return false;
    while (!search_.advance(pathfinding::kExpansionsMax)) {
    }
    return search_.answer().status == pathfinding::AnswerStatus::found;
  }

  world::Ref<const world::Snapshot> snapshot_;
  pathfinding::Query query_;
  pathfinding::Search search_;
};

world::Box whole(const Land& land) {
  const Heights heights = land.world->heights();
  return {{1, heights.min_y, 1}, {land.chunks.x * 16 - 2, heights.min_y + heights.height - 1, land.chunks.z * 16 - 2}};
}

}  // namespace

void Land::apply(const std::vector<world::Change>& changes) const {
  if (const auto done = world->apply(changes); !done) throw std::runtime_error(done.error().message);
}

Land flat_land(std::uint64_t seed, Extent chunks) {
  return land_of(kFlatHeights, chunks, [seed](const Land& land, ChunkPos pos) {
    return chunk_of(land, pos, [seed](BlockPos p) {
      return p.y <= kFloor || (p.y <= kFloor + 2 && scatter(seed, p.x, 0, p.z) % 5 == 0);
    });
  });
}

Land maze_land(std::uint64_t seed, Extent chunks) { return land_by(world::generate_maze_chunk, seed, chunks); }

Land terrain_land(std::uint64_t seed, Extent chunks) { return land_by(world::generate_terrain_chunk, seed, chunks); }

Land cave_land(std::uint64_t seed, Extent chunks) {
  return land_of(kCaveHeights, chunks, [seed](const Land& land, ChunkPos pos) {
    return chunk_of(land, pos, [seed](BlockPos p) { return p.y == 0 || noise(seed, p) >= kCaveOpenness; });
  });
}

std::vector<BlockPos> random_nodes(const Land& land, world::Box box, std::size_t count, Random& random) {
  const auto between = [&](std::int32_t from, std::int32_t to) {
    return from + static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(to - from + 1));
  };
  const auto snapshot = land.world->snapshot();
  pathfinding::Terrain terrain;
  terrain.reset(*snapshot, pathfinding::Agent());
  std::vector<BlockPos> found;
  while (found.size() < count) {
    BlockPos p{between(box.min.x, box.max.x), between(box.min.y, box.max.y), between(box.min.z, box.max.z)};
    while (p.y >= box.min.y && terrain.cell(p.x, p.y, p.z).node == pathfinding::kNoNode) --p.y;
    if (p.y >= box.min.y) found.push_back(p);
  }
  return found;
}

std::vector<BlockPos> connected_places(const Land& land, std::size_t count, std::uint64_t seed) {
  constexpr std::size_t kHubs = 8, kTries = 8;
  Random random(seed);
  PathTest test(land);
  const std::vector<BlockPos> others = random_nodes(land, whole(land), kTries, random);
  BlockPos hub;
  std::ptrdiff_t most = -1;
  for (const BlockPos& candidate : random_nodes(land, whole(land), kHubs, random)) {
    const auto reached = std::count_if(others.begin(), others.end(),
                                       [&](const BlockPos& other) { return test.both_ways(candidate, other); });
    if (reached > most) hub = candidate;
    most = std::max(most, reached);
  }
  if (most < 1) throw std::runtime_error("no two places of the land reach each other");
  std::vector<BlockPos> places;
  while (places.size() < count) {
    const BlockPos p = random_nodes(land, whole(land), 1, random).front();
    if (test.both_ways(hub, p)) places.push_back(p);
  }
  return places;
}

std::vector<Pair> pairs(const std::vector<BlockPos>& places, double near, double far, std::size_t count,
                        std::uint64_t seed) {
  constexpr std::size_t kTriesPerPair = 100'000;
  Random random(seed);
  std::vector<Pair> found;
  for (std::size_t tries = 0; found.size() < count; ++tries) {
    if (tries > count * kTriesPerPair) throw std::runtime_error("no places lie that far apart");
    const BlockPos a = places[random() % places.size()], b = places[random() % places.size()];
    const double distance = std::hypot(a.x - b.x, a.z - b.z);
    if (distance >= near && distance <= far) found.emplace_back(a, b);
  }
  return found;
}

std::vector<BlockPos> build_sealed_rooms(const Land& land, std::int32_t y, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  const auto along = [&](std::int32_t chunks) {
    return 4 + static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(chunks * 16 - 8));
  };
  std::vector<world::Change> changes;
  std::vector<BlockPos> rooms;
  while (rooms.size() < count) {
    const BlockPos p{along(land.chunks.x), y, along(land.chunks.z)};
    const bool apart = std::all_of(rooms.begin(), rooms.end(), [&](const BlockPos& r) {
      return std::abs(r.x - p.x) > 5 || std::abs(r.z - p.z) > 5;
    });
    if (!apart) continue;
    changes.emplace_back(world::FillBox{{{p.x - 2, y - 1, p.z - 2}, {p.x + 2, y + 3, p.z + 2}}, land.stone});
    changes.emplace_back(world::FillBox{{{p.x - 1, y, p.z - 1}, {p.x + 1, y + 2, p.z + 1}}, land.air});
    rooms.push_back(p);
  }
  land.apply(changes);
  return rooms;
}

void derive_all(const Land& land) {
  const auto snapshot = land.world->snapshot();
  const auto nav_class = pathfinding::NavStore::of(*snapshot)->agent_class(pathfinding::Agent());
  pathfinding::NavReader reader;
  reader.reset(*snapshot, *nav_class);
  nav_class->index().with([&](pathfinding::RegionIndex& index) { index.pay(reader, kPlenty); });
}

}  // namespace voxpath::bench
