// Listener: a place where clients come in: an address of TCP, or the path of a unix-domain socket.
// Thread-safety: one strand. Lifetime: it outlives what it waits for, as the object that owns it does after close().
// Invariants: a path that anything but a dead socket stands at is left alone; nobody can connect to a socket's path before
// its permissions are set; the path is taken away at close(), unless another server has put its own there.
// Usage: auto listener = Listener::tcp(strand, io, address, port); (*listener)->accept([](Socket socket) { ... });
#pragma once

#include "protocol/clients/cpp/stream.hpp"
#include "world/result.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <sys/stat.h>

namespace voxpath::server {

class Listener {
 public:
  using Socket = client::Stream::Socket;
  using Accepted = std::function<void(Socket)>;

  /// `strand` runs the listener, `io` the sockets that it gives away. Errors: failed_precondition with the address or
  /// path.
  static world::Result<std::unique_ptr<Listener>> tcp(const boost::asio::any_io_executor& strand,
                                                      const boost::asio::any_io_executor& io,
                                                      const std::string& address, std::uint16_t port);
  static world::Result<std::unique_ptr<Listener>> unix_domain(const boost::asio::any_io_executor& strand,
                                                              const boost::asio::any_io_executor& io,
                                                              const std::filesystem::path& path, ::mode_t mode);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  /// Once: calls it for each client from now on until close().
  void accept(Accepted accepted);
  void close();

  /// Of TCP; 0 for a path.
  [[nodiscard]] std::uint16_t port() const { return port_; }
  /// Whether only those come in whom the system lets at its path.
  [[nodiscard]] bool is_path() const { return !path_.empty(); }

 private:
  Listener(const boost::asio::any_io_executor& strand, boost::asio::any_io_executor io)
      : io_(std::move(io)), acceptor_(strand), pause_(strand) {}
  void accept_next();

  const boost::asio::any_io_executor io_;
  boost::asio::basic_socket_acceptor<boost::asio::generic::stream_protocol> acceptor_;
  boost::asio::steady_timer pause_;
  Accepted accepted_;
  bool closed_ = false;
  std::uint16_t port_ = 0;
  std::filesystem::path path_;
  struct ::stat made_{};  // what was put at path_
};

/// Who is at the other end, for logs: "127.0.0.1:51234", or "unix:pid=7,uid=1000".
[[nodiscard]] std::string peer_of(client::Stream::Socket& socket);

}  // namespace voxpath::server
