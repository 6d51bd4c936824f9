#include "server/access/world_folders.hpp"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

namespace voxpath::server {

namespace fs = std::filesystem;
using world::Error;
using world::ErrorCode;

namespace {

/// Both without links.
bool below(const fs::path& path, const fs::path& root) {
  return std::mismatch(root.begin(), root.end(), path.begin(), path.end()).first == root.end();
}

Error leads_out(const fs::path& folder, const fs::path& entry) {
  return {ErrorCode::invalid_argument,
          fmt::format("'{}' in world folder '{}' leads out of the folder that worlds may be opened from",
                      entry.filename().string(), folder.filename().string())};
}

}  // namespace

world::Status check_confined(const fs::path& folder, const fs::path& root) {
  std::error_code code;
  const fs::path real_root = fs::canonical(root, code);
  if (code) return Error{ErrorCode::not_found, "the folder that worlds may be opened from is not there"};
  const fs::path real = fs::canonical(folder, code);
  if (code || !fs::is_directory(real, code))
    return Error{ErrorCode::not_found, fmt::format("there is no world folder '{}'", folder.filename().string())};
  if (!below(real, real_root)) return leads_out(folder, folder);
  auto entry = fs::recursive_directory_iterator(real, code);
  for (; !code && entry != fs::recursive_directory_iterator(); entry.increment(code)) {
    std::error_code unreadable;
    if (!fs::is_symlink(entry->symlink_status(unreadable)) && !unreadable) continue;
    const fs::path target = fs::canonical(entry->path(), unreadable);
    if (unreadable || !below(target, real_root)) return leads_out(folder, entry->path());
  }
  if (code)
    return Error{ErrorCode::not_found,
                 fmt::format("world folder '{}': {}", folder.filename().string(), code.message())};
  return world::ok_status();
}

}  // namespace voxpath::server
