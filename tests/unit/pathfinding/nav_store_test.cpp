// What the store works out anew after an edit is what it would work out from nothing.
#include "pathfinding/engine/nav_store.hpp"

#include "pathfinding/profiles.hpp"
#include "world/blocks/block_table.hpp"
#include "world/world.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

namespace voxpath::pathfinding {
namespace {

using world::BlockPos;
using world::ChunkPos;

constexpr world::Heights kHeights{.min_y = -16, .height = 48};
constexpr int kSide = 3;  // chunks

/// A move as anybody can compare it, whatever layers and extras it is made of.
using Move = std::tuple<std::int32_t, std::int32_t, std::int32_t, std::int64_t,
                        int>;  // x, y, z, price, kind; or a missing chunk

std::vector<Move> moves_of(NavClass& nav_class, const world::Snapshot& snapshot, NavBuilder& builder,
                           const NavChunk& chunk, std::uint32_t node) {
  std::vector<Move> moves;
  const EdgePrices prices = edge_prices(nav_class.agent());
  const BlockPos from = chunk.nodes->cell(node);
  const auto target = [&](ChunkPos pos, std::uint32_t index) {
    return nav_class.chunk(snapshot, pos, builder)->nodes->cell(index);
  };
  const auto enter_price = [&](ChunkPos pos, std::uint32_t index) {
    return nav_class.chunk(snapshot, pos, builder)->nodes->enter_price(index);
  };
  for (std::size_t d = 0; d < 8; ++d) {
    const auto byte = static_cast<std::uint32_t>(chunk.edges[node] >> (8 * d) & 0xFF);
    const auto type = static_cast<EdgeType>(byte & 7u);
    if (type == EdgeType::extra) continue;
    const BlockPos beside{from.x + kStepX[d], from.y, from.z + kStepZ[d]};
    const auto column = static_cast<std::uint32_t>((beside.z & 15) << 4 | (beside.x & 15));
    const std::uint32_t index = byte >> 3 << 8 | column;
    const BlockPos to = target(world::chunk_of(beside), index);
    const std::int64_t entered = type == EdgeType::priced ? enter_price(world::chunk_of(beside), index) : 0;
    moves.emplace_back(to.x, to.y, to.z, prices[byte & 7u][d] + entered, static_cast<int>(move_kind(type, d)));
  }
  for (const ExtraEdge* e = chunk.extras_from(node); e != chunk.extras_to(node); ++e) {
    const ChunkPos pos{chunk.nodes->pos.x + e->neighbour % 3 - 1, chunk.nodes->pos.z + e->neighbour / 3 - 1};
    if (e->missing) {
      moves.emplace_back(pos.x, 0, pos.z, 0, -1);
      continue;
    }
    const BlockPos to = target(pos, std::uint32_t{e->layer} << 8 | e->column);
    moves.emplace_back(to.x, to.y, to.z, e->price, static_cast<int>(e->kind));
  }
  std::sort(moves.begin(), moves.end());
  moves.erase(std::unique(moves.begin(), moves.end()), moves.end());
  return moves;
}

/// The moves as Terrain and for_each_move give them.
std::vector<Move> asked_moves(Terrain& terrain, BlockPos cell) {
  std::vector<Move> moves;
  const NodeId id = terrain.cell(cell.x, cell.y, cell.z).node;
  for_each_move(
      terrain, id,
      [&](NodeId to_id, MoveKind kind, std::int64_t price) {
        const Node& to = terrain.node(to_id);
        if (to.enter_price == kForbidden) return;
        moves.emplace_back(to.cell.x, to.cell.y, to.cell.z, price + to.enter_price, static_cast<int>(kind));
      },
      [&](ChunkPos chunk) { moves.emplace_back(chunk.x, 0, chunk.z, 0, -1); });
  std::sort(moves.begin(), moves.end());
  moves.erase(std::unique(moves.begin(), moves.end()), moves.end());
  return moves;
}

class Land {
 public:
  explicit Land(unsigned seed) : world_(kHeights), random_(seed) {
    const auto table = world::BlockTable::for_data_version(3465);
    for (const char* name :
         {"air", "stone", "stone", "oak_slab[type=bottom]", "water[level=0]", "oak_fence", "ladder[facing=north]",
          "magma_block", "soul_sand", "oak_door[half=lower,open=false]", "lava[level=0]"}) {
      const auto state = world::BlockState::parse(std::string("minecraft:") + name);
      const auto traits = table.traits(*state);
      states_.push_back(*world_.states().intern(std::string("minecraft:") + name, traits));
    }
    std::vector<world::Change> changes;
    for (int x = 0; x < kSide; ++x) {
      for (int z = 0; z < kSide; ++z)
        changes.emplace_back(
            world::PutChunk{{x - 1, z - 1}, world::make_ref<world::Chunk>(kHeights.min_y, kHeights.height)});
    }
    changes.emplace_back(world::FillBox{{{-16, -16, -16}, {kSide * 16 - 17, 0, kSide * 16 - 17}}, states_[1]});
    for (int i = 0; i < 1500; ++i) changes.emplace_back(anything());
    if (!world_.apply(changes)) throw std::runtime_error("the land is not accepted");
  }

