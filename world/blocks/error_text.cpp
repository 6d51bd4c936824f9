#include "world/blocks/error_text.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace voxpath::world {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

/// Edits, where leaving out the candidate's last part is one: who writes "answers_kept" means "answers_kept_mib". Only in
/// words of several parts, since every "oak" is the beginning of something.
std::size_t distance_to(std::string_view word, std::string_view candidate) {
  const std::size_t whole = edit_distance(word, candidate);
  const std::size_t last_part = candidate.rfind('_');
  if (last_part == std::string_view::npos || word.find('_') == std::string_view::npos) return whole;
  return std::min(whole, 1 + edit_distance(word, candidate.substr(0, last_part)));
}

}  // namespace

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text.substr(0, kQuotedTextMax)) out += c < ' ' || c > '~' ? '?' : c;
  return out + (text.size() > kQuotedTextMax ? "...\"" : "\"");
}

std::string_view nearest_name(std::string_view word, std::span<const std::string_view> candidates) {
  std::string_view best;
  std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = distance_to(word, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace voxpath::world
