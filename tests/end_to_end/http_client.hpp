// HttpClient: a keep-alive HTTP connection to the daemon, and a WebSocket to it; both wait for answers.
// Thread-safety: one test thread.
// Usage: HttpClient http(daemon->http_port()); EXPECT_EQ(http.post("list_worlds", "{}").status, 200u);
#pragma once

#include "protocol/voxpath.pb.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>

namespace voxpath::test {

struct HttpReply {
  unsigned status = 0;  // 0: the server closed without an answer
  std::string body;
  std::map<std::string, std::string> headers;  // names in lower case
  bool keep_alive = false;

  /// The body as that message; a failure of the test where it is none.
  template <class Message>
  [[nodiscard]] Message as() const {
    Message message;
    read(body, &message);
    return message;
  }
  static void read(const std::string& json, google::protobuf::Message* message);
};

class HttpClient {
 public:
  using Headers = std::vector<std::pair<std::string, std::string>>;

  explicit HttpClient(std::uint16_t port);

  HttpReply ask(std::string_view verb, std::string_view target, std::string_view body = {},
                const Headers& headers = {});
  HttpReply get(std::string_view target, const Headers& headers = {}) { return ask("GET", target, {}, headers); }
  HttpReply post(std::string_view method, std::string_view body, const Headers& headers = {}) {
    return ask("POST", "/v1/" + std::string(method), body, headers);
  }
  void send(std::string_view bytes);
  /// The next answer; without a body where it answers HEAD.
  HttpReply next(bool to_head = false);
  /// Whether nothing but the end is left to be read.
  bool at_end();
  void close();

 private:
  boost::asio::io_context io_;
  boost::asio::ip::tcp::socket socket_;
  boost::beast::flat_buffer buffer_;
};

class WebSocketClient {
 public:
  explicit WebSocketClient(std::uint16_t port, const std::string& origin = "", const std::string& token = "");

  /// Why the server refused; no error: it accepted.
  [[nodiscard]] boost::system::error_code refused() const { return refused_; }
  void send(std::string_view text, bool binary = false);
  /// The next frame; none: the server closed.
  std::optional<v1::ServerFrame> next();
  /// Says Hello and reads the Welcome.
  void greet();

 private:
  boost::asio::io_context io_;
  boost::beast::websocket::stream<boost::asio::ip::tcp::socket> stream_;
  boost::system::error_code refused_;
};

}  // namespace voxpath::test
