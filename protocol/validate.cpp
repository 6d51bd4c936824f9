#include "protocol/validate.hpp"

#include "protocol/checks.hpp"

#include <algorithm>
#include <bitset>
#include <cstdlib>
#include <limits>
#include <utility>

namespace voxpath::protocol {
namespace {

Verdict check(const v1::OpenWorld& request) {
  if (auto refused = check_name("open_world.world", request.world(), kWorldNameMaxBytes)) return refused;
  if (request.has_min_y()) {
    if (auto refused =
            check_range("open_world.min_y", request.min_y(), kWorldMinYMinBlocks, kWorldMinYMaxBlocks, "blocks"))
      return refused;
    if (request.min_y() % 16 != 0)
      return invalid("open_world.min_y", fmt::format("{}", request.min_y()), "a multiple of 16");
  }
  if (request.has_height()) {
    if (auto refused = check_range("open_world.height", request.height(), 16, kWorldHeightMaxBlocks, "blocks"))
      return refused;
    if (request.height() % 16 != 0)
      return invalid("open_world.height", fmt::format("{}", request.height()), "a multiple of 16");
  }
  if (auto refused = check_name("open_world.game_version", request.game_version(), kGameVersionMaxBytes, true))
    return refused;
  return check_name("open_world.folder", request.folder(), kFolderNameMaxBytes, true);
}

Verdict check_palette(std::string_view field, const google::protobuf::RepeatedPtrField<std::string>& blocks) {
  for (int i = 0; i < blocks.size(); ++i) {
    if (blocks[i].empty() || blocks[i].size() > kBlockTextMaxBytes) {
      return check_text(fmt::format("{}[{}]", field, i), blocks[i], kBlockTextMaxBytes);
    }
  }
  return std::nullopt;
}

Verdict check(const v1::SetPalette& request) {
  if (auto refused = check_name("set_palette.world", request.world(), kWorldNameMaxBytes)) return refused;
  if (request.blocks().empty()) return missing("set_palette.blocks");
  if (auto refused = check_range("set_palette.first", request.first(), 0, kPaletteMaxBlocks - 1)) return refused;
  const std::size_t end = request.first() + static_cast<std::size_t>(request.blocks_size());
  if (end > kPaletteMaxBlocks) {
    return out_of_range("set_palette.blocks", fmt::format("{} numbers long with first", end),
                        fmt::format("{} numbers", kPaletteMaxBlocks));
  }
  return check_palette("set_palette.blocks", request.blocks());
}

Verdict check_chunk_position(const std::string& field, std::int32_t x, std::int32_t z) {
  constexpr std::int32_t kMax = kChunkCoordinateMaxChunks;
  if (auto refused = check_range(field + ".x", x, -kMax, kMax - 1, "chunks")) return refused;
  return check_range(field + ".z", z, -kMax, kMax - 1, "chunks");
}

Verdict check(const v1::PutChunk& request) {
  if (auto refused = check_name("put_chunk.world", request.world(), kWorldNameMaxBytes)) return refused;
  if (auto refused = check_chunk_position("put_chunk", request.x(), request.z())) return refused;
  const auto sections = static_cast<std::size_t>(request.sections_size());
  if (auto refused = check_count("put_chunk.sections", sections, kSectionsMax)) return refused;
  if (auto refused =
          check_count("put_chunk.palette", static_cast<std::size_t>(request.palette_size()), kPaletteMaxBlocks))
    return refused;
  if (auto refused = check_palette("put_chunk.palette", request.palette())) return refused;
  const auto palette_size = static_cast<std::uint32_t>(request.palette_size());
  std::bitset<2 * kSectionCoordinateMaxSections + 1> given;
  for (int i = 0; i < request.sections_size(); ++i) {
    const v1::ChunkSection& section = request.sections(i);
    const std::string field = fmt::format("put_chunk.sections[{}]", i);
    constexpr std::int32_t kMax = kSectionCoordinateMaxSections;
    if (auto refused = check_range(field + ".y", section.y(), -kMax, kMax, "sections")) return refused;
    if (given.test(static_cast<std::size_t>(section.y() + kMax)))
      return invalid(field + ".y", fmt::format("{}", section.y()), "another section of the chunk: it was given before");
    given.set(static_cast<std::size_t>(section.y() + kMax));
    if (section.blocks_size() != 1 && section.blocks_size() != static_cast<int>(kSectionBlocks)) {
      return invalid(field + ".blocks", fmt::format("{} entries long", section.blocks_size()),
                     "4096 entries, or one for all");
    }
    for (int b = 0; b < section.blocks_size(); ++b) {
      const std::uint32_t number = section.blocks(b);
      if (palette_size == 0 ? number < kPaletteMaxBlocks : number < palette_size) continue;
      Failure refused = out_of_range(fmt::format("{}.blocks[{}]", field, b), fmt::format("{}", number),
                                     fmt::format("below {}", palette_size == 0 ? kPaletteMaxBlocks : palette_size));
      if (palette_size != 0) refused.kind = ErrorKind::palette_number_unknown;
      return refused;
    }
  }
  return std::nullopt;
}

Verdict check(const v1::DropChunk& request) {
  if (auto refused = check_name("drop_chunk.world", request.world(), kWorldNameMaxBytes)) return refused;
  return check_chunk_position("drop_chunk", request.x(), request.z());
}

Verdict check_change(const std::string& field, const v1::BlockChange& change) {
  switch (change.where_case()) {
    case v1::BlockChange::kAt:
      if (auto refused = check_block(field + ".at", true, change.at())) return refused;
      break;
    case v1::BlockChange::kBox:
      if (auto refused = check_box(field + ".box", change.box(), kBoxVolumeMaxBlocks)) return refused;
      break;
    case v1::BlockChange::WHERE_NOT_SET:
      return missing(field + ".at");
  }
  switch (change.what_case()) {
    case v1::BlockChange::kBlock:
      return check_text(field + ".block", change.block(), kBlockTextMaxBytes);
    case v1::BlockChange::kNumber:
      return check_range(field + ".number", change.number(), 0, kPaletteMaxBlocks - 1);
    case v1::BlockChange::WHAT_NOT_SET:
      break;
  }
  return missing(field + ".block");
}

/// A single block by a text or number: nearly all changes there are, passed without making the words of a refusal.
bool plainly_fine(const v1::BlockChange& change) {
  if (!change.has_at() || !is_block(change.at())) return false;
  if (change.has_number()) return change.number() < kPaletteMaxBlocks;
  return !change.block().empty() && change.block().size() <= kBlockTextMaxBytes;
}

Verdict check(const v1::SetBlocks& request) {
  if (auto refused = check_name("set_blocks.world", request.world(), kWorldNameMaxBytes)) return refused;
  if (request.changes().empty()) return missing("set_blocks.changes");
  const auto changes = static_cast<std::size_t>(request.changes_size());
  if (auto refused = check_count("set_blocks.changes", changes, kChangesMax)) return refused;
  double blocks = 0;
  for (int i = 0; i < request.changes_size(); ++i) {
    const v1::BlockChange& change = request.changes(i);
    if (!plainly_fine(change)) {
      if (auto refused = check_change(fmt::format("set_blocks.changes[{}]", i), change)) return refused;
    }
    blocks += change.has_box() ? volume(change.box()) : 1;
  }
  if (blocks > static_cast<double>(kChangesVolumeMaxBlocks)) {
    return out_of_range("set_blocks.changes", fmt::format("{} blocks in all", blocks),
                        fmt::format("{} blocks", kChangesVolumeMaxBlocks));
  }
  return std::nullopt;
}

Verdict check(const v1::QueryBlocks& request) {
  if (auto refused = check_name("query_blocks.world", request.world(), kWorldNameMaxBytes)) return refused;
  if (auto refused =
          check_enum("query_blocks.detail", request.detail(), v1::QueryBlocks::Detail_IsValid(request.detail())))
    return refused;
  if (request.at().empty() && !request.has_box()) return missing("query_blocks.at");
  if (!request.at().empty() && request.has_box())
    return invalid("query_blocks.box", "set as well as at", "one of the two");
  if (request.has_box()) return check_box("query_blocks.box", request.box(), kQueryBlocksMax);
  if (auto refused = check_count("query_blocks.at", static_cast<std::size_t>(request.at_size()), kQueryBlocksMax))
    return refused;
  for (int i = 0; i < request.at_size(); ++i) {
    if (!is_block(request.at(i))) return check_block(fmt::format("query_blocks.at[{}]", i), true, request.at(i));
  }
  return std::nullopt;
}

Verdict check(const v1::LineOfSight& request) {
  if (auto refused = check_name("line_of_sight.world", request.world(), kWorldNameMaxBytes)) return refused;
  if (auto refused = check_position("line_of_sight.from", request.has_from(), request.from())) return refused;
  if (auto refused = check_position("line_of_sight.to", request.has_to(), request.to())) return refused;
  const double distance = std::hypot(request.to().x() - request.from().x(), request.to().y() - request.from().y(),
                                     request.to().z() - request.from().z());
  if (distance <= kSightDistanceMaxBlocks) return std::nullopt;
  return out_of_range("line_of_sight.to", fmt::format("{:.1f} blocks away", distance),
                      fmt::format("{} blocks", kSightDistanceMaxBlocks));
}

Verdict check(const v1::SurfaceBelow& request) {
  if (auto refused = check_name("surface_below.world", request.world(), kWorldNameMaxBytes)) return refused;
  return check_position("surface_below.from", request.has_from(), request.from());
}

/// A refusal of a part, as that of the request that it stands in.
Verdict within(std::string_view request, Verdict refused) {
  if (!refused) return refused;
  refused->message = fmt::format("{}.{}", request, refused->message);  // which begins with the field
  refused->field = fmt::format("{}.{}", request, refused->field);
  return refused;
}

Verdict check_prices(const v1::Agent& agent) {
  const auto price = [](bool present, const char* field, std::int32_t value) -> Verdict {
    return present ? check_range(field, value, -1, kCostMax) : std::nullopt;
  };
  if (auto refused = price(agent.has_cost_cardinal(), "agent.cost_cardinal", agent.cost_cardinal())) return refused;
  if (auto refused = price(agent.has_cost_diagonal(), "agent.cost_diagonal", agent.cost_diagonal())) return refused;
  if (auto refused = price(agent.has_cost_climb(), "agent.cost_climb", agent.cost_climb())) return refused;
  if (auto refused = price(agent.has_cost_jump(), "agent.cost_jump", agent.cost_jump())) return refused;
  if (auto refused = price(agent.has_cost_drop(), "agent.cost_drop", agent.cost_drop())) return refused;
  if (auto refused = price(agent.has_cost_water(), "agent.cost_water", agent.cost_water())) return refused;
  if (auto refused = price(agent.has_cost_near_hazard(), "agent.cost_near_hazard", agent.cost_near_hazard()))
    return refused;
  if (auto refused = price(agent.has_cost_slow(), "agent.cost_slow", agent.cost_slow())) return refused;
  if (auto refused = price(agent.has_cost_open(), "agent.cost_open", agent.cost_open())) return refused;
  if (auto refused = price(agent.has_cost_leap(), "agent.cost_leap", agent.cost_leap())) return refused;
  return price(agent.has_cost_space_diagonal(), "agent.cost_space_diagonal", agent.cost_space_diagonal());
}

Verdict check(const v1::Agent& agent) {
  if (auto refused = check_name("agent.profile", agent.profile(), kProfileNameMaxBytes, true)) return refused;
  const auto length = [](bool present, const char* field, double value) -> Verdict {
    return present ? check_number(field, value, 0, kAgentLengthMaxBlocks, "blocks") : std::nullopt;
  };
  if (auto refused = length(agent.has_width(), "agent.width", agent.width())) return refused;
  if (auto refused = length(agent.has_height(), "agent.height", agent.height())) return refused;
  if (auto refused = length(agent.has_step(), "agent.step", agent.step())) return refused;
  if (auto refused = length(agent.has_jump(), "agent.jump", agent.jump())) return refused;
  if (auto refused = length(agent.has_max_drop(), "agent.max_drop", agent.max_drop())) return refused;
  if (auto refused = check_enum("agent.corners", agent.corners(), v1::Agent::Corners_IsValid(agent.corners())))
    return refused;
  if (auto refused = check_enum("agent.water", agent.water(), v1::Agent::Water_IsValid(agent.water()))) return refused;
  if (auto refused = check_count("agent.immune", static_cast<std::size_t>(agent.immune_size()), kImmuneMax))
    return refused;
  for (const int hazard : agent.immune()) {
    if (auto refused = check_enum("agent.immune", hazard, v1::Agent::Hazard_IsValid(hazard))) return refused;
  }
  if (auto refused = check_enum("agent.mode", agent.mode(), v1::Agent::Mode_IsValid(agent.mode()))) return refused;
  if (auto refused = check_range("agent.leap", agent.leap(), 0, kLeapMaxCells, "cells")) return refused;
  return check_prices(agent);
}

/// Of messages with a cell or a position: Place, Goal.
template <class Message>
Verdict check_place(const std::string& field, const Message& place) {
  if (place.has_cell()) return check_block(field + ".cell", true, place.cell());
  return check_position(field + ".position", place.has_position(), place.position());
}

Verdict check(const v1::AnyOf& any_of) {
  const auto& places = any_of.places();
  if (places.empty()) return missing("find_path.goal.any_of.places");
  const auto count = static_cast<std::size_t>(places.size());
  if (auto refused = check_count("find_path.goal.any_of.places", count, kGoalPlacesMax)) return refused;
  for (int i = 0; i < places.size(); ++i) {
    if (auto refused = check_place(fmt::format("find_path.goal.any_of.places[{}]", i), places[i])) return refused;
  }
  return std::nullopt;
}

Verdict check(const v1::Flee& flee) {
  const auto& points = flee.points();
  if (points.empty()) return missing("find_path.goal.flee.points");
  const auto count = static_cast<std::size_t>(points.size());
  if (auto refused = check_count("find_path.goal.flee.points", count, kGoalPlacesMax)) return refused;
  for (int i = 0; i < points.size(); ++i) {
    if (auto refused = check_position(fmt::format("find_path.goal.flee.points[{}]", i), true, points[i]))
      return refused;
  }
  return check_number("find_path.goal.flee.distance", flee.distance(), 0, kFleeDistanceMaxBlocks, "blocks");
}

Verdict check(const v1::Goal& goal) {
  constexpr std::int32_t kMax = kCoordinateMaxBlocks;
  switch (goal.goal_case()) {
    case v1::Goal::kAnyOf:
      return check(goal.any_of());
    case v1::Goal::kRadius:
      if (auto refused =
              check_position("find_path.goal.radius.centre", goal.radius().has_centre(), goal.radius().centre()))
        return refused;
      return check_number("find_path.goal.radius.radius", goal.radius().radius(), 0, kGoalRadiusMaxBlocks, "blocks");
    case v1::Goal::kColumn:
      if (auto refused = check_range("find_path.goal.column.x", goal.column().x(), -kMax, kMax, "blocks"))
        return refused;
      return check_range("find_path.goal.column.z", goal.column().z(), -kMax, kMax, "blocks");
    case v1::Goal::kLevel:
      return check_range("find_path.goal.level", goal.level(), -kMax, kMax, "blocks");
    case v1::Goal::kNextTo:
      return check_block("find_path.goal.next_to", true, goal.next_to());
    case v1::Goal::kFlee:
      return check(goal.flee());
    case v1::Goal::kSight:
      if (auto refused = check_position("find_path.goal.sight.point", goal.sight().has_point(), goal.sight().point()))
        return refused;
      return check_number("find_path.goal.sight.range", goal.sight().range(), 0, kGoalRadiusMaxBlocks, "blocks");
    case v1::Goal::kCell:
    case v1::Goal::kPosition:
    case v1::Goal::GOAL_NOT_SET:
      break;
  }
  return check_place("find_path.goal", goal);
}

Verdict check_priced_boxes(const v1::FindPath& request) {
  const auto count = static_cast<std::size_t>(request.priced_boxes_size());
  if (auto refused = check_count("find_path.priced_boxes", count, kPricedBoxesMax)) return refused;
  for (int i = 0; i < request.priced_boxes_size(); ++i) {
    const v1::PricedBox& priced = request.priced_boxes(i);
    const std::string field = fmt::format("find_path.priced_boxes[{}]", i);
    if (!priced.has_box()) return missing(field + ".box");
    if (auto refused = check_box(field + ".box", priced.box(), std::numeric_limits<std::int64_t>::max()))
      return refused;
    if (auto refused = check_range(field + ".price", priced.price(), -1, kCostMax)) return refused;
  }
  return std::nullopt;
}

Verdict check(const v1::FindPath& request) {
  if (auto refused = check_name("find_path.world", request.world(), kWorldNameMaxBytes)) return refused;
  if (auto refused = within("find_path", check(request.agent()))) return refused;
  if (auto refused = check_place("find_path.start", request.start())) return refused;
  if (auto refused = check(request.goal())) return refused;
  if (auto refused = check_priced_boxes(request)) return refused;
  if (auto refused =
          check_enum("find_path.simplify", request.simplify(), v1::FindPath::Simplify_IsValid(request.simplify())))
    return refused;
  const int algorithm = request.algorithm();
  if (auto refused = check_enum("find_path.algorithm", algorithm, v1::FindPath::Algorithm_IsValid(algorithm)))
    return refused;
  const int heuristic = request.heuristic();
  if (auto refused = check_enum("find_path.heuristic", heuristic, v1::FindPath::Heuristic_IsValid(heuristic)))
    return refused;
  if (auto refused = check_enum("find_path.metric", request.metric(), v1::FindPath::Metric_IsValid(request.metric())))
    return refused;
  if (auto refused = check_range("find_path.expansions_max", request.expansions_max(), 0, kExpansionsMax, "expansions"))
    return refused;
  if (auto refused = check_range("find_path.deadline_ms", request.deadline_ms(), 0, kDeadlineMaxMs, "ms"))
    return refused;
  return check_range("find_path.priority", request.priority(), -kPriorityMax, kPriorityMax);
}

Verdict check_waypoint(const v1::Waypoint& waypoint) {
  if (auto refused = check_block("cell", waypoint.has_cell(), waypoint.cell())) return refused;
  constexpr std::int32_t kMaxPx = kCoordinateMaxBlocks * 16;
  if (auto refused = check_range("floor_px", waypoint.floor_px(), -kMaxPx, kMaxPx, "px")) return refused;
  const auto known = [](int value, bool valid) { return value != 0 && valid; };
  const int kind = waypoint.kind();
  if (auto refused = check_enum("kind", kind, known(kind, v1::Waypoint::Kind_IsValid(kind)))) return refused;
  const int medium = waypoint.medium();
  if (auto refused = check_enum("medium", medium, known(medium, v1::Waypoint::Medium_IsValid(medium)))) return refused;
  return check_enum("action", waypoint.action(), v1::Waypoint::Action_IsValid(waypoint.action()));
}

/// Steps along the longest axis. Precondition: both passed check_block().
std::int64_t steps_between(const v1::BlockPos& a, const v1::BlockPos& b) {
  return std::max({std::abs(a.x() - b.x()), std::abs(a.y() - b.y()), std::abs(a.z() - b.z())});
}

Verdict check(const v1::ValidatePath& request) {
  if (auto refused = check_name("validate_path.world", request.world(), kWorldNameMaxBytes)) return refused;
  if (auto refused = within("validate_path", check(request.agent()))) return refused;
  if (auto refused = check_range("validate_path.deadline_ms", request.deadline_ms(), 0, kDeadlineMaxMs, "ms"))
    return refused;
  if (request.waypoints().empty()) return missing("validate_path.waypoints");
  const auto count = static_cast<std::size_t>(request.waypoints_size());
  if (auto refused = check_count("validate_path.waypoints", count, kWaypointsMax)) return refused;
  std::int64_t length = 0;
  for (int i = 0; i < request.waypoints_size(); ++i) {
    if (auto refused = check_waypoint(request.waypoints(i)))
      return within(fmt::format("validate_path.waypoints[{}]", i), std::move(refused));
    if (i > 0) length += steps_between(request.waypoints(i - 1).cell(), request.waypoints(i).cell());
  }
  if (length <= kPathLengthMaxBlocks) return std::nullopt;
  return out_of_range("validate_path.waypoints", fmt::format("{} blocks long in all", length),
                      fmt::format("{} blocks", kPathLengthMaxBlocks));
}

Verdict check(const v1::Unwatch& request) {
  if (auto refused = check_name("unwatch.world", request.world(), kWorldNameMaxBytes)) return refused;
  if (request.watch() == 0) return missing("unwatch.watch");
  return std::nullopt;
}

}  // namespace

std::optional<Failure> validate(const v1::ClientFrame& frame) {
  using Frame = v1::ClientFrame;
  switch (frame.request_case()) {
    case Frame::kPing:
    case Frame::kServerInfo:
    case Frame::kListWorlds:
      return std::nullopt;
    case Frame::kHello:
      return Failure{ErrorKind::hello_repeated, "Hello is sent once a connection", "hello"};
    case Frame::kCancel:
      if (frame.cancel().request_id() == 0) return missing("cancel.request_id");
      return std::nullopt;
    case Frame::kOpenWorld:
      return check(frame.open_world());
    case Frame::kCloseWorld:
      return check_name("close_world.world", frame.close_world().world(), kWorldNameMaxBytes);
    case Frame::kSetPalette:
      return check(frame.set_palette());
    case Frame::kPutChunk:
      return check(frame.put_chunk());
    case Frame::kDropChunk:
      return check(frame.drop_chunk());
    case Frame::kSetBlocks:
      return check(frame.set_blocks());
    case Frame::kQueryBlocks:
      return check(frame.query_blocks());
    case Frame::kLineOfSight:
      return check(frame.line_of_sight());
    case Frame::kSurfaceBelow:
      return check(frame.surface_below());
    case Frame::kFindPath:
      return check(frame.find_path());
    case Frame::kValidatePath:
      return check(frame.validate_path());
    case Frame::kUnwatch:
      return check(frame.unwatch());
    case Frame::REQUEST_NOT_SET:
      break;
  }
  return Failure{ErrorKind::request_unknown, "the frame holds no request that this server knows", "request"};
}

std::optional<Failure> validate(const v1::Hello& hello) {
  if (hello.magic() != kMagic) {
    Failure refused = invalid("hello.magic", printable(hello.magic()), kMagic);
    refused.kind = ErrorKind::not_voxpath;
    return refused;
  }
  if (hello.min_version() > kProtocolVersion || hello.max_version() < kProtocolVersion) {
    const bool newer = hello.min_version() > kProtocolVersion;
    Failure refused = out_of_range(newer ? "hello.min_version" : "hello.max_version",
                                   fmt::format("{}", newer ? hello.min_version() : hello.max_version()),
                                   fmt::format("{}..{}", kProtocolVersion, kProtocolVersion));
    refused.kind = ErrorKind::version_unsupported;
    return refused;
  }
  if (auto refused = check_text("hello.client_name", hello.client_name(), kClientNameMaxBytes, true)) return refused;
  return check_text("hello.token", hello.token(), kTokenMaxBytes, true);
}

}  // namespace voxpath::protocol
