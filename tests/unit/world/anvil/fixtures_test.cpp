// Region files of every version, written by an independent library, read back block by block against that library's own
// account of them. See tests/data/anvil/generate for how they are made and for the account's format.
#include "world/anvil/world_folder.hpp"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace voxpath::world {
namespace {

using SectionTexts = std::map<int, std::vector<std::string>>;  // section y: a text for each block

/// "id:meta" to the name that the block tables give it; other texts are names already.
std::string name_of(const std::string& text) {
  const auto colon = text.find(':');
  if (text.find_first_not_of("0123456789:") != std::string::npos) return text;
  const auto id = static_cast<std::uint32_t>(std::stoul(text.substr(0, colon)));
  const auto meta = static_cast<std::uint32_t>(std::stoul(text.substr(colon + 1)));
  const auto state = BlockTable::legacy_state(id, meta);
  return state ? state->text() : "numeric:" + std::to_string(id);
}

struct Account {
  std::map<ChunkPos, SectionTexts> chunks;

  explicit Account(const std::filesystem::path& path) {
    std::ifstream in(path);
    SectionTexts* chunk = nullptr;
    ChunkPos last;
    std::vector<std::string> palette;
    int y = 0;
    for (std::string line; std::getline(in, line);) {
      std::istringstream words(line);
      std::string word;
      words >> word;
      if (word == "chunk") {
        words >> last.x >> last.z;
        chunk = &chunks[last];
      } else if (word == "same") {
        ChunkPos pos;
        words >> pos.x >> pos.z;
        chunks[pos] = chunks.at(last);
      } else if (word == "section") {
        words >> y;
        palette.clear();
      } else if (word == "=") {
        palette.push_back(name_of(line.substr(2)));
      } else if (word == "runs") {
        auto& texts = (*chunk)[y];
        while (words >> word) {
          const auto star = word.find('*');
          const std::size_t count = star == std::string::npos ? 1 : std::stoul(word.substr(star + 1));
          texts.insert(texts.end(), count, palette.at(std::stoul(word.substr(0, star))));
        }
      }
    }
  }
};

class Fixtures : public ::testing::TestWithParam<const char*> {};

TEST_P(Fixtures, EveryBlockIsWhatTheOtherLibrarySays) {
  const auto folder = std::filesystem::path(VOXPATH_TEST_DATA) / "anvil" / GetParam();
  const Account account(folder / "account.txt");
  ASSERT_FALSE(account.chunks.empty());
  const auto files = list_regions(folder, kOverworld);
  ASSERT_TRUE(files) << files.error().message;

  StateRegistry states;
  std::size_t chunks = 0;
  for (const RegionFile& file : *files) {
    RegionResult result = load_region(file, {}, states);
    EXPECT_TRUE(result.report.damaged.empty()) << result.report.text();
    for (DecodedChunk& decoded : result.chunks) {
      ++chunks;
      ASSERT_TRUE(account.chunks.contains(decoded.pos)) << decoded.pos.x << ", " << decoded.pos.z;
      const SectionTexts& expected = account.chunks.at(decoded.pos);
      const ChunkPos pos = decoded.pos;
      const auto heights = usual_heights(kOverworld, decoded.data_version);
      const auto chunk = make_chunk(std::move(decoded), heights, result.report);
      EXPECT_TRUE(result.report.sections_outside.empty());
      int differing = 0;
      for (int y = heights.min_y; y <= heights.max_y(); ++y) {
        const auto section = expected.find(floor_div16(y));
        for (int i = 0; i < 256; ++i) {
          const auto at = static_cast<std::size_t>(Section::index(i & 15, y, i >> 4));
          const std::string& wanted = section == expected.end() ? states.at(kAirState).text : section->second.at(at);
          const std::string& found = states.at(chunk->at(i & 15, y, i >> 4).state).text;
          if (wanted == found || ++differing > 5) continue;
          ADD_FAILURE() << "chunk " << pos.x << ", " << pos.z << ", block " << (i & 15) << ", " << y << ", " << (i >> 4)
                        << ": " << found << " instead of " << wanted;
        }
      }
      EXPECT_EQ(differing, 0);
    }
  }
  EXPECT_EQ(chunks, account.chunks.size());
}

INSTANTIATE_TEST_SUITE_P(Anvil, Fixtures,
                         ::testing::Values("1.8.9", "1.12.2", "1.13.2", "1.14.4", "1.16.5", "1.18.2", "1.20.4",
                                           "1.21.4", "compressions", "mixed-packings", "large-ids"),
                         [](const auto& test) {
                           std::string name = test.param;
                           for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
                           return name;
                         });

}  // namespace
}  // namespace voxpath::world
