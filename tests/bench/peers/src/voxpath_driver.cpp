// voxpath on the peers' worlds and queries, as a library: voxpath_driver WORLD OUT [PASSES]. One pass that is not measured works out
// what searches share; its time and size are printed as `# build_ms` and `# derived_bytes`; that of a block edit after all queries as `# edit_us`.
#include "pathfinding/engine/nav_store.hpp"
#include "pathfinding/search.hpp"
#include "world.hpp"
#include "world/world.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace vp = voxpath::pathfinding;
namespace vw = voxpath::world;

namespace {

/// The peers' worlds end in walls: one more block of stone around, from the floor to above every head.
std::unique_ptr<vw::World> build(const World& from) {
  const int height = (from.sy + 4 + 15) / 16 * 16;
  auto world = std::make_unique<vw::World>(vw::Heights{0, height});
  const auto stone = world->states().intern("minecraft:stone", vw::full_cube_traits());
  const std::vector<vw::PaletteEntry> palette = {{}, {*stone, vw::full_cube_traits()}};
  std::vector<vw::Change> changes;
  for (int cx = -1; cx <= (from.sx + 15) / 16; ++cx) {
    for (int cz = -1; cz <= (from.sz + 15) / 16; ++cz) {
      auto chunk = vw::make_ref<vw::Chunk>(0, height);
      for (int s = 0; s < height / 16; ++s) {
        std::vector<std::uint16_t> indices(vw::kSectionVolume);
        for (int i = 0; i < vw::kSectionVolume; ++i) {
          const int x = cx * 16 + (i & 15), z = cz * 16 + (i >> 4 & 15), y = s * 16 + (i >> 8);
          indices[static_cast<std::size_t>(i)] = from.solid(x, y, z) || x < 0 || z < 0 || x >= from.sx || z >= from.sz;
        }
        chunk->set_section(s, vw::make_ref<vw::Section>(palette, indices));
      }
      changes.push_back(vw::PutChunk{{cx, cz}, chunk});
    }
  }
  if (const auto done = world->apply(changes); !done) throw std::runtime_error(done.error().message);
  return world;
}

vw::BlockPos cell(const P& p) { return {p.x, p.y, p.z}; }

const char* status(const vp::Answer& a) {
  switch (a.status) {
    case vp::AnswerStatus::found:
      return "found";
    case vp::AnswerStatus::unreachable:
      return "nopath";
    default:
      return "limit";
  }
}

/// Median time of an edit where mobs walk, with the moves of all chunks that feel it exact after it.
double edit_us(vw::World& world, const std::vector<Query>& queries, const vp::Agent& agent) {
  constexpr int kFelt = 2;  // blocks around an edit
  const auto stone = *world.states().intern("minecraft:stone", vw::full_cube_traits());
  const auto nav_class = vp::NavStore::of(*world.snapshot())->agent_class(agent);
  vp::NavReader reader;
  std::vector<double> us;
  for (const auto& q : queries) {
    for (const vw::StateId state : {stone, vw::kAirState}) {
      const vw::BlockPos place = cell(q.s);
      Tick t;
      if (!world.apply(std::vector<vw::Change>{vw::SetBlock{place, state}}))
        throw std::runtime_error("an edit is refused");
      const auto snapshot = world.snapshot();
      reader.reset(*snapshot, *nav_class);
      for (const int dx : {-kFelt, kFelt}) {
        for (const int dz : {-kFelt, kFelt})
          reader.chunk(vw::chunk_of(vw::BlockPos{place.x + dx, place.y, place.z + dz}));
      }
      t.stop();
      us.push_back(t.cpu);
    }
  }
  std::nth_element(us.begin(), us.begin() + us.size() / 2, us.end());
  return us[us.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::fprintf(stderr, "usage: voxpath_driver WORLD OUT [PASSES]\n"), 2;
  const std::string name = argv[1];
  const auto queries = load_queries(name + ".q");
  const auto world = build(World::load(name + ".vxw"));
  const auto snapshot = world->snapshot();
  vp::Query query;
  query.agent.corners = vp::Corners::never;
  query.agent.metric = vp::Metric::moves;
  const vp::Limits limits{.expansions = vp::kExpansionsMax};
  vp::Search search;
  const auto ask = [&](const Query& q) {
    query.start = cell(q.s);
    query.goal = vp::GoalPlaces{{cell(q.g)}};
    if (const auto begun = search.begin(snapshot, query, limits); !begun)
      throw std::runtime_error(begun.error().message);
    while (!search.advance(vp::kExpansionsMax)) {
    }
    return search.answer();
  };

  Out out(argv[2]);
  Tick first;
  for (const auto& q : queries) ask(q);
  first.stop();
  const auto usage = vp::NavStore::of(*snapshot)->usage();
  out.meta("build_ms", first.cpu / 1000);
  out.meta("derived_bytes", static_cast<double>(usage.bytes));
  out.meta("derived_bytes_per_chunk",
           usage.chunks ? static_cast<double>(usage.bytes) / static_cast<double>(usage.chunks) : 0);
  const int passes = argc > 3 ? std::max(1, std::stoi(argv[3])) : 1;
  for (int pass = 0; pass < passes; ++pass) {
    for (std::size_t i = 0; i < queries.size(); ++i) {
      Tick t;
      const vp::Answer a = ask(queries[i]);
      t.stop();
      if (pass + 1 < passes) continue;
      std::vector<P> path;
      if (a.status == vp::AnswerStatus::found) {
        for (const auto& w : a.path) path.push_back({w.cell.x, w.cell.y, w.cell.z});
      }
      out.line(i, status(a), t, static_cast<long>(a.statistics.expanded), path);
    }
  }
  out.meta("edit_us", edit_us(*world, queries, query.agent));
}
