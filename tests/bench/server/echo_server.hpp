// EchoServer: the least that a server on Asio can do with our frames: it answers each with one of a fixed size, under
// the same id. What voxpathd takes longer is what it does.
// Thread-safety: one bench thread; a thread of its own serves, one connection at a time, and ends with it.
// Usage: EchoServer echo(200); Link link(echo.port(), false);
#pragma once

#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace voxpath::bench {

class EchoServer {
 public:
  enum class Write { all_that_waits, one_answer };  // by one call
  /// Of an answer, without its length prefix; 128 to 16,383.
  explicit EchoServer(std::size_t answer_bytes, Write write = Write::all_that_waits);
  ~EchoServer();
  EchoServer(const EchoServer&) = delete;
  EchoServer& operator=(const EchoServer&) = delete;

  [[nodiscard]] std::uint16_t port() const { return acceptor_.local_endpoint().port(); }

 private:
  void accept();
  void read();
  void write();
  void answer_frames();

  const std::size_t answer_bytes_;
  const Write write_;
  boost::asio::io_context io_;
  boost::asio::ip::tcp::acceptor acceptor_;
  boost::asio::ip::tcp::socket socket_{io_};
  std::vector<char> buffer_ = std::vector<char>(65'536);
  std::string received_, to_send_, sending_;
  std::thread thread_;
};

}  // namespace voxpath::bench
