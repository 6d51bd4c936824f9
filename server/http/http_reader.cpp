#include "server/http/http_reader.hpp"

#include "protocol/connection.hpp"
#include "protocol/limits.hpp"
#include "server/http/method_table.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/rfc7230.hpp>
#include <fmt/format.h>

namespace voxpath::server {

namespace http = boost::beast::http;
using protocol::ErrorKind;
using protocol::Failure;

namespace {

constexpr std::string_view kLastChunk = "0\r\n\r\n";
constexpr std::string_view kMethodsBelow = "/v1/";
constexpr std::size_t kMagicWithin = 16;  // bytes from the beginning: length, id, and the tags before it

std::string_view view(boost::beast::string_view text) { return {text.data(), text.size()}; }

std::size_t body_max_of(std::string_view path) {
  if (!path.starts_with(kMethodsBelow)) return protocol::kFrameSizeMaxBytes;
  return body_max_bytes(path.substr(kMethodsBelow.size()));
}

/// Of "/livez?x=1", and of "http://host/livez", which RFC 9112, 3.2.2 has every server accept.
std::string_view path_in(std::string_view target) {
  constexpr std::string_view kScheme = "http://";
  if (target.starts_with(kScheme)) {
    target.remove_prefix(std::min(target.size(), target.find('/', kScheme.size())));
  }
  return target.substr(0, target.find('?'));
}

/// `said`: what Content-Length says; empty: it came in chunks.
Failure body_too_big(std::string_view said, std::size_t max) {
  return {ErrorKind::frame_too_big, fmt::format("the body is over the limit of {} bytes", max), "body",
          said.empty() ? "more in chunks" : protocol::printable(said), fmt::format("{} bytes", max)};
}

Failure malformed(const boost::system::error_code& code, std::string_view bytes) {
  return {ErrorKind::http_malformed, fmt::format("the bytes are no HTTP request: {}", code.message()), "request",
          protocol::printable(bytes.substr(0, 16))};
}

}  // namespace

std::string_view path_of(const HttpRequest& request) { return path_in(view(request.target())); }

void HttpReader::feed(std::string_view bytes) {
  buffer_.erase(0, std::exchange(taken_, 0));
  buffer_ += bytes;
}

HttpReader::Stage HttpReader::stage() const {
  if (!parser_) return buffered() > 0 ? Stage::head : Stage::none;
  return head_done_ ? Stage::body : Stage::head;
}

std::optional<Failure> HttpReader::foreign() const {
  const std::string_view bytes = std::string_view(buffer_).substr(taken_);
  std::string_view name = protocol::other_protocol(bytes);
  if (bytes.substr(0, kMagicWithin).find(protocol::kMagic) != std::string_view::npos)
    name = "voxpath's binary protocol";
  if (name.empty() || name == "HTTP") return std::nullopt;
  return Failure{ErrorKind::http_malformed, fmt::format("{} is spoken on voxpath's port for HTTP", name), "request",
                 protocol::printable(bytes.substr(0, 16)), "HTTP/1.1"};
}

std::optional<Failure> HttpReader::check_head() {
  const auto& head = parser_->get();
  if (head.version() >= 11 && head.count(http::field::host) != 1) {
    return Failure{ErrorKind::http_malformed, "a request of HTTP/1.1 has exactly one header line Host", "Host",
                   fmt::format("{} lines", head.count(http::field::host)), "1 line"};
  }
  // The parser takes a request in any other coding for one without a body, and what follows for the next request: whoever
  // stands in front of us may have seen it otherwise.
  const std::string_view coding = view(head[http::field::transfer_encoding]);
  const auto codings = head.count(http::field::transfer_encoding);
  if (codings > 1 || (codings == 1 && !boost::beast::iequals({coding.data(), coding.size()}, "chunked"))) {
    return Failure{ErrorKind::http_malformed, "a request's body comes as it is or in chunks", "Transfer-Encoding",
                   codings > 1 ? fmt::format("{} lines", codings) : protocol::printable(coding, 64), "chunked"};
  }
  const std::size_t max = body_max_of(path_in(view(head.target())));
  const auto length = parser_->content_length();
  if (length && *length > max) return body_too_big(view(head[http::field::content_length]), max);
  parser_->body_limit(max);
  return std::nullopt;
}

HttpReader::Next HttpReader::next() {
  if (!parser_) {
    while (buffered() >= 2 && buffer_.compare(taken_, 2, "\r\n") == 0) taken_ += 2;  // as RFC 9112, 2.2 asks for
    if (buffered() == 0) return NeedMore{};
    if (auto refused = foreign()) return *std::move(refused);
    parser_.emplace();
    parser_->eager(false);
    parser_->header_limit(protocol::kHttpHeaderMaxBytes);
    parser_->body_limit(protocol::kUploadSizeMaxBytes);
    head_done_ = false;
  }
  while (!parser_->is_done()) {
    if (buffered() == 0) return NeedMore{};  // which the parser does not say of a body
    // Whatever is left of a body in chunks ends with that many; given fewer, the parser's own assertions may fail.
    if (head_done_ && parser_->chunked() && buffered() < kLastChunk.size()) return NeedMore{};
    boost::system::error_code code;
    const std::string_view bytes = std::string_view(buffer_).substr(taken_);
    taken_ += parser_->put(boost::asio::buffer(bytes), code);
    if (code == http::error::need_more) {
      if (buffered() <= protocol::kHttpReadAheadMaxBytes) return NeedMore{};
      return Failure{ErrorKind::header_too_big, "a line between the chunks of a body is too long", "body"};
    }
    if (code == http::error::header_limit) {
      return Failure{
          ErrorKind::header_too_big,
          fmt::format("the head of the request is over the limit of {} bytes", protocol::kHttpHeaderMaxBytes),
          "headers",
          {},
          fmt::format("{} bytes", protocol::kHttpHeaderMaxBytes)};
    }
    if (code == http::error::body_limit) {
      const auto& head = parser_->get();
      return body_too_big(view(head[http::field::content_length]), body_max_of(path_in(view(head.target()))));
    }
    if (code) return malformed(code, bytes);
    if (parser_->is_header_done() && !std::exchange(head_done_, true)) {
      if (auto refused = check_head()) return *std::move(refused);
      const auto expects = view(parser_->get()[http::field::expect]);
      if (!parser_->is_done() && boost::beast::iequals({expects.data(), expects.size()}, "100-continue"))
        return Expects{};
    }
  }
  HttpRequest request = parser_->release();
  parser_.reset();
  return request;
}

}  // namespace voxpath::server
