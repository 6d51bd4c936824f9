// Client::Core: the connection behind a Client: connects, speaks, loses, connects again. Private to the client.
// Thread-safety: request(), cancel() and close() from any thread; everything else runs on the strand.
// Invariant: a handler is in exactly one of `waiting_` and `in_flight_`, and leaves it by being called.
#pragma once

#include "protocol/clients/cpp/client.hpp"
#include "protocol/clients/cpp/stream.hpp"
#include "protocol/errors.hpp"
#include "protocol/frame.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <deque>
#include <optional>
#include <unordered_map>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>

namespace voxpath::client {

inline constexpr std::size_t kWaitingMax = 65'536;  // requests that wait to be sent

class Client::Core : public std::enable_shared_from_this<Client::Core> {
 public:
  using FrameHandler = std::function<void(v1::ServerFrame)>;

  Core(const boost::asio::any_io_executor& executor, ClientOptions options);

  void start();
  RequestId request(v1::ClientFrame frame, FrameHandler handler);
  void cancel(RequestId id);
  void close();

 private:
  using tcp = boost::asio::ip::tcp;
  using Code = boost::system::error_code;
  /// One connection; what is left of an old one finds that it is not `link_` any more and ends.
  struct Link {
    explicit Link(const boost::asio::any_io_executor& executor)
        : resolver(executor), stream(Stream::Socket(executor)), decoder(protocol::kUploadSizeMaxBytes) {}
    tcp::resolver resolver;
    std::optional<tcp::socket> tcp_socket;  // while it is connected; then it is the stream's
    Stream stream;
    protocol::FrameDecoder decoder;
    std::array<char, 65'536> buffer;
    std::string to_send, sending;
    bool welcomed = false;
    std::optional<v1::Error> goodbye;
    std::size_t in_flight_max = 1;
    std::unordered_map<RequestId, v1::PathsAnswer> parts;  // answers of which more is to come
    std::chrono::steady_clock::time_point last_heard;
    std::chrono::milliseconds idle_timeout{protocol::kIdleTimeoutMs};
  };
  struct Waiting {
    v1::ClientFrame frame;
    FrameHandler handler;
  };

  void connect();
  void connect_path(const std::shared_ptr<Link>& link);
  void connect_host(const std::shared_ptr<Link>& link);
  /// Where the server is, for messages.
  [[nodiscard]] std::string server() const;
  void shake_hands(const std::shared_ptr<Link>& link);
  void say_hello(const std::shared_ptr<Link>& link);
  void read(const std::shared_ptr<Link>& link);
  void on_bytes(const std::shared_ptr<Link>& link, std::size_t count);
  void on_frame(const std::shared_ptr<Link>& link, v1::ServerFrame frame);
  /// Puts a PathsAnswer together, in the last frame of it; false: there is nothing to hand on yet.
  bool whole(const std::shared_ptr<Link>& link, v1::ServerFrame& frame);
  void on_welcome(const std::shared_ptr<Link>& link, const v1::Welcome& welcome);
  void send_waiting();
  void write(const std::shared_ptr<Link>& link);
  void write_rest(const std::shared_ptr<Link>& link, std::size_t sent);
  void keep_alive(const std::shared_ptr<Link>& link);
  void lose(std::shared_ptr<Link> link, const std::string& why);
  void fail_all(const v1::Error& error);
  [[nodiscard]] bool current(const std::shared_ptr<Link>& link) const { return link == link_; }
  [[nodiscard]] RequestId next_id();

  const ClientOptions options_;
  boost::asio::strand<boost::asio::any_io_executor> strand_;
  boost::asio::steady_timer reconnect_timer_;
  boost::asio::steady_timer connect_timer_;
  boost::asio::steady_timer alive_timer_;
  std::shared_ptr<Link> link_;
  std::optional<v1::Error> closed_;  // set: for good, and why
  std::int64_t pause_ms_;
  std::atomic<RequestId> last_id_;
  std::deque<Waiting> waiting_;
  std::unordered_map<RequestId, FrameHandler> in_flight_;
};

}  // namespace voxpath::client
