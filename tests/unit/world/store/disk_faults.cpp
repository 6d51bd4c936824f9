#include "tests/unit/world/store/disk_faults.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <numeric>
#include <random>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace voxpath::test {

namespace {

ssize_t really_write(int fd, const void* bytes, std::size_t count, off_t at) {
  return syscall(SYS_pwrite64, fd, bytes, count, at);
}

std::size_t length(const std::vector<iovec>& parts) {
  return std::accumulate(parts.begin(), parts.end(), std::size_t{0},
                         [](std::size_t sum, const iovec& part) { return sum + part.iov_len; });
}

}  // namespace

DiskFaults& disk_faults() {
  static DiskFaults faults;
  return faults;
}

void DiskFaults::arm(std::string file, Plan plan) {
  file_ = std::move(file);
  plan_ = plan;
  seen_ = 0;
  unsynchronised_.clear();
}

bool DiskFaults::watches(int fd) const {
  if (file_.empty()) return false;
  std::array<char, 4096> path;
  const ssize_t size = readlink(fmt::format("/proc/self/fd/{}", fd).c_str(), path.data(), path.size());
  return size > 0 && std::string_view(path.data(), static_cast<std::size_t>(size)).ends_with("/" + file_);
}

ssize_t DiskFaults::write(int fd, std::vector<iovec> parts, off_t at) {
  const std::size_t size = length(parts);
  std::size_t count = size;
  if (++seen_ == plan_.at) {
    switch (plan_.fault) {
      case Fault::none:
        break;
      case Fault::crash:
        _exit(kCrashedExit);
      case Fault::torn:
      case Fault::power_cut:
        count = size / 2;
        break;
      case Fault::no_space:
        errno = ENOSPC;
        return -1;
      case Fault::io_error:
        errno = EIO;
        return -1;
    }
  }
  if (plan_.fault == Fault::power_cut && (fcntl(fd, F_GETFL) & O_DSYNC) == 0) {
    std::string old(size, '\0');
    [[maybe_unused]] const ssize_t got = pread(fd, old.data(), size, at);  // beyond the end: zeros
    unsynchronised_.push_back({fd, at, std::move(old)});
  }
  std::size_t written = 0;
  for (const iovec& part : parts) {
    const std::size_t some = std::min(part.iov_len, count - written);
    if (really_write(fd, part.iov_base, some, at + static_cast<off_t>(written)) != static_cast<ssize_t>(some))
      return -1;
    written += some;
  }
  if (seen_ == plan_.at && plan_.fault == Fault::torn) _exit(kCrashedExit);
  if (seen_ == plan_.at && plan_.fault == Fault::power_cut) cut_power();
  return static_cast<ssize_t>(written);
}

int DiskFaults::synchronise(int fd) {
  if (++seen_ == plan_.at) {
    if (plan_.fault == Fault::crash || plan_.fault == Fault::torn) _exit(kCrashedExit);
    if (plan_.fault == Fault::power_cut) cut_power();
    if (plan_.fault != Fault::none) {
      errno = plan_.fault == Fault::no_space ? ENOSPC : EIO;
      return -1;
    }
  }
  unsynchronised_.clear();
  return static_cast<int>(syscall(SYS_fdatasync, fd));
}

void DiskFaults::cut_power() {
  std::mt19937 random(plan_.seed);
  // Backwards, so that of two writes of one place the older one's bytes come out where both are lost.
  for (auto old = unsynchronised_.rbegin(); old != unsynchronised_.rend(); ++old) {
    if (random() % 2 == 0) really_write(old->fd, old->bytes.data(), old->bytes.size(), old->at);
  }
  _exit(kCrashedExit);
}

}  // namespace voxpath::test

extern "C" {

ssize_t pwrite(int fd, const void* bytes, size_t count, off_t at) {
  auto& faults = voxpath::test::disk_faults();
  if (!faults.watches(fd)) return syscall(SYS_pwrite64, fd, bytes, count, at);
  return faults.write(fd, {{const_cast<void*>(bytes), count}}, at);
}

ssize_t writev(int fd, const iovec* parts, int count) {
  auto& faults = voxpath::test::disk_faults();
  if (!faults.watches(fd)) return syscall(SYS_writev, fd, parts, count);
  const off_t at = lseek(fd, 0, SEEK_CUR);
  const ssize_t written = faults.write(fd, {parts, parts + count}, at);
  if (written > 0) lseek(fd, at + written, SEEK_SET);
  return written;
}

int fdatasync(int fd) {
  auto& faults = voxpath::test::disk_faults();
  return faults.watches(fd) ? faults.synchronise(fd) : static_cast<int>(syscall(SYS_fdatasync, fd));
}

}  // extern "C"
