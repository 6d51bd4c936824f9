// Server connection: what the command line's --server, --token-file and --world-name mean.
// Thread-safety: free functions.
#pragma once

#include "protocol/clients/cpp/client.hpp"
#include "server/cli/world_access.hpp"

#include <string>

namespace voxpath::server {

/// From "HOST:PORT", "HOST" or "[IPv6]:PORT". Errors: invalid_argument, and those of reading the token's file.
world::Result<client::ClientOptions> client_options(const WorldOptions& options);

/// The world of that name, or the only one there is. Errors: not_found, with those that there are.
world::Result<v1::WorldInfo> choose_world(const std::string& name, const std::string& server,
                                          const v1::WorldList& list);

}  // namespace voxpath::server
