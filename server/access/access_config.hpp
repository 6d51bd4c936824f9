// AccessConfig: the part of the configuration that says who comes in, by which door, and what they may do then.
// Thread-safety: plain value.
// Usage: read_access(server_table, folder, config.access); read_token(token_table, folder, config.access.tokens);
#pragma once

#include "server/access/access_control.hpp"
#include "server/access/tls.hpp"
#include "server/config_reader.hpp"

#include <filesystem>
#include <vector>

#include <sys/types.h>

namespace voxpath::server {

struct AccessConfig {
  std::vector<AccessToken> tokens;    // of the token file and of the [[token]]s; empty: nobody is asked for one
  Role role = Role::admin;            // of all, where there are no tokens
  TlsConfig tls;                      // of the TCP port
  std::filesystem::path unix_socket;  // empty: none
  ::mode_t unix_socket_mode = 0600;

  [[nodiscard]] Grant without_tokens() const { return Grant{.name = "anyone", .role = role}; }
};

/// The keys of [server] that are about this.
void read_access(ConfigReader& table, const std::filesystem::path& folder, AccessConfig& config);
/// [tls]
void read_tls(ConfigReader table, const std::filesystem::path& folder, TlsConfig& config);
/// One [[token]]: adds to those that are there.
void read_token(ConfigReader table, const std::filesystem::path& folder, std::vector<AccessToken>& tokens);

}  // namespace voxpath::server
