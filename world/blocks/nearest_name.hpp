// nearest_name: the word that a user most likely meant, for error messages.
// Thread-safety: pure functions.
// Source: the edit distance after Wagner and Fischer, "The String-to-String Correction Problem" (1974).
#pragma once

#include <span>
#include <string_view>

namespace voxpath::world {

/// The candidate with the fewest edits, the first of equals; empty when all are further than a third of the word's
/// length (2 edits for short words).
std::string_view nearest_name(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace voxpath::world
