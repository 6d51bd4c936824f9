#include "world/blocks/block_table.hpp"

#include "world/blocks/block_catalog.hpp"
#include "world/blocks/error_text.hpp"
#include "world/blocks/legacy_ids.hpp"
#include "world/blocks/overrides.hpp"

#include <algorithm>
#include <set>

#include <boost/unordered/unordered_flat_map.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace voxpath::world {
namespace {

/// A block that overrides name: where its traits begin, and what changes them, in this order.
struct CustomBlock {
  const CatalogBlock* base = nullptr;  // nullptr: a full cube without known properties
  std::vector<Override> overrides;
};

/// The catalog's name, or an empty view for another namespace.
std::string_view vanilla_name(std::string_view name) {
  return name.starts_with(kVanillaNamespace) ? name.substr(kVanillaNamespace.size()) : std::string_view();
}

bool has_version(const CatalogBlock& b, std::size_t version) {
  return b.first_version <= version && version <= b.last_version;
}

/// Whether `a` stands for a name in `version` rather than `b`: its own range, else the newest older, else the oldest
/// newer.
bool fits_better(const CatalogBlock& a, const CatalogBlock& b, std::size_t version) {
  const auto rank = [version](const CatalogBlock& q) {
    if (has_version(q, version)) return 0;
    return q.last_version < version ? 1 + static_cast<int>(version) - q.last_version : 1000 + q.first_version;
  };
  return rank(a) < rank(b);
}

}  // namespace

struct BlockTable::Data {
  std::size_t version = 0;
  boost::unordered_flat_map<std::string_view, const CatalogBlock*> blocks;  // without "minecraft:"
  boost::unordered_flat_map<std::string, CustomBlock> custom;               // with namespace

  [[nodiscard]] const CatalogBlock* vanilla(std::string_view name) const {
    const auto found = blocks.find(vanilla_name(name));
    return found == blocks.end() ? nullptr : found->second;
  }
  [[nodiscard]] const CustomBlock* customized(std::string_view name) const {
    if (custom.empty()) return nullptr;
    const auto found = custom.find(std::string(name));
    return found == custom.end() ? nullptr : &found->second;
  }
  /// Properties and traits of a name before any override; nullptr: none known.
  [[nodiscard]] const CatalogBlock* base(std::string_view name) const {
    const CustomBlock* c = customized(name);
    return c ? c->base : vanilla(name);
  }
  [[nodiscard]] std::vector<std::string_view> all_names() const;
  Status add(const Override& entry);
  [[nodiscard]] Status check_selector(const Override& entry) const;
};

namespace {

std::string known_names(const BlockSchema& schema) {
  std::string names;
  for (const CatalogProperty& p : schema.properties) names.append(names.empty() ? "" : ", ").append(p.name);
  return names.empty() ? "it has none" : "it has " + names;
}

/// Whether the block has these properties with these values. The message has no subject: the caller says whose they
/// are.
Status check_properties(const CatalogBlock& block, const BlockState& state) {
  for (const auto& [key, value] : state.properties) {
    const auto& all = block.schema->properties;
    const auto p = std::find_if(all.begin(), all.end(), [&k = key](const CatalogProperty& q) { return q.name == k; });
    if (p == all.end()) {
      return Error{ErrorCode::invalid_argument, fmt::format("block {}: no property {}; {}", quoted(state.text()),
                                                            quoted(key), known_names(*block.schema))};
    }
    if (std::find(p->values.begin(), p->values.end(), value) == p->values.end()) {
      return Error{ErrorCode::invalid_argument,
                   fmt::format("block {}: {} = {}: must be one of {}", quoted(state.text()), key, quoted(value),
                               fmt::join(p->values, ", "))};
    }
  }
  return ok_status();
}

std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& names) {
  const std::string_view nearest = nearest_name(name, names);
  return nearest.empty() ? std::string() : fmt::format("; did you mean \"{}\"?", nearest);
}

bool selects(const Override& entry, const CatalogBlock* base, const BlockState& state) {
  const BlockState full = base && !entry.selector.properties.empty() ? base->completed(state) : state;
  return std::all_of(entry.selector.properties.begin(), entry.selector.properties.end(),
                     [&full](const auto& p) { return full.property(p.first) == p.second; });
}

