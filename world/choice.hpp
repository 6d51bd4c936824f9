// choose(): a value by its name, as options, files and requests give it.
// Thread-safety: pure function.
// Usage: constexpr std::array<std::pair<std::string_view, Fruit>, 2> kFruits{{{"apple", Fruit::apple}, ...}};
// if (auto s = choose(fruit, "--fruit", text, kFruits); !s) return s;
#pragma once

#include "world/blocks/error_text.hpp"
#include "world/result.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace voxpath::world {

/// Errors: invalid_argument with the field, the text and the names that are allowed; the target is then as it was.
template <class E, std::size_t N>
Status choose(E& target, std::string_view field, std::string_view text,
              const std::array<std::pair<std::string_view, E>, N>& choices) {
  std::string allowed;
  for (const auto& [name, value] : choices) {
    if (name == text) {
      target = value;
      return ok_status();
    }
    allowed.append(allowed.empty() ? "" : ", ").append(name);
  }
  return Error{ErrorCode::invalid_argument,
               std::string(field) + " = " + quoted(text) + ": one of " + allowed + " is allowed"};
}

}  // namespace voxpath::world
