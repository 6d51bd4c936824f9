#include "world/anvil/chunk_decoder.hpp"

#include "world/anvil/packed_indices.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

namespace voxpath::world {

namespace {

constexpr std::int32_t kTallSince = 2834;      // snapshot 21w37a, on the way to Java 1.18
constexpr std::int32_t kUnbrokenSince = 2529;  // snapshot 20w17a, on the way to Java 1.16
constexpr Heights kTallHeights{.min_y = -64, .height = 384};
constexpr Heights kOldHeights{.min_y = 0, .height = 256};

constexpr std::int32_t kSectionsMax = 512;    // of one chunk; the tallest world has 256, and light needs two more
constexpr std::int32_t kPaletteMax = 0xFFFF;  // entries
constexpr std::size_t kNumericBlocksBytes = 4096;
constexpr std::size_t kNumericHalvesBytes = 2048;  // four bits a block
constexpr BlockNumber kDoorUpperBit = 8;
constexpr std::uint16_t kNoSlot = 0xFFFF;
constexpr int kLayer = 256;  // blocks of one height in a section

constexpr std::array<std::string_view, 4> kFinished = {"full", "minecraft:full", "fullchunk", "postprocessed"};

Error damage(std::string why) { return {ErrorCode::data_loss, std::move(why)}; }

bool is_door(const PaletteEntry& entry) { return entry.traits.door == Door::wooden || entry.traits.door == Door::iron; }

unsigned half_byte(nbt::Bytes bytes, std::size_t i) { return bytes.empty() ? 0u : (bytes[i / 2] >> (i % 2 * 4)) & 15u; }

}  // namespace

/// What a section's NBT has, still in the chunk's bytes.
struct ChunkDecoder::RawSection {
  std::optional<std::int32_t> y;
  nbt::Reader palette;  // before its first entry
  std::int32_t palette_size = 0;
  std::optional<nbt::Bytes> words;
  nbt::Bytes blocks, add, data;  // numeric ids

  [[nodiscard]] bool is_numeric() const { return !blocks.empty(); }
  [[nodiscard]] BlockNumber number(int index) const {
    const auto i = static_cast<std::size_t>(index);
    return static_cast<BlockNumber>(half_byte(add, i) << 12 | unsigned{blocks[i]} << 4 | half_byte(data, i));
  }
};

struct ChunkDecoder::RawChunk {
  std::int32_t data_version = 0;
  std::optional<std::int64_t> x, z;
  std::optional<std::string_view> status;
  bool has_sections = false;
  bool too_many_sections = false;
  std::vector<RawSection> sections;

