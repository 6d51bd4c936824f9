#include "protocol/validate.hpp"

#include "protocol/checks.hpp"
#include "protocol/path_requests.hpp"

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
      return check_request(frame.find_path());
    case Frame::kFindPaths:
      return check_request(frame.find_paths());
    case Frame::kValidatePath:
      return check_request(frame.validate_path());
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
