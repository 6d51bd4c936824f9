// Client: asks a voxpathd questions, without waiting: answers come by callback. It connects by itself and again when
// the connection goes.
// Thread-safety: requests from any thread. Callbacks run on the executor, one at a time, never from within a request's
// own call. Lifetime: destroying it closes the connection; requests without their answer get UNAVAILABLE.
// Invariants: every request gets exactly one callback. Requests wait while there is no connection yet; a failed attempt
// to connect, and the loss of a connection, answer all that wait with UNAVAILABLE (whether an edit took effect is then
// not known). A new connection knows no palettes and no watches: send them, and ask for paths anew, from
// `on_connected`.
// Usage: see BlockingClient for one request after another; boost::asio::io_context io; Client client(io.get_executor(),
// {.port = 7420}); client.find_path(request, [](Reply<v1::PathAnswer> r) { ... }); io.run();
#pragma once

#include "protocol/clients/cpp/reply.hpp"
#include "protocol/limits.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <boost/asio/any_io_executor.hpp>

namespace voxpath::client {

struct ClientOptions {
  std::string host = "127.0.0.1";  // with TLS the server's certificate must be of this name or address
  std::uint16_t port = protocol::kDefaultPort;
  std::string unix_socket = {};       // a path: the server is there, and not at host and port; never with TLS
  bool tls = false;                   // over TCP. The files are PEM:
  std::string ca_file = {};           // of the authorities that the server's certificate may be of; empty: the system's
  std::string certificate_file = {};  // the client's own, where the server asks for one; with its key:
  std::string key_file = {};
  std::string client_name = "voxpath-cpp";
  std::string token = {};                   // initialised, so that callers may leave it out without a warning
  std::int64_t connect_timeout_ms = 5'000;  // from the first packet to Welcome
  std::int64_t reconnect_first_ms = 100;    // pause before the second attempt; doubled with each further one
  std::int64_t reconnect_max_ms = 10'000;   // the longest pause
  bool reconnect = true;                    // false: one connection; when it is lost, every request gets UNAVAILABLE
  /// Called with each Welcome, before any answer of that connection.
  std::function<void(const v1::Welcome&)> on_connected = {};
  /// Called when a connection is lost or cannot be made, with the reason. Its watches have ended with it.
  std::function<void(const v1::Error&)> on_disconnected = {};
  /// Called when a path that was asked for with `watch` is broken, once for each; after the answer's own handler.
  std::function<void(const v1::PathInvalidated&)> on_path_invalidated = {};
};

template <class T>
using Handler = std::function<void(Reply<T>)>;

class Client {
 public:
  /// Begins to connect at once.
  Client(boost::asio::any_io_executor executor, ClientOptions options);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  using RequestId = std::uint32_t;

  RequestId open_world(v1::OpenWorld request, Handler<v1::WorldInfo> handler);
  RequestId close_world(v1::CloseWorld request, Handler<v1::Done> handler);
  RequestId list_worlds(Handler<v1::WorldList> handler);
  RequestId set_palette(v1::SetPalette request, Handler<v1::Done> handler);
  RequestId put_chunk(v1::PutChunk request, Handler<v1::Committed> handler);
  RequestId drop_chunk(v1::DropChunk request, Handler<v1::Committed> handler);
  RequestId set_blocks(v1::SetBlocks request, Handler<v1::Committed> handler);
  RequestId query_blocks(v1::QueryBlocks request, Handler<v1::BlocksAnswer> handler);
  RequestId line_of_sight(v1::LineOfSight request, Handler<v1::SightAnswer> handler);
  RequestId surface_below(v1::SurfaceBelow request, Handler<v1::SurfaceAnswer> handler);
  RequestId find_path(v1::FindPath request, Handler<v1::PathAnswer> handler);
  /// The answer is whole: an answer for each start.
  RequestId find_paths(v1::FindPaths request, Handler<v1::PathsAnswer> handler);
  RequestId validate_path(v1::ValidatePath request, Handler<v1::PathVerdict> handler);
  /// After its answer on_path_invalidated is not called for that watch any more.
  RequestId unwatch(v1::Unwatch request, Handler<v1::UnwatchAnswer> handler);
  RequestId server_info(Handler<v1::ServerInfo> handler);
  RequestId ping(std::uint64_t payload, Handler<v1::Pong> handler);

  /// Asks that a request be given up; its handler is called all the same, once.
  void cancel(RequestId id);

  /// Any request as it is on the wire; its id is set here. The answer may be an Error frame.
  RequestId request(v1::ClientFrame frame, std::function<void(v1::ServerFrame)> handler);

  /// Closes the connection and answers what waits with UNAVAILABLE; later requests too.
  void close();

 private:
  class Core;
  std::shared_ptr<Core> core_;
};

}  // namespace voxpath::client
