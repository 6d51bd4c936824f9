#include "world/queries.hpp"

#include "store_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace voxpath::world {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr int kIntMax = std::numeric_limits<int>::max();
constexpr int kIntMin = std::numeric_limits<int>::min();

/// Four known chunks around the origin, air; all other chunks are missing.
class Queries : public ::testing::Test {
 protected:
  Queries() : world_(kTestHeights) {
    for (const ChunkPos c : {ChunkPos{0, 0}, ChunkPos{-1, 0}, ChunkPos{0, -1}, ChunkPos{-1, -1}})
      must(world_, {PutChunk{c, air_chunk()}});
  }
  void put(BlockPos p, const PaletteEntry& e) { must(world_, {SetBlock{p, e.state}}); }
  PaletteEntry shape(int bottom, int top) {
    return state(world_.states(), fmt::format("shape_{}_{}", bottom, top), extent(bottom, top));
  }
  [[nodiscard]] Ref<const Snapshot> now() const { return world_.snapshot(); }

  [[nodiscard]] Sight sight(const Vec3& from, const Vec3& to) const { return line_of_sight(*now(), from, to)->sight; }
  /// The same in both directions and, mirrored in the plane through x = 0, there too.
  void expect_sight(const Vec3& from, const Vec3& to, Sight expected) const {
    EXPECT_EQ(sight(from, to), expected) << from.x << ' ' << from.y << ' ' << from.z << " to " << to.x << ' ' << to.y
                                         << ' ' << to.z;
    EXPECT_EQ(sight(to, from), expected) << "the way back";
  }

  World world_;
  PaletteEntry stone_ = state(world_.states(), "stone");
};

TEST_F(Queries, MissingIsNeverAir) {
  put({1, 2, 3}, stone_);
  const auto s = now();
  const BlockPos missing{16, 2, 3};
  EXPECT_EQ(solidity(*s, {1, 2, 3}), Solidity::solid);
  EXPECT_EQ(solidity(*s, {1, 3, 3}), Solidity::air);
  EXPECT_EQ(solidity(*s, {-1, 2, -1}), Solidity::air);
  EXPECT_EQ(solidity(*s, {-17, 2, -1}), Solidity::missing);
  EXPECT_EQ(solidity(*s, missing), Solidity::missing);
  EXPECT_EQ(solidity(*s, {1, 5000, 3}), Solidity::air) << "open air above the world";
  EXPECT_EQ(solidity(*s, {1, -5000, 3}), Solidity::air) << "void below";
  EXPECT_EQ(solidity(*s, {16, 5000, 3}), Solidity::missing) << "above a missing chunk is missing too";
  EXPECT_EQ(traits_at(*s, missing), std::nullopt);
  EXPECT_EQ(traits_at(*s, {1, 2, 3}), full_cube_traits());
  EXPECT_EQ(traits_at(*s, {1, 1, 3}), air_traits());

  const std::vector<BlockPos> asked{
      missing, {1, 2, 3}, {0, 0, 0}, {kIntMin, kIntMin, kIntMin}, {kIntMax, kIntMax, kIntMax}};
  const auto found = blocks_at(*s, asked);
  ASSERT_EQ(found.size(), 5u);
  EXPECT_EQ(found[0], nullptr);
  EXPECT_EQ(*found[1], stone_);
  EXPECT_EQ(*found[2], PaletteEntry{});
  EXPECT_EQ(found[3], nullptr);
  EXPECT_EQ(found[4], nullptr);
  EXPECT_TRUE(blocks_at(*s, {}).empty());
}

TEST_F(Queries, BoxIsReadYThenZThenX) {
  std::mt19937 random(3);
  for (int i = 0; i < 300; ++i) {
    put({static_cast<int>(random() % 32) - 16, static_cast<int>(random() % 10), static_cast<int>(random() % 32) - 16},
        stone_);
  }
  const auto s = now();
  const Box box{{-18, -1, -3}, {17, 10, 4}};
  const auto found = blocks_in(*s, box);
  ASSERT_TRUE(found);
  std::size_t i = 0;
  for (int y = box.min.y; y <= box.max.y; ++y) {
    for (int z = box.min.z; z <= box.max.z; ++z) {
      for (int x = box.min.x; x <= box.max.x; ++x)
        ASSERT_EQ((*found)[i++], s->block({x, y, z})) << x << ' ' << y << ' ' << z;
    }
  }
  EXPECT_EQ(i, found->size());
}

