// HttpReader: HTTP/1.1 requests out of a byte stream that may be cut anywhere; without sockets or clock.
// Thread-safety: one thread at a time.
// Invariants: it holds one request and what was fed behind it, which its owner bounds by buffered(); a head is at most
// kHttpHeaderMaxBytes, a body at most what the request's method may have, chunked or not. After a Failure the stream
// cannot be read further.
// Usage: reader.feed(bytes); for (auto next = reader.next(); ...; next = reader.next())
#pragma once

#include "protocol/errors.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

namespace voxpath::server {

using HttpRequest = boost::beast::http::request<boost::beast::http::string_body>;

/// The path of a target, without what follows '?'.
[[nodiscard]] std::string_view path_of(const HttpRequest& request);

class HttpReader {
 public:
  /// Nothing whole is there yet.
  struct NeedMore {};
  /// The client wants to hear that its body is welcome before it sends it.
  struct Expects {};
  using Next = std::variant<NeedMore, Expects, HttpRequest, protocol::Failure>;

  /// How far the request is that is being read.
  enum class Stage { none, head, body };

  void feed(std::string_view bytes);
  [[nodiscard]] Next next();
  /// Bytes that were fed and not looked at yet.
  [[nodiscard]] std::size_t buffered() const { return buffer_.size() - taken_; }
  [[nodiscard]] Stage stage() const;
  /// Everything behind a request that has changed the protocol.
  [[nodiscard]] std::string take_rest() { return buffer_.substr(taken_); }

 private:
  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;

  [[nodiscard]] std::optional<protocol::Failure> foreign() const;
  [[nodiscard]] std::optional<protocol::Failure> check_head();

  std::string buffer_;
  std::size_t taken_ = 0;  // bytes of buffer_ that were looked at
  std::optional<Parser> parser_;
  bool head_done_ = false;
};

}  // namespace voxpath::server
