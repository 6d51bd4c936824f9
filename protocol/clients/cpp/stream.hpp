// Stream: a connection's bytes over TCP or a unix-domain socket, plain or in TLS, for client and server alike.
// Thread-safety: one strand at a time; a read and a write may be under way at once. Lifetime: it outlives its operations,
// as the object that owns it does; a TLS context may go before it.
// Invariants: a plain stream's operations are the socket's own. After secure() nothing goes over the socket but TLS.
// Usage: Stream s(std::move(socket)); s.secure(context); s.async_handshake(side, {}, handler); s.async_read_some(...);
#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/stream.hpp>

namespace voxpath::client {

class Stream {
 public:
  using Socket = boost::asio::generic::stream_protocol::socket;
  using Code = boost::system::error_code;
  using Tls = boost::asio::ssl::stream<Socket&>;

  explicit Stream(Socket socket) : socket_(std::move(socket)) {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  /// From now on it is TLS; the handshake comes next.
  void secure(boost::asio::ssl::context& context) { tls_.emplace(socket_, context); }
  /// Back to plain bytes, after a handshake that failed. Precondition: no operation is under way.
  void give_up_tls() { tls_.reset(); }
  /// `read_already`: bytes of the other side's that were read from the socket before; they live until the handler is
  /// called.
  template <class Handler>
  void async_handshake(boost::asio::ssl::stream_base::handshake_type side, boost::asio::const_buffer read_already,
                       Handler handler) {
    tls_->async_handshake(side, read_already, std::move(handler));
  }

  template <class Buffers, class Handler>
  void async_read_some(const Buffers& buffers, Handler handler) {
    if (tls_) return tls_->async_read_some(buffers, std::move(handler));
    socket_.async_read_some(buffers, std::move(handler));
  }
  template <class Buffers, class Handler>
  void async_write_some(const Buffers& buffers, Handler handler) {
    if (tls_) return tls_->async_write_some(buffers, std::move(handler));
    socket_.async_write_some(buffers, std::move(handler));
  }
  /// Says that nothing more comes from this side; the other side's bytes can be read on.
  template <class Handler>
  void async_end(Handler handler) {
    if (tls_) return tls_->async_shutdown(std::move(handler));
    Code ignored;
    socket_.shutdown(Socket::shutdown_send, ignored);
  }
  void close() {
    Code ignored;
    socket_.close(ignored);
  }

  [[nodiscard]] bool is_open() const { return socket_.is_open(); }
  [[nodiscard]] bool is_tls() const { return tls_.has_value(); }
  [[nodiscard]] Socket& socket() { return socket_; }
  /// Precondition: is_tls().
  [[nodiscard]] Tls& tls() { return *tls_; }

 private:
  Socket socket_;
  std::optional<Tls> tls_;
};

}  // namespace voxpath::client
