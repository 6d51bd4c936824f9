// World folders that clients may name: those below one root, and nothing that a link leads to elsewhere.
// Thread-safety: free functions; they read the file system.
// Invariant: a folder that passes is below the root, itself and every link in it. Who can write there while it is being
// loaded can change that; see THREAT_MODEL.md.
#pragma once

#include "world/result.hpp"

#include <filesystem>

namespace voxpath::server {

/// Errors: not_found where there is no such folder, invalid_argument where it or something in it leads out of the root.
/// Their messages do not say where a link leads.
[[nodiscard]] world::Status check_confined(const std::filesystem::path& folder, const std::filesystem::path& root);

}  // namespace voxpath::server
