// LmdbEnvironment: the LMDB files of one world, and Transaction, a reading or a writing of them. World::Error in place of
// LMDB's numbers.
// Thread-safety: one thread at a time; another process may read the same files meanwhile, and copy them.
// Invariants: a Transaction that is not committed leaves the files as they were. Opened for writing, the folder belongs
// to this process alone: a second opening is refused, LMDB itself would let it in.
#pragma once

#include "world/result.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include <lmdb.h>

namespace voxpath::world {

class LmdbEnvironment {
 public:
  /// For writing; the folder and the tables are made when they are missing. `map_max_bytes`: what the file may grow to.
  /// Errors: failed_precondition (in use by another), permission_denied, data_loss (no store, a damaged or an unknown
  /// one), resource_exhausted (no space).
  static Result<std::unique_ptr<LmdbEnvironment>> open(const std::filesystem::path& folder,
                                                       std::uint64_t map_max_bytes);
  /// For reading, also while another process writes. Errors: also not_found.
  static Result<std::unique_ptr<LmdbEnvironment>> open_to_read(const std::filesystem::path& folder);
  ~LmdbEnvironment();
  LmdbEnvironment(const LmdbEnvironment&) = delete;
  LmdbEnvironment& operator=(const LmdbEnvironment&) = delete;

  /// Precondition: no transaction is open.
  int set_map_size(std::uint64_t bytes) { return mdb_env_set_mapsize(environment_, bytes); }
  /// Writes a copy of the newest state without the free pages between. Errors: those of writing a file.
  Status copy_compact(const std::filesystem::path& file) const;
  /// What LMDB's number means here, and what to do about it.
  [[nodiscard]] Error error(int code, std::string_view what) const;
  [[nodiscard]] std::uint64_t used_bytes() const;
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  [[nodiscard]] MDB_env* raw() const { return environment_; }

  MDB_dbi world = 0, states = 0, chunks = 0, sections = 0;

 private:
  explicit LmdbEnvironment(std::filesystem::path folder) : folder_(std::move(folder)) {}
  Status lock();
  Status create();
  Status open_files(const std::filesystem::path& folder, unsigned flags, std::uint64_t map_max_bytes);
  void close_files();
  Status open_tables(bool read_only);

  MDB_env* environment_ = nullptr;
  const std::filesystem::path folder_;
  std::uint64_t map_max_bytes_ = 0;
  int lock_ = -1;
};

class Transaction {
 public:
  Transaction(const LmdbEnvironment& environment, bool write)
      : code_(mdb_txn_begin(environment.raw(), nullptr, write ? 0 : MDB_RDONLY, &transaction_)) {}
  ~Transaction() {
    if (transaction_ != nullptr) mdb_txn_abort(transaction_);
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  /// The first thing that went wrong; 0: nothing. After that nothing more is done.
  [[nodiscard]] int code() const { return code_; }
  void put(MDB_dbi table, std::string_view key, std::string_view value);
  /// Not an error when there is none.
  void erase(MDB_dbi table, std::string_view key);
  void clear(MDB_dbi table);
  /// Valid until the next change. `data()` is nullptr: there is none.
  [[nodiscard]] std::string_view get(MDB_dbi table, std::string_view key);
  /// Returns code(). Nothing is written after an error.
  int commit();
  [[nodiscard]] MDB_txn* raw() const { return transaction_; }

 private:
  MDB_txn* transaction_ = nullptr;
  int code_;
};

/// All entries of a table in the order of their keys.
class Cursor {
 public:
  Cursor(const Transaction& transaction, MDB_dbi table) : code_(mdb_cursor_open(transaction.raw(), table, &cursor_)) {
    move(MDB_FIRST);
  }
  ~Cursor() {
    if (cursor_ != nullptr) mdb_cursor_close(cursor_);
  }
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;

  /// Whether it stands on an entry.
  [[nodiscard]] bool valid() const { return code_ == 0; }
  /// 0: the end was reached in good order.
  [[nodiscard]] int code() const { return code_ == MDB_NOTFOUND ? 0 : code_; }
  void next() { move(MDB_NEXT); }
  [[nodiscard]] std::string_view key() const { return {static_cast<const char*>(key_.mv_data), key_.mv_size}; }
  [[nodiscard]] std::string_view value() const { return {static_cast<const char*>(value_.mv_data), value_.mv_size}; }

 private:
  void move(MDB_cursor_op to) {
    if (code_ == 0) code_ = mdb_cursor_get(cursor_, &key_, &value_, to);
  }

  MDB_cursor* cursor_ = nullptr;
  MDB_val key_{}, value_{};
  int code_;
};

}  // namespace voxpath::world
