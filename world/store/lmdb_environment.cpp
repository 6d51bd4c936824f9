#include "world/store/lmdb_environment.hpp"

#include "world/number.hpp"
#include "world/store/store_format.hpp"

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace voxpath::world {

namespace {

constexpr char kLockFile[] = "in_use", kDataFile[] = "data.mdb", kNewFolder[] = "new";
constexpr std::string_view kFormatKey = "voxpath store";
constexpr mode_t kFileMode = 0640;
constexpr MDB_dbi kTables = 4;
constexpr std::uintmax_t kNoSpaceBytes = 1u << 20;  // less than this left: it is why a write came short

MDB_val val(std::string_view bytes) { return {bytes.size(), const_cast<char*>(bytes.data())}; }

/// So that a file cut short is read as damaged pages instead of ending the process with SIGBUS.
void fill_up(const std::filesystem::path& file, std::uint64_t bytes) {
  struct stat found{};
  if (::stat(file.c_str(), &found) != 0 || static_cast<std::uint64_t>(found.st_size) >= bytes) return;
  [[maybe_unused]] const int ignored = ::truncate(file.c_str(), static_cast<off_t>(bytes));
}

}  // namespace

Result<std::unique_ptr<LmdbEnvironment>> LmdbEnvironment::open(const std::filesystem::path& folder,
                                                               std::uint64_t map_max_bytes) {
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  std::unique_ptr<LmdbEnvironment> opened(new LmdbEnvironment(folder));
  if (code) return opened->error(code.value(), "cannot make the folder of");
  opened->map_max_bytes_ = map_max_bytes;
  if (auto status = opened->lock(); !status) return status.error();
  if (!std::filesystem::exists(folder / kDataFile, code)) {
    if (auto status = opened->create(); !status) return status.error();
  }
  if (auto status = opened->open_files(folder, 0, map_max_bytes); !status) return status.error();
  if (auto status = opened->open_tables(false); !status) return status.error();
  return opened;
}

Result<std::unique_ptr<LmdbEnvironment>> LmdbEnvironment::open_to_read(const std::filesystem::path& folder) {
  std::error_code ignored;
  if (!std::filesystem::exists(folder / kDataFile, ignored)) {
    return Error{ErrorCode::not_found, fmt::format("'{}' is no store: it has no {}", folder.string(), kDataFile)};
  }
  std::unique_ptr<LmdbEnvironment> opened(new LmdbEnvironment(folder));
  if (auto status = opened->open_files(folder, MDB_RDONLY, 0); !status) return status.error();
  if (auto status = opened->open_tables(true); !status) return status.error();
  return opened;
}

LmdbEnvironment::~LmdbEnvironment() {
  close_files();
  if (lock_ >= 0) ::close(lock_);  // last: with it the folder is free
}

Status LmdbEnvironment::lock() {
  const auto file = folder_ / kLockFile;
  lock_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kFileMode);
  if (lock_ < 0) return error(errno, "cannot write in the folder of");
  char text[32] = {};
  if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return error(errno, "cannot lock");
    const ssize_t length = ::pread(lock_, text, sizeof text - 1, 0);
    const auto process =
        number<std::uint32_t>(std::string_view(text, length > 0 ? static_cast<std::size_t>(length) : 0));
    return Error{ErrorCode::failed_precondition,
                 fmt::format("the store in '{}' is in use by {}", folder_.string(),
                             process ? fmt::format("process {}", *process) : std::string("another process"))};
  }
  const std::string mine = fmt::format("{}", ::getpid());
  // For the message above only: whoever holds the lock is who uses the store.
  [[maybe_unused]] const bool noted = ::ftruncate(lock_, 0) == 0 && ::pwrite(lock_, mine.data(), mine.size(), 0) > 0;
  return ok_status();
}

/// Beside its place and renamed: LMDB does not open a file whose first pages were not written whole.
Status LmdbEnvironment::create() {
  const auto beside = folder_ / kNewFolder;
  std::error_code code;
  std::filesystem::remove_all(beside, code);
  if (std::filesystem::create_directory(beside, code); code) return error(code.value(), "cannot make");
  auto status = open_files(beside, 0, 0);
  if (status) status = open_tables(false);
  close_files();
  if (!status) return status;
  std::filesystem::rename(beside / kDataFile, folder_ / kDataFile, code);
  if (code) return error(code.value(), "cannot make");
  std::filesystem::remove_all(beside, code);
  const int folder = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return error(errno, "cannot make");
  const bool written = ::fsync(folder) == 0;  // the name, too
  ::close(folder);
  return written ? ok_status() : error(EIO, "cannot make");
}

void LmdbEnvironment::close_files() {
  if (environment_ != nullptr) mdb_env_close(std::exchange(environment_, nullptr));
}

Status LmdbEnvironment::open_files(const std::filesystem::path& folder, unsigned flags, std::uint64_t map_max_bytes) {
  if (const int code = mdb_env_create(&environment_); code != 0) return error(code, "cannot open");
  mdb_env_set_maxdbs(environment_, kTables);
  if (map_max_bytes > 0) mdb_env_set_mapsize(environment_, map_max_bytes);
  if (const int code = mdb_env_open(environment_, folder.c_str(), flags | MDB_NOTLS, kFileMode); code != 0) {
    close_files();
    return error(code, "cannot open");
  }
  fill_up(folder / kDataFile, used_bytes());
  return ok_status();
}

