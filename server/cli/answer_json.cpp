#include "server/cli/answer_json.hpp"

#include "world/blocks/block_table.hpp"
#include "world/blocks/release_names.hpp"
#include "world/blocks/trait_names.hpp"

#include <algorithm>
#include <string_view>

#include <boost/json/src.hpp>  // the library's only translation unit: it is used header-only

namespace voxpath::server {

namespace {

using boost::json::array;
using boost::json::object;
using boost::json::value;

array cell(world::BlockPos p) { return {p.x, p.y, p.z}; }
array position(const world::Vec3& p) { return {p.x, p.y, p.z}; }
/// How many bytes the UTF-8 character at the front has; 0: what stands there is none.
std::size_t character_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = byte(0) < 0x80                      ? 1
                             : byte(0) >= 0xC2 && byte(0) < 0xE0 ? 2
                             : (byte(0) >> 4) == 0xE             ? 3
                             : byte(0) >= 0xF0 && byte(0) < 0xF5 ? 4
                                                                 : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  return length;
}

/// Names of files and words of a command line may be any bytes; JSON is UTF-8.
value string(std::string_view text) {
  boost::json::string result;
  while (!text.empty()) {
    const std::size_t length = character_bytes(text);
    result.append(length == 0 ? std::string_view("?") : text.substr(0, length));
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return result;
}
std::string line(const value& v) { return boost::json::serialize(v) + "\n"; }

array lines(std::string_view text) {
  array result;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    result.push_back(string(text.substr(0, end)));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return result;
}

object traits(const world::Traits& t) {
  return {{"extent_px", t.has_extent() ? value(array{t.bottom, t.top}) : value(nullptr)},
          {"fluid", string(world::to_name(world::kFluidNames, t.fluid))},
          {"hazard", string(world::to_name(world::kHazardNames, t.hazard))},
          {"door", string(world::to_name(world::kDoorNames, t.door))},
          {"stair", string(world::to_name(world::kStairNames, t.stair))},
          {"open", static_cast<bool>(t.open)},
          {"climbable", static_cast<bool>(t.climbable)},
          {"slow", static_cast<bool>(t.slow)},
          {"unknown", static_cast<bool>(t.unknown)}};
}

value game_versions(const world::DataVersions& versions) {
  const auto one = [](std::int32_t data_version) {
    return object{{"name", string(world::release_name(data_version))},
                  {"data_version", data_version},
                  {"block_table", string(world::BlockTable::version_for(data_version))}};
  };
  return object{{"oldest", one(versions.oldest)}, {"newest", one(versions.newest)}};
}

object waypoint(const pathfinding::Waypoint& w) {
  return {{"cell", cell(w.cell)},
          {"position", position(w.position)},
          {"floor_px", w.floor_px},
          {"node", string(name(w.node))},
          {"kind", string(name(w.kind))},
          {"action", w.action == pathfinding::Action::none ? value(nullptr) : string(name(w.action))}};
}

object answer(const PathOutcome& outcome, const std::string& advice) {
  const pathfinding::Answer& a = outcome.answer;
  array waypoints;
  for (const auto& w : a.path) waypoints.push_back(waypoint(w));
  array missing;
  for (const world::ChunkPos chunk : a.missing_chunks) missing.push_back(array{chunk.x, chunk.z});
  array blockers;
  for (const auto& b : a.blockers) {
    blockers.push_back(object{{"near", b.near_goal ? "goal" : "start"},
                              {"from", cell(b.from)},
                              {"at", cell(b.at)},
                              {"obstacle", string(name(b.obstacle))}});
  }
  array sections;
  for (const world::SectionPos s : a.sections) sections.push_back(array{s.x, s.y, s.z});
  return {{"status", string(name(a.status))},
          {"reason", a.reason == pathfinding::PartialReason::none ? value(nullptr) : string(name(a.reason))},
          {"advice", advice.empty() ? value(nullptr) : string(advice)},
          {"cost", a.cost},
          {"moves", a.moves()},
          {"truncated", outcome.truncated},
          {"exact", a.exact},
          {"lower_bound", a.lower_bound},
          {"start_rule", string(name(a.start_rule))},
          {"goal_rule", string(name(a.goal_rule))},
          {"missing_chunks", std::move(missing)},
          {"blockers", std::move(blockers)},
          {"goal_index", a.goal_index},
          {"sections", std::move(sections)},
          {"unknown_blocks", a.statistics.unknown_blocks},
          {"expanded", a.statistics.expanded},
          {"generated", a.statistics.generated},
          {"search_ms", outcome.search_ms},
          {"queue_ms", outcome.queue_ms},
          {"watch", outcome.watch},
          {"world_version", a.statistics.world_version},
          {"waypoints", std::move(waypoints)}};
}

}  // namespace

std::string error_json(ExitCode code, const std::string& message) {
  return line(object{{"error", object{{"exit_code", static_cast<int>(code)}, {"message", string(message)}}}});
}

std::string answer_json(const PathOutcome& outcome, const std::string& advice, const std::string& drawing) {
  object result = answer(outcome, advice);
  if (!drawing.empty()) result["drawing"] = lines(drawing);
  return line(result);
}

std::string horde_json(const std::vector<pathfinding::Place>& starts, const HordeOutcome& outcome,
                       const std::vector<std::string>& advice) {
  array paths;
  for (std::size_t i = 0; i < outcome.paths.size(); ++i) {
    object path = answer(outcome.paths[i], advice[i]);
    for (const char* of_one : {"search_ms", "queue_ms", "watch", "sections"}) path.erase(of_one);
    path["from"] = std::visit([](const auto& place) { return array{place.x, place.y, place.z}; }, starts[i]);
    paths.push_back(std::move(path));
  }
  return line(object{{"paths", std::move(paths)},
                     {"shared", outcome.shared},
                     {"search_ms", outcome.search_ms},
                     {"queue_ms", outcome.queue_ms}});
}

std::string invalidation_json(const Invalidation& event) {
  if (event.world_closed) return line(object{{"invalidated", object{{"reason", "WORLD_CLOSED"}}}});
  return line(object{{"invalidated", object{{"reason", "BROKEN"},
                                            {"waypoint", event.fault.index},
                                            {"obstacle", string(name(event.fault.obstacle))},
                                            {"at", cell(event.fault.at)},
                                            {"world_version", event.world_version}}}});
}

std::string info_json(const WorldInfo& info) {
  object unknown;
  for (const auto& [name, count] : info.unknown_blocks) unknown[name] = count;
  return line(
      object{{"name", string(info.name)},
             {"min_y", info.heights.min_y},
             {"height", info.heights.height},
             {"version", info.version},
             {"chunks", info.chunks},
             {"extent", info.extent ? value(array{cell(info.extent->min), cell(info.extent->max)}) : value(nullptr)},
             {"game_versions", info.data_versions ? game_versions(*info.data_versions) : value(nullptr)},
             {"memory_bytes", info.memory_bytes ? value(*info.memory_bytes) : value(nullptr)},
             {"unknown_blocks", std::move(unknown)},
             {"summary", lines(info.summary)}});
}

std::string blocks_json(const std::vector<PlacedBlock>& blocks) {
  array result;
  for (const PlacedBlock& b : blocks) {
    object o{{"at", cell(b.at)}, {"missing", b.block == nullptr}};
    if (b.block != nullptr) {
      o["name"] = string(b.block->name);
      o["traits"] = traits(b.block->traits);
    }
    result.push_back(std::move(o));
  }
  return line(object{{"blocks", std::move(result)}});
}

std::string surfaces_json(const std::vector<PlacedSurface>& surfaces, const std::string& drawing) {
  array result;
  for (const PlacedSurface& s : surfaces) {
    object o{{"from", position(s.from)}, {"missing", s.surface && s.surface->missing}};
    const bool known = s.surface && !s.surface->missing;
    o["floor_px"] = known ? value(s.surface->floor_px) : value(nullptr);
    o["block"] = known ? value(cell(s.surface->block)) : value(nullptr);
    result.push_back(std::move(o));
  }
  object all{{"surfaces", std::move(result)}};
  if (!drawing.empty()) all["drawing"] = lines(drawing);
  return line(all);
}

std::string states_json(const std::string& version, const std::vector<KnownBlock>& states) {
  array result;
  for (const KnownBlock& s : states) result.push_back(object{{"state", string(s.name)}, {"traits", traits(s.traits)}});
  return line(object{{"version", string(version)}, {"states", std::move(result)}});
}

std::string agents_json(const std::vector<NamedAgent>& agents) {
  array result;
  for (const NamedAgent& a : agents) {
    result.push_back(object{{"name", string(a.name)},
                            {"about", string(a.about)},
                            {"width", a.agent.width_blocks},
                            {"height_px", a.agent.height_px},
                            {"step_px", a.agent.step_px},
                            {"jump_px", a.agent.jump_px},
                            {"max_drop_px", a.agent.max_drop_px},
                            {"climb", a.agent.climb},
                            {"open_doors", a.agent.open_doors},
                            {"pass_doors", a.agent.pass_doors},
                            {"open_gates", a.agent.open_gates}});
  }
  return line(object{{"agents", std::move(result)}});
}

}  // namespace voxpath::server