  [[nodiscard]] const RawSection* numeric_section(std::int32_t y) const {
    const auto at =
        std::find_if(sections.begin(), sections.end(), [&](const auto& s) { return s.y == y && s.is_numeric(); });
    return at == sections.end() ? nullptr : &*at;
  }
};

Heights usual_heights(bool overworld, std::int32_t newest_data_version) {
  return overworld && newest_data_version >= kTallSince ? kTallHeights : kOldHeights;
}

Ref<Chunk> make_chunk(DecodedChunk&& decoded, Heights heights, LoadReport& report) {
  auto chunk = make_ref<Chunk>(heights.min_y, heights.height);
  const std::int32_t lowest = floor_div16(heights.min_y);
  const std::int32_t sections = heights.height / kSectionSize;
  for (auto& [y, section] : decoded.sections) {
    if (y >= lowest && y - lowest < sections) {
      chunk->set_section(y, std::move(section));
    } else {
      ++report.sections_outside[y];
    }
  }
  return chunk;
}

void ChunkDecoder::read_section(nbt::Reader& reader, RawSection& section) {
  using nbt::Tag;
  // Java 1.18 moved palette and words into a compound of their own; that one has no other in it that matters.
  const auto states = [&](nbt::Reader& r, const nbt::Field& field) {
    if (field.tag == Tag::list && (field.name == "palette" || field.name == "Palette")) {
      const nbt::ListHeader header = r.list();
      section.palette = r;
      section.palette_size = header.tag == Tag::compound ? header.count : 0;
      for (std::int32_t i = 0; i < header.count && r.ok(); ++i) r.skip(header.tag);
    } else if (field.tag == Tag::int64_array && (field.name == "data" || field.name == "Data" ||
                                                 field.name == "BlockStates" || field.name == "block_states")) {
      section.words = r.array(field.tag);
    } else {
      r.skip(field.tag);
    }
  };
  for (nbt::Field field; reader.next(field);) {
    if (field.name == "Y") {
      section.y = static_cast<std::int32_t>(reader.integer(field.tag));
    } else if (field.tag == Tag::int8_array && field.name == "Blocks") {
      section.blocks = reader.array(field.tag);
    } else if (field.tag == Tag::int8_array && field.name == "Add") {
      section.add = reader.array(field.tag);
    } else if (field.tag == Tag::int8_array && field.name == "Data") {
      section.data = reader.array(field.tag);
    } else if (field.tag == Tag::compound && (field.name == "block_states" || field.name == "BlockStates")) {
      for (nbt::Field inner; reader.next(inner);) states(reader, inner);
    } else {
      states(reader, field);
    }
  }
}

void ChunkDecoder::read_fields(nbt::Reader& reader, RawChunk& chunk) {
  using nbt::Tag;
  const auto take = [&](const nbt::Field& field) {
    if (field.tag == Tag::string && field.name == "Status") {
      chunk.status = reader.string();
    } else if (field.name == "DataVersion") {
      chunk.data_version = static_cast<std::int32_t>(reader.integer(field.tag));
    } else if (field.name == "xPos") {
      chunk.x = reader.integer(field.tag);
    } else if (field.name == "zPos") {
      chunk.z = reader.integer(field.tag);
    } else if (field.tag == Tag::list && (field.name == "sections" || field.name == "Sections")) {
      const nbt::ListHeader header = reader.list();
      chunk.has_sections = true;
      chunk.too_many_sections = header.count > kSectionsMax;
      for (std::int32_t i = 0; i < header.count && reader.ok(); ++i) {
        if (header.tag == Tag::compound && !chunk.too_many_sections) {
          read_section(reader, chunk.sections.emplace_back());
        } else {
          reader.skip(header.tag);
        }
      }
    } else {
      reader.skip(field.tag);
    }
  };
  for (nbt::Field field; reader.next(field);) {
    if (field.tag == Tag::compound && field.name == "Level") {  // up to Java 1.17
      for (nbt::Field inner; reader.next(inner);) take(inner);
    } else {
      take(field);
    }
  }
}

Result<std::optional<DecodedChunk>> ChunkDecoder::decode(nbt::Bytes bytes, ChunkPos pos, LoadReport& report) {
  nbt::Reader reader(bytes);
  RawChunk raw;
  if (reader.enter_root()) read_fields(reader, raw);
  if (!reader.ok()) return damage(reader.error());
  if (!raw.has_sections && !raw.x && !raw.z)
    return damage("its NBT has neither sections nor a position: it is no chunk");
  if (raw.too_many_sections) return damage(fmt::format("it has more than {} sections", kSectionsMax));
  LoadReport found;  // joined only when the whole chunk is good
  if (raw.x && raw.z && (*raw.x != pos.x || *raw.z != pos.z)) {
    // The same place in another region: someone renamed the file. Another place in the region: the table is wrong.
    if (((*raw.x ^ pos.x) | (*raw.z ^ pos.z)) & 31)
      return damage(fmt::format("it says that it is chunk {}, {}", *raw.x, *raw.z));
    ++found.moved;
  }
  if (raw.status && std::find(kFinished.begin(), kFinished.end(), *raw.status) == kFinished.end()) {
    ++found.skipped[std::string(*raw.status)];
    report.merge(std::move(found));
    return std::optional<DecodedChunk>();
  }

  DecodedChunk chunk{.pos = pos, .data_version = raw.data_version, .sections = {}};
  const bool any_numeric =
      std::any_of(raw.sections.begin(), raw.sections.end(), [](const auto& s) { return s.is_numeric(); });
  if (const auto status = resolver_.use_version(raw.data_version, any_numeric); !status) return status.error();
  for (const RawSection& section : raw.sections) {
    const bool has_blocks = section.is_numeric() || section.palette_size > 0 || section.words;
    if (!has_blocks) continue;  // light only
    if (!section.y) return damage("a section has no Y");
    auto decoded = section.is_numeric() ? numeric(raw, section) : paletted(section, raw.data_version >= kUnbrokenSince);
    if (!decoded)
      return Error{decoded.error().code, fmt::format("section y {}: {}", *section.y, decoded.error().message)};
    if ((*decoded)->uniform() && (*decoded)->at(0).state == kAirState) continue;
    note_unknown(**decoded, found);
    chunk.sections.push_back({*section.y, *std::move(decoded)});
  }
  report.merge(std::move(found));
  return std::optional(std::move(chunk));
}

Result<Ref<Section>> ChunkDecoder::paletted(const RawSection& raw, bool unbroken) {
  if (raw.palette_size == 0) return damage("it has blocks and no palette");
  if (raw.palette_size > kPaletteMax)
    return damage(fmt::format("its palette has {} entries of at most {}", raw.palette_size, kPaletteMax));
  palette_.clear();
  nbt::Reader entries = raw.palette;
  for (std::int32_t i = 0; i < raw.palette_size; ++i) {
    const auto entry = resolver_.named(entries.skip(nbt::Tag::compound));
    if (!entry) return entry.error();
    palette_.push_back(*entry);
  }
  if (!raw.words || raw.words->empty()) {
    if (raw.palette_size > 1)
      return damage(fmt::format("its palette has {} entries and there are no indices", raw.palette_size));
    return make_ref<Section>(palette_.front());
  }
  const SectionIndices out(indices_.data(), kSectionVolume);
  if (const auto status = unpack_indices(*raw.words, palette_.size(), unbroken, out); !status) return status.error();
  return make_ref<Section>(palette_, indices_);
}

Result<Ref<Section>> ChunkDecoder::numeric(const RawChunk& chunk, const RawSection& raw) {
  if (raw.blocks.size() != kNumericBlocksBytes)
    return damage(fmt::format("Blocks has {} bytes of 4096", raw.blocks.size()));
  if (raw.data.size() != kNumericHalvesBytes) return damage(fmt::format("Data has {} bytes of 2048", raw.data.size()));
  if (!raw.add.empty() && raw.add.size() != kNumericHalvesBytes) {
    return damage(fmt::format("Add has {} bytes of 2048", raw.add.size()));
  }
  slot_of_number_.resize(std::size_t{std::numeric_limits<BlockNumber>::max()} + 1, kNoSlot);
  palette_.clear();
  numbers_.clear();
  Status status = ok_status();
  bool doors = false;
  for (int i = 0; i < kSectionVolume && status; ++i) {
    const BlockNumber number = raw.number(i);
    std::uint16_t& slot = slot_of_number_[number];
    if (slot == kNoSlot) {
      const auto entry = resolver_.numbered(number);
      if (!entry) {
        status = entry.error();
        break;
      }
      slot = static_cast<std::uint16_t>(palette_.size());
      palette_.push_back(*entry);
      numbers_.push_back(number);
      doors = doors || is_door(*entry);
    }
    indices_[static_cast<std::size_t>(i)] = slot;
  }
  for (const BlockNumber number : numbers_) slot_of_number_[number] = kNoSlot;
  if (status && doors) status = join_doors(chunk, raw);
  if (!status) return status.error();
  return make_ref<Section>(palette_, indices_);
}

Status ChunkDecoder::join_doors(const RawChunk& chunk, const RawSection& raw) {
  const RawSection* const above = chunk.numeric_section(*raw.y + 1);
  const RawSection* const below = chunk.numeric_section(*raw.y - 1);
  const auto number_at = [&](int i) -> std::optional<BlockNumber> {
    if (i >= 0 && i < kSectionVolume) return raw.number(i);
    const RawSection* const other = i < 0 ? below : above;
    const bool good = other && other->blocks.size() == kNumericBlocksBytes &&
                      other->data.size() == kNumericHalvesBytes &&
                      (other->add.empty() || other->add.size() == kNumericHalvesBytes);
    return good ? std::optional(other->number(i & (kSectionVolume - 1))) : std::nullopt;
  };
  for (int i = 0; i < kSectionVolume; ++i) {
    std::uint16_t& slot = indices_[static_cast<std::size_t>(i)];
    if (!is_door(palette_[slot])) continue;
    const BlockNumber number = numbers_[slot];
    const bool upper = (number & kDoorUpperBit) != 0;
    const auto other = number_at(upper ? i - kLayer : i + kLayer);
    const bool pair = other && *other >> 4 == number >> 4 && ((*other ^ number) & kDoorUpperBit) != 0;
    if (!pair) continue;  // half a door
    const auto entry = upper ? resolver_.door_half(*other, number, true) : resolver_.door_half(number, *other, false);
    if (!entry) return entry.error();
    const auto at = std::find(palette_.begin(), palette_.end(), *entry);
    slot = static_cast<std::uint16_t>(at - palette_.begin());
    if (at == palette_.end()) {
      palette_.push_back(*entry);
      numbers_.push_back(number);
    }
  }
  return ok_status();
}

void ChunkDecoder::note_unknown(const Section& section, LoadReport& report) {
  const auto palette = section.palette();
  if (std::none_of(palette.begin(), palette.end(), [](const auto& e) { return e.traits.unknown; })) return;
  std::vector<std::int64_t> counts(palette.size());
  for (int i = 0; i < kSectionVolume; ++i) ++counts[section.slot(i)];
  for (std::size_t i = 0; i < palette.size(); ++i) {
    if (!palette[i].traits.unknown) continue;
    const std::string& text = resolver_.text_of(palette[i]);
    report.unknown_blocks[text.substr(0, text.find('['))] += counts[i];
  }
}

}  // namespace voxpath::world
