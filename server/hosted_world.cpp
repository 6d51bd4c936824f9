#include "server/hosted_world.hpp"

#include "protocol/limits.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace voxpath::server {

using protocol::ErrorKind;
using protocol::Failure;
using world::PaletteEntry;

namespace {

constexpr std::uint16_t kNoSlot = 0xffff;
constexpr std::size_t kBlockTextsKept = 65'536;
constexpr char kBlockTextAllowed[] = "[namespace:]name[property=value,...]";

world::BlockPos block_pos(const v1::BlockPos& p) { return {p.x(), p.y(), p.z()}; }

}  // namespace

HostedWorld::HostedWorld(std::string name, std::unique_ptr<world::World> world, world::BlockTable table,
                         WorldOrigin origin, std::size_t chunks_max)
    : name_(std::move(name)),
      world_(std::move(world)),
      table_(std::move(table)),
      origin_(std::move(origin)),
      chunks_max_(chunks_max),
      slots_(protocol::kPaletteMaxBlocks, kNoSlot) {}

v1::WorldInfo HostedWorld::info() const {
  const auto now = snapshot();
  v1::WorldInfo info;
  info.set_world(name_);
  info.set_min_y(heights().min_y);
  info.set_height(static_cast<std::uint32_t>(heights().height));
  info.set_game_version(origin_.game_version);
  info.set_folder(origin_.folder);
  info.set_version(now->version());
  info.set_chunks(now->chunks().size());
  info.set_chunks_skipped(origin_.chunks_skipped);
  info.set_chunks_damaged(origin_.chunks_damaged);
  info.set_restored(origin_.restored);
  for (const std::string& problem : origin_.problems) info.add_problems(problem);
  if (origin_.data_versions) {
    info.set_oldest_data_version(origin_.data_versions->oldest);
    info.set_newest_data_version(origin_.data_versions->newest);
  }
  return info;
}

Outcome<PaletteEntry> HostedWorld::block_of(const std::string& text, const std::string& field) {
  if (const auto known = blocks_.find(text); known != blocks_.end()) return known->second;
  const auto state = world::BlockState::parse(text);
  if (!state) {
    Failure refused = failure_of(state.error(), field);
    refused.value = protocol::printable(text);
    refused.limit = kBlockTextAllowed;
    return refused;
  }
  const world::Traits traits = table_.traits(*state);
  const auto id = world_->states().intern(state->text(), traits);
  if (!id) return failure_of(id.error(), field);
  if (blocks_.size() >= kBlockTextsKept) blocks_.clear();  // no client's spelling may grow this without a bound
  const PaletteEntry entry{*id, traits};
  blocks_.emplace(text, entry);
  return entry;
}

Outcome<PaletteEntry> HostedWorld::block_of(ConnectionId client, std::uint32_t number, const std::string& field) const {
  const auto palette = palettes_.find(client);
  if (palette != palettes_.end() && number < palette->second.size() && palette->second[number])
    return *palette->second[number];
  return Failure{ErrorKind::palette_number_unknown,
                 fmt::format("{} is {}, which no set_palette for '{}' gave a block", field, number, name_), field,
                 fmt::format("{}", number), "numbers given by set_palette"};
}

Outcome<HostedWorld::Palette> HostedWorld::resolve(const google::protobuf::RepeatedPtrField<std::string>& blocks,
                                                   const std::string& field) {
  Palette palette;
  palette.reserve(static_cast<std::size_t>(blocks.size()));
  for (const std::string& text : blocks) {
    auto entry = block_of(text, field);
    if (auto* refused = std::get_if<Failure>(&entry)) {
      refused->field = fmt::format("{}[{}]", field, palette.size());
      return std::move(*refused);
    }
    palette.emplace_back(std::get<PaletteEntry>(entry));
  }
  return palette;
}

std::optional<Failure> HostedWorld::set_palette(ConnectionId client, const v1::SetPalette& request) {
  auto resolved = resolve(request.blocks(), "set_palette.blocks");
  if (auto* refused = std::get_if<Failure>(&resolved)) return std::move(*refused);
  const Palette& given = std::get<Palette>(resolved);
  Palette& palette = palettes_[client];
  if (palette.size() < request.first() + given.size()) palette.resize(request.first() + given.size());
  std::copy(given.begin(), given.end(), palette.begin() + request.first());
  return std::nullopt;
}

