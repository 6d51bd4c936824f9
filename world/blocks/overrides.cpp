#include "world/blocks/overrides.hpp"

#include "world/blocks/block_table.hpp"
#include "world/blocks/error_text.hpp"
#include "world/blocks/trait_names.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

namespace voxpath::world {
namespace {

constexpr std::array<std::string_view, 10> kKeys{"bottom_px", "climbable", "door", "fluid", "hazard",
                                                 "like",      "open",      "slow", "stair", "top_px"};

std::string hint(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string_view nearest = nearest_name(word, candidates);
  return nearest.empty() ? fmt::format("known: {}", fmt::join(candidates, ", "))
                         : fmt::format("did you mean \"{}\"?", nearest);
}

std::size_t line_of(const toml::node& node) { return node.source().begin.line; }

std::string shown(const toml::node& node) {
  if (const auto* s = node.as_string()) return quoted(s->get());
  if (const auto* i = node.as_integer()) return fmt::format("{}", i->get());
  if (const auto* b = node.as_boolean()) return b->get() ? "true" : "false";
  if (const auto* f = node.as_floating_point()) return fmt::format("{}", f->get());
  return node.is_table() ? "a table" : node.is_array() ? "an array" : "a date";
}

/// Reads the keys of one table; the first fault stays in `fault`.
class EntryReader {
 public:
  EntryReader(std::string_view block, const toml::table& table) : block_(block), table_(table) {}

  std::optional<int> pixels(std::string_view key) {
    const toml::node* node = table_.get(key);
    if (!node) return std::nullopt;
    const auto* number = node->as_integer();
    if (number && number->get() >= 0 && number->get() <= kExtentTopMax) return static_cast<int>(number->get());
    fail(key, *node, fmt::format("must be a whole number of pixels from 0 to {}", kExtentTopMax));
    return std::nullopt;
  }
  std::optional<bool> flag(std::string_view key) {
    const toml::node* node = table_.get(key);
    if (!node) return std::nullopt;
    if (const auto* value = node->as_boolean()) return value->get();
    fail(key, *node, "must be true or false");
    return std::nullopt;
  }
  template <class Enum>
  std::optional<Enum> word(std::string_view key, std::span<const std::string_view> names) {
    const toml::node* node = table_.get(key);
    if (!node) return std::nullopt;
    const auto* text = node->as_string();
    const auto value = text ? from_name<Enum>(names, text->get()) : std::nullopt;
    if (!value) fail(key, *node, fmt::format("must be one of {}", fmt::join(names, ", ")) + near(text, names));
    return value;
  }
  std::string block_name(std::string_view key) {
    const toml::node* node = table_.get(key);
    if (!node) return {};
    const auto* text = node->as_string();
    const auto state = text ? BlockState::parse(text->get()) : Result<BlockState>(Error{});
    if (state && state->properties.empty()) return state->name;
    fail(key, *node, "must be a block's name");
    return {};
  }
  std::optional<Error> fault;

 private:
  static std::string near(const toml::value<std::string>* text, std::span<const std::string_view> names) {
    const std::string_view nearest = text ? nearest_name(text->get(), names) : std::string_view();
    return nearest.empty() ? std::string() : fmt::format("; did you mean \"{}\"?", nearest);
  }
  void fail(std::string_view key, const toml::node& node, const std::string& what) {
    if (!fault)
      fault =
          override_error(line_of(node), fmt::format("block {}: {} = {}: {}", quoted(block_), key, shown(node), what));
  }

