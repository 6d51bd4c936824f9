#include "server/cli/place_text.hpp"

#include "world/blocks/error_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <variant>

#include <fmt/format.h>

namespace voxpath::server {

namespace {

using pathfinding::Place;
using world::BlockPos;
using world::Error;
using world::ErrorCode;

Error invalid(std::string_view option, std::string_view text, std::string_view needed) {
  return {ErrorCode::invalid_argument, fmt::format("{} = {}: {}", option, world::quoted(text), needed)};
}

constexpr std::string_view kPlaceNeeded = "X,Y,Z is needed, such as 12,64,-7 (a cell) or 12.5,64.0,-6.5 (a position)";

}  // namespace

world::Result<Place> parse_place(std::string_view option, std::string_view text) {
  std::array<double, 3> axes{};
  std::string_view rest = text;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::size_t comma = rest.find(',');
    if ((comma == std::string_view::npos) != (i == 2)) return invalid(option, text, kPlaceNeeded);
    const std::string_view number = rest.substr(0, comma);
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), axes[i]);
    if (error == std::errc::result_out_of_range || (error == std::errc() && end == number.data() + number.size() &&
                                                    !(std::abs(axes[i]) <= world::kCoordinateMax))) {
      return invalid(option, text,
                     fmt::format("{} is not a coordinate; -{:.0f} to {:.0f} is allowed", number, world::kCoordinateMax,
                                 world::kCoordinateMax));
    }
    if (error != std::errc() || end != number.data() + number.size()) return invalid(option, text, kPlaceNeeded);
    if (comma != std::string_view::npos) rest.remove_prefix(comma + 1);
  }
  const world::Vec3 at{axes[0], axes[1], axes[2]};
  if (text.find('.') != std::string_view::npos) return Place(at);
  const BlockPos cell = world::cell_of(at);
  if (at != world::Vec3{static_cast<double>(cell.x), static_cast<double>(cell.y), static_cast<double>(cell.z)}) {
    return invalid(option, text, kPlaceNeeded);  // 15e-1 has no point and is no cell
  }
  return Place(cell);
}

world::Result<BlockPos> parse_cell(std::string_view option, std::string_view text) {
  const auto place = parse_place(option, text);
  if (!place) return place.error();
  if (const auto* cell = std::get_if<BlockPos>(&*place)) return *cell;
  return invalid(option, text, "a cell of whole numbers is needed, such as 12,64,-7");
}

world::Result<world::Box> parse_box(std::string_view option, std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) {
    return invalid(option, text, "two corners are needed, such as 0,60,-8..15,70,7");
  }
  const auto a = parse_cell(option, text.substr(0, dots));
  if (!a) return a.error();
  const auto b = parse_cell(option, text.substr(dots + 2));
  if (!b) return b.error();
  return world::Box{{std::min(a->x, b->x), std::min(a->y, b->y), std::min(a->z, b->z)},
                    {std::max(a->x, b->x), std::max(a->y, b->y), std::max(a->z, b->z)}};
}

BlockPos cell_of(const Place& place) {
  if (const auto* cell = std::get_if<BlockPos>(&place)) return *cell;
  return world::cell_of(std::get<world::Vec3>(place));
}

world::Vec3 position_of(const Place& place) {
  if (const auto* position = std::get_if<world::Vec3>(&place)) return *position;
  const auto& cell = std::get<BlockPos>(place);
  return {cell.x + 0.5, static_cast<double>(cell.y), cell.z + 0.5};
}

std::string to_text(BlockPos pos) { return fmt::format("{},{},{}", pos.x, pos.y, pos.z); }

std::string to_text(const Place& place) {
  if (const auto* cell = std::get_if<BlockPos>(&place)) return to_text(*cell);
  const auto& at = std::get<world::Vec3>(place);
  return fmt::format("{:#},{:#},{:#}", at.x, at.y, at.z);
}

std::string blocks_text(std::int64_t px) { return fmt::format("{}", static_cast<double>(px) / world::kPixelsPerBlock); }

}  // namespace voxpath::server
