// Outcome<T>: what became of a request's work: a value, or the Failure to answer.
// Thread-safety: plain value.
// Usage: Outcome<int> o = ...; if (auto* refused = std::get_if<protocol::Failure>(&o)) return *refused;
#pragma once

#include "protocol/errors.hpp"
#include "world/result.hpp"

#include <string>
#include <variant>

namespace voxpath::server {

template <class T>
using Outcome = std::variant<T, protocol::Failure>;

/// A world's error as the refusal of a request's field.
[[nodiscard]] inline protocol::Failure failure_of(const world::Error& error, std::string field) {
  using protocol::ErrorKind;
  ErrorKind kind = ErrorKind::internal;
  switch (error.code) {
    case world::ErrorCode::invalid_argument:
    case world::ErrorCode::not_found:
    case world::ErrorCode::already_exists:
      kind = ErrorKind::field_invalid;
      break;
    case world::ErrorCode::out_of_range:
      kind = ErrorKind::field_out_of_range;
      break;
    case world::ErrorCode::failed_precondition:
      kind = ErrorKind::chunk_unknown;
      break;
    case world::ErrorCode::resource_exhausted:
      kind = ErrorKind::states_full;
      break;
    case world::ErrorCode::permission_denied:
    case world::ErrorCode::data_loss:
      kind = ErrorKind::load_failed;
      break;
    case world::ErrorCode::internal:
      break;
  }
  return {kind, error.message, std::move(field)};
}

}  // namespace voxpath::server
