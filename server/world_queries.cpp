#include "server/world_queries.hpp"

#include "protocol/limits.hpp"
#include "world/queries.hpp"

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace voxpath::server {

using world::PaletteEntry;

namespace {

constexpr std::size_t kEnvelopeBytes = 64;  // of a ServerFrame around the answer

world::BlockPos block_pos(const v1::BlockPos& p) { return {p.x(), p.y(), p.z()}; }
world::Vec3 position(const v1::Position& p) { return {p.x(), p.y(), p.z()}; }

void write_block(world::BlockPos from, v1::BlockPos* to) {
  to->set_x(from.x);
  to->set_y(from.y);
  to->set_z(from.z);
}

v1::BlockInfo info_of(const world::Snapshot& snapshot, const PaletteEntry* block, v1::QueryBlocks::Detail detail) {
  // The values of these enumerations are the same in the world and on the wire.
  static_assert(static_cast<int>(world::Fluid::lava) == v1::BlockInfo::LAVA);
  static_assert(static_cast<int>(world::Door::gate) == v1::BlockInfo::GATE);
  static_assert(static_cast<int>(world::StairFacing::north) == v1::BlockInfo::NORTH);
  v1::BlockInfo info;
  if (!block) {
    info.set_solidity(v1::BlockInfo::MISSING);
    return info;
  }
  const world::Traits& traits = block->traits;
  info.set_solidity(traits.has_extent() ? v1::BlockInfo::SOLID : v1::BlockInfo::AIR);
  if (detail == v1::QueryBlocks::SOLIDITY) return info;
  info.set_bottom_px(traits.bottom);
  info.set_top_px(traits.top);
  info.set_fluid(static_cast<v1::BlockInfo::Fluid>(traits.fluid));
  info.set_hazard(static_cast<v1::Agent::Hazard>(traits.hazard));
  info.set_door(static_cast<v1::BlockInfo::Door>(traits.door));
  info.set_open(traits.open);
  info.set_stair(static_cast<v1::BlockInfo::Facing>(traits.stair));
  info.set_climbable(traits.climbable);
  info.set_slow(traits.slow);
  info.set_unknown(traits.unknown);
  if (detail == v1::QueryBlocks::NAMES) info.set_name(snapshot.states().at(block->state).text);
  return info;
}

/// Numbers the different blocks of an answer: by state first, which is quick, and states that look alike in this detail
/// together.
class AnswerPalette {
 public:
  AnswerPalette(const world::Snapshot& snapshot, v1::QueryBlocks::Detail detail, v1::BlocksAnswer* answer)
      : snapshot_(snapshot), detail_(detail), answer_(answer) {}

  std::uint32_t number_of(const PaletteEntry* block) {
    const std::uint64_t state = block ? std::uint64_t{block->state} : kMissing;
    const auto [known, is_new] = by_state_.try_emplace(state, 0);
    if (is_new) {
      v1::BlockInfo info = info_of(snapshot_, block, detail_);
      const auto [same, is_different] =
          by_look_.try_emplace(info.SerializeAsString(), static_cast<std::uint32_t>(answer_->palette_size()));
      if (is_different) *answer_->add_palette() = std::move(info);
      known->second = same->second;
    }
    return known->second;
  }

 private:
  static constexpr std::uint64_t kMissing = ~std::uint64_t{0};
  const world::Snapshot& snapshot_;
  const v1::QueryBlocks::Detail detail_;
  v1::BlocksAnswer* const answer_;
  std::unordered_map<std::uint64_t, std::uint32_t> by_state_;
  std::unordered_map<std::string, std::uint32_t> by_look_;
};

}  // namespace

Outcome<v1::BlocksAnswer> query_blocks(const world::Snapshot& snapshot, const v1::QueryBlocks& request) {
  std::vector<const PaletteEntry*> blocks;
  if (request.has_box()) {
    auto found = world::blocks_in(snapshot, {block_pos(request.box().min()), block_pos(request.box().max())});
    if (!found) return failure_of(found.error(), "query_blocks.box");
    blocks = *std::move(found);
  } else {
    std::vector<world::BlockPos> positions;
    positions.reserve(static_cast<std::size_t>(request.at_size()));
    for (const v1::BlockPos& at : request.at()) positions.push_back(block_pos(at));
    blocks = world::blocks_at(snapshot, positions);
  }
  v1::BlocksAnswer answer;
  answer.set_version(snapshot.version());
  AnswerPalette palette(snapshot, request.detail(), &answer);
  answer.mutable_blocks()->Reserve(static_cast<int>(blocks.size()));
  for (const PaletteEntry* block : blocks) answer.add_blocks(palette.number_of(block));
  if (const std::size_t size = answer.ByteSizeLong(); size > protocol::kFrameSizeMaxBytes - kEnvelopeBytes) {
    return protocol::Failure{
        protocol::ErrorKind::field_out_of_range,
        fmt::format("the answer would be {} bytes long, as so many different blocks are there: ask for less", size),
        request.has_box() ? "query_blocks.box" : "query_blocks.at", fmt::format("{} bytes", size),
        fmt::format("{} bytes", protocol::kFrameSizeMaxBytes)};
  }
  return answer;
}

Outcome<v1::SightAnswer> line_of_sight(const world::Snapshot& snapshot, const v1::LineOfSight& request) {
  const auto seen = world::line_of_sight(snapshot, position(request.from()), position(request.to()));
  if (!seen) return failure_of(seen.error(), "line_of_sight.to");
  v1::SightAnswer answer;
  answer.set_version(snapshot.version());
  switch (seen->sight) {
    case world::Sight::clear:
      answer.set_sight(v1::SightAnswer::CLEAR);
      break;
    case world::Sight::blocked:
      answer.set_sight(v1::SightAnswer::BLOCKED);
      break;
    case world::Sight::missing:
      answer.set_sight(v1::SightAnswer::MISSING_CHUNK);
      break;
  }
  write_block(seen->at, answer.mutable_at());
  return answer;
}

v1::SurfaceAnswer surface_below(const world::Snapshot& snapshot, const v1::SurfaceBelow& request) {
  const auto surface = world::surface_below(snapshot, position(request.from()));
  v1::SurfaceAnswer answer;
  answer.set_version(snapshot.version());
  if (!surface) {
    answer.set_result(v1::SurfaceAnswer::VOID);
  } else if (surface->missing) {
    answer.set_result(v1::SurfaceAnswer::MISSING_CHUNK);
  } else {
    answer.set_result(v1::SurfaceAnswer::SURFACE);
    answer.set_floor_px(surface->floor_px);
    write_block(surface->block, answer.mutable_block());
  }
  return answer;
}

}  // namespace voxpath::server