Outcome<world::Ref<world::Section>> HostedWorld::section_of(const v1::ChunkSection& section, const Palette& palette,
                                                            const std::string& field) {
  const int low = world::floor_div16(heights().min_y);
  const int high = world::floor_div16(heights().max_y());
  if (section.y() < low || section.y() > high) {
    return Failure{ErrorKind::field_out_of_range,
                   fmt::format("{}.y is {}, the world has sections {}..{}", field, section.y(), low, high),
                   field + ".y", fmt::format("{}", section.y()), fmt::format("{}..{}", low, high)};
  }
  std::vector<PaletteEntry> used;
  std::vector<std::uint32_t> numbers;
  std::vector<std::uint16_t> indices(world::kSectionVolume);
  std::optional<std::uint32_t> unknown;
  for (int i = 0; i < section.blocks_size(); ++i) {
    const std::uint32_t number = section.blocks(i);
    if (number >= palette.size() || !palette[number]) {
      unknown = number;
      break;
    }
    std::uint16_t& slot = slots_[number];
    if (slot == kNoSlot) {
      slot = static_cast<std::uint16_t>(used.size());
      used.push_back(*palette[number]);
      numbers.push_back(number);
    }
    indices[static_cast<std::size_t>(i)] = slot;
  }
  for (const std::uint32_t number : numbers) slots_[number] = kNoSlot;
  if (unknown) {
    return Failure{ErrorKind::palette_number_unknown,
                   fmt::format("{}.blocks holds {}, which the palette does not have", field, *unknown),
                   field + ".blocks", fmt::format("{}", *unknown), "numbers of the palette"};
  }
  if (used.size() == 1) return world::make_ref<world::Section>(used.front());  // also the one number for all
  return world::make_ref<world::Section>(used, indices);
}

std::optional<Failure> HostedWorld::no_place_for(world::ChunkPos pos, const v1::PutChunk& request) const {
  const auto now = snapshot();
  if (now->chunk(pos) != nullptr) return std::nullopt;
  if (request.only_these_sections()) {
    return Failure{ErrorKind::chunk_unknown,
                   fmt::format("put_chunk.only_these_sections changes chunk {}, {}, which is missing", pos.x, pos.z),
                   "put_chunk.only_these_sections", fmt::format("chunk {}, {}", pos.x, pos.z),
                   "chunks that were put whole before"};
  }
  const std::size_t chunks = now->chunks().size();
  if (chunks < chunks_max_) return std::nullopt;
  return Failure{ErrorKind::chunks_full,
                 fmt::format("world '{}' has {} chunks, the limit is {}", name_, chunks, chunks_max_), "put_chunk",
                 fmt::format("chunk {}, {} beside {} others", pos.x, pos.z, chunks),
                 fmt::format("{} chunks", chunks_max_)};
}

Outcome<world::Commit> HostedWorld::put_chunk(ConnectionId client, const v1::PutChunk& request) {
  const world::ChunkPos pos{request.x(), request.z()};
  if (auto refused = no_place_for(pos, request)) return std::move(*refused);
  Palette inline_palette;
  if (!request.palette().empty()) {
    auto resolved = resolve(request.palette(), "put_chunk.palette");
    if (auto* refused = std::get_if<Failure>(&resolved)) return std::move(*refused);
    inline_palette = std::move(std::get<Palette>(resolved));
  }
  const auto own = palettes_.find(client);
  const Palette& palette = request.palette().empty() && own != palettes_.end() ? own->second : inline_palette;

  std::vector<world::Change> changes;
  const auto chunk = world::make_ref<world::Chunk>(heights().min_y, heights().height);
  for (int i = 0; i < request.sections_size(); ++i) {
    const v1::ChunkSection& section = request.sections(i);
    auto built = section_of(section, palette, fmt::format("put_chunk.sections[{}]", i));
    if (auto* refused = std::get_if<Failure>(&built)) return std::move(*refused);
    auto& blocks = std::get<world::Ref<world::Section>>(built);
    if (request.only_these_sections()) {
      changes.emplace_back(world::SetSection{{pos.x, section.y(), pos.z}, std::move(blocks)});
    } else {
      chunk->set_section(section.y(), std::move(blocks));
    }
  }
  if (!request.only_these_sections()) changes.emplace_back(world::PutChunk{pos, chunk});
  return apply(changes, "put_chunk");
}

