#include "world/store/store_format.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace voxpath::world {
namespace {

Traits traits_of(StateId id) {
  Traits traits = full_cube_traits();
  traits.slow = id % 2 == 1;
  return traits;
}
PaletteEntry entry_of(StateId id) { return {id, traits_of(id)}; }
/// The store's numbers are other ones than the world's.
std::uint32_t number_of(StateId id) { return id + 100; }
std::optional<PaletteEntry> entry_of_number(std::uint32_t number) {
  if (number < 100) return std::nullopt;
  return entry_of(number - 100);
}

Ref<Section> section_of(std::size_t states, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<PaletteEntry> palette;
  for (std::size_t i = 0; i < states; ++i) palette.push_back(entry_of(static_cast<StateId>(i * 3)));
  std::vector<std::uint16_t> indices(kSectionVolume);
  for (std::size_t i = 0; i < indices.size(); ++i)
    indices[i] = static_cast<std::uint16_t>(i < states ? i : random() % states);
  return make_ref<Section>(palette, indices);
}

TEST(StoreFormat, KeysSortAsTheirPlacesDo) {
  const std::vector<std::int32_t> values{-1'875'000, -65'536, -1, 0, 1, 255, 256, 1'874'999};
  std::string before;
  for (const std::int32_t x : values) {
    for (const std::int32_t z : values) {
      for (const std::int32_t y : {-128, -1, 0, 5, 255}) {
        const std::string key = section_key({x, y, z});
        EXPECT_LT(before, key);
        EXPECT_EQ(section_of_key(key), (SectionPos{x, y, z}));
        EXPECT_EQ(key.substr(0, 8), chunk_key({x, z}));
        before = key;
      }
      EXPECT_EQ(chunk_of_key(chunk_key({x, z})), (ChunkPos{x, z}));
    }
  }
  EXPECT_LT(state_key(255), state_key(256));
  EXPECT_EQ(state_of_key(state_key(70'000)), 70'000u);
  for (const std::string key : {"", "1234567", "123456789", "12345678901"}) {
    EXPECT_FALSE(section_of_key(key));
    EXPECT_FALSE(chunk_of_key(key));
    EXPECT_FALSE(state_of_key(key));
  }
}

TEST(StoreFormat, ValuesKnowWhenAByteIsAnotherOrTheyStandElsewhere) {
  for (const std::string& payload : {std::string(), std::string("short"), std::string(5'000, 'a')}) {
    const std::string value = seal("key", payload);
    const auto opened = unseal("key", value);
    ASSERT_TRUE(opened) << opened.error().message;
    EXPECT_EQ(*opened, payload);
    EXPECT_FALSE(unseal("kex", value)) << "the value of another key";
    for (std::size_t i = 0; i < value.size(); ++i) {
      std::string flipped = value;
      flipped[i] = static_cast<char>(flipped[i] ^ 0x10);
      EXPECT_FALSE(unseal("key", flipped)) << "byte " << i;
    }
    for (std::size_t size = 0; size < value.size(); ++size) EXPECT_FALSE(unseal("key", value.substr(0, size))) << size;
    EXPECT_FALSE(unseal("key", value + "x"));
  }
  EXPECT_LT(seal("key", std::string(5'000, 'a')).size(), 200u) << "what repeats is compressed";
  const auto unknown = unseal("key", std::string(20, '\x07'));
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::data_loss);
  EXPECT_EQ(unknown.error().message, "its format byte is 7, this version reads 1 and 2");
}

TEST(StoreFormat, SectionsComeBackWithAnyNumberOfStates) {
  for (const std::size_t states : std::initializer_list<std::size_t>{1, 2, 3, 4, 5, 16, 17, 256, 257, 4'096}) {
    const auto section = section_of(states, 1);
    const std::string bytes = encode_section(*section, number_of);
    const auto back = decode_section(bytes, entry_of_number);
    ASSERT_TRUE(back) << states << ": " << back.error().message;
    EXPECT_TRUE((*back)->same_blocks(*section)) << states;
    EXPECT_EQ(encode_section(**back, number_of), bytes) << states;
    EXPECT_LE(bytes.size(), kPayloadMaxBytes);
  }
}

TEST(StoreFormat, AStateThatNoBlockHasAnyMoreIsNotStored) {
  Section section(entry_of(1));
  section.set(5, entry_of(2));
  section.set(5, entry_of(3));
  section.set(6, entry_of(4));
  section.set(6, entry_of(1));
  const std::string bytes = encode_section(section, number_of);
  EXPECT_EQ(bytes.size(), 2u + 2 * 4 + 512) << "two states, a bit for each block";
  EXPECT_TRUE((*decode_section(bytes, entry_of_number))->same_blocks(section));
}

TEST(StoreFormat, GarbageIsRefusedAndNeverReadBeyondItsEnd) {
  std::mt19937 random(7);
  const std::string good = encode_section(*section_of(5, 2), number_of);
  const Heights heights{-64, 384};
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_FALSE(decode_section(std::string_view(good).substr(0, size), entry_of_number)) << size;
  EXPECT_FALSE(decode_section(good + "x", entry_of_number));
  int accepted = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes(random() % 80, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    (void)unseal("key", bytes);
    (void)decode_world(bytes);
    (void)decode_state(bytes);
    (void)decode_chunk(bytes, heights);
    accepted += decode_section(bytes, entry_of_number) ? 1 : 0;
    std::string changed = good;
    changed[random() % changed.size()] = static_cast<char>(random());
    (void)decode_section(changed, entry_of_number);
  }
  EXPECT_LT(accepted, 20) << "by chance: one state, six bytes";

  std::string slots = encode_section(*section_of(3, 2), number_of);
  slots.back() = '\xff';
  const auto beyond = decode_section(slots, entry_of_number);
  ASSERT_FALSE(beyond);
  EXPECT_NE(beyond.error().message.find("has the state 3 of 3"), std::string::npos) << beyond.error().message;
  const auto lost = decode_section(encode_section(*section_of(2, 2), [](StateId) { return 17u; }), entry_of_number);
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().message, "has the state 17, which is lost");
}

TEST(StoreFormat, WorldsStatesAndChunksComeBack) {
  const StoredWorld world{~std::uint64_t{0}, {-2048, 4096}, false, 0x0123456789abcdef, "1.20.4", "lobby"};
  const auto back = decode_world(encode_world(world));
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, world);
  const std::string bytes = encode_world(world);
  for (std::size_t size = 0; size < bytes.size(); ++size) EXPECT_FALSE(decode_world(bytes.substr(0, size))) << size;
  EXPECT_FALSE(decode_world(bytes + "x"));

  Traits traits{.bottom = 8,
                .top = 24,
                .fluid = Fluid::lava,
                .hazard = Hazard::campfire,
                .door = Door::gate,
                .stair = StairFacing::north,
                .open = true,
                .climbable = false,
                .slow = true,
                .unknown = true};
  const RegisteredState state{"mymod:odd[a=b]", traits};
  const auto state_back = decode_state(encode_state(state));
  ASSERT_TRUE(state_back);
  EXPECT_EQ(state_back->text, state.text);
  EXPECT_EQ(state_back->traits, traits);
  const std::string state_bytes = encode_state(state);
  for (std::size_t i = 0; i < 7; ++i) {
    std::string wrong = state_bytes;
    wrong[i] = '\x7f';
    EXPECT_FALSE(decode_state(wrong)) << "trait " << i;
  }
  EXPECT_FALSE(decode_state(state_bytes.substr(0, 7))) << "without a name";

  const std::vector<bool> stored{true, false, false, true, false, false, false, false, true};
  const auto listed = decode_chunk(encode_chunk(stored), {0, 9 * 16});
  ASSERT_TRUE(listed);
  EXPECT_EQ(*listed, stored);
  EXPECT_FALSE(decode_chunk(encode_chunk(stored), {0, 8 * 16}));
  EXPECT_FALSE(decode_chunk(encode_chunk(std::vector<bool>(16, true)), {0, 9 * 16})) << "a section above the world";
}

}  // namespace
}  // namespace voxpath::world
