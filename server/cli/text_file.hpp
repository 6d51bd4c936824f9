// read_text_file: a whole file that a person named on the command line.
// Thread-safety: a free function.
#pragma once

#include "world/result.hpp"

#include <cstddef>
#include <filesystem>
#include <string>

namespace voxpath::server {

/// Errors: not_found (no such file, or not a file), permission_denied, resource_exhausted (more than `bytes_max`).
world::Result<std::string> read_text_file(const std::filesystem::path& path, std::size_t bytes_max);

}  // namespace voxpath::server
