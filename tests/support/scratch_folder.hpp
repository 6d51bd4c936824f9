// A folder of one test's own: tests run side by side, so a name that two of them share is a race.
#pragma once

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include <gtest/gtest.h>

namespace voxpath::test {

/// Where files are in memory, for tests that write a lot and look at no disk; the usual place where there is no such thing.
inline std::filesystem::path memory_folder() {
  std::error_code ignored;
  return std::filesystem::is_directory("/dev/shm", ignored) ? "/dev/shm" : testing::TempDir();
}

/// A new, empty folder below the system's one for temporary files; it goes with the object, with all that is in it.
class ScratchFolder {
 public:
  ScratchFolder() : ScratchFolder(testing::TempDir()) {}
  explicit ScratchFolder(const std::filesystem::path& below) {
    std::string pattern = (below / "voxpath_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::system_error(errno, std::generic_category(), pattern);
    path_ = pattern;
  }
  ~ScratchFolder() {
    std::error_code ignored;  // what a killed program left open is the system's to clear
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace voxpath::test
