// The token of an HTTP request: Authorization: Bearer TOKEN.
// Thread-safety: pure function.
#pragma once

#include "server/http/http_reader.hpp"

#include <string>

#include <boost/beast/core/string.hpp>

namespace voxpath::server {

/// Empty: there is none. Whether it is one of the server's is protocol::Connection's business.
[[nodiscard]] inline std::string bearer_token(const HttpRequest& request) {
  constexpr std::size_t kSchemeBytes = sizeof("Bearer ") - 1;
  const auto value = request[boost::beast::http::field::authorization];
  if (!boost::beast::iequals(value.substr(0, kSchemeBytes), "Bearer ")) return {};
  return std::string(value.data() + kSchemeBytes, value.size() - kSchemeBytes);
}

}  // namespace voxpath::server
