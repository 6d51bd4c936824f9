#include "tests/bench/server/echo_server.hpp"

#include <boost/asio/write.hpp>

namespace voxpath::bench {

namespace asio = boost::asio;
using asio::ip::tcp;

EchoServer::EchoServer(std::size_t answer_bytes, Write write)
    : answer_bytes_(answer_bytes), write_(write), acceptor_(io_, tcp::endpoint(asio::ip::address_v4::loopback(), 0)) {
  accept();
  thread_ = std::thread([this] { io_.run(); });
}

EchoServer::~EchoServer() {
  io_.stop();
  thread_.join();
}

void EchoServer::accept() {
  acceptor_.async_accept(socket_, [this](boost::system::error_code code) {
    if (code) return;
    socket_.set_option(tcp::no_delay(true), code);
    received_.clear();
    to_send_.clear();
    sending_.clear();
    read();
  });
}

void EchoServer::read() {
  socket_.async_read_some(asio::buffer(buffer_), [this](boost::system::error_code code, std::size_t count) {
    if (code) {
      socket_.close(code);
      return accept();
    }
    received_.append(buffer_.data(), count);
    answer_frames();
    write();
    read();
  });
}

void EchoServer::answer_frames() {
  std::size_t begin = 0;
  while (begin < received_.size()) {
    std::size_t size = 0;
    std::size_t at = begin;
    bool whole = false;
    for (unsigned shift = 0; at < received_.size() && !whole; shift += 7, ++at) {
      size |= static_cast<std::size_t>(static_cast<unsigned char>(received_[at]) & 0x7fu) << shift;
      whole = (static_cast<unsigned char>(received_[at]) & 0x80u) == 0;
    }
    if (!whole || received_.size() - at < size) break;
    constexpr std::size_t kIdBytes = 6;  // its tag and the longest varint
    to_send_ += static_cast<char>(0x80u | (answer_bytes_ & 0x7fu));
    to_send_ += static_cast<char>(answer_bytes_ >> 7);
    to_send_.append(received_, at, std::min(kIdBytes, size));
    to_send_.append(answer_bytes_ - std::min(kIdBytes, size), 'x');
    begin = at + size;
  }
  received_.erase(0, begin);
}

void EchoServer::write() {
  if (!sending_.empty() || to_send_.empty()) return;
  if (write_ == Write::all_that_waits) {
    sending_.swap(to_send_);
  } else {
    constexpr std::size_t kLengthBytes = 2;
    sending_ = to_send_.substr(0, kLengthBytes + answer_bytes_);
    to_send_.erase(0, sending_.size());
  }
  asio::async_write(socket_, asio::buffer(sending_), [this](boost::system::error_code code, std::size_t) {
    sending_.clear();
    if (!code) write();
  });
}

}  // namespace voxpath::bench
