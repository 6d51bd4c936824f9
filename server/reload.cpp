#include "server/reload.hpp"

#include <algorithm>
#include <string_view>

namespace voxpath::server {

ReloadReport compare(const Config& running, const Config& fresh) {
  ReloadReport report;
  const auto now = [&](std::string_view key, bool differs) {
    if (differs) report.changed.emplace_back(key);
  };
  const auto later = [&](std::string_view key, bool differs) {
    if (differs) report.needs_restart.emplace_back(key);
  };
  const AccessConfig &was = running.access, &is = fresh.access;
  now("tokens", was.tokens != is.tokens);
  now("server.role", was.role != is.role);
  now("server.drain_timeout_ms", running.drain_timeout_ms != fresh.drain_timeout_ms);
  now("limits.handshake_timeout_ms", running.handshake_timeout_ms != fresh.handshake_timeout_ms);
  now("limits.connections", running.connections_max != fresh.connections_max);
  now("log.level", running.log_level != fresh.log_level);
  now("agent", running.profiles != fresh.profiles);
  // The names may be the same and the files new: certificates are always read again.
  now("tls", was.tls.on() && is.tls.on());

  later("tls.certificate", was.tls.on() != is.tls.on());
  later("server.address", running.address != fresh.address);
  later("server.port", running.port != fresh.port);
  later("server.unix_socket", was.unix_socket != is.unix_socket);
  later("server.unix_socket_mode", was.unix_socket_mode != is.unix_socket_mode);
  later("server.insecure", running.insecure != fresh.insecure);
  later("server.worlds_folder", running.worlds_folder != fresh.worlds_folder);
  later("server.workers", running.workers != fresh.workers);
  later("server.io_threads", running.io_threads != fresh.io_threads);
  later("server.share_searches", running.share_searches != fresh.share_searches);
  later("limits.jobs_queued", running.jobs_queued_max != fresh.jobs_queued_max);
  later("limits.jobs_queued_per_connection", running.jobs_per_connection_max != fresh.jobs_per_connection_max);
  later("limits.searches_kept", running.searches_kept_max != fresh.searches_kept_max);
  later("limits.answers_kept_mib", running.answers_kept_max_mib != fresh.answers_kept_max_mib);
  later("limits.chunks", running.chunks_max != fresh.chunks_max);
  later("log.format", running.log_format != fresh.log_format);
  later("log.repeats_per_second", running.log_repeats_max != fresh.log_repeats_max);
  later("http", running.http != fresh.http);
  later("store", running.store != fresh.store);
  later("world", running.worlds != fresh.worlds);
  return report;
}

void take_over(const Config& fresh, Config& running) {
  const bool tls = running.access.tls.on() && fresh.access.tls.on();
  running.access.tokens = fresh.access.tokens;
  running.access.role = fresh.access.role;
  if (tls) running.access.tls = fresh.access.tls;
  running.drain_timeout_ms = fresh.drain_timeout_ms;
  running.handshake_timeout_ms = fresh.handshake_timeout_ms;
  running.connections_max = fresh.connections_max;
  running.log_level = fresh.log_level;
  running.profiles = fresh.profiles;
}

}  // namespace voxpath::server
