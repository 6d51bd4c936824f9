// kVersion: the version of the programs, as CMakeLists.txt has it.
// Thread-safety: a constant.
#pragma once

#include <string_view>

namespace voxpath::server {

inline constexpr std::string_view kVersion = VOXPATH_VERSION;

}  // namespace voxpath::server
