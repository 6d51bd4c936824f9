// The error table: every way in which voxpath refuses something, with its codes for each door, and Failure, one such
// refusal.
// Thread-safety: constants and plain values.
// Usage: Failure f{ErrorKind::world_unknown, "no world is called 'nether'", "find_path.world", "nether", "open worlds:
// overworld"};
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace voxpath::v1 {
class Error;
}

namespace voxpath::protocol {

enum class ErrorKind : std::uint8_t {
  frame_malformed,
  frame_too_big,
  not_voxpath,
  hello_expected,
  hello_repeated,
  version_unsupported,
  token_wrong,
  role_missing,
  tls_failed,
  request_id_invalid,
  request_unknown,
  field_missing,
  field_invalid,
  field_out_of_range,
  profile_unknown,
  world_unknown,
  world_loading,
  world_differs,
  worlds_full,
  folder_unknown,
  load_failed,
  chunk_unknown,
  palette_number_unknown,
  states_full,
  chunks_full,
  queue_full,
  quota_full,
  watches_full,
  store_full,
  store_behind,
  store_failed,
  deadline_passed,
  handshake_timeout,
  idle_timeout,
  slow_consumer,
  connections_full,
  shutting_down,
  connection_lost,
  json_malformed,
  http_malformed,
  header_too_big,
  request_timeout,
  url_unknown,
  verb_wrong,
  origin_refused,
  internal,
};

struct ErrorRow {
  ErrorKind kind;
  int rpc_code;          // google.rpc
  std::string_view rpc;  // its name
  int http_status;
  std::string_view label;  // Error.reason on the wire, and the metric's label
  std::string_view help;
};

/// One row per kind, in their order.
[[nodiscard]] std::span<const ErrorRow> error_table();
[[nodiscard]] const ErrorRow& row_of(ErrorKind kind);
/// nullptr: no such label.
[[nodiscard]] const ErrorRow* row_of(std::string_view label);

/// `message` is a whole sentence; field, value and limit repeat what is in it for programs and may be empty.
struct Failure {
  ErrorKind kind = ErrorKind::internal;
  std::string message;
  // Initialised, so that callers may leave them out without a warning.
  std::string field = {};
  std::string value = {};
  std::string limit = {};
  std::uint32_t retry_after_ms = 0;  // 0: trying again will not help
};

void write_error(const Failure& failure, v1::Error* error);

/// Text from outside, made fit for a log line or an error message: control and non-ASCII bytes as \xNN, shortened to
/// `bytes_max`.
[[nodiscard]] std::string printable(std::string_view text, std::size_t bytes_max = 64);

}  // namespace voxpath::protocol
