#include "server/terminal_text.hpp"

#include <cstddef>
#include <cstdint>

#include <fmt/format.h>

namespace voxpath::server {

namespace {

unsigned char byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

/// How many bytes the character at the text's beginning has; 0: it is none that can be shown.
std::size_t shown_length(std::string_view text) {
  const unsigned char first = byte_at(text, 0);
  if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
  const std::size_t length = first >= 0xf0 && first <= 0xf4 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  if (length == 0 || first > 0xf4 || text.size() < length) return 0;
  std::uint32_t point = first & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_at(text, i) & 0xc0u) != 0x80u) return 0;
    point = point << 6 | (byte_at(text, i) & 0x3fu);
  }
  const std::uint32_t least = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
  const bool control = point < 0xa0 || point == 0x2028 || point == 0x2029;
  const bool turns_text_around = (point >= 0x202a && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069);
  const bool surrogate = point >= 0xd800 && point <= 0xdfff;
  return point < least || point > 0x10ffff || control || turns_text_around || surrogate ? 0 : length;
}

}  // namespace

std::string terminal_lines(std::string_view text) {
  std::string out;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    out += terminal_line(text.substr(0, end)) + "\n";
    text.remove_prefix(end + 1);
  }
  return out + terminal_line(text);
}

std::string terminal_line(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t length = shown_length(text);
    if (length == 0) {
      out += fmt::format("\\x{:02x}", byte_at(text, 0));
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

}  // namespace voxpath::server
