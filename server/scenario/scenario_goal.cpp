#include "server/scenario/scenario_goal.hpp"

#include "server/scenario/scenario_text.hpp"

#include <array>
#include <vector>

#include <fmt/format.h>

namespace voxpath::server {
namespace {

using world::BlockPos;
using world::Error;
using world::ErrorCode;
using world::Result;

/// How a kind of goal is written. The places of columns and levels are fewer numbers.
struct Form {
  std::string_view kind;
  GoalKind value;
  bool has_reach;
};
constexpr std::array<Form, 6> kForms{{{"radius", GoalKind::radius, true},
                                      {"column", GoalKind::column, false},
                                      {"level", GoalKind::level, false},
                                      {"next_to", GoalKind::next_to, false},
                                      {"flee", GoalKind::flee, true},
                                      {"sight", GoalKind::sight, true}}};

Error wrong(std::string_view text, std::string_view form) {
  return {ErrorCode::invalid_argument, fmt::format("'{}' is not {}", text, form)};
}

Result<std::vector<ScenarioPlace>> read_places(std::string_view text, const PlaceReader& read_place) {
  std::vector<ScenarioPlace> places;
  for (const std::string_view part : parts(text, '|')) {
    const Result<ScenarioPlace> place = read_place(part);
    if (!place) return place.error();
    places.push_back(*place);
  }
  return places;
}

Result<std::vector<ScenarioPlace>> read_column(std::string_view text) {
  const auto [x, z] = split(text, ',');
  const std::optional<int> at_x = whole(x);
  const std::optional<int> at_z = whole(z);
  if (!at_x || !at_z) return wrong(text, "x,z");
  return std::vector<ScenarioPlace>{{.at = {static_cast<double>(*at_x), 0, static_cast<double>(*at_z)}}};
}

Result<std::vector<ScenarioPlace>> read_level(std::string_view text) {
  const std::optional<int> y = whole(text);
  if (!y) return wrong(text, "a whole number");
  return std::vector<ScenarioPlace>{{.at = {0, static_cast<double>(*y), 0}}};
}

}  // namespace

Result<ScenarioGoal> read_goal(std::string_view text, const PlaceReader& read_place) {
  ScenarioGoal goal;
  std::string_view places = text;
  if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    const std::string_view kind = text.substr(0, colon);
    const Form* form = nullptr;
    for (const Form& f : kForms) {
      if (f.kind == kind) form = &f;
    }
    if (form == nullptr) return wrong(kind, "a goal: radius, column, level, next_to, flee or sight");
    goal.kind = form->value;
    places = text.substr(colon + 1);
    if (form->has_reach) {
      const auto [before, reach] = split(places, ':');
      const std::optional<double> blocks = real(reach);
      if (!blocks) return wrong(text, "KIND:PLACE:NUMBER");
      goal.reach = *blocks;
      places = before;
    }
  }
  Result<std::vector<ScenarioPlace>> read = goal.kind == GoalKind::column  ? read_column(places)
                                            : goal.kind == GoalKind::level ? read_level(places)
                                                                           : read_places(places, read_place);
  if (!read) return read.error();
  goal.places = std::move(*read);
  const bool one_place = goal.kind != GoalKind::places && goal.kind != GoalKind::flee;
  if (one_place && goal.places.size() != 1) return wrong(text, "a goal with one place");
  return goal;
}

Result<ScenarioBox> read_box(std::string_view text) {
  constexpr std::string_view kFormOfBoxes = "x,y,z..x,y,z:price";
  const auto [cells, price] = split(text, ':');
  const std::size_t dots = cells.find("..");
  if (dots == std::string_view::npos) return wrong(text, kFormOfBoxes);
  const std::optional<BlockPos> min = cell(cells.substr(0, dots));
  const std::optional<BlockPos> max = cell(cells.substr(dots + 2));
  const std::optional<int> charged = whole(price);
  if (!min || !max || !charged) return wrong(text, kFormOfBoxes);
  return ScenarioBox{.box = {.min = *min, .max = *max}, .price = *charged};
}

std::string to_text(const ScenarioPlace& place) {
  std::string out;
  for (const double v : {place.at.x, place.at.y, place.at.z}) {
    std::string number = fmt::format("{}", v);
    if (!place.exact) number = fmt::format("{}", static_cast<int>(v));
    if (place.exact && number.find_first_of(".en") == std::string::npos) number += ".0";
    out += (out.empty() ? "" : ",") + number;
  }
  return out;
}

std::string to_text(const ScenarioGoal& goal) {
  const world::Vec3& at = goal.places.front().at;
  if (goal.kind == GoalKind::column) return fmt::format("column:{},{}", static_cast<int>(at.x), static_cast<int>(at.z));
  if (goal.kind == GoalKind::level) return fmt::format("level:{}", static_cast<int>(at.y));
  std::string text;
  for (const ScenarioPlace& place : goal.places) text += (text.empty() ? "" : "|") + to_text(place);
  for (const Form& form : kForms) {
    if (form.value != goal.kind) continue;
    return form.has_reach ? fmt::format("{}:{}:{}", form.kind, text, goal.reach)
                          : fmt::format("{}:{}", form.kind, text);
  }
  return text;
}

std::string to_text(const ScenarioBox& box) {
  return fmt::format("{},{},{}..{},{},{}:{}", box.box.min.x, box.box.min.y, box.box.min.z, box.box.max.x, box.box.max.y,
                     box.box.max.z, box.price);
}

}  // namespace voxpath::server
