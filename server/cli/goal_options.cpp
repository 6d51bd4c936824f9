#include "server/cli/goal_options.hpp"

#include "server/cli/place_text.hpp"
#include "world/blocks/error_text.hpp"
#include "world/number.hpp"

#include <optional>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace voxpath::server {

namespace {

using pathfinding::Goal;
using world::Error;
using world::ErrorCode;
using world::Result;

Error invalid(std::string message) { return {ErrorCode::invalid_argument, std::move(message)}; }

Result<double> length_of(std::string_view option, std::string_view text, double max_blocks) {
  const auto blocks = world::number<double>(text);
  if (blocks && *blocks >= 0 && *blocks <= max_blocks) return *blocks;
  return invalid(fmt::format("{} = {}: 0 to {} blocks is allowed", option, world::quoted(text), max_blocks));
}

Result<std::int32_t> coordinate_of(std::string_view option, std::string_view whole, std::string_view text) {
  const auto value = world::number<std::int32_t>(text);
  constexpr auto kMax = static_cast<std::int32_t>(world::kCoordinateMax);
  if (value && *value >= -kMax && *value <= kMax) return *value;
  return invalid(
      fmt::format("{} = {}: whole numbers from -{} to {} are needed", option, world::quoted(whole), kMax, kMax));
}

Result<world::Vec3> position_in(std::string_view option, std::string_view text) {
  const auto place = parse_place(option, text);
  if (!place) return place.error();
  return position_of(*place);
}

/// "X,Y,Z:LENGTH".
Result<std::pair<world::Vec3, double>> ball_of(std::string_view option, std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) {
    return invalid(fmt::format("{} = {}: X,Y,Z:BLOCKS is needed, such as 12,64,-7:3", option, world::quoted(text)));
  }
  const auto centre = position_in(option, text.substr(0, colon));
  if (!centre) return centre.error();
  const auto length = length_of(option, text.substr(colon + 1), pathfinding::kGoalRadiusMax);
  if (!length) return length.error();
  return std::pair{*centre, *length};
}

Result<Goal> places_of(const std::vector<std::string>& texts) {
  pathfinding::GoalPlaces goal;
  for (const std::string& text : texts) {
    const auto place = parse_place("--to", text);
    if (!place) return place.error();
    goal.places.push_back(*place);
  }
  return Goal(goal);
}

Result<Goal> column_of(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos)
    return invalid(fmt::format("--column = {}: X,Z is needed, such as 12,-7", world::quoted(text)));
  const auto x = coordinate_of("--column", text, text.substr(0, comma));
  if (!x) return x.error();
  const auto z = coordinate_of("--column", text, text.substr(comma + 1));
  if (!z) return z.error();
  return Goal(pathfinding::GoalColumn{*x, *z});
}

Result<Goal> flee_of(const GoalOptions& options) {
  pathfinding::GoalFlee goal;
  for (const std::string& text : options.flee) {
    const auto point = position_in("--flee", text);
    if (!point) return point.error();
    goal.points.push_back(*point);
  }
  const auto distance = length_of("--distance", options.distance, pathfinding::kFleeDistanceMax);
  if (!distance) return distance.error();
  goal.distance = *distance;
  return Goal(goal);
}

Result<Goal> goal_of_kind(const GoalOptions& options, std::string_view kind) {
  if (kind == "--to") return places_of(options.to);
  if (kind == "--column") return column_of(options.column);
  if (kind == "--flee") return flee_of(options);
  if (kind == "--level") {
    const auto y = coordinate_of("--level", options.level, options.level);
    if (!y) return y.error();
    return Goal(pathfinding::GoalLevel{*y});
  }
  if (kind == "--next-to") {
    const auto block = parse_cell("--next-to", options.next_to);
    if (!block) return block.error();
    return Goal(pathfinding::GoalNextTo{*block});
  }
  const auto ball = ball_of(kind, kind == "--near" ? options.near : options.see);
  if (!ball) return ball.error();
  if (kind == "--near") return Goal(pathfinding::GoalRadius{ball->first, ball->second});
  return Goal(pathfinding::GoalSight{ball->first, ball->second});
}

}  // namespace

