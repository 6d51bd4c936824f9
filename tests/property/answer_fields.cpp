#include "tests/property/answer_fields.hpp"

#include <fmt/format.h>

namespace voxpath::judge {
namespace {

using world::BlockPos;

std::string text(BlockPos p) { return fmt::format("{},{},{}", p.x, p.y, p.z); }

}  // namespace

std::string all_fields(const pathfinding::Answer& answer) {
  std::string out = fmt::format("{} {} cost={} bound={} goal={} rules={},{} exact={}\n", name(answer.status),
                                name(answer.reason), answer.cost, answer.lower_bound, answer.goal_index,
                                name(answer.start_rule), name(answer.goal_rule), answer.exact);
  const pathfinding::Statistics& s = answer.statistics;
  out += fmt::format("expanded={} generated={} unknown={} version={}\n", s.expanded, s.generated, s.unknown_blocks,
                     s.world_version);
  for (const world::ChunkPos c : answer.missing_chunks) out += fmt::format("missing {},{}\n", c.x, c.z);
  for (const pathfinding::Waypoint& w : answer.path) {
    // {:a} writes a double's bits.
    out += fmt::format("{} px={} {} {} {} at {:a},{:a},{:a}\n", text(w.cell), w.floor_px, name(w.node), name(w.kind),
                       name(w.action), w.position.x, w.position.y, w.position.z);
  }
  for (const pathfinding::Blocker& b : answer.blockers)
    out += fmt::format("blocker {} {} {} {}\n", b.near_goal, text(b.from), text(b.at), name(b.obstacle));
  for (const world::SectionPos p : answer.sections) out += fmt::format("section {},{},{}\n", p.x, p.y, p.z);
  return out;
}

std::uint64_t hash_of(std::string_view text, std::uint64_t hash) {
  constexpr std::uint64_t kPrime = 0x100000001b3ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * kPrime;
  return hash;
}

}  // namespace voxpath::judge
