#include "world/store/store_format.hpp"

#include <array>
#include <bit>
#include <concepts>
#include <utility>

#include <fmt/format.h>
#include <lz4.h>
#include <xxhash.h>

namespace voxpath::world {

namespace {

Error damaged(std::string message) { return {ErrorCode::data_loss, std::move(message)}; }

/// Least significant byte first.
template <std::unsigned_integral T>
void append(std::string& to, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i) to.push_back(static_cast<char>(value >> (8 * i) & 0xff));
}

/// Most significant byte first and the sign turned round, so that keys sort as their numbers do.
template <std::unsigned_integral T>
void append_sorted(std::string& to, T value) {
  for (std::size_t i = sizeof(T); i-- > 0;) to.push_back(static_cast<char>(value >> (8 * i) & 0xff));
}
void append_sorted(std::string& to, std::int32_t value) {
  append_sorted(to, static_cast<std::uint32_t>(value) ^ 0x80000000u);
}
void append_sorted(std::string& to, std::int16_t value) {
  append_sorted(to, static_cast<std::uint16_t>(static_cast<std::uint16_t>(value) ^ 0x8000u));
}

/// Takes values out of bytes, from the front; past the end everything is 0 and `ok` is false.
class Taker {
 public:
  explicit Taker(std::string_view bytes) : bytes_(bytes) {}

  template <std::unsigned_integral T>
  T take() {
    const std::string_view from = take(sizeof(T));
    T value = 0;
    for (std::size_t i = 0; i < from.size(); ++i)
      value = static_cast<T>(value | static_cast<T>(static_cast<T>(static_cast<unsigned char>(from[i])) << (8 * i)));
    return value;
  }
  std::int32_t take_i32() { return static_cast<std::int32_t>(take<std::uint32_t>()); }
  std::string_view take(std::size_t count) {
    if (count > bytes_.size()) {
      ok_ = false;
      bytes_ = {};
      return {};
    }
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  [[nodiscard]] std::size_t left() const { return bytes_.size(); }
  /// Whether nothing was missing, and nothing is left.
  [[nodiscard]] bool exact() const { return ok_ && bytes_.empty(); }

 private:
  std::string_view bytes_;
  bool ok_ = true;
};

std::uint32_t sorted_u32(std::string_view bytes) {
  std::uint32_t value = 0;
  for (const char c : bytes) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}
std::int32_t sorted_i32(std::string_view bytes) { return static_cast<std::int32_t>(sorted_u32(bytes) ^ 0x80000000u); }

std::uint64_t checksum(std::string_view key, std::uint8_t format, std::string_view rest) {
  const std::uint64_t seed = XXH3_64bits_withSeed(key.data(), key.size(), format);
  return XXH3_64bits_withSeed(rest.data(), rest.size(), seed);
}

constexpr std::size_t kVolume = kSectionVolume;
constexpr std::size_t kSqueezedMinBytes = 64;  // below, compressing saves nothing

unsigned bits_for(std::size_t entries) {
  return entries <= 1 ? 0 : std::bit_ceil(static_cast<unsigned>(std::bit_width(entries - 1)));
}

}  // namespace

std::string chunk_key(ChunkPos pos) {
  std::string key;
  append_sorted(key, pos.x);
  append_sorted(key, pos.z);
  return key;
}

std::string section_key(SectionPos pos) {
  std::string key = chunk_key({pos.x, pos.z});
  append_sorted(key, static_cast<std::int16_t>(pos.y));
  return key;
}

std::string state_key(std::uint32_t number) {
  std::string key;
  append_sorted(key, number);
  return key;
}

std::optional<ChunkPos> chunk_of_key(std::string_view key) {
  if (key.size() != 8) return std::nullopt;
  return ChunkPos{sorted_i32(key.substr(0, 4)), sorted_i32(key.substr(4, 4))};
}

std::optional<SectionPos> section_of_key(std::string_view key) {
  if (key.size() != 10) return std::nullopt;
  const auto column = chunk_of_key(key.substr(0, 8));
  return SectionPos{column->x, static_cast<std::int32_t>(sorted_u32(key.substr(8, 2))) - 0x8000, column->z};
}

std::optional<std::uint32_t> state_of_key(std::string_view key) {
  if (key.size() != 4) return std::nullopt;
  return sorted_u32(key);
}

std::string seal(std::string_view key, std::string_view payload) {
  std::uint8_t format = kValuePlain;
  std::string rest;
  if (payload.size() >= kSqueezedMinBytes) {
    append(rest, static_cast<std::uint32_t>(payload.size()));
    const std::size_t head = rest.size();
    rest.resize(head + static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(payload.size()))));
    const int size = LZ4_compress_default(payload.data(), rest.data() + head, static_cast<int>(payload.size()),
                                          static_cast<int>(rest.size() - head));
    rest.resize(head + static_cast<std::size_t>(size));
    if (rest.size() < payload.size() - payload.size() / 8) format = kValueLz4;
  }
  if (format == kValuePlain) rest = payload;
  std::string value;
  value.reserve(kValueHeadBytes + rest.size());
  append(value, format);
  append(value, checksum(key, format, rest));
  return value += rest;
}