void add_goal_options(CLI::App& command, GoalOptions& options) {
  command
      .add_option("--to", options.to, "Goal, written like the start; given again: any of these, the nearest by its way")
      ->type_name("X,Y,Z")
      ->expected(1)
      ->take_all();
  command.add_option("--near", options.near, "Goal: a place at most so many blocks away, 0 to 64")
      ->type_name("X,Y,Z:BLOCKS");
  command.add_option("--column", options.column, "Goal: this column, at any height")->type_name("X,Z");
  command.add_option("--level", options.level, "Goal: any place at this height")->type_name("Y");
  command.add_option("--next-to", options.next_to, "Goal: beside this block")->type_name("X,Y,Z");
  command.add_option("--flee", options.flee, "Goal: away from this point; may be given again")
      ->type_name("X,Y,Z")
      ->expected(1)
      ->take_all();
  command.add_option("--distance", options.distance, "How far to flee, in blocks, 0 to 256")
      ->type_name("N")
      ->capture_default_str();
  command
      .add_option("--see", options.see,
                  "Goal: a place at most so many blocks away, 0 to 64, that the point is seen from")
      ->type_name("X,Y,Z:BLOCKS");
}

Result<Goal> goal_of(const GoalOptions& options) {
  const std::pair<const char*, bool> kinds[] = {
      {"--to", !options.to.empty()},           {"--near", !options.near.empty()},
      {"--column", !options.column.empty()},   {"--level", !options.level.empty()},
      {"--next-to", !options.next_to.empty()}, {"--flee", !options.flee.empty()},
      {"--see", !options.see.empty()}};
  const char* chosen = nullptr;
  for (const auto& [kind, given] : kinds) {
    if (!given) continue;
    if (chosen != nullptr) return invalid(fmt::format("{} and {}: one kind of goal is needed", chosen, kind));
    chosen = kind;
  }
  if (chosen == nullptr)
    return invalid("no goal: give one of --to, --near, --column, --level, --next-to, --flee, --see");
  return goal_of_kind(options, chosen);
}

Result<std::vector<pathfinding::PricedBox>> priced_boxes_of(const std::vector<std::string>& texts) {
  if (texts.size() > pathfinding::kPricedBoxesMax) {
    return invalid(
        fmt::format("--price: {} given, at most {} are allowed", texts.size(), pathfinding::kPricedBoxesMax));
  }
  std::vector<pathfinding::PricedBox> boxes;
  for (const std::string& text : texts) {
    const std::size_t equals = text.rfind('=');
    if (equals == std::string::npos) {
      return invalid(
          fmt::format("--price = {}: BOX=PRICE is needed, such as 0,60,-8..15,70,7=50", world::quoted(text)));
    }
    const auto box = parse_box("--price", text.substr(0, equals));
    if (!box) return box.error();
    const std::string price = text.substr(equals + 1);
    const auto value = price == "forbidden" ? pathfinding::kForbidden : world::number<std::int32_t>(price);
    if (!value || *value < pathfinding::kForbidden || *value > pathfinding::kPriceMax) {
      return invalid(fmt::format("--price = {}: 0 to {}, or forbidden, is allowed as a price", world::quoted(text),
                                 pathfinding::kPriceMax));
    }
    boxes.push_back({*box, *value});
  }
  return boxes;
}

world::BlockPos goal_cell(const Goal& goal, const pathfinding::Place& start) {
  struct Cell {
    world::BlockPos operator()(const pathfinding::GoalPlaces& g) const { return cell_of(g.places.front()); }
    world::BlockPos operator()(const pathfinding::GoalRadius& g) const { return world::cell_of(g.centre); }
    world::BlockPos operator()(const pathfinding::GoalColumn& g) const { return {g.x, at.y, g.z}; }
    world::BlockPos operator()(const pathfinding::GoalLevel& g) const { return {at.x, g.y, at.z}; }
    world::BlockPos operator()(const pathfinding::GoalNextTo& g) const { return g.block; }
    world::BlockPos operator()(const pathfinding::GoalFlee&) const { return at; }
    world::BlockPos operator()(const pathfinding::GoalSight& g) const { return world::cell_of(g.point); }
    world::BlockPos at;  // of the start
  };
  return std::visit(Cell{cell_of(start)}, goal);
}

}  // namespace voxpath::server
