// HttpConfig: what the [http] table of the configuration says.
// Thread-safety: plain value.
// Invariant: the times are keys of no table; tests shorten them.
#pragma once

#include "protocol/limits.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace voxpath::server {

struct HttpConfig {
  std::optional<std::uint16_t> port;  // nothing: no HTTP; 0: any free one
  std::string address = "127.0.0.1";
  std::vector<std::string> origins;  // whose pages may ask, besides those that come from here: "https://map.example"
  std::size_t connections_max = protocol::kHttpConnectionsMax;

  std::int64_t header_timeout_ms = protocol::kHttpHeaderTimeoutMs;
  std::int64_t body_timeout_ms = protocol::kHttpBodyTimeoutMs;
  std::int64_t idle_timeout_ms = protocol::kHttpIdleTimeoutMs;
  std::int64_t unread_timeout_ms = protocol::kUnreadTimeoutMs;
  std::int64_t live_timeout_ms = 5'000;  // what has not turned for so long is not alive
  friend bool operator==(const HttpConfig&, const HttpConfig&) = default;
};

}  // namespace voxpath::server
