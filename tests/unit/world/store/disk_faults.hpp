// DiskFaults: what befalls a file at its n-th write: the process ends, the power goes, the disk is full. It stands in for
// the system's own pwrite, writev and fdatasync in the whole test program, and lets all pass but what is armed.
// Thread-safety: none; one thread writes the file.
// Usage, in a child process: disk_faults().arm("data.mdb", {.at = 3, .fault = Fault::crash}); ... write ...
// Invariant: what was synchronised before the fault is on the disk as it was written.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>
#include <sys/uio.h>

namespace voxpath::test {

enum class Fault : std::uint8_t {
  none,
  crash,      // the process ends before the write
  torn,       // after half of it
  power_cut,  // and what was not synchronised is on the disk or not, write by write, as the seed has it
  no_space,   // the write fails, once
  io_error,
};

inline constexpr int kCrashedExit = 77;

class DiskFaults {
 public:
  struct Plan {
    std::size_t at = 0;  // the first is 1
    Fault fault = Fault::none;
    std::uint32_t seed = 0;
  };

  /// Counts writes and synchronisations of files of this name from now on.
  void arm(std::string file, Plan plan);
  void disarm() { file_.clear(); }
  [[nodiscard]] std::size_t seen() const { return seen_; }

  ssize_t write(int fd, std::vector<iovec> parts, off_t at);
  int synchronise(int fd);
  [[nodiscard]] bool watches(int fd) const;

 private:
  struct Old {
    int fd;
    off_t at;
    std::string bytes;
  };
  [[noreturn]] void cut_power();

  std::string file_;
  Plan plan_;
  std::size_t seen_ = 0;
  std::vector<Old> unsynchronised_;
};

DiskFaults& disk_faults();

}  // namespace voxpath::test