Status LmdbEnvironment::open_tables(bool read_only) {
  Transaction transaction(*this, !read_only);
  int code = transaction.code();
  for (const auto& [table, name] : {std::pair{&world, "world"}, std::pair{&states, "states"},
                                    std::pair{&chunks, "chunks"}, std::pair{&sections, "sections"}}) {
    if (code == 0) code = mdb_dbi_open(transaction.raw(), name, read_only ? 0 : MDB_CREATE, table);
  }
  if (code == MDB_NOTFOUND)
    return Error{ErrorCode::data_loss, fmt::format("'{}' holds no voxpath store", folder_.string())};
  if (code != 0) return error(code, "cannot open");
  const std::string_view format = transaction.get(world, kFormatKey);
  const std::string expected = fmt::format("{}", kStoreFormat);
  if (format.data() == nullptr && !read_only) {
    transaction.put(world, kFormatKey, expected);
  } else if (format != expected) {
    return Error{ErrorCode::data_loss,
                 fmt::format("the store in '{}' has the format {}, this version of voxpath knows {}", folder_.string(),
                             number<std::uint32_t>(format).value_or(0), expected)};
  }
  if (code = transaction.commit(); code != 0) return error(code, "cannot open");
  return ok_status();
}

Status LmdbEnvironment::copy_compact(const std::filesystem::path& file) const {
  const int out = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kFileMode);
  if (out < 0) {
    return Error{errno == EEXIST ? ErrorCode::already_exists : ErrorCode::permission_denied,
                 fmt::format("cannot write '{}': {}", file.string(), std::strerror(errno))};
  }
  int code = mdb_env_copyfd2(environment_, out, MDB_CP_COMPACT);
  if (code == 0 && ::fsync(out) != 0) code = errno;
  if (::close(out) != 0 && code == 0) code = errno;
  if (code == 0) return ok_status();
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  return error(code, "cannot copy");
}

std::uint64_t LmdbEnvironment::used_bytes() const {
  MDB_envinfo info{};
  MDB_stat stat{};
  if (mdb_env_info(environment_, &info) != 0 || mdb_env_stat(environment_, &stat) != 0) return 0;
  return (std::uint64_t{info.me_last_pgno} + 1) * stat.ms_psize;
}

Error LmdbEnvironment::error(int code, std::string_view what) const {
  const std::string store = fmt::format("the store in '{}'", folder_.string());
  std::error_code ignored;
  if (code == EIO && std::filesystem::space(folder_, ignored).available < kNoSpaceBytes) code = ENOSPC;
  switch (code) {
    case MDB_MAP_FULL:
    case MDB_TXN_FULL:
      return {ErrorCode::resource_exhausted,
              fmt::format("{} is full: it has grown to its limit, {} MiB (map_size_mib)", store, map_max_bytes_ >> 20)};
    case ENOSPC:
    case EDQUOT:
      return {ErrorCode::resource_exhausted, fmt::format("{} has no space left on its device", store)};
    case MDB_CORRUPTED:
    case MDB_PAGE_NOTFOUND:
    case MDB_INVALID:
    case MDB_VERSION_MISMATCH:
    case MDB_INCOMPATIBLE:
      return {ErrorCode::data_loss, fmt::format("{} is damaged: {}", store, mdb_strerror(code))};
    case EACCES:
    case EPERM:
    case EROFS:
      return {ErrorCode::permission_denied, fmt::format("{} {}: {}", what, store, mdb_strerror(code))};
    default:
      return {ErrorCode::internal, fmt::format("{} {}: {}", what, store, mdb_strerror(code))};
  }
}

void Transaction::put(MDB_dbi table, std::string_view key, std::string_view value) {
  if (code_ != 0) return;
  MDB_val k = val(key), v = val(value);
  code_ = mdb_put(transaction_, table, &k, &v, 0);
}

void Transaction::erase(MDB_dbi table, std::string_view key) {
  if (code_ != 0) return;
  MDB_val k = val(key);
  const int code = mdb_del(transaction_, table, &k, nullptr);
  if (code != MDB_NOTFOUND) code_ = code;
}

void Transaction::clear(MDB_dbi table) {
  if (code_ == 0) code_ = mdb_drop(transaction_, table, 0);
}

std::string_view Transaction::get(MDB_dbi table, std::string_view key) {
  if (code_ != 0) return {};
  MDB_val k = val(key), v{};
  const int code = mdb_get(transaction_, table, &k, &v);
  if (code == 0) return {static_cast<const char*>(v.mv_data), v.mv_size};
  if (code != MDB_NOTFOUND) code_ = code;
  return {};
}

int Transaction::commit() {
  if (code_ == 0) code_ = mdb_txn_commit(std::exchange(transaction_, nullptr));
  return code_;
}

}  // namespace voxpath::world