  std::string_view block_;
  const toml::table& table_;
};

Result<Override> read_entry(std::string_view name, const toml::node& node) {
  const std::size_t line = line_of(node);
  const auto selector = BlockState::parse(name);
  if (!selector) return override_error(line, selector.error().message);
  const auto* table = node.as_table();
  if (!table) return override_error(line, fmt::format("block {} = {}: must be a table", quoted(name), shown(node)));
  for (const auto& [key, value] : *table) {
    if (std::find(kKeys.begin(), kKeys.end(), key.str()) == kKeys.end()) {
      return override_error(line_of(value), fmt::format("block {}: unknown key {} = {}; {}", quoted(name),
                                                        quoted(key.str()), shown(value), hint(key.str(), kKeys)));
    }
  }
  EntryReader read(name, *table);
  Override o;
  o.line = line;
  o.selector = *selector;
  o.like = read.block_name("like");
  o.bottom_px = read.pixels("bottom_px");
  o.top_px = read.pixels("top_px");
  o.fluid = read.word<Fluid>("fluid", kFluidNames);
  o.hazard = read.word<Hazard>("hazard", kHazardNames);
  o.door = read.word<Door>("door", kDoorNames);
  o.stair = read.word<StairFacing>("stair", kStairNames);
  o.open = read.flag("open");
  o.climbable = read.flag("climbable");
  o.slow = read.flag("slow");
  if (read.fault) return *read.fault;
  if (!o.like.empty() && !o.selector.properties.empty()) {
    return override_error(line, fmt::format("block {}: like = {} goes with a whole block, not with some of its states",
                                            quoted(name), quoted(o.like)));
  }
  if (o.climbable.value_or(false) && o.top_px.value_or(0) > 0) {
    return override_error(line,
                          fmt::format("block {}: top_px = {}: a climbable has no extent", quoted(name), *o.top_px));
  }
  return o;
}

Result<std::vector<Override>> read_file(const toml::table& file) {
  for (const auto& [key, value] : file) {
    if (key != "block") {
      constexpr std::array<std::string_view, 1> kTop{"block"};
      return override_error(line_of(value),
                            fmt::format("unknown key {}; {}", quoted(key.str()), hint(key.str(), kTop)));
    }
  }
  std::vector<Override> overrides;
  const toml::node* blocks = file.get("block");
  if (!blocks) return overrides;
  if (!blocks->is_table())
    return override_error(line_of(*blocks), fmt::format("block = {}: must be a table of blocks", shown(*blocks)));
  if (blocks->as_table()->size() > kOverrideCountMax) {
    return override_error(line_of(*blocks), fmt::format("{} blocks; at most {} are allowed", blocks->as_table()->size(),
                                                        kOverrideCountMax));
  }
  for (const auto& [name, node] : *blocks->as_table()) {
    auto entry = read_entry(name.str(), node);
    if (!entry) return entry.error();
    overrides.push_back(*std::move(entry));
  }
  std::sort(overrides.begin(), overrides.end(), [](const Override& a, const Override& b) {
    return std::make_pair(a.selector.properties.size(), a.line) < std::make_pair(b.selector.properties.size(), b.line);
  });
  return overrides;
}

}  // namespace

Error override_error(std::size_t line, const std::string& what) {
  return {ErrorCode::invalid_argument, fmt::format("line {}: {}", line, what)};
}

Result<std::vector<Override>> read_overrides(std::string_view toml_text) {
  if (toml_text.size() > kOverridesTextMax) {
    return override_error(
        1, fmt::format("{} bytes of block overrides; at most {} are allowed", toml_text.size(), kOverridesTextMax));
  }
  try {
    return read_file(toml::parse(toml_text));
  } catch (const toml::parse_error& e) {
    return override_error(e.source().begin.line, std::string(e.description()));
  }
}

Traits Override::changed(Traits t) const {
  t.unknown = false;
  if (fluid) t.fluid = *fluid;
  if (hazard) t.hazard = *hazard;
  if (door) t.door = *door;
  if (stair) t.stair = *stair;
  if (climbable) t.climbable = *climbable;
  if (slow) t.slow = *slow;
  if (open) t.open = *open;
  if (bottom_px) t.bottom = static_cast<std::uint8_t>(*bottom_px);
  if (top_px) t.top = static_cast<std::uint8_t>(*top_px);
  return t;
}

Traits Override::applied_to(Traits traits) const {
  Traits t = changed(traits);
  if (t.door == Door::none) t.open = false;
  if (t.climbable || t.open) t.top = 0;
  if (t.bottom >= t.top) t.bottom = 0;
  return t;
}

Status Override::check(const Traits& traits) const {
  const Traits t = changed(traits);
  const auto wrong = [this](const std::string& what) {
    return override_error(line, fmt::format("block {}: {}", quoted(selector.text()), what));
  };
  if (open.value_or(false) && t.door == Door::none) return wrong("open = true: only doors and gates open");
  if (t.climbable || t.open) return ok_status();
  if (t.top == 0 && bottom_px.value_or(0) > 0) {
    return wrong(fmt::format("bottom_px = {}: there is no extent, the top is 0", *bottom_px));
  }
  const bool extent_given = bottom_px || top_px;
  if (extent_given && t.top != 0 && t.bottom >= t.top) {
    return wrong(fmt::format("bottom {} px is not below top {} px", t.bottom, t.top));
  }
  return ok_status();
}

}  // namespace voxpath::world
