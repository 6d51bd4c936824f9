#include "protocol/errors.hpp"

#include "protocol/voxpath.pb.h"

#include <array>
#include <cassert>

namespace voxpath::protocol {
namespace {

using K = ErrorKind;

constexpr std::array kTable{
    ErrorRow{K::frame_malformed, 3, "INVALID_ARGUMENT", 400, "frame_malformed",
             "the bytes are no frame; the connection is closed, since the next frame's beginning is not known"},
    ErrorRow{K::frame_too_big, 8, "RESOURCE_EXHAUSTED", 413, "frame_too_big",
             "send smaller frames, or the chunk in parts"},
    ErrorRow{K::not_voxpath, 3, "INVALID_ARGUMENT", 400, "not_voxpath",
             "another protocol speaks on this port; check the port number"},
    ErrorRow{K::hello_expected, 9, "FAILED_PRECONDITION", 400, "hello_expected", "the first frame must be Hello"},
    ErrorRow{K::hello_repeated, 9, "FAILED_PRECONDITION", 400, "hello_repeated", "Hello is sent once a connection"},
    ErrorRow{K::version_unsupported, 9, "FAILED_PRECONDITION", 400, "version_unsupported",
             "client and server share no version of the protocol; update the older one"},
    ErrorRow{K::token_wrong, 16, "UNAUTHENTICATED", 401, "token_wrong",
             "set the token that the server's token file holds"},
    ErrorRow{K::role_missing, 7, "PERMISSION_DENIED", 403, "role_missing",
             "use a token with the role that the message names"},
    ErrorRow{K::tls_failed, 9, "FAILED_PRECONDITION", 426, "tls_failed",
             "the server speaks TLS on this port; speak it too, with a certificate where it asks for one"},
    ErrorRow{K::request_id_invalid, 3, "INVALID_ARGUMENT", 400, "request_id_invalid",
             "an id is not 0 and not that of a request still in flight; the connection is closed"},
    ErrorRow{K::request_unknown, 12, "UNIMPLEMENTED", 501, "request_unknown",
             "this server does not know that request; update it"},
    ErrorRow{K::field_missing, 3, "INVALID_ARGUMENT", 400, "field_missing", "set the field named"},
    ErrorRow{K::field_invalid, 3, "INVALID_ARGUMENT", 400, "field_invalid",
             "the field's value is not one that it can have"},
    ErrorRow{K::field_out_of_range, 11, "OUT_OF_RANGE", 400, "field_out_of_range",
             "the field's value is beyond its limit"},
    ErrorRow{K::profile_unknown, 5, "NOT_FOUND", 404, "profile_unknown", "no agent profile has that name"},
    ErrorRow{K::world_unknown, 5, "NOT_FOUND", 404, "world_unknown", "open the world first"},
    ErrorRow{K::world_loading, 14, "UNAVAILABLE", 503, "world_loading",
             "the world is being loaded; try again after retry_after_ms"},
    ErrorRow{K::world_differs, 6, "ALREADY_EXISTS", 409, "world_differs",
             "a world of that name is open with other properties"},
    ErrorRow{K::worlds_full, 8, "RESOURCE_EXHAUSTED", 429, "worlds_full", "close a world first"},
    ErrorRow{K::folder_unknown, 7, "PERMISSION_DENIED", 403, "folder_unknown",
             "world folders are opened by the names that the server's configuration gives them"},
    ErrorRow{K::load_failed, 15, "DATA_LOSS", 500, "load_failed",
             "the folder could not be read as a world; see the message"},
    ErrorRow{K::chunk_unknown, 9, "FAILED_PRECONDITION", 400, "chunk_unknown",
             "put the chunk before changing its blocks"},
    ErrorRow{K::palette_number_unknown, 3, "INVALID_ARGUMENT", 400, "palette_number_unknown",
             "the number is not in the palette that was sent"},
    ErrorRow{K::states_full, 8, "RESOURCE_EXHAUSTED", 429, "states_full",
             "the world has as many different block states as it can number"},
    ErrorRow{K::chunks_full, 8, "RESOURCE_EXHAUSTED", 429, "chunks_full",
             "the world has as many chunks as it may have; drop one first"},
    ErrorRow{K::queue_full, 8, "RESOURCE_EXHAUSTED", 429, "queue_full",
             "too many jobs wait; try again after retry_after_ms"},
    ErrorRow{K::quota_full, 8, "RESOURCE_EXHAUSTED", 429, "quota_full",
             "as many jobs of this connection wait as may; read its answers first, or try again after retry_after_ms"},
    ErrorRow{K::watches_full, 8, "RESOURCE_EXHAUSTED", 429, "watches_full",
             "end a watch first, or ask for this path without one"},
    ErrorRow{K::store_full, 8, "RESOURCE_EXHAUSTED", 507, "store_full",
             "the edit was taken back: the world's store has no room; drop chunks, or give it more"},
    ErrorRow{K::store_behind, 8, "RESOURCE_EXHAUSTED", 429, "store_behind",
             "edits come faster than the disk takes them; try again after retry_after_ms"},
    ErrorRow{K::store_failed, 14, "UNAVAILABLE", 503, "store_failed",
             "the edit was taken back: the world's store cannot be written; see the message"},
    ErrorRow{K::deadline_passed, 4, "DEADLINE_EXCEEDED", 504, "deadline_passed",
             "the deadline passed before a worker was free"},
    ErrorRow{K::handshake_timeout, 4, "DEADLINE_EXCEEDED", 408, "handshake_timeout", "Hello did not come in time"},
    ErrorRow{K::idle_timeout, 4, "DEADLINE_EXCEEDED", 408, "idle_timeout",
             "nothing came from the client, not even after a Ping"},
    ErrorRow{K::slow_consumer, 8, "RESOURCE_EXHAUSTED", 429, "slow_consumer", "the client does not read its answers"},
    ErrorRow{K::connections_full, 8, "RESOURCE_EXHAUSTED", 429, "connections_full", "too many connections; share one"},
    ErrorRow{K::shutting_down, 14, "UNAVAILABLE", 503, "shutting_down", "the server is ending; reconnect later"},
    ErrorRow{K::connection_lost, 14, "UNAVAILABLE", 503, "connection_lost",
             "made by the client: the connection went before the answer came"},
    ErrorRow{K::json_malformed, 3, "INVALID_ARGUMENT", 400, "json_malformed",
             "the body or text frame is no JSON of the message; the field is named where one is at fault"},
    ErrorRow{K::http_malformed, 3, "INVALID_ARGUMENT", 400, "http_malformed",
             "the bytes are no HTTP request; the connection is closed"},
    ErrorRow{K::header_too_big, 8, "RESOURCE_EXHAUSTED", 431, "header_too_big", "send fewer or shorter header lines"},
    ErrorRow{K::request_timeout, 4, "DEADLINE_EXCEEDED", 408, "request_timeout",
             "the HTTP request did not come whole in time"},
    ErrorRow{K::url_unknown, 5, "NOT_FOUND", 404, "url_unknown", "no such URL; the message lists those that there are"},
    ErrorRow{K::verb_wrong, 12, "UNIMPLEMENTED", 405, "verb_wrong",
             "the URL takes another verb, which the header Allow names"},
    ErrorRow{K::origin_refused, 7, "PERMISSION_DENIED", 403, "origin_refused",
             "pages of that origin may not ask; http.origins of the configuration lists those that may"},
    ErrorRow{K::internal, 13, "INTERNAL", 500, "internal", "a fault in voxpath; please report the message"},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kTable.size(); ++i) {
    if (static_cast<std::size_t>(kTable[i].kind) != i) return false;
  }
  return kTable.size() == static_cast<std::size_t>(K::internal) + 1;
}
static_assert(in_order(), "row_of() takes the kind as an index");

}  // namespace

std::span<const ErrorRow> error_table() { return kTable; }

const ErrorRow& row_of(ErrorKind kind) {
  assert(static_cast<std::size_t>(kind) < kTable.size());
  return kTable[static_cast<std::size_t>(kind)];
}

const ErrorRow* row_of(std::string_view label) {
  for (const ErrorRow& row : kTable) {
    if (row.label == label) return &row;
  }
  return nullptr;
}

void write_error(const Failure& failure, v1::Error* error) {
  const ErrorRow& row = row_of(failure.kind);
  error->set_code(static_cast<v1::Error::Code>(row.rpc_code));
  error->set_reason(std::string(row.label));
  error->set_message(failure.message);
  error->set_field(failure.field);
  error->set_value(failure.value);
  error->set_limit(failure.limit);
  error->set_retry_after_ms(failure.retry_after_ms);
}

std::string printable(std::string_view text, std::size_t bytes_max) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte >= 0x20 && byte < 0x7f && byte != '\\' && byte != '"';
    if (out.size() + (plain ? 1 : 4) > bytes_max) return out + "...";
    if (plain) {
      out += c;
    } else {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    }
  }
  return out;
}

}  // namespace voxpath::protocol