/// With `checking`, the first override that makes no sense on the traits that it changes is an error; without, there is
/// none.
Result<Traits> custom_traits(const CustomBlock& block, const BlockState& state, bool checking) {
  Traits t = block.base ? BlockCatalog::instance().traits(*block.base, state) : full_cube_traits();
  for (const Override& entry : block.overrides) {
    if (!selects(entry, block.base, state)) continue;
    const Status sound = checking ? entry.check(t) : ok_status();
    if (!sound) return sound.error();
    t = entry.applied_to(t);
  }
  return t;
}

/// Every state of the block, or without known properties those that its overrides tell apart.
std::vector<BlockState> states_to_try(const std::string& name, const CustomBlock& block) {
  std::vector<BlockState> states;
  if (block.base) {
    const std::size_t count = block.base->schema->state_count();
    for (std::size_t i = 0; i < count; ++i) states.push_back(block.base->state(i));
  } else {
    states.push_back(BlockState::make(name));
    for (const Override& entry : block.overrides) states.push_back(entry.selector);
  }
  return states;
}

}  // namespace

std::vector<std::string_view> BlockTable::Data::all_names() const {
  std::vector<std::string_view> names;
  for (const auto& [name, block] : blocks) names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

/// One file serves chunks of all ages, so a property counts as known when any version has it.
Status BlockTable::Data::check_selector(const Override& entry) const {
  const CatalogBlock* known = base(entry.selector.name);
  if (!known) return ok_status();
  const Status valid = check_properties(*known, entry.selector);
  if (valid) return ok_status();
  const auto all = BlockCatalog::instance().named(known->name);
  if (std::any_of(all.begin(), all.end(),
                  [&entry](const CatalogBlock& b) { return check_properties(b, entry.selector).ok(); })) {
    return ok_status();
  }
  return override_error(entry.line, valid.error().message);
}

Status BlockTable::Data::add(const Override& entry) {
  CustomBlock& block =
      custom.try_emplace(entry.selector.name, CustomBlock{vanilla(entry.selector.name), {}}).first->second;
  if (!entry.like.empty()) {
    block.base = vanilla(entry.like);
    if (!block.base) {
      return override_error(entry.line, fmt::format("block {}: like = {}: no released version has such a block{}",
                                                    quoted(entry.selector.name), quoted(entry.like),
                                                    did_you_mean(vanilla_name(entry.like), all_names())));
    }
  }
  if (!vanilla_name(entry.selector.name).empty() && !block.base) {
    return override_error(
        entry.line,
        fmt::format("block {}: no released version has such a block (a newer one needs `like`){}",
                    quoted(entry.selector.name), did_you_mean(vanilla_name(entry.selector.name), all_names())));
  }
  if (const Status valid = check_selector(entry); !valid) return valid;
  block.overrides.push_back(entry);
  return ok_status();
}

std::span<const std::string_view> BlockTable::versions() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const CatalogVersion& v : BlockCatalog::instance().versions()) all.push_back(v.name);
    return all;
  }();
  return names;
}

BlockTable BlockTable::of_version(std::size_t index) {
  static const std::vector<std::shared_ptr<const Data>> tables = [] {
    std::vector<std::shared_ptr<const Data>> all;
    const BlockCatalog& catalog = BlockCatalog::instance();
    for (std::size_t v = 0; v < catalog.versions().size(); ++v) {
      auto data = std::make_shared<Data>();
      data->version = v;
      for (const CatalogBlock& b : catalog.blocks()) {
        const CatalogBlock*& chosen = data->blocks.try_emplace(b.name, &b).first->second;
        if (fits_better(b, *chosen, v)) chosen = &b;
      }
      all.push_back(std::move(data));
    }
    return all;
  }();
  return BlockTable(tables.at(index));
}

Result<BlockTable> BlockTable::for_version(std::string_view version) {
  const auto names = versions();
  const auto found = std::find(names.begin(), names.end(), version);
  if (found == names.end()) {
    return Error{ErrorCode::not_found,
                 fmt::format("version {}: no block table; there are {}", quoted(version), fmt::join(names, ", "))};
  }
  return of_version(static_cast<std::size_t>(found - names.begin()));
}

