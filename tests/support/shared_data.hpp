// Large inputs that are not part of the project: real worlds and published maps. Tests that read them are skipped when
// they are absent.
// Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace voxpath::test {

/// Whether this build looks for faults of memory or threads at the price of speed.
#ifdef VOXPATH_SANITIZED
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

/// The folder with the large inputs: the environment's VOXPATH_SHARED_DIR, else the one beside the source tree.
std::filesystem::path shared_dir();
std::string read_file(const std::filesystem::path& path);
/// Reads and unpacks a gzip file. Throws std::runtime_error.
std::string read_gzip(const std::filesystem::path& path);

}  // namespace voxpath::test

/// Skips the test when a shared input is absent.
#define VOXPATH_NEEDS_SHARED(path)    \
  if (!std::filesystem::exists(path)) \
  GTEST_SKIP() << "not here: " << (path) << " (a large input kept outside the project)"
