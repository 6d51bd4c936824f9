#include "tests/judge/reference_table.hpp"

#include <array>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace voxpath::judge {
namespace {

using world::Error;
using world::ErrorCode;
using world::Result;

std::vector<std::string> columns_of(const std::string& line) {
  std::vector<std::string> columns;
  std::istringstream in(line);
  for (std::string column; std::getline(in, column, '\t');) columns.push_back(column);
  return columns;
}

constexpr std::array<std::string_view, 11> kAgentFields{"width",       "height",     "step_px",   "jump_px",
                                                        "max_drop_px", "water",      "climb",     "corners",
                                                        "open_doors",  "pass_doors", "open_gates"};

Result<ReferenceRow> read_row(const std::map<std::string, std::string>& cells) {
  ReferenceRow row;
  for (const std::string_view field : kAgentFields) {
    const std::optional<std::string> wrong = set_field(row.agent, field, cells.at(std::string(field)));
    if (wrong) return Error{ErrorCode::invalid_argument, *wrong};
  }
  const auto number = [&cells](const char* column) { return std::stoi(cells.at(column)); };
  row.id = number("id");
  row.agent_label = cells.at("agent");
  row.start = {number("sx"), number("sy"), number("sz")};
  row.goal = {number("gx"), number("gy"), number("gz")};
  row.found = cells.at("status") == "found";
  row.cost = number("cost");
  row.moves_min = number("moves");
  row.moves_max = number("moves_max");
  row.missing = number("missing") == 1;
  row.start_floor_px = number("start_floor_px");
  row.goal_floor_px = number("goal_floor_px");
  row.features = cells.at("features");
  return row;
}

}  // namespace

Result<std::vector<ReferenceRow>> read_reference(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  if (!in || !std::getline(in, line)) return Error{ErrorCode::not_found, fmt::format("cannot read {}", file.string())};
  const std::vector<std::string> head = columns_of(line);
  std::vector<ReferenceRow> rows;
  for (int number = 2; std::getline(in, line); ++number) {
    const std::vector<std::string> columns = columns_of(line);
    if (columns.size() != head.size()) {
      return Error{ErrorCode::invalid_argument,
                   fmt::format("{} line {}: {} columns, not {}", file.string(), number, columns.size(), head.size())};
    }
    std::map<std::string, std::string> cells;
    for (std::size_t i = 0; i < head.size(); ++i) cells[head[i]] = columns[i];
    Result<ReferenceRow> row = read_row(cells);
    if (!row)
      return Error{ErrorCode::invalid_argument,
                   fmt::format("{} line {}: {}", file.string(), number, row.error().message)};
    rows.push_back(std::move(*row));
  }
  return rows;
}

}  // namespace voxpath::judge
