#include "server/listener.hpp"

#include "protocol/errors.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace voxpath::server {

namespace asio = boost::asio;
using asio::ip::tcp;
using world::Error;
using world::ErrorCode;

namespace {

using Code = boost::system::error_code;
using Generic = asio::generic::stream_protocol;

constexpr std::chrono::milliseconds kAcceptPause{
    100};  // after an accept failed, as it does without free file descriptors

Error cannot_listen(const std::string& where, const std::string& why) {
  return {ErrorCode::failed_precondition, fmt::format("cannot listen on {}: {}", where, why)};
}

/// TCP's own view of an endpoint of any kind; none: it is of another kind.
std::optional<tcp::endpoint> tcp_endpoint(const Generic::endpoint& generic) {
  const int family = generic.protocol().family();
  if (family != AF_INET && family != AF_INET6) return std::nullopt;
  tcp::endpoint endpoint;
  std::memcpy(endpoint.data(), generic.data(), generic.size());
  endpoint.resize(generic.size());
  return endpoint;
}

/// Takes a socket away that no server is behind any more; empty: the path is free.
std::string clear_path(const asio::any_io_executor& executor, const std::filesystem::path& path) {
  struct ::stat there{};
  if (::lstat(path.c_str(), &there) != 0) return errno == ENOENT ? "" : std::generic_category().message(errno);
  if (!S_ISSOCK(there.st_mode)) return "something that is no socket is there";
  asio::local::stream_protocol::socket probe(executor);
  Code code;
  probe.connect(asio::local::stream_protocol::endpoint(path.string()), code);
  if (!code) return "another server listens there";
  if (code != asio::error::connection_refused)
    return fmt::format("whether another server listens there cannot be told: {}", code.message());
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) return std::generic_category().message(errno);
  spdlog::info("event=stale_socket_removed path=\"{}\"", protocol::printable(path.string(), 200));
  return {};
}

}  // namespace

world::Result<std::unique_ptr<Listener>> Listener::tcp(const asio::any_io_executor& strand,
                                                       const asio::any_io_executor& io, const std::string& address,
                                                       std::uint16_t port) {
  Code code;
  const auto parsed = asio::ip::make_address(address, code);
  const tcp::endpoint endpoint(parsed, port);
  std::unique_ptr<Listener> listener(new Listener(strand, io));
  auto& acceptor = listener->acceptor_;
  if (!code) acceptor.open(Generic(endpoint.protocol()), code);
  if (!code) acceptor.set_option(asio::socket_base::reuse_address(true), code);
  if (!code) acceptor.bind(Generic::endpoint(endpoint), code);
  if (!code) acceptor.listen(asio::socket_base::max_listen_connections, code);
  if (code) return cannot_listen(fmt::format("{}:{}", address, port), code.message());
  listener->port_ = tcp_endpoint(acceptor.local_endpoint(code)).value_or(endpoint).port();
  return listener;
}

world::Result<std::unique_ptr<Listener>> Listener::unix_domain(const asio::any_io_executor& strand,
                                                               const asio::any_io_executor& io,
                                                               const std::filesystem::path& path, ::mode_t mode) {
  const std::string where = fmt::format("unix:{}", path.string());
  constexpr std::size_t kPathMaxBytes = sizeof(sockaddr_un::sun_path) - 1;
  if (path.string().size() > kPathMaxBytes)
    return cannot_listen(where,
                         fmt::format("the path has {} bytes, the limit is {}", path.string().size(), kPathMaxBytes));
  if (const std::string why = clear_path(io, path); !why.empty()) return cannot_listen(where, why);
  std::unique_ptr<Listener> listener(new Listener(strand, io));
  auto& acceptor = listener->acceptor_;
  const asio::local::stream_protocol::endpoint endpoint(path.string());
  Code code;
  acceptor.open(Generic(endpoint.protocol()), code);
  if (!code) acceptor.bind(Generic::endpoint(endpoint), code);
  if (code) return cannot_listen(where, code.message());
  listener->path_ = path;
  // Between bind and listen every connect is refused: so there is no moment at which others than `mode` says come in.
  if (::chmod(path.c_str(), mode) != 0 || ::lstat(path.c_str(), &listener->made_) != 0)
    return cannot_listen(where, std::generic_category().message(errno));
  acceptor.listen(asio::socket_base::max_listen_connections, code);
  if (code) return cannot_listen(where, code.message());
  return listener;
}

Listener::~Listener() { close(); }

void Listener::close() {
  if (std::exchange(closed_, true)) return;
  pause_.cancel();
  struct ::stat there{};
  const bool ours =
      is_path() && ::lstat(path_.c_str(), &there) == 0 && there.st_ino == made_.st_ino && there.st_dev == made_.st_dev;
  if (ours) ::unlink(path_.c_str());  // while it is listened on, so that no other server takes it for a dead one's
  Code ignored;
  acceptor_.close(ignored);
}

void Listener::accept(Accepted accepted) {
  accepted_ = std::move(accepted);
  accept_next();
}

void Listener::accept_next() {
  acceptor_.async_accept(io_, [this](Code code, Socket socket) {
    if (code == asio::error::operation_aborted || closed_) return;
    if (code) {
      spdlog::warn("event=accept_failed why=\"{}\"", code.message());
      pause_.expires_after(kAcceptPause);
      return pause_.async_wait([this](Code waited) {
        if (!waited && !closed_) accept_next();
      });
    }
    accepted_(std::move(socket));
    accept_next();
  });
}

std::string peer_of(client::Stream::Socket& socket) {
  Code code;
  const Generic::endpoint peer = socket.remote_endpoint(code);
  if (code) return "gone";
  if (const auto endpoint = tcp_endpoint(peer)) {
    const auto address = endpoint->address();
    const std::string text = address.to_string();
    return fmt::format("{}:{}", address.is_v6() ? "[" + text + "]" : text, endpoint->port());
  }
  ::ucred who{};
  ::socklen_t size = sizeof(who);
  if (::getsockopt(socket.native_handle(), SOL_SOCKET, SO_PEERCRED, &who, &size) != 0) return "unix";
  return fmt::format("unix:pid={},uid={}", who.pid, who.uid);
}

}  // namespace voxpath::server
