// Server connection: what the command line's --server, --token-file, --tls and --world-name mean.
// Thread-safety: free functions.
#pragma once

#include "protocol/clients/cpp/client.hpp"
#include "server/cli/world_access.hpp"

#include <string>

namespace voxpath::server {

/// From "HOST:PORT", "HOST", "[IPv6]:PORT" or "unix:PATH". Errors: invalid_argument, and those of reading the token's
/// file.
world::Result<client::ClientOptions> client_options(const WorldOptions& options);
/// Where it is, for messages: "127.0.0.1:7420", "unix:/run/voxpath/voxpath.sock".
[[nodiscard]] std::string server_name(const client::ClientOptions& options);

/// The world of that name, or the only one there is. Errors: not_found, with those that there are.
world::Result<v1::WorldInfo> choose_world(const std::string& name, const std::string& server,
                                          const v1::WorldList& list);

}  // namespace voxpath::server