  world::SetBlock anything() {
    const auto at = [&] { return static_cast<std::int32_t>(random_() % (kSide * 16)) - 16; };
    return {{at(), static_cast<std::int32_t>(random_() % 9) - 2, at()}, states_[random_() % states_.size()]};
  }
  void edit() {
    std::vector<world::Change> changes;
    for (auto n = random_() % 3 + 1; n > 0; --n) changes.emplace_back(anything());
    if (random_() % 40 == 0) changes.emplace_back(world::DropChunk{{1, 1}});
    if (random_() % 40 == 0) {
      changes.emplace_back(world::DropChunk{{-1, 0}});
      changes.emplace_back(world::PutChunk{{-1, 0}, world::make_ref<world::Chunk>(kHeights.min_y, kHeights.height)});
    }
    static_cast<void>(world_.apply(changes));  // an edit of the chunk that was dropped is refused
  }
  [[nodiscard]] world::Ref<const world::Snapshot> snapshot() const { return world_.snapshot(); }

 private:
  world::World world_;
  std::mt19937 random_;
  std::vector<world::StateId> states_;
};

void expect_exact(NavClass& nav_class, const world::Snapshot& snapshot, NavBuilder& builder, const std::string& what) {
  Terrain terrain;
  terrain.reset(snapshot, nav_class.agent());
  for (int cx = -1; cx < kSide - 1; ++cx) {
    for (int cz = -1; cz < kSide - 1; ++cz) {
      if (snapshot.chunk({cx, cz}) == nullptr) continue;
      const auto chunk = nav_class.chunk(snapshot, {cx, cz}, builder);
      std::size_t count = 0;
      for (std::uint32_t node = 0; node < chunk->edges.size(); ++node) {
        if (!chunk->nodes->info[node].exists()) continue;
        ++count;
        const BlockPos cell = chunk->nodes->cell(node);
        const NodeId id = terrain.cell(cell.x, cell.y, cell.z).node;
        ASSERT_NE(id, kNoNode) << what << ": " << cell.x << ' ' << cell.y << ' ' << cell.z;
        ASSERT_EQ(terrain.node(id).floor_px, cell.y * 16 + chunk->nodes->info[node].floor_px()) << what;
        ASSERT_EQ(moves_of(nav_class, snapshot, builder, *chunk, node), asked_moves(terrain, cell))
            << what << ": " << cell.x << ' ' << cell.y << ' ' << cell.z;
      }
      std::size_t wanted = 0;
      for (int i = 0; i < 256; ++i) {
        for (int y = kHeights.min_y; y <= kHeights.max_y() + 1; ++y)
          wanted += terrain.cell(cx * 16 + (i & 15), y, cz * 16 + (i >> 4)).node != kNoNode ? 1 : 0;
      }
      ASSERT_EQ(count, wanted) << what << ": chunk " << cx << ' ' << cz;
    }
  }
}

TEST(NavStore, AfterEditsIsWhatTheMovementRulesSay) {
  for (const char* profile : {"zombie", "spider", "iron_golem", "slime_small", "player"}) {
    const Agent agent = *profile_agent(profile);
    Land land(5);
    const auto nav_class = NavStore::of(*land.snapshot())->agent_class(agent);
    NavBuilder builder;
    const int edits = agent.leap > 0 || agent.footprint() > 1 ? 12 : 40;
    for (int i = 0; i < edits; ++i) {
      const auto snapshot = land.snapshot();
      builder.begin(*snapshot, nav_class->agent());
      expect_exact(*nav_class, *snapshot, builder, std::string(profile) + ", edit " + std::to_string(i));
      if (HasFatalFailure()) return;
      land.edit();
    }
  }
}

TEST(NavStore, ALateReaderOfAnOldVersionGetsWhatItShows) {
  Land land(8);
  const auto old = land.snapshot();
  const auto nav_class = NavStore::of(*old)->agent_class(Agent());
  NavBuilder builder;
  for (int i = 0; i < 10; ++i) {
    land.edit();
    const auto now = land.snapshot();
    builder.begin(*now, nav_class->agent());
    expect_exact(*nav_class, *now, builder, "new");
    builder.begin(*old, nav_class->agent());
    expect_exact(*nav_class, *old, builder, "old");
    if (HasFatalFailure()) return;
  }
}

/// As a worker does: mobs of all widths in turn, each first looking at the chunk where the one before looked last.
TEST(NavStore, OneBuilderServesMobsOfAllWidths) {
  constexpr std::array kProfiles{"zombie", "iron_golem", "slime_large", "spider", "slime_small"};
  for (const char* first : kProfiles) {
    for (const char* second : kProfiles) {
      const Land land(4);
      const auto snapshot = land.snapshot();
      const auto store = NavStore::of(*snapshot);
      NavBuilder builder;
      const auto one = store->agent_class(*profile_agent(first));
      builder.begin(*snapshot, one->agent());
      static_cast<void>(one->chunk(*snapshot, {0, 0}, builder));  // ends with this chunk
      const auto other = store->agent_class(*profile_agent(second));
      builder.begin(*snapshot, other->agent());
      static_cast<void>(other->chunk(*snapshot, {1, 1}, builder));  // begins with it
      NavBuilder fresh;
      fresh.begin(*snapshot, other->agent());
      expect_exact(*other, *snapshot, fresh, std::string(second) + " after " + first);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(NavStore, KeepsAFewKindsOfAgents) {
  Land land(1);
  const auto store = NavStore::of(*land.snapshot());
  EXPECT_EQ(store, NavStore::of(*land.snapshot())) << "one a world";
  Agent agent;
  const auto first = store->agent_class(agent);
  agent.metric = Metric::moves;
  EXPECT_EQ(first, store->agent_class(agent)) << "the metric decides no move";
  for (std::size_t i = 0; i < NavStore::kClassesMax; ++i) {
    agent.cost_jump = 100 + static_cast<std::int32_t>(i);
    static_cast<void>(store->agent_class(agent));
  }
  EXPECT_NE(first, store->agent_class(Agent())) << "the one that was not used for longest has gone";
}

}  // namespace
}  // namespace voxpath::pathfinding