TEST_F(Queries, BoxLimitsAndErrors) {
  const auto s = now();
  EXPECT_EQ(blocks_in(*s, {{0, 0, 0}, {1023, 0, 1023}})->size(), static_cast<std::size_t>(kQueryVolumeMax));
  const auto over = blocks_in(*s, {{0, 0, 0}, {1023, 0, 1024}});
  ASSERT_FALSE(over);
  EXPECT_EQ(over.error().code, ErrorCode::out_of_range);
  EXPECT_EQ(over.error().message, "box (0, 0, 0) to (1023, 0, 1024): more than the 1048576 blocks that are allowed");
  EXPECT_EQ(blocks_in(*s, {{kIntMin, kIntMin, kIntMin}, {kIntMax, kIntMax, kIntMax}}).error().code,
            ErrorCode::out_of_range);
  const auto turned = blocks_in(*s, {{0, 0, 0}, {0, -1, 0}});
  ASSERT_FALSE(turned);
  EXPECT_EQ(turned.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(turned.error().message,
            "box (0, 0, 0) to (0, -1, 0): the first corner must not exceed the second on any axis");
  EXPECT_EQ(blocks_in(*s, {{kIntMax, kIntMax, kIntMax}, {kIntMax, kIntMax, kIntMax}})->size(), 1u)
      << "ends at the last number";
}

TEST_F(Queries, SightThroughAirAndIntoWalls) {
  for (int y = 0; y < 3; ++y) {
    for (int z = -16; z < 16; ++z) put({2, y, z}, stone_);
  }
  expect_sight({0.5, 1.5, 0.5}, {1.9, 1.5, 0.5}, Sight::clear);
  expect_sight({0.5, 1.5, 0.5}, {3.5, 1.5, 0.5}, Sight::blocked);
  expect_sight({0.5, 3.5, 0.5}, {5.5, 3.5, 0.5}, Sight::clear);
  expect_sight({-7.3, 2.9, -7.1}, {7.7, 2.9, 6.2}, Sight::blocked);
  expect_sight({2.5, 1.5, 0.5}, {2.5, 1.5, 0.5}, Sight::blocked);  // inside the wall
  expect_sight({0.5, 1.5, 0.5}, {0.5, 1.5, 0.5}, Sight::clear);
  EXPECT_EQ(line_of_sight(*now(), {0.5, 1.5, 0.5}, {3.5, 1.5, 0.5})->at, (BlockPos{2, 1, 0}));
  EXPECT_EQ(line_of_sight(*now(), {-0.5, 9.5, -0.5}, {-3.5, 9.5, -2.5})->at, (BlockPos{-4, 9, -3}));
}

TEST_F(Queries, SightAtTheHeightOfAFloorMeetsTheWallAndNotTheFloor) {
  for (int x = 0; x < 8; ++x) put({x, 63, 0}, stone_);
  expect_sight({0.5, 64.0, 0.5}, {7.5, 64.0, 0.5}, Sight::clear);
  must(world_, {FillBox{{{0, 31, 0}, {7, 31, 0}}, stone_.state}, SetBlock{{4, 32, 0}, stone_.state}});
  expect_sight({0.5, 32.0, 0.5}, {7.5, 32.0, 0.5}, Sight::blocked);
  expect_sight({0.5, 33.0, 0.5}, {7.5, 33.0, 0.5}, Sight::clear);
}

TEST_F(Queries, SightKnowsPartialHeights) {
  put({2, 0, 0}, shape(0, 8));
  put({4, 0, 0}, shape(8, 16));
  put({6, 0, 0}, shape(0, 24));
  const auto level = [](double x, double y) { return Vec3{x, y, 0.5}; };
  expect_sight(level(1.5, 0.4), level(3.5, 0.4), Sight::blocked);
  expect_sight(level(1.5, 0.6), level(3.5, 0.6), Sight::clear);
  expect_sight(level(3.5, 0.4), level(5.5, 0.4), Sight::clear);
  expect_sight(level(3.5, 0.6), level(5.5, 0.6), Sight::blocked);
  expect_sight(level(5.5, 1.4), level(7.5, 1.4), Sight::blocked);  // over the fence's own cell, below its top
  expect_sight(level(5.5, 1.5), level(7.5, 1.5), Sight::clear);
  expect_sight(level(5.5, 1.9), level(7.5, 1.45), Sight::clear);
  expect_sight(level(5.5, 1.7), level(7.5, 1.2), Sight::blocked);
}

TEST_F(Queries, SightThroughAnEdgeTouchesNeitherNeighbour) {
  put({1, 1, 0}, stone_);
  put({0, 1, 1}, stone_);
  expect_sight({0.5, 1.5, 0.5}, {3.5, 1.5, 3.5}, Sight::clear);
  put({2, 1, 2}, stone_);
  expect_sight({0.5, 1.5, 0.5}, {3.5, 1.5, 3.5}, Sight::blocked);
}

TEST_F(Queries, SightStopsAtWhatIsMissing) {
  const auto out = line_of_sight(*now(), {0.5, 1.5, 0.5}, {40.5, 1.5, 0.5});
  EXPECT_EQ(out->sight, Sight::missing);
  EXPECT_EQ(out->at, (BlockPos{16, 1, 0}));
  put({9, 1, 0}, stone_);
  EXPECT_EQ(sight({0.5, 1.5, 0.5}, {40.5, 1.5, 0.5}), Sight::blocked) << "the wall stands before it";
  EXPECT_EQ(sight({40.5, 1.5, 0.5}, {0.5, 1.5, 0.5}), Sight::missing);
  EXPECT_EQ(sight({0.5, 900.0, 0.5}, {-5.5, 800.0, 5.5}), Sight::clear) << "above the world";
}

TEST_F(Queries, SightErrorsNameTheFieldTheValueAndTheLimit) {
  const auto s = now();
  const Vec3 good{0, 0, 0};
  for (const double bad : {kNan, kInf, -kInf, 30'000'001.0}) {
    EXPECT_EQ(line_of_sight(*s, {bad, 0, 0}, good).error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(line_of_sight(*s, good, {0, 0, bad}).error().code, ErrorCode::invalid_argument);
  }
  EXPECT_EQ(line_of_sight(*s, good, {0, kNan, 0}).error().message,
            "to = (0, nan, 0): every axis must be finite and within 30000000");
  EXPECT_TRUE(line_of_sight(*s, good, {0, 1024, 0}).ok());
  const auto far = line_of_sight(*s, good, {0, 1024.5, 0});
  ASSERT_FALSE(far);
  EXPECT_EQ(far.error().code, ErrorCode::out_of_range);
  EXPECT_EQ(far.error().message, "distance = 1024.5: at most 1024 blocks are allowed");
}

/// What a ray meets first, by looking at very many points of it.
Sight sampled(const Snapshot& s, const Vec3& from, const Vec3& to) {
  constexpr int kSamples = 40'000;
  for (int i = 1; i < kSamples; ++i) {
    const double t = static_cast<double>(i) / kSamples;
    const Vec3 p{from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t, from.z + (to.z - from.z) * t};
    const BlockPos cell = cell_of(p);
    for (const int y : {cell.y, cell.y - 1}) {
      const PaletteEntry* entry = s.block({cell.x, y, cell.z});
      if (entry == nullptr) return Sight::missing;
      const double above = (p.y - y) * kPixelsPerBlock;
      if (entry->traits.has_extent() && above > entry->traits.bottom && above < entry->traits.top)
        return Sight::blocked;
    }
  }
  return Sight::clear;
}

TEST_F(Queries, SightAgreesWithSampling) {
  std::mt19937 random(5);
  const std::vector<PaletteEntry> shapes{stone_, shape(0, 8), shape(8, 16), shape(0, 24), shape(0, 1), shape(13, 16)};
  for (int i = 0; i < 900; ++i) {
    const auto block = [&](int low, int n) { return low + static_cast<int>(random() % static_cast<unsigned>(n)); };
    put({block(-16, 32), block(-6, 12), block(-16, 32)}, shapes[random() % shapes.size()]);
  }
  const auto s = now();
  std::uniform_real_distribution<double> across(-17.5, 17.5);
  std::uniform_real_distribution<double> up(-7, 7);
  int met[3] = {};
  int differ = 0;
  for (int i = 0; i < 1500; ++i) {
    const Vec3 from{across(random), up(random), across(random)};
    const Vec3 to{across(random), up(random), across(random)};
    const Sight walked = line_of_sight(*s, from, to)->sight;
    const Sight seen = sampled(*s, from, to);
    ++met[static_cast<int>(walked)];
    if (walked == seen) continue;
    // Sampling can step over the tip of a corner; the walk never may.
    ++differ;
    ASSERT_NE(walked, Sight::clear) << from.x << ' ' << from.y << ' ' << from.z << " to " << to.x << ' ' << to.y << ' '
                                    << to.z;
  }
  EXPECT_LE(differ, 3);
  for (const int n : met) EXPECT_GT(n, 30) << "every outcome must be among the cases";
}

TEST_F(Queries, SurfaceBelow) {
  put({1, 10, 1}, stone_);
  put({1, 20, 1}, shape(0, 8));
  put({-1, -64, -1}, stone_);
  const auto floor_px = [&](const Vec3& from) {
    const auto found = surface_below(*now(), from);
    return found && !found->missing ? std::optional(found->floor_px) : std::nullopt;
  };
  EXPECT_EQ(floor_px({1.5, 63.0, 1.5}), 20 * 16 + 8);
  EXPECT_EQ(floor_px({1.5, 1e6, 1.5}), 20 * 16 + 8) << "from above the world";
  EXPECT_EQ(floor_px({1.5, 20.5, 1.5}), 20 * 16 + 8) << "standing on it";
  EXPECT_EQ(floor_px({1.5, 20.4, 1.5}), 11 * 16) << "inside the slab: what is under it";
  EXPECT_EQ(floor_px({1.5, 10.9, 1.5}), std::nullopt);
  EXPECT_EQ(floor_px({-0.5, 0.0, -0.5}), -63 * 16);
  EXPECT_EQ(floor_px({-0.5, -64.5, -0.5}), std::nullopt) << "below the world";
  EXPECT_EQ(surface_below(*now(), {5.5, 60, 5.5}), std::nullopt) << "an empty column";
  EXPECT_TRUE(surface_below(*now(), {99.0, 60, 0})->missing);
  EXPECT_TRUE(surface_below(*now(), {kNan, 60, 0})->missing);
  EXPECT_TRUE(surface_below(*now(), {0, kInf, 0})->missing);
  EXPECT_EQ(surface_below(*now(), {1.5, 30.0, 1.5})->block, (BlockPos{1, 20, 1}));
}

/// Every surface of a column straight from the definition: an extent's top that no extent covers just above.
std::optional<int> highest_surface(const Snapshot& s, int x, int z, double limit) {
  const Heights h = s.heights();
  std::optional<int> best;
  for (int y = h.min_y; y <= h.max_y(); ++y) {
    const Traits& t = s.block({x, y, z})->traits;
    if (!t.has_extent()) continue;
    const int top = y * 16 + t.top;
    bool covered = false;
    for (int other = h.min_y; other <= h.max_y(); ++other) {
      const Traits& o = s.block({x, other, z})->traits;
      covered = covered || (o.has_extent() && other * 16 + o.bottom <= top && top < other * 16 + o.top);
    }
    if (!covered && top <= limit * 16) best = std::max(best.value_or(top), top);
  }
  return best;
}

TEST_F(Queries, SurfaceBelowAgreesWithTheDefinition) {
  std::mt19937 random(9);
  const std::vector<PaletteEntry> shapes{stone_, shape(0, 8), shape(8, 16), shape(0, 24), shape(0, 2), shape(13, 16)};
  for (int x = 0; x < 16; ++x) {
    const auto share = 1 + static_cast<unsigned>(x) % 5;  // dense and thin columns
    for (int y = -64; y < 64; ++y) {
      if (random() % share == 0) put({x, y, 0}, shapes[random() % shapes.size()]);
    }
  }
  const auto s = now();
  for (int x = 0; x < 16; ++x) {
    for (int px = -66 * 16; px < 67 * 16; px += 3) {
      const auto found = surface_below(*s, {x + 0.5, px / 16.0, 0.5});
      const auto expected = highest_surface(*s, x, 0, px / 16.0);
      ASSERT_EQ(found.has_value(), expected.has_value()) << "x " << x << ", from " << px << " px";
      ASSERT_EQ(found ? found->floor_px : 0, expected.value_or(0)) << "x " << x << ", from " << px << " px";
    }
  }
}

}  // namespace
}  // namespace voxpath::world