Result<std::string> unseal(std::string_view key, std::string_view value) {
  if (value.size() < kValueHeadBytes)
    return damaged(fmt::format("{} bytes long, a value has {} at least", value.size(), kValueHeadBytes));
  Taker taker(value);
  const auto format = taker.take<std::uint8_t>();
  if (format != kValuePlain && format != kValueLz4) {
    return damaged(fmt::format("its format byte is {}, this version reads {} and {}", format, kValuePlain, kValueLz4));
  }
  const auto expected = taker.take<std::uint64_t>();
  const std::string_view rest = taker.take(taker.left());
  if (const std::uint64_t found = checksum(key, format, rest); found != expected)
    return damaged(fmt::format("its checksum is {:016x}, its bytes have {:016x}", expected, found));
  if (format == kValuePlain) {
    if (rest.size() > kPayloadMaxBytes)
      return damaged(fmt::format("{} bytes long, the limit is {}", rest.size(), kPayloadMaxBytes));
    return std::string(rest);
  }
  Taker squeezed(rest);
  const auto size = squeezed.take<std::uint32_t>();
  if (size > kPayloadMaxBytes) return damaged(fmt::format("{} bytes long, the limit is {}", size, kPayloadMaxBytes));
  std::string payload(size, '\0');
  const std::string_view block = squeezed.take(squeezed.left());
  const int got =
      LZ4_decompress_safe(block.data(), payload.data(), static_cast<int>(block.size()), static_cast<int>(size));
  if (got < 0 || static_cast<std::uint32_t>(got) != size) return damaged("its bytes do not decompress");
  return payload;
}

