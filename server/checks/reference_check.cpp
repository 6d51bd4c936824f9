#include "server/checks/reference_check.hpp"

#include "world/number.hpp"

#include <map>
#include <optional>

#include <fmt/format.h>

namespace voxpath::server {

using pathfinding::Answer;
using pathfinding::AnswerStatus;
using pathfinding::PartialReason;

namespace {

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t tab = line.find('\t');
    parts.push_back(line.substr(0, tab));
    if (tab == std::string_view::npos) return parts;
    line.remove_prefix(tab + 1);
  }
}

/// One line, its columns found by name; the first fault is kept.
class Row {
 public:
  Row(const std::vector<std::string_view>& header, const std::vector<std::string_view>& values, int line)
      : line_(line) {
    for (std::size_t i = 0; i < header.size() && i < values.size(); ++i) values_[header[i]] = values[i];
    if (header.size() != values.size())
      fail(fmt::format("{} columns, the header has {}", values.size(), header.size()));
  }
  std::string_view text(std::string_view column) {
    const auto it = values_.find(column);
    if (it != values_.end()) return it->second;
    fail(fmt::format("no column {}", column));
    return {};
  }
  std::int64_t number(std::string_view column) {
    const std::string_view value = text(column);
    const auto result = world::number<std::int64_t>(value);
    if (!result) fail(fmt::format("{} = '{}': a whole number is needed", column, value));
    return result.value_or(0);
  }
  void fail(const std::string& what) {
    if (!fault_) fault_ = world::Error{world::ErrorCode::invalid_argument, fmt::format("line {}: {}", line_, what)};
  }
  [[nodiscard]] const std::optional<world::Error>& fault() const { return fault_; }

 private:
  int line_;
  std::map<std::string_view, std::string_view> values_;
  std::optional<world::Error> fault_;
};

world::BlockPos cell(Row& row, std::string_view x, std::string_view y, std::string_view z) {
  return {static_cast<std::int32_t>(row.number(x)), static_cast<std::int32_t>(row.number(y)),
          static_cast<std::int32_t>(row.number(z))};
}

ReferenceRow parse(Row& row) {
  ReferenceRow r;
  r.id = static_cast<int>(row.number("id"));
  r.agent_label = row.text("agent");
  for (const char* field : {"width", "height", "step_px", "jump_px", "max_drop_px", "water", "climb", "corners",
                            "open_doors", "pass_doors", "open_gates"}) {
    if (auto s = set_field(r.query.agent, field, row.text(field)); !s) row.fail(s.error().message);
  }
  r.query.exact = true;
  r.query.start = cell(row, "sx", "sy", "sz");
  r.query.goal = pathfinding::GoalPlaces{{cell(row, "gx", "gy", "gz")}};
  const std::string_view status = row.text("status");
  r.found = status == "found";
  if (!r.found && status != "unreachable")
    row.fail(fmt::format("status = '{}': found or unreachable is allowed", status));
  r.cost = row.number("cost");
  r.moves = row.number("moves");
  r.moves_max = row.number("moves_max");
  r.missing = row.number("missing") != 0;
  r.start_floor_px = static_cast<std::int32_t>(row.number("start_floor_px"));
  r.goal_floor_px = static_cast<std::int32_t>(row.number("goal_floor_px"));
  return r;
}

std::string check_row(const ReferenceRow& row, const Answer& answer) {
  if (answer.path.empty()) return fmt::format("{}", name(answer.status));
  if (answer.path.front().floor_px != row.start_floor_px) {
    return fmt::format("starts at floor {} px, expected {}", answer.path.front().floor_px, row.start_floor_px);
  }
  if (!row.found) {
    const bool as_expected =
        row.missing ? answer.status == AnswerStatus::partial && answer.reason == PartialReason::missing_chunk
                    : answer.status == AnswerStatus::unreachable;
    if (as_expected) return {};
    return fmt::format("{} {} (cost {}), expected {}", name(answer.status), name(answer.reason), answer.cost,
                       row.missing ? "PARTIAL MISSING_CHUNK" : "UNREACHABLE");
  }
  if (answer.status != AnswerStatus::found) {
    return fmt::format("{} {}, expected FOUND with cost {}", name(answer.status), name(answer.reason), row.cost);
  }
  if (answer.cost != row.cost) return fmt::format("cost {}, expected {}", answer.cost, row.cost);
  const auto moves = static_cast<std::int64_t>(answer.moves());
  if (moves < row.moves || moves > row.moves_max)
    return fmt::format("{} moves, expected {} to {}", moves, row.moves, row.moves_max);
  if (answer.path.back().floor_px != row.goal_floor_px) {
    return fmt::format("ends at floor {} px, expected {}", answer.path.back().floor_px, row.goal_floor_px);
  }
  return {};
}

}  // namespace

world::Result<std::vector<ReferenceRow>> read_reference(std::string_view text) {
  std::vector<ReferenceRow> rows;
  std::vector<std::string_view> header;
  int line_number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    ++line_number;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.empty()) continue;
    if (header.empty()) {
      header = split(line);
      continue;
    }
    if (rows.size() == kReferenceRowsMax) {
      return world::Error{world::ErrorCode::resource_exhausted, fmt::format("more than {} rows", kReferenceRowsMax)};
    }
    Row row(header, split(line), line_number);
    rows.push_back(parse(row));
    if (row.fault()) return *row.fault();
  }
  return rows;
}

CheckReport check_reference(const std::vector<ReferenceRow>& rows, const world::Ref<const world::Snapshot>& snapshot,
                            pathfinding::Search& search) {
  CheckReport report;
  for (const ReferenceRow& row : rows) {
    const std::string what = fmt::format("row {} ({})", row.id, row.agent_label);
    if (auto begun = search.begin(snapshot, row.query, {.expansions = pathfinding::kExpansionsMax}); !begun) {
      report.note(what, "refused: " + begun.error().message);
      continue;
    }
    while (!search.advance(pathfinding::kExpansionsMax)) {
    }
    report.note(what, check_row(row, search.answer()));
  }
  return report;
}

}  // namespace voxpath::server
