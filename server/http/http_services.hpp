// HttpServices: what the HTTP door needs of the daemon that it belongs to.
// Thread-safety: all of it may be used from any thread. Lifetime: outlives every session of the door.
#pragma once

#include "server/access/access_control.hpp"
#include "server/http/http_config.hpp"
#include "server/request_router.hpp"

#include <atomic>
#include <functional>

#include <boost/asio/any_io_executor.hpp>

namespace voxpath::server {

struct HttpServices {
  const HttpConfig http;  // a copy: of the daemon's own some fields change while it runs
  std::size_t jobs_queued_max;
  AccessControl& access;
  RequestRouter& router;
  Worlds& worlds;
  WorkerPool& pool;
  std::function<v1::ServerInfo()> info;
  std::function<std::uint64_t()> next_client;  // a number that no other connection has
  boost::asio::any_io_executor main_loop;      // that the binary protocol and the worlds run on
  const std::atomic<bool>& draining;
  const std::atomic<bool>& worlds_awaited_no_more;  // each of the configured ones has been loaded, or given up
  const std::atomic<std::size_t>& worlds_failed;    // of the configured ones
};

}  // namespace voxpath::server
