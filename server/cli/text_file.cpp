#include "server/cli/text_file.hpp"

#include <fstream>
#include <system_error>

#include <fmt/format.h>

namespace voxpath::server {

world::Result<std::string> read_text_file(const std::filesystem::path& path, std::size_t bytes_max) {
  using world::Error;
  using world::ErrorCode;
  std::error_code fault;
  const auto status = std::filesystem::status(path, fault);
  if (!std::filesystem::exists(status)) {
    return Error{ErrorCode::not_found, fmt::format("{}: no such file", path.string())};
  }
  if (std::filesystem::is_directory(status)) {
    return Error{ErrorCode::not_found, fmt::format("{}: a folder, where a file is needed", path.string())};
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{ErrorCode::permission_denied, fmt::format("{}: cannot be read", path.string())};
  // Read up to one byte beyond the limit: sizes of devices and pipes are not known beforehand.
  std::string text(bytes_max + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > bytes_max) {
    return Error{ErrorCode::resource_exhausted,
                 fmt::format("{}: more than {} bytes, the limit", path.string(), bytes_max)};
  }
  return text;
}

}  // namespace voxpath::server
