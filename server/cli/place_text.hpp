// Places as people write them: "X,Y,Z" is a cell, with a decimal point in any number it is an exact position.
// Thread-safety: pure functions.
// Invariant: as in scenario files, so that a question can be copied from one to the other.
#pragma once

#include "pathfinding/query.hpp"
#include "world/position.hpp"
#include "world/result.hpp"

#include <string>
#include <string_view>

namespace voxpath::server {

/// `option` names the value in errors. Errors: invalid_argument for anything but three finite numbers within
/// +-world::kCoordinateMax.
world::Result<pathfinding::Place> parse_place(std::string_view option, std::string_view text);
/// A place without a decimal point.
world::Result<world::BlockPos> parse_cell(std::string_view option, std::string_view text);
/// "X,Y,Z..X,Y,Z", two opposite corners in any order.
world::Result<world::Box> parse_box(std::string_view option, std::string_view text);

/// The cell of a place: an exact position's by floor.
world::BlockPos cell_of(const pathfinding::Place& place);
world::Vec3 position_of(const pathfinding::Place& place);  // a cell's: the middle of its floor
std::string to_text(world::BlockPos pos);                  // "1,2,-3"
std::string to_text(const pathfinding::Place& place);
/// A height in px as blocks: "64", "64.5", "64.9375".
std::string blocks_text(std::int64_t px);

}  // namespace voxpath::server
