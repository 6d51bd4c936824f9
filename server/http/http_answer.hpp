// HttpAnswer: an answer of the HTTP door before it is bytes.
// Thread-safety: plain value; pure functions.
// Usage: send(to_bytes(error_answer(failure), {.keep_alive = true}));
#pragma once

#include "protocol/errors.hpp"
#include "protocol/voxpath.pb.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace voxpath::server {

struct HttpAnswer {
  unsigned status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers = {};
};

/// How the client asked.
struct HttpManner {
  unsigned version = 11;
  bool keep_alive = true;
  bool head_only = false;   // of HEAD: the body's length, and no body
  std::string origin = {};  // of a page that may read the answer; empty: none is told so
};

[[nodiscard]] std::string to_bytes(const HttpAnswer& answer, const HttpManner& manner);

/// The message that the frame holds, as JSON; of an error with the status that the error table has for it.
[[nodiscard]] HttpAnswer frame_answer(const v1::ServerFrame& frame);
[[nodiscard]] HttpAnswer error_answer(const v1::Error& error);
[[nodiscard]] HttpAnswer error_answer(const protocol::Failure& failure);

}  // namespace voxpath::server
