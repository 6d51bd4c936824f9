#include "world/blocks/legacy_ids.hpp"

#include "world/blocks/block_catalog.hpp"
#include "world/blocks/embedded_tables.hpp"

#include <algorithm>
#include <cassert>
#include <optional>

namespace voxpath::world {
namespace {

/// The first flattened version: its defaults complete the states of numeric ids.
std::uint8_t first_named_version() {
  const auto versions = BlockCatalog::instance().versions();
  const auto v = std::find_if(versions.begin(), versions.end(), [](const CatalogVersion& q) { return !q.numeric; });
  return static_cast<std::uint8_t>(v - versions.begin());
}

BlockState read_state(std::string_view text, std::uint8_t version) {
  auto parsed = BlockState::parse(text);
  assert(parsed);
  const std::string_view name = text.substr(0, text.find('['));
  for (const CatalogBlock& b : BlockCatalog::instance().named(name)) {
    if (b.last_version >= version) return b.completed(*parsed);
  }
  assert(false);
  return *parsed;
}

}  // namespace

const LegacyIds& LegacyIds::instance() {
  static const LegacyIds ids(legacy_ids_tsv());
  return ids;
}

LegacyIds::LegacyIds(std::string_view tsv) {
  const std::uint8_t version = first_named_version();
  for (const std::string_view line : split(tsv, '\n')) {
    if (line.empty() || line.front() == '#') continue;
    const std::size_t tab = line.find('\t');
    Metas metas{};
    std::size_t meta = 0;
    for (const std::string_view item : split(line.substr(tab + 1), ' ')) {
      const std::size_t star = item.find('*');
      const std::uint32_t repeat = star == std::string_view::npos ? 1 : table_number(item.substr(star + 1));
      for (std::uint32_t i = 0; i < repeat; ++i) metas.at(meta++) = static_cast<std::uint16_t>(states_.size());
      states_.push_back(read_state(item.substr(0, star), version));
    }
    assert(meta == metas.size());
    ids_.emplace(table_number(line.substr(0, tab)), metas);
  }
}

const BlockState* LegacyIds::find(std::uint32_t id, std::uint32_t meta) const {
  const auto found = ids_.find(id);
  if (found == ids_.end()) return nullptr;
  return &states_[found->second[meta > kLegacyMetaMax ? 0 : meta]];
}

}  // namespace voxpath::world
