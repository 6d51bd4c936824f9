// server_error(): what a server refused, as an error of the program that asked.
// Thread-safety: pure function.
// Invariant: invalid_argument and out_of_range are the question's to mend, and not_found names something to choose anew; all else no
// question can mend, and is a failed precondition.
#pragma once

#include "protocol/voxpath.pb.h"
#include "world/result.hpp"

#include <string>

#include <fmt/format.h>

namespace voxpath::server {

/// `who` begins the message: "server 127.0.0.1:7420".
[[nodiscard]] inline world::Error server_error(const std::string& who, const v1::Error& error) {
  using world::ErrorCode;
  ErrorCode code = ErrorCode::failed_precondition;
  if (error.code() == v1::Error::INVALID_ARGUMENT) code = ErrorCode::invalid_argument;
  if (error.code() == v1::Error::OUT_OF_RANGE) code = ErrorCode::out_of_range;
  if (error.code() == v1::Error::NOT_FOUND) code = ErrorCode::not_found;
  if (error.reason() == "profile_unknown") code = ErrorCode::invalid_argument;
  return {code, fmt::format("{}: {}", who, error.message())};
}

}  // namespace voxpath::server