Outcome<world::Commit> HostedWorld::drop_chunk(const v1::DropChunk& request) {
  const world::Change change = world::DropChunk{{request.x(), request.z()}};
  return apply({&change, 1}, "drop_chunk");
}

Outcome<world::Commit> HostedWorld::set_blocks(ConnectionId client, const v1::SetBlocks& request) {
  std::vector<world::Change> changes;
  changes.reserve(static_cast<std::size_t>(request.changes_size()));
  for (const v1::BlockChange& change : request.changes()) {
    auto block = change.has_number() ? block_of(client, change.number(), "number") : block_of(change.block(), "block");
    if (auto* refused = std::get_if<Failure>(&block)) {
      refused->field = fmt::format("set_blocks.changes[{}].{}", changes.size(), refused->field);
      return std::move(*refused);
    }
    const world::StateId state = std::get<PaletteEntry>(block).state;
    if (change.has_at()) {
      changes.emplace_back(world::SetBlock{block_pos(change.at()), state});
    } else {
      changes.emplace_back(world::FillBox{{block_pos(change.box().min()), block_pos(change.box().max())}, state});
    }
  }
  auto outcome = apply(changes, "set_blocks.changes");
  if (auto* refused = std::get_if<Failure>(&outcome)) name_change(request, *refused);
  return outcome;
}

void HostedWorld::name_change(const v1::SetBlocks& request, Failure& refused) const {
  const world::Heights range = heights();
  const auto now = snapshot();
  for (int i = 0; i < request.changes_size(); ++i) {
    const v1::BlockChange& change = request.changes(i);
    const bool box = !change.has_at();
    const world::BlockPos low = block_pos(box ? change.box().min() : change.at());
    const world::BlockPos high = block_pos(box ? change.box().max() : change.at());
    const std::string field = fmt::format("set_blocks.changes[{}].{}", i, box ? "box" : "at");
    if (refused.kind == ErrorKind::field_out_of_range && (low.y < range.min_y || high.y > range.max_y())) {
      const bool too_low = low.y < range.min_y;
      refused.field = field + (!box ? ".y" : too_low ? ".min.y" : ".max.y");
      refused.value = fmt::format("{}", too_low ? low.y : high.y);
      refused.limit = fmt::format("{}..{} blocks", range.min_y, range.max_y());
      return;
    }
    if (refused.kind != ErrorKind::chunk_unknown) continue;
    for (int x = world::floor_div16(low.x); x <= world::floor_div16(high.x); ++x) {
      for (int z = world::floor_div16(low.z); z <= world::floor_div16(high.z); ++z) {
        if (now->chunk({x, z})) continue;
        refused.field = field;
        refused.value = fmt::format("chunk {}, {}", x, z);
        refused.limit = "chunks given by put_chunk";
        return;
      }
    }
  }
}

world::Commit HostedWorld::put_back(const world::Snapshot& then, std::vector<world::SectionPos> touched) {
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  const auto now = snapshot();
  std::set<world::ChunkPos> whole;  // put or dropped as a whole
  std::vector<world::Change> changes;
  for (const world::SectionPos& pos : touched) {
    const world::ChunkPos column{pos.x, pos.z};
    const world::Chunk* was = then.chunk(column);
    if (was != nullptr && now->chunk(column) != nullptr) {
      const world::Section* section = was->section(pos.y);
      changes.emplace_back(world::SetSection{pos, section ? world::make_ref<world::Section>(*section) : nullptr});
    } else if (whole.insert(column).second && was != nullptr) {
      changes.emplace_back(world::PutChunk{column, world::make_ref<world::Chunk>(*was)});
    } else if (was == nullptr && now->chunk(column) != nullptr) {
      changes.emplace_back(world::DropChunk{column});
    }
  }
  auto commit = world_->apply(changes);
  // The world has had these very sections: it cannot refuse them.
  return commit ? *std::move(commit) : world::Commit{.version = now->version(), .touched = {}};
}

Outcome<world::Commit> HostedWorld::apply(std::span<const world::Change> changes, const std::string& field) {
  if (changes.empty()) return world::Commit{.version = snapshot()->version(), .touched = {}};
  auto commit = world_->apply(changes);
  if (!commit) return failure_of(commit.error(), field);
  return *std::move(commit);
}

}  // namespace voxpath::server