namespace {

/// The oldest of the versions with (or without) numeric ids that is not older; the newest of them for anything beyond.
std::size_t fitting_version(std::int32_t data_version, bool numeric) {
  const auto all = BlockCatalog::instance().versions();
  std::size_t best = 0;
  for (std::size_t v = 0; v < all.size(); ++v) {
    if (all[v].numeric != numeric) continue;
    best = v;
    if (all[v].data_version >= data_version) break;
  }
  return best;
}

}  // namespace

BlockTable BlockTable::for_data_version(std::int32_t data_version) {
  return of_version(fitting_version(data_version, false));
}
BlockTable BlockTable::for_legacy(std::int32_t data_version) { return of_version(fitting_version(data_version, true)); }

std::string_view BlockTable::version_for(std::int32_t data_version) {
  const auto all = BlockCatalog::instance().versions();
  // The last version with numeric ids is the last release that had them.
  const auto last = std::find_if(all.rbegin(), all.rend(), [](const CatalogVersion& v) { return v.numeric; });
  const bool numeric = last != all.rend() && data_version <= last->data_version;
  return all[fitting_version(data_version, numeric)].name;
}

Result<BlockTable> BlockTable::with_overrides(std::string_view toml_text) const {
  const auto entries = read_overrides(toml_text);
  if (!entries) return entries.error();
  auto data = std::make_shared<Data>(*data_);
  for (const Override& entry : *entries) {
    if (const Status added = data->add(entry); !added) return added.error();
  }
  std::set<std::string> touched;
  for (const Override& entry : *entries) touched.insert(entry.selector.name);
  for (const std::string& name : touched) {
    const CustomBlock& block = data->custom.at(name);
    for (const BlockState& state : states_to_try(name, block)) {
      if (const auto t = custom_traits(block, state, true); !t) return t.error();
    }
  }
  return BlockTable(std::move(data));
}

Status BlockTable::check_overrides(std::string_view toml_text) {
  for (std::size_t v = 0; v < versions().size(); ++v) {
    const auto table = of_version(v).with_overrides(toml_text);
    if (!table) return table.error();
  }
  return ok_status();
}

Traits BlockTable::traits(const BlockState& state) const {
  if (const CustomBlock* block = data_->customized(state.name)) return *custom_traits(*block, state, false);
  if (const CatalogBlock* known = data_->vanilla(state.name)) {
    return BlockCatalog::instance().traits(*known, state);
  }
  Traits t = full_cube_traits();
  t.unknown = true;
  return t;
}

Result<Traits> BlockTable::checked_traits(const BlockState& state) const {
  if (!knows(state.name)) {
    return Error{ErrorCode::not_found,
                 fmt::format("block {}: version {} has no such block{}", quoted(state.name), version(),
                             did_you_mean(vanilla_name(state.name), data_->all_names()))};
  }
  if (const CatalogBlock* known = data_->base(state.name)) {
    if (const Status valid = check_properties(*known, state); !valid) return valid.error();
  }
  return traits(state);
}

bool BlockTable::knows(std::string_view name) const { return data_->customized(name) || data_->vanilla(name); }

std::optional<BlockState> BlockTable::legacy_state(std::uint32_t id, std::uint32_t meta) {
  const BlockState* state = LegacyIds::instance().find(id, meta);
  return state ? std::optional(*state) : std::nullopt;
}

std::vector<BlockState> BlockTable::states_of(std::string_view name) const {
  std::vector<BlockState> states;
  if (!knows(name)) return states;
  const CatalogBlock* block = data_->base(name);
  const std::size_t count = block ? block->schema->state_count() : 1;
  for (std::size_t i = 0; i < count; ++i) {
    states.push_back(block ? block->state(i) : BlockState::make(name));
    states.back().name = name;  // a block that is like another has its own name
  }
  return states;
}

std::vector<std::string> BlockTable::block_names() const {
  std::vector<std::string> names;
  for (const auto& [name, block] : data_->blocks) {
    if (has_version(*block, data_->version)) names.push_back(std::string(kVanillaNamespace).append(name));
  }
  for (const auto& [name, block] : data_->custom) {
    if (!data_->vanilla(name)) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string_view BlockTable::version() const { return versions()[data_->version]; }
std::size_t BlockTable::version_state_count() const {
  return BlockCatalog::instance().versions()[data_->version].state_count;
}

}  // namespace voxpath::world
