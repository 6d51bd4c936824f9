// JsonClient: a client that speaks messages in place of bytes: the same protocol::Connection and the same router as for a
// TCP session, so that tokens, limits, validation, quotas and cancelling are theirs.
// Thread-safety: everything runs on its executor, which has one thread; answers may come from any. Lifetime: held by its
// session; Events are called no more after gone().
// Invariants: each request that receive() takes is answered by one frame event (find_paths: by its parts), unless closed
// comes first. closed comes once, or never after gone().
#pragma once

#include "protocol/connection.hpp"
#include "server/http/http_services.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace voxpath::server {

class JsonClient : public std::enable_shared_from_this<JsonClient> {
 public:
  struct Events {
    /// To be sent; sent() is called with that number when it has gone.
    std::function<void(v1::ServerFrame frame, std::size_t bytes)> frame;
    /// Nothing more comes. `flush`: what was given before is still to be sent.
    std::function<void(const protocol::Failure& why, bool flush)> closed;
    std::function<void(bool on)> reading;
  };

  JsonClient(const HttpServices& services, boost::asio::any_io_executor executor, Events events);

  void start();
  /// The first one must hold Hello.
  void receive(const v1::ClientFrame& frame);
  void sent(std::size_t bytes);
  void tick();
  void drain();
  void refuse(protocol::Failure why);
  /// The tokens have changed: from now on it has what its own grants now, or is refused.
  void renew_access();
  /// The other side is gone: cancels what is in flight.
  void gone();

  /// See protocol::Connection.
  [[nodiscard]] std::int64_t next_tick_ms() const { return connection_.next_tick_ms(); }
  [[nodiscard]] bool welcomed() const { return connection_.welcomed(); }
  [[nodiscard]] std::uint64_t id() const { return client_.id; }
  [[nodiscard]] const std::string& name() const { return connection_.client_name(); }

 private:
  std::optional<protocol::Failure> admit(const v1::Hello& hello);
  void carry_out();
  void submit(std::unique_ptr<v1::ClientFrame> frame);
  void give(const std::string& bytes);

  const HttpServices& services_;
  const boost::asio::any_io_executor executor_;
  const Events events_;
  Client client_;
  std::optional<AccessControl::Admission> admission_;
  protocol::Connection connection_;
  bool gone_ = false;
};

/// The Hello that is said for a client of HTTP.
[[nodiscard]] v1::ClientFrame hello_frame(std::string client_name, std::string token);

}  // namespace voxpath::server
