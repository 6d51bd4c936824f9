#include "server/scenario/scenario_text.hpp"

#include "world/number.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace voxpath::server {
namespace {

using world::BlockPos;
using world::Error;
using world::ErrorCode;
using world::Result;

constexpr std::string_view kBlanks = " \t";
constexpr std::array<std::string_view, 6> kStatuses{"found",         "partial",      "unreachable",
                                                    "start_invalid", "goal_invalid", "bad_request"};

Error wrong(const std::string& what) { return {ErrorCode::invalid_argument, what}; }

/// "OPEN@(1,2,3),OPEN@(4,5,6)" and "(1,2,3)(4,5,6)": a word, which may be empty, and a cell in brackets, again and again.
std::optional<std::vector<ScenarioAction>> marked_cells(std::string_view text) {
  std::vector<ScenarioAction> list;
  while (!text.empty()) {
    if (!list.empty() && text.front() == ',') text.remove_prefix(1);
    const std::size_t open = text.find('(');
    const std::size_t close = text.find(')');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::nullopt;
    std::string_view mark = text.substr(0, open);
    if (mark.ends_with('@')) mark.remove_suffix(1);
    const std::optional<BlockPos> at = cell(text.substr(open + 1, close - open - 1));
    if (!at) return std::nullopt;
    list.push_back({.action = std::string(mark), .at = *at});
    text.remove_prefix(close + 1);
  }
  return list;
}

std::optional<std::vector<BlockPos>> cells(std::string_view text) {
  const std::optional<std::vector<ScenarioAction>> marked = marked_cells(text);
  if (!marked) return std::nullopt;
  std::vector<BlockPos> list;
  for (const ScenarioAction& cell : *marked) {
    if (!cell.action.empty()) return std::nullopt;
    list.push_back(cell.at);
  }
  return list;
}

/// Whether the value could be read.
bool read_word(ScenarioExpectation& expect, std::string_view key, std::string_view value, bool& known) {
  const auto into = [](auto& field, const auto& read) {
    if (!read) return false;
    field = *read;
    return true;
  };
  known = true;
  if (key == "cost") return into(expect.cost, whole(value));
  if (key == "cost<") return into(expect.cost_max, whole(value));
  if (key == "moves") return into(expect.moves, whole(value));
  if (key == "visits") return into(expect.visits, cells(value));
  if (key == "avoids") return into(expect.avoids, cells(value));
  if (key == "actions") return into(expect.actions, marked_cells(value));
  if (key == "end") {
    const std::optional<std::vector<BlockPos>> list = cells(value);
    if (!list || list->size() != 1) return false;
    expect.end = list->front();
    return true;
  }
  if (key == "reason") {
    expect.reason = value;
    return !value.empty();
  }
  if (key == "kinds") {
    for (const std::string_view kind : parts(value, ',')) expect.kinds.emplace_back(kind);
    return !value.empty();
  }
  known = false;
  return false;
}

}  // namespace

std::string_view name(ScenarioStatus status) { return kStatuses.at(static_cast<std::size_t>(status)); }

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> list;
  text = trimmed(text);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(kBlanks), text.size());
    list.push_back(text.substr(0, end));
    text = trimmed(text.substr(end));
  }
  return list;
}

std::vector<std::string_view> parts(std::string_view text, char separator) {
  std::vector<std::string_view> list;
  while (true) {
    const std::size_t end = text.find(separator);
    list.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return list;
    text.remove_prefix(end + 1);
  }
}

std::pair<std::string_view, std::string_view> split(std::string_view text, char separator) {
  const std::size_t at = text.find(separator);
  if (at == std::string_view::npos) return {text, {}};
  return {text.substr(0, at), text.substr(at + 1)};
}

std::optional<int> whole(std::string_view text) { return world::number<int>(text); }

std::optional<double> real(std::string_view text) { return world::number<double>(text); }

std::optional<BlockPos> cell(std::string_view text) {
  const std::vector<std::string_view> numbers = parts(text, ',');
  if (numbers.size() != 3) return std::nullopt;
  const std::optional<int> x = whole(numbers[0]);
  const std::optional<int> y = whole(numbers[1]);
  const std::optional<int> z = whole(numbers[2]);
  if (!x || !y || !z) return std::nullopt;
  return BlockPos{*x, *y, *z};
}

Result<ScenarioExpectation> read_expectation(std::string_view text) {
  ScenarioExpectation expect;
  const std::vector<std::string_view> list = words(text);
  const auto* const status =
      list.empty() ? kStatuses.end() : std::find(kStatuses.begin(), kStatuses.end(), list.front());
  if (status == kStatuses.end())
    return wrong(fmt::format("'{}' does not begin with {}", text, fmt::join(kStatuses, ", ")));
  expect.status = static_cast<ScenarioStatus>(status - kStatuses.begin());
  for (std::size_t i = 1; i < list.size(); ++i) {
    const auto [key, value] = split(list[i], '=');
    bool known = false;
    if (read_word(expect, key, value, known)) continue;
    if (known) return wrong(fmt::format("'{}' cannot be read", list[i]));
    return wrong(fmt::format("unknown expectation '{}'", list[i]));
  }
  return expect;
}

}  // namespace voxpath::server
