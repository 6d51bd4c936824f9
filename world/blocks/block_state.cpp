#include "world/blocks/block_state.hpp"

#include "world/blocks/error_text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace voxpath::world {
namespace {

constexpr std::string_view kDefaultNamespace = "minecraft:";

bool is_word(std::string_view text, std::string_view also = "") {
  return !text.empty() && std::all_of(text.begin(), text.end(), [also](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
           c == '.' || also.find(c) != std::string_view::npos;
  });
}

bool is_name(std::string_view name) {
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos) return is_word(name, "/");
  return is_word(name.substr(0, colon)) && is_word(name.substr(colon + 1), "/");
}

Error malformed(std::string_view text, const std::string& why) {
  return {ErrorCode::invalid_argument, fmt::format("block state {}: {}", quoted(text), why)};
}

}  // namespace

Result<BlockState> BlockState::parse(std::string_view text) {
  if (text.size() > kBlockStateTextMax) {
    return malformed(text, fmt::format("{} bytes; at most {} are allowed", text.size(), kBlockStateTextMax));
  }
  const std::size_t open = text.find('[');
  const std::string_view name = text.substr(0, open);
  if (!is_name(name)) return malformed(text, "the name must be [namespace:]name of letters, digits and _-./");
  if (open == std::string_view::npos) return make(name);
  if (text.back() != ']') return malformed(text, "the properties must end with ]");

  std::vector<std::pair<std::string, std::string>> properties;
  std::string_view rest = text.substr(open + 1, text.size() - open - 2);
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    const std::string_view item = rest.substr(0, comma);
    const std::size_t equals = item.find('=');
    if (equals == std::string_view::npos || !is_word(item.substr(0, equals)) || !is_word(item.substr(equals + 1))) {
      return malformed(text, fmt::format("{} must be key=value of letters, digits and _-.", quoted(item)));
    }
    const std::string_view key = item.substr(0, equals);
    if (std::any_of(properties.begin(), properties.end(), [key](const auto& p) { return p.first == key; })) {
      return malformed(text, fmt::format("property {} is given twice", quoted(key)));
    }
    properties.emplace_back(key, item.substr(equals + 1));
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
    if (rest.empty()) return malformed(text, "a comma is followed by nothing");
  }
  return make(name, std::move(properties));
}

BlockState BlockState::make(std::string_view name, std::vector<std::pair<std::string, std::string>> properties) {
  BlockState state;
  if (name.find(':') == std::string_view::npos) state.name = kDefaultNamespace;
  state.name += name;
  for (auto& p : properties) {
    const auto at = std::lower_bound(state.properties.begin(), state.properties.end(), p,
                                     [](const auto& a, const auto& b) { return a.first < b.first; });
    if (at != state.properties.end() && at->first == p.first) {
      at->second = std::move(p.second);
    } else {
      state.properties.insert(at, std::move(p));
    }
  }
  return state;
}

std::string_view BlockState::property(std::string_view key) const {
  for (const auto& [k, value] : properties) {
    if (k == key) return value;
  }
  return {};
}

std::string BlockState::text() const {
  std::string out = name;
  char separator = '[';
  for (const auto& [key, value] : properties) {
    out += separator;
    out += key;
    out += '=';
    out += value;
    separator = ',';
  }
  if (separator == ',') out += ']';
  return out;
}

}  // namespace voxpath::world
