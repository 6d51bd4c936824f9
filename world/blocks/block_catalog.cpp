#include "world/blocks/block_catalog.hpp"

#include "world/blocks/embedded_tables.hpp"
#include "world/blocks/trait_names.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>

namespace voxpath::world {
namespace {

// The embedded text was checked when it was written; what asserts here is a damaged build, never a user's input.
template <class Enum>
Enum word(std::span<const std::string_view> names, std::string_view text) {
  const auto value = from_name<Enum>(names, text);
  assert(value);
  return *value;
}

Traits read_traits(std::span<const std::string_view> f) {
  Traits t;
  t.bottom = static_cast<std::uint8_t>(table_number(f[1]));
  t.top = static_cast<std::uint8_t>(table_number(f[2]));
  t.fluid = word<Fluid>(kFluidNames, f[3]);
  t.hazard = word<Hazard>(kHazardNames, f[4]);
  t.door = word<Door>(kDoorNames, f[5]);
  t.stair = word<StairFacing>(kStairNames, f[6]);
  for (const std::string_view w : split(f[7], ',')) {
    t.open = t.open || w == "open";
    t.climbable = t.climbable || w == "climbable";
    t.slow = t.slow || w == "slow";
  }
  return t;
}

BlockSchema read_schema(std::string_view text) {
  BlockSchema schema;
  if (text == "-") return schema;
  for (const std::string_view item : split(text, ';')) {
    const std::size_t equals = item.find('=');
    schema.properties.push_back({item.substr(0, equals), split(item.substr(equals + 1), '|')});
  }
  return schema;
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0;;) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, end - at));
    if (end == text.size()) return parts;
    at = end + 1;
  }
}

std::uint32_t table_number(std::string_view digits) {
  std::uint32_t n = 0;
  [[maybe_unused]] const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), n);
  assert(result.ec == std::errc() && result.ptr == digits.data() + digits.size());
  return n;
}

std::size_t BlockSchema::state_count() const {
  std::size_t n = 1;
  for (const CatalogProperty& p : properties) n *= p.values.size();
  return n;
}

std::uint8_t CatalogBlock::value_index(const BlockState& state, std::size_t i) const {
  const CatalogProperty& p = schema->properties[i];
  const std::string_view value = state.property(p.name);
  const auto found = std::find(p.values.begin(), p.values.end(), value);
  return found == p.values.end() ? default_values[i] : static_cast<std::uint8_t>(found - p.values.begin());
}

BlockState CatalogBlock::state(std::size_t index) const {
  std::vector<std::pair<std::string, std::string>> properties;
  for (auto p = schema->properties.rbegin(); p != schema->properties.rend(); ++p) {
    properties.emplace_back(p->name, p->values[index % p->values.size()]);
    index /= p->values.size();
  }
  assert(index == 0);
  return BlockState::make(std::string(kVanillaNamespace).append(name), std::move(properties));
}

BlockState CatalogBlock::completed(const BlockState& state) const {
  std::vector<std::pair<std::string, std::string>> properties;
  for (std::size_t i = 0; i < schema->properties.size(); ++i) {
    const CatalogProperty& p = schema->properties[i];
    properties.emplace_back(p.name, p.values[value_index(state, i)]);
  }
  return BlockState::make(state.name, std::move(properties));
}

const BlockCatalog& BlockCatalog::instance() {
  static const BlockCatalog catalog(block_table_tsv());
  return catalog;
}

BlockCatalog::BlockCatalog(std::string_view tsv) {
  const std::vector<std::string_view> lines = split(tsv, '\n');
  // Blocks point at their schemas, which must not move afterwards.
  schemas_.reserve(static_cast<std::size_t>(
      std::count_if(lines.begin(), lines.end(), [](std::string_view l) { return l.starts_with("schema\t"); })));
  for (const std::string_view line : lines) {
    if (line.empty() || line.front() == '#') continue;
    const std::vector<std::string_view> f = split(line, '\t');
    if (f[0] == "version") {
      versions_.push_back({f[1], static_cast<std::int32_t>(table_number(f[2])), table_number(f[3]), f[4] == "numeric"});
    } else if (f[0] == "trait") {
      traits_.push_back(read_traits(f));
    } else if (f[0] == "schema") {
      schemas_.push_back(read_schema(f[1]));
    } else {
      read_block(f);
    }
  }
}

std::span<const CatalogBlock> BlockCatalog::named(std::string_view name) const {
  const auto before = [](const CatalogBlock& b, std::string_view n) { return b.name < n; };
  const auto first = std::lower_bound(blocks_.begin(), blocks_.end(), name, before);
  const auto last = std::find_if(first, blocks_.end(), [name](const CatalogBlock& b) { return b.name != name; });
  return {first, last};
}

void BlockCatalog::read_block(std::span<const std::string_view> f) {
  CatalogBlock b;
  b.name = f[1];
  const std::size_t dots = f[2].find("..");
  b.first_version = version_index(f[2].substr(0, dots));
  b.last_version = version_index(f[2].substr(dots + 2));
  b.schema = &schemas_.at(table_number(f[3]));
  const auto& properties = b.schema->properties;
  b.default_values.resize(properties.size());
  std::size_t rest = table_number(f[4]);
  for (std::size_t i = properties.size(); i-- > 0; rest /= properties[i].values.size()) {
    b.default_values[i] = static_cast<std::uint8_t>(rest % properties[i].values.size());
  }
  if (f[5] != "-") {
    for (const std::string_view name : split(f[5], ',')) {
      const auto p =
          std::find_if(properties.begin(), properties.end(), [name](const auto& q) { return q.name == name; });
      assert(p != properties.end());
      b.mattering.push_back(static_cast<std::uint8_t>(p - properties.begin()));
    }
  }
  for (const std::string_view id : split(f[6], ' '))
    b.trait_ids.push_back(static_cast<std::uint16_t>(table_number(id)));
  blocks_.push_back(std::move(b));
}

std::uint8_t BlockCatalog::version_index(std::string_view name) const {
  const auto v = std::find_if(versions_.begin(), versions_.end(), [name](const auto& q) { return q.name == name; });
  assert(v != versions_.end());
  return static_cast<std::uint8_t>(v - versions_.begin());
}

const Traits& BlockCatalog::traits(const CatalogBlock& block, const BlockState& state) const {
  std::size_t index = 0;
  for (const std::uint8_t i : block.mattering) {
    index = index * block.schema->properties[i].values.size() + block.value_index(state, i);
  }
  return traits_[block.trait_ids[index]];
}

}  // namespace voxpath::world
