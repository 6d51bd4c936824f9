// number(): a number that is the whole of a text, as options, files and requests give it.
// Thread-safety: pure function.
// Usage: if (const auto seed = number<std::uint64_t>(text)) ...
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace voxpath::world {

/// nullopt: not a number, out of T's range, or something follows it. Without sign `+`, spaces or locale.
template <class T>
std::optional<T> number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace voxpath::world
