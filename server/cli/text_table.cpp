#include "server/cli/text_table.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace voxpath::server {

std::string TextTable::text() const {
  std::vector<std::size_t> widths(rows_.front().size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], row.at(i).size());
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line = fmt::format("  {:<{}}", row.front(), widths.front());
    for (std::size_t i = 1; i < widths.size(); ++i) line += fmt::format("  {:>{}}", row[i], widths[i]);
    text += line + "\n";
  }
  return text;
}

}  // namespace voxpath::server
