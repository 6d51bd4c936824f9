#include "pathfinding/path.hpp"

#include "pathfinding/blockers.hpp"
#include "pathfinding/moves.hpp"
#include "pathfinding/pricing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace voxpath::pathfinding {

using world::BlockPos;
using world::SectionPos;

namespace {

/// How many waypoints ahead a straight line is tried.
constexpr std::size_t kLookAhead = 64;

BlockPos step_between(const Waypoint& a, const Waypoint& b) {
  return {b.cell.x - a.cell.x, b.cell.y - a.cell.y, b.cell.z - a.cell.z};
}

bool plain(const Waypoint& w) {
  return w.action == Action::none && (w.kind == MoveKind::walk || w.kind == MoveKind::diagonal ||
                                      w.kind == MoveKind::fly || w.kind == MoveKind::swim || w.kind == MoveKind::start);
}

void keep_corners(std::vector<Waypoint>& path) {
  std::vector<Waypoint> kept;
  for (std::size_t i = 0; i < path.size(); ++i) {
    bool needed = i == 0 || i + 1 == path.size();
    if (!needed) {
      const Waypoint& a = path[i - 1];
      const Waypoint& b = path[i];
      const Waypoint& c = path[i + 1];
      const bool level = a.floor_px == b.floor_px && b.floor_px == c.floor_px;
      const bool afloat = b.kind == MoveKind::fly || (b.kind == MoveKind::swim && b.node == NodeKind::swim);
      const bool alike = a.node == b.node && b.node == c.node;
      needed = !(plain(b) && plain(c) && b.kind == c.kind && alike && (level || afloat) &&
                 step_between(a, b) == step_between(b, c));
    }
    if (needed) kept.push_back(path[i]);
  }
  path = std::move(kept);
}

/// Whether a segment passes through the inside of a rectangle (Liang and Barsky's clipping, 1984).
bool passes(double x0, double z0, double x1, double z1, double low_x, double low_z, double high_x, double high_z) {
  double from = 0;
  double to = 1;
  const std::array<std::array<double, 2>, 4> sides = {
      {{x0 - x1, x0 - low_x}, {x1 - x0, high_x - x0}, {z0 - z1, z0 - low_z}, {z1 - z0, high_z - z0}}};
  for (const auto& [p, q] : sides) {
    if (p == 0) {
      if (q <= 0) return false;
    } else if (p < 0) {
      from = std::max(from, q / p);
    } else {
      to = std::min(to, q / p);
    }
  }
  return from < to;
}

/// Straight pieces over level ground. Looks at single columns, as an agent one column wide does.
class StraightWay {
 public:
  StraightWay(Terrain& terrain, std::span<const PricedBox> boxes)
      : boxes_{boxes}, half_(terrain.agent().width_blocks / 2) {
    if (terrain.agent().footprint() == 1) {
      columns_ = &terrain;
      return;
    }
    Agent narrow = terrain.agent();
    narrow.width_px = 16;
    own_.reset(terrain.snapshot(), narrow);
    columns_ = &own_;
  }

  /// Whether every column that the mob's box touches on the way carries it at this floor, harmlessly and for nothing.
  bool clear(const Waypoint& a, const Waypoint& b) {
    const double low_x = std::min(a.position.x, b.position.x) - half_;
    const double low_z = std::min(a.position.z, b.position.z) - half_;
    const double high_x = std::max(a.position.x, b.position.x) + half_;
    const double high_z = std::max(a.position.z, b.position.z) + half_;
    for (auto x = static_cast<std::int32_t>(std::floor(low_x)); x < high_x; ++x) {
      for (auto z = static_cast<std::int32_t>(std::floor(low_z)); z < high_z; ++z) {
        const bool touched = passes(a.position.x, a.position.z, b.position.x, b.position.z, x - half_, z - half_,
                                    x + 1 + half_, z + 1 + half_);
        if (touched && !carries(x, z, a)) return false;
      }
    }
    return true;
  }

 private:
  bool carries(std::int32_t x, std::int32_t z, const Waypoint& like) {
    if (columns_->missing(x, like.cell.y, z)) return false;
    const NodeId id = columns_->cell(x, like.cell.y, z).node;
    if (id == kNoNode) return false;
    const Node& node = columns_->node(id);
    return node.kind == NodeKind::standing && node.floor_px == like.floor_px && node.enter_price == 0 &&
           !node.in_doorway && boxes_(node) == 0;
  }

