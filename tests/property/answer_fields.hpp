// Every field of an answer as text, for comparing answers whole.
// Thread-safety: pure functions.
// Invariant: equal texts mean equal answers, to the last bit of every number.
#pragma once

#include "pathfinding/answer.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace voxpath::judge {

[[nodiscard]] std::string all_fields(const pathfinding::Answer& answer);

/// FNV-1a (Fowler, Noll, Vo), 64 bits; `hash` carries on from what went before.
[[nodiscard]] std::uint64_t hash_of(std::string_view text, std::uint64_t hash = 0xcbf29ce484222325ULL);

}  // namespace voxpath::judge
