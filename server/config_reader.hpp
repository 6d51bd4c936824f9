// ConfigReader: one table of the configuration's TOML: values by key, each checked, and the first thing that is wrong.
// Thread-safety: one thread. Lifetime: the table and the error outlive it.
// Usage: ConfigReader reader(table, "server", &error); reader.allow(kKeys); reader.number("port", port, 0, 65'535);
#pragma once

#include "protocol/errors.hpp"
#include "world/blocks/error_text.hpp"
#include "world/result.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <toml++/toml.h>

namespace voxpath::server {

inline constexpr std::size_t kConfigBytesMax = 1 << 20;  // also of each file that it names

[[nodiscard]] world::Error error_at(const toml::source_region& where, std::string message,
                                    world::ErrorCode code = world::ErrorCode::invalid_argument);
/// Errors: not_found, out_of_range.
[[nodiscard]] world::Result<std::string> read_text(const std::filesystem::path& file);

/// One table of the file: takes values out by key, and remembers the first thing that is wrong.
class ConfigReader {
 public:
  ConfigReader(const toml::table& table, std::string name, std::optional<world::Error>* error)
      : table_(table), name_(std::move(name)), error_(error) {}

  void allow(std::span<const std::string_view> known) {
    for (const auto& [key, value] : table_) {
      if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
      const std::string_view nearest = world::nearest_name(key.str(), known);
      fail(error_at(key.source(), fmt::format("there is no key '{}'{}{}", path(protocol::printable(key.str())),
                                              nearest.empty() ? "" : "; did you mean ",
                                              nearest.empty() ? "" : fmt::format("'{}'?", path(nearest)))));
    }
  }
  void text(std::string_view key, std::string& out) {
    value<std::string>(key, "a string", [&](const std::string& v) { out = v; });
  }
  void flag(std::string_view key, bool& out) {
    value<bool>(key, "true or false", [&](bool v) { out = v; });
  }
  template <class T>
  void number(std::string_view key, T& out, std::int64_t low, std::int64_t high) {
    value<std::int64_t>(key, "a whole number", [&](std::int64_t v) {
      if (v < low || v > high)
        return fail(at(key, fmt::format("{} is {}, the limit is {}..{}", path(key), v, low, high)));
      out = static_cast<T>(v);
    });
  }
  void texts(std::string_view key, std::vector<std::string>& out) {
    const toml::node* node = table_.get(key);
    if (!node) return;
    const toml::array* array = node->as_array();
    const bool strings =
        array && std::all_of(array->begin(), array->end(), [](const auto& v) { return v.is_string(); });
    if (!strings) return fail(at(key, fmt::format("{} must be a list of strings", path(key))));
    for (const toml::node& text : *array) out.push_back(*text.value_exact<std::string>());
  }
  [[nodiscard]] bool has(std::string_view key) const { return table_.contains(key); }
  [[nodiscard]] world::Error at(std::string_view key, std::string message,
                                world::ErrorCode code = world::ErrorCode::invalid_argument) const {
    const toml::node* node = table_.get(key);
    return error_at(node ? node->source() : table_.source(), std::move(message), code);
  }
  void fail(world::Error error) {
    if (!*error_) *error_ = std::move(error);
  }
  [[nodiscard]] std::string path(std::string_view key) const {
    return name_.empty() ? std::string(key) : fmt::format("{}.{}", name_, key);
  }

 private:
  template <class T, class Use>
  void value(std::string_view key, std::string_view kind, Use use) {
    const toml::node* node = table_.get(key);
    if (!node) return;
    const auto v = node->value_exact<T>();
    if (!v) return fail(at(key, fmt::format("{} must be {}", path(key), kind)));
    use(*v);
  }

  const toml::table& table_;
  const std::string name_;
  std::optional<world::Error>* const error_;
};

}  // namespace voxpath::server