  Terrain own_;
  Terrain* columns_ = nullptr;
  BoxPricing boxes_;
  double half_;
};

/// String pulling: from each kept waypoint to the farthest one that can be seen with the whole box.
void keep_turns(std::vector<Waypoint>& path, Terrain& terrain, std::span<const PricedBox> boxes) {
  StraightWay way(terrain, boxes);
  std::vector<Waypoint> kept;
  std::size_t i = 0;
  while (i < path.size()) {
    kept.push_back(path[i]);
    std::size_t next = i + 1;
    for (std::size_t j = i + 1; j < path.size() && j - i <= kLookAhead; ++j) {
      const bool level = path[j].floor_px == path[i].floor_px && path[j].node == NodeKind::standing && plain(path[j]);
      if (!level || path[i].node != NodeKind::standing) break;
      if (j > i + 1 && way.clear(path[i], path[j])) next = j;
    }
    i = next;
  }
  path = std::move(kept);
}

enum class Run : std::uint8_t { on, there, lost };

/// One move of a straight run of equal moves, as keep_corners() leaves them out. `at`: how far the run has come.
Run follow_run(Terrain& terrain, NodeId& at, const Waypoint& to) {
  const BlockPos here = terrain.node(at).cell;
  const BlockPos left{to.cell.x - here.x, to.cell.y - here.y, to.cell.z - here.z};
  if (left == BlockPos{}) return terrain.node(at).floor_px == to.floor_px ? Run::there : Run::lost;
  const auto sign = [](std::int32_t v) { return v > 0 ? 1 : v < 0 ? -1 : 0; };
  const BlockPos next{here.x + sign(left.x), here.y + sign(left.y), here.z + sign(left.z)};
  const std::int32_t steps = std::max({std::abs(left.x), std::abs(left.y), std::abs(left.z)});
  const auto straight = [steps](std::int32_t v) { return v == 0 || std::abs(v) == steps; };
  if (!straight(left.x) || !straight(left.y) || !straight(left.z)) return Run::lost;
  NodeId found = kNoNode;
  for_each_move(
      terrain, at,
      [&](NodeId id, MoveKind kind, std::int64_t) {
        const Node& node = terrain.node(id);
        const bool shut = node.opens && node.cell != to.cell;  // what was left out opened nothing
        if (kind == to.kind && node.cell == next && !shut) found = id;
      },
      [](world::ChunkPos) {});
  if (found == kNoNode) return Run::lost;
  at = found;
  return Run::on;
}

/// Whether keep_turns() could have left out what lies between.
bool in_sight(const Waypoint& a, const Waypoint& b) {
  const BlockPos step = step_between(a, b);
  return std::max(std::abs(step.x), std::abs(step.z)) <= static_cast<std::int32_t>(kLookAhead);
}

bool one_move(Terrain& terrain, NodeId from, const Waypoint& to) {
  bool found = false;
  for_each_move(
      terrain, from,
      [&](NodeId id, MoveKind kind, std::int64_t) {
        const Node& node = terrain.node(id);
        found = found || (kind == to.kind && node.cell == to.cell && node.floor_px == to.floor_px);
      },
      [](world::ChunkPos) {});
  return found;
}

}  // namespace

std::vector<SectionPos> sections_of(std::span<const Waypoint> path, const Agent& agent) {
  std::vector<SectionPos> sections;
  world::Box noted;  // blocks of the sections that were noted last
  const int n = agent.footprint();
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Waypoint& a = path[i > 0 ? i - 1 : 0];
    const Waypoint& b = path[i];
    // Water over a floor counts from the next cell up, also for a mob that is lower than that.
    const std::int32_t high_px = std::max(a.floor_px, b.floor_px) + std::max(agent.height_px, 16) +
                                 (b.kind == MoveKind::leap ? agent.jump_px : 0);
    // Wide mobs may hang over a ledge: what lies up to max_drop below carries the rest of them.
    const std::int32_t low_px = std::min(a.floor_px, b.floor_px) - 2 * 16 - (n > 1 ? agent.max_drop_px : 0);
    const BlockPos low = {std::min(a.cell.x, b.cell.x) - 1, world::floor_div16(low_px),
                          std::min(a.cell.z, b.cell.z) - 1};
    const BlockPos high = {std::max(a.cell.x, b.cell.x) + n, world::floor_div16(high_px),
                           std::max(a.cell.z, b.cell.z) + n};
    if (i > 0 && low.x >= noted.min.x && low.y >= noted.min.y && low.z >= noted.min.z && high.x <= noted.max.x &&
        high.y <= noted.max.y && high.z <= noted.max.z)
      continue;  // most moves stay where the one before was
    const SectionPos from = world::section_of(low);
    const SectionPos to = world::section_of(high);
    noted = {{from.x * 16, from.y * 16, from.z * 16}, {to.x * 16 + 15, to.y * 16 + 15, to.z * 16 + 15}};
    for (std::int32_t x = from.x; x <= to.x; ++x) {
      for (std::int32_t y = from.y; y <= to.y; ++y) {
        for (std::int32_t z = from.z; z <= to.z; ++z) sections.push_back({x, y, z});
      }
    }
  }
  std::sort(sections.begin(), sections.end());
  sections.erase(std::unique(sections.begin(), sections.end()), sections.end());
  return sections;
}

