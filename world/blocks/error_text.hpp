// Error text: what error messages say about the words that a user wrote.
// Thread-safety: pure functions.
// Source: the edit distance after Wagner and Fischer, "The String-to-String Correction Problem" (1974).
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace voxpath::world {

inline constexpr std::size_t kQuotedTextMax = 80;  // bytes of a user's text in a message

/// The text as a message may hold it: clipped to kQuotedTextMax, with "?" for every byte that is not printable ASCII.
std::string quoted(std::string_view text);

/// The candidate with the fewest edits, the first of equals; empty when all are further than a third of the word's
/// length (2 edits for short words). A last part that is left out, as "_mib", is one edit for words of several parts.
std::string_view nearest_name(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace voxpath::world
