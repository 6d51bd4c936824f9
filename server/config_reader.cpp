#include "server/config_reader.hpp"

#include <fstream>

namespace voxpath::server {

using world::Error;
using world::ErrorCode;

Error error_at(const toml::source_region& where, std::string message, ErrorCode code) {
  return {code, fmt::format("line {}: {}", where.begin.line, message)};
}

world::Result<std::string> read_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return Error{ErrorCode::not_found, fmt::format("cannot read '{}'", file.string())};
  std::string text(kConfigBytesMax + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad()) return Error{ErrorCode::not_found, fmt::format("cannot read '{}'", file.string())};  // as of a folder
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > kConfigBytesMax) {
    return Error{ErrorCode::out_of_range, fmt::format("'{}' is longer than {} bytes", file.string(), kConfigBytesMax)};
  }
  return text;
}

}  // namespace voxpath::server
