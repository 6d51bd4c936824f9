// Terminal text: text that a terminal may be shown, whatever came into it from files, folders, servers and command
// lines.
// Thread-safety: pure functions.
// Usage: fmt::print(stderr, "voxpath: {}\n", terminal_line(error.message));
#pragma once

#include <string>
#include <string_view>

namespace voxpath::server {

/// Control characters and bytes that are no UTF-8 come out as \xNN: a terminal obeys none of them. Nothing is cut off.
[[nodiscard]] std::string terminal_line(std::string_view text);
/// The same with line ends left as they are.
[[nodiscard]] std::string terminal_lines(std::string_view text);

}  // namespace voxpath::server
