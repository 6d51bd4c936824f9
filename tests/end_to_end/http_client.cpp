#include "tests/end_to_end/http_client.hpp"

#include <algorithm>
#include <cctype>

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <fmt/format.h>
#include <google/protobuf/util/json_util.h>
#include <gtest/gtest.h>

namespace voxpath::test {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;

void HttpReply::read(const std::string& json, google::protobuf::Message* message) {
  const auto status = google::protobuf::util::JsonStringToMessage(json, message);
  EXPECT_TRUE(status.ok()) << json << "\n" << status.ToString();
}

HttpClient::HttpClient(std::uint16_t port) : socket_(io_) { socket_.connect({asio::ip::address_v4::loopback(), port}); }

void HttpClient::send(std::string_view bytes) {
  boost::system::error_code ignored;  // the server may have closed: what it said is read all the same
  asio::write(socket_, asio::buffer(bytes), ignored);
}

HttpReply HttpClient::ask(std::string_view verb, std::string_view target, std::string_view body,
                          const Headers& headers) {
  std::string request =
      fmt::format("{} {} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {}\r\n", verb, target, body.size());
  for (const auto& [name, value] : headers) request += fmt::format("{}: {}\r\n", name, value);
  send(request + "\r\n" + std::string(body));
  return next(verb == "HEAD");
}

HttpReply HttpClient::next(bool to_head) {
  http::response_parser<http::string_body> parser;
  parser.body_limit(boost::none);
  parser.skip(to_head);
  boost::system::error_code code;
  HttpReply reply;
  http::read(socket_, buffer_, parser, code);
  if (code) return reply;
  const auto& answer = parser.get();
  reply.status = answer.result_int();
  reply.body = answer.body();
  reply.keep_alive = answer.keep_alive();
  for (const auto& field : answer) {
    std::string name(field.name_string());
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    reply.headers[name] = std::string(field.value());
  }
  return reply;
}

bool HttpClient::at_end() {
  char byte = 0;
  boost::system::error_code code;
  return buffer_.size() == 0 && socket_.read_some(asio::buffer(&byte, 1), code) == 0 && code;
}

void HttpClient::close() {
  boost::system::error_code ignored;
  socket_.close(ignored);
}

WebSocketClient::WebSocketClient(std::uint16_t port, const std::string& origin, const std::string& token)
    : stream_(io_) {
  stream_.next_layer().connect({asio::ip::address_v4::loopback(), port});
  stream_.set_option(beast::websocket::stream_base::decorator([=](beast::websocket::request_type& request) {
    if (!origin.empty()) request.set(http::field::origin, origin);
    if (!token.empty()) request.set(http::field::authorization, "Bearer " + token);
  }));
  stream_.read_message_max(0);
  stream_.handshake(fmt::format("127.0.0.1:{}", port), "/v1/socket", refused_);
}

void WebSocketClient::send(std::string_view text, bool binary) {
  stream_.text(!binary);
  boost::system::error_code ignored;
  stream_.write(asio::buffer(text), ignored);
}

std::optional<v1::ServerFrame> WebSocketClient::next() {
  beast::flat_buffer buffer;
  boost::system::error_code code;
  stream_.read(buffer, code);
  if (code) return std::nullopt;
  v1::ServerFrame frame;
  HttpReply::read(beast::buffers_to_string(buffer.data()), &frame);
  return frame;
}

void WebSocketClient::greet() {
  send(R"({"id":1,"hello":{"magic":"voxpath","minVersion":1,"maxVersion":1,"clientName":"test"}})");
  const auto frame = next();
  ASSERT_TRUE(frame && frame->has_welcome()) << (frame ? frame->ShortDebugString() : "closed");
}

}  // namespace voxpath::test