std::uint64_t text_hash(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

std::string encode_world(const StoredWorld& world) {
  std::string out;
  append(out, world.version);
  append(out, static_cast<std::uint32_t>(world.heights.min_y));
  append(out, static_cast<std::uint32_t>(world.heights.height));
  append(out, static_cast<std::uint8_t>(world.open ? 1 : 0));
  append(out, world.table);
  for (const std::string* text : {&world.game_version, &world.folder}) {
    const std::string_view kept = std::string_view(*text).substr(0, kStoredTextMaxBytes);
    append(out, static_cast<std::uint16_t>(kept.size()));
    out += kept;
  }
  return out;
}

Result<StoredWorld> decode_world(std::string_view payload) {
  Taker taker(payload);
  StoredWorld world;
  world.version = taker.take<std::uint64_t>();
  world.heights.min_y = taker.take_i32();
  world.heights.height = taker.take_i32();
  const auto open = taker.take<std::uint8_t>();
  world.open = open != 0;
  world.table = taker.take<std::uint64_t>();
  for (std::string* text : {&world.game_version, &world.folder}) *text = taker.take(taker.take<std::uint16_t>());
  if (!taker.exact()) return damaged(fmt::format("{} bytes long, which its texts do not fill", payload.size()));
  if (open > 1) return damaged(fmt::format("open is {}, not 0 or 1", open));
  return world;
}

std::string encode_state(const RegisteredState& state) {
  const Traits& t = state.traits;
  std::string out;
  const auto flags = static_cast<unsigned>(t.open) | static_cast<unsigned>(t.climbable) << 1u |
                     static_cast<unsigned>(t.slow) << 2u | static_cast<unsigned>(t.unknown) << 3u;
  for (const unsigned part :
       {unsigned{t.bottom}, unsigned{t.top}, static_cast<unsigned>(t.fluid), static_cast<unsigned>(t.hazard),
        static_cast<unsigned>(t.door), static_cast<unsigned>(t.stair), flags}) {
    out.push_back(static_cast<char>(part));
  }
  return out += state.text;
}

Result<RegisteredState> decode_state(std::string_view payload) {
  Taker taker(payload);
  RegisteredState state;
  Traits& t = state.traits;
  t.bottom = taker.take<std::uint8_t>();
  t.top = taker.take<std::uint8_t>();
  const auto fluid = taker.take<std::uint8_t>();
  const auto hazard = taker.take<std::uint8_t>();
  const auto door = taker.take<std::uint8_t>();
  const auto stair = taker.take<std::uint8_t>();
  const auto flags = taker.take<std::uint8_t>();
  state.text = taker.take(taker.left());
  const bool extent = t.top == 0 ? t.bottom == 0 : t.bottom < t.top && t.top <= kExtentTopMax;
  if (state.text.empty() || !extent || fluid > static_cast<int>(Fluid::lava) || hazard >= kHazardKinds ||
      door > static_cast<int>(Door::gate) || stair > static_cast<int>(StairFacing::north) || flags > 15) {
    return damaged(fmt::format("traits {} {} {} {} {} {} {} are none that a block has", t.bottom, t.top, fluid, hazard,
                               door, stair, flags));
  }
  t.fluid = static_cast<Fluid>(fluid);
  t.hazard = static_cast<Hazard>(hazard);
  t.door = static_cast<Door>(door);
  t.stair = static_cast<StairFacing>(stair);
  t.open = (flags & 1) != 0;
  t.climbable = (flags & 2) != 0;
  t.slow = (flags & 4) != 0;
  t.unknown = (flags & 8) != 0;
  return state;
}

std::string encode_chunk(const std::vector<bool>& stored) {
  std::string out((stored.size() + 7) / 8, '\0');
  for (std::size_t i = 0; i < stored.size(); ++i) {
    if (stored[i]) out[i / 8] = static_cast<char>(static_cast<unsigned char>(out[i / 8]) | 1u << (i % 8));
  }
  return out;
}

Result<std::vector<bool>> decode_chunk(std::string_view payload, Heights heights) {
  const auto sections = static_cast<std::size_t>(heights.height / kSectionSize);
  if (payload.size() != (sections + 7) / 8)
    return damaged(fmt::format("{} bytes for a column of {} sections", payload.size(), sections));
  std::vector<bool> stored(payload.size() * 8);
  for (std::size_t i = 0; i < stored.size(); ++i)
    stored[i] = (static_cast<unsigned char>(payload[i / 8]) >> (i % 8) & 1u) != 0;
  for (std::size_t i = sections; i < stored.size(); ++i) {
    if (stored[i]) return damaged(fmt::format("names section {} of {}", i, sections));
  }
  stored.resize(sections);
  return stored;
}

std::string encode_section(const Section& section, const NumberOfState& number) {
  constexpr std::uint16_t kUnseen = 0xffff;
  std::vector<std::uint16_t> renumbered(section.palette().size(), kUnseen);
  std::vector<std::uint32_t> numbers;
  std::array<std::uint16_t, kVolume> slots;
  for (std::size_t i = 0; i < kVolume; ++i) {
    const std::size_t slot = section.slot(static_cast<int>(i));
    if (renumbered[slot] == kUnseen) {
      renumbered[slot] = static_cast<std::uint16_t>(numbers.size());
      numbers.push_back(number(section.palette()[slot].state));
    }
    slots[i] = renumbered[slot];
  }
  std::string out;
  const unsigned bits = bits_for(numbers.size());
  out.reserve(2 + 4 * numbers.size() + kVolume * bits / 8);
  append(out, static_cast<std::uint16_t>(numbers.size()));
  for (const std::uint32_t n : numbers) append(out, n);
  if (bits == 0) return out;
  const std::size_t words = kVolume * bits / 64;
  for (std::size_t w = 0, i = 0; w < words; ++w) {
    std::uint64_t word = 0;
    for (unsigned bit = 0; bit < 64; bit += bits) word |= static_cast<std::uint64_t>(slots[i++]) << bit;
    append(out, word);
  }
  return out;
}

Result<Ref<Section>> decode_section(std::string_view payload, const EntryOfNumber& entry) {
  Taker taker(payload);
  const std::size_t count = taker.take<std::uint16_t>();
  if (count == 0 || count > kVolume) return damaged(fmt::format("{} states, a section has 1 to {}", count, kVolume));
  const unsigned bits = bits_for(count);
  if (const std::size_t size = 4 * count + kVolume * bits / 8; taker.left() != size) {
    return damaged(fmt::format("{} bytes behind its number of states, {}, which takes {}", taker.left(), count, size));
  }
  std::vector<PaletteEntry> palette;
  palette.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = taker.take<std::uint32_t>();
    const auto found = entry(number);
    if (!found) return damaged(fmt::format("has the state {}, which is lost", number));
    palette.push_back(*found);
  }
  if (bits == 0) return make_ref<Section>(palette.front());
  std::vector<std::uint16_t> slots(kVolume);
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  for (std::size_t i = 0; i < kVolume;) {
    const auto word = taker.take<std::uint64_t>();
    for (unsigned bit = 0; bit < 64; bit += bits, ++i) {
      slots[i] = static_cast<std::uint16_t>(word >> bit & mask);
      if (slots[i] >= count) return damaged(fmt::format("block {} has the state {} of {}", i, slots[i], count));
    }
  }
  return make_ref<Section>(palette, slots);
}

}  // namespace voxpath::world