void simplify(std::vector<Waypoint>& path, Simplify how, Terrain& terrain, std::span<const PricedBox> priced_boxes) {
  if (how == Simplify::none || path.size() < 3) return;
  if (how == Simplify::line_of_sight && terrain.agent().mode == Mode::walk) {
    keep_turns(path, terrain, priced_boxes);
  } else {
    keep_corners(path);
  }
}

struct PathCheck::State {
  std::span<const Waypoint> path;
  Terrain terrain;
  std::optional<StraightWay> way;
  std::size_t index = 0;    // of the waypoint that is looked at
  NodeId before = kNoNode;  // where the one before it is
  NodeId run = kNoNode;     // how far a straight run to it has come; kNoNode: none is under way
  std::optional<PathFault> fault;

  [[nodiscard]] bool over() const { return fault || index >= path.size(); }
  void one_more();

 private:
  void begin(NodeId here, const Waypoint& w);
  void arrive(NodeId here) {
    before = here;
    run = kNoNode;
    ++index;
  }
  bool in_line(const Waypoint& w);
  void blocked(const Waypoint& w) {
    const Blocker b = diagnose(terrain, terrain.node(before), w.cell.x, w.cell.z);
    fault = PathFault{index, b.obstacle, b.at};
  }
};

void PathCheck::State::begin(NodeId here, const Waypoint& w) {
  const bool same = here != kNoNode && terrain.node(here).floor_px == w.floor_px && terrain.node(here).kind == w.node;
  if (index == 0) {
    if (same) return arrive(here);
    const bool missing = terrain.missing(w.cell.x, w.cell.y, w.cell.z).has_value();
    fault = PathFault{0, missing ? Obstacle::missing_chunk : Obstacle::no_floor, w.cell};
    return;
  }
  // A door that was shut since: the path does not say that it must be opened.
  if (same && terrain.node(here).opens && w.action != Action::open) {
    fault = PathFault{index, Obstacle::door, w.cell};
    return;
  }
  if (!same || terrain.node(here).enter_price == kForbidden) return blocked(w);
  if (one_move(terrain, before, w)) return arrive(here);
  run = before;
}

void PathCheck::State::one_more() {
  const Waypoint& w = path[index];
  const NodeId here = terrain.cell(w.cell.x, w.cell.y, w.cell.z).node;
  if (run == kNoNode) return begin(here, w);
  const Run state = follow_run(terrain, run, w);
  if (state == Run::on) return;
  if (state == Run::there || in_line(w)) return arrive(here);
  blocked(w);
}

bool PathCheck::State::in_line(const Waypoint& w) {
  const Waypoint& from = path[index - 1];
  if (from.floor_px != w.floor_px || terrain.agent().mode != Mode::walk || !in_sight(from, w)) return false;
  if (!way) way.emplace(terrain, std::span<const PricedBox>());
  return way->clear(from, w);
}

PathCheck::PathCheck(std::span<const Waypoint> path, const Agent& agent, const world::Snapshot& snapshot)
    : state_(std::make_unique<State>()) {
  state_->path = path;
  state_->terrain.reset(snapshot, agent);
}
PathCheck::~PathCheck() = default;

bool PathCheck::advance(std::uint32_t moves) {
  for (; moves > 0 && !state_->over(); --moves) state_->one_more();
  return state_->over();
}

const std::optional<PathFault>& PathCheck::fault() const { return state_->fault; }

std::optional<PathFault> validate(std::span<const Waypoint> path, const Agent& agent, const world::Snapshot& snapshot) {
  PathCheck check(path, agent, snapshot);
  while (!check.advance(std::numeric_limits<std::uint32_t>::max())) {
  }
  return check.fault();
}

}  // namespace voxpath::pathfinding
