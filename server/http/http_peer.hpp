// HttpPeer: a connection of the HTTP door, as the server sees it: one that speaks HTTP, or a WebSocket.
// Thread-safety: everything runs on the door's thread.
#pragma once

#include "protocol/errors.hpp"

namespace voxpath::server {

class HttpPeer {
 public:
  HttpPeer() = default;
  HttpPeer(const HttpPeer&) = delete;
  HttpPeer& operator=(const HttpPeer&) = delete;
  virtual ~HttpPeer() = default;
  /// Answers what is in flight, then closes.
  virtual void drain() = 0;
  /// The tokens have changed: goes on with what its own grants now, or is refused.
  virtual void renew_access() = 0;
  /// Says why and closes.
  virtual void refuse(protocol::Failure why) = 0;
};

}  // namespace voxpath::server
