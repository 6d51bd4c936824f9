#include "protocol/clients/cpp/core.hpp"

#include "protocol/answer_parts.hpp"
#include "protocol/clients/cpp/tls.hpp"
#include "protocol/voxpath.pb.h"

#include <algorithm>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/post.hpp>

namespace voxpath::client {

namespace asio = boost::asio;
using protocol::ErrorKind;
using std::chrono::milliseconds;

namespace {

constexpr std::uint32_t kHelloId = 1;
constexpr std::size_t kUnixPathMaxBytes = 107;  // the system's

std::string why_read_failed(boost::system::error_code code) {
  if (code == asio::error::eof || code == asio::ssl::error::stream_truncated) return "the server closed the connection";
  return code.message();
}

/// What a server that speaks TLS says to bytes that are none; no frame of ours begins so.
bool is_tls_alert(std::string_view bytes) { return bytes.starts_with("\x15\x03"); }

v1::Error error_of(ErrorKind kind, std::string message) {
  v1::Error error;
  protocol::write_error({kind, std::move(message)}, &error);
  return error;
}

v1::ServerFrame error_frame(std::uint32_t id, const v1::Error& error) {
  v1::ServerFrame frame;
  frame.set_id(id);
  *frame.mutable_error() = error;
  return frame;
}

/// What a request is answered that was given up before it was sent; nullopt: it is of a kind that cannot be given up.
std::optional<v1::ServerFrame> cancelled(const v1::ClientFrame& request) {
  v1::ServerFrame answer;
  answer.set_id(request.id());
  if (request.has_validate_path()) {
    answer.mutable_path_verdict()->set_status(v1::PathVerdict::CANCELLED);
  } else if (request.has_find_path()) {
    answer.mutable_path()->set_status(v1::PathAnswer::CANCELLED);
  } else if (request.has_find_paths()) {
    for (int i = 0; i < request.find_paths().starts_size(); ++i)
      answer.mutable_paths()->add_paths()->set_status(v1::PathAnswer::CANCELLED);
  } else {
    return std::nullopt;
  }
  return answer;
}

}  // namespace

Client::Core::Core(const asio::any_io_executor& executor, ClientOptions options)
    : options_(std::move(options)),
      strand_(asio::make_strand(executor)),
      reconnect_timer_(strand_),
      connect_timer_(strand_),
      alive_timer_(strand_),
      pause_ms_(options_.reconnect_first_ms),
      last_id_(kHelloId) {}

void Client::Core::start() {
  asio::post(strand_, [self = shared_from_this()] {
    if (!self->closed_) self->connect();
  });
}

Client::RequestId Client::Core::next_id() {
  RequestId id = ++last_id_;
  while (id <= kHelloId) id = ++last_id_;  // after four thousand million requests
  return id;
}

Client::RequestId Client::Core::request(v1::ClientFrame frame, FrameHandler handler) {
  const RequestId id = next_id();
  frame.set_id(id);
  asio::post(strand_, [self = shared_from_this(), frame = std::move(frame), handler = std::move(handler)]() mutable {
    if (self->closed_) return handler(error_frame(frame.id(), *self->closed_));
    if (self->waiting_.size() >= kWaitingMax) {
      return handler(error_frame(frame.id(), error_of(ErrorKind::queue_full, "too many requests wait to be sent")));
    }
    self->waiting_.push_back({std::move(frame), std::move(handler)});
    self->send_waiting();
  });
  return id;
}

void Client::Core::cancel(RequestId id) {
  asio::post(strand_, [self = shared_from_this(), id] {
    if (self->in_flight_.contains(id)) {
      if (!self->link_) return;
      v1::ClientFrame frame;
      frame.set_id(self->next_id());
      frame.mutable_cancel()->set_request_id(id);
      self->in_flight_.emplace(frame.id(), [](const v1::ServerFrame&) {});
      protocol::append_frame(frame, &self->link_->to_send);
      return self->write(self->link_);
    }
    const auto waiting = std::find_if(self->waiting_.begin(), self->waiting_.end(),
                                      [&](const Waiting& w) { return w.frame.id() == id; });
    if (waiting == self->waiting_.end()) return;
    auto answer = cancelled(waiting->frame);
    if (!answer) return;
    const FrameHandler handler = std::move(waiting->handler);
    self->waiting_.erase(waiting);
    handler(std::move(*answer));
  });
}

void Client::Core::close() {
  asio::post(strand_, [self = shared_from_this()] {
    if (self->closed_) return;
    self->closed_ = error_of(ErrorKind::connection_lost, "the client was closed");
    self->reconnect_timer_.cancel();
    if (self->link_) {
      self->lose(self->link_, "the client was closed");
    } else {
      self->fail_all(*self->closed_);
    }
  });
}

void Client::Core::connect() {
  auto link = std::make_shared<Link>(strand_);
  link_ = link;
  connect_timer_.expires_after(milliseconds(options_.connect_timeout_ms));
  connect_timer_.async_wait([self = shared_from_this(), link](Code code) {
    if (!code && self->current(link) && !link->welcomed) {
      self->lose(link, "no Welcome within " + std::to_string(self->options_.connect_timeout_ms) + " ms");
    }
  });
  options_.unix_socket.empty() ? connect_host(link) : connect_path(link);
}

std::string Client::Core::server() const {
  if (!options_.unix_socket.empty()) return "unix:" + protocol::printable(options_.unix_socket, 200);
  return protocol::printable(options_.host) + ":" + std::to_string(options_.port);
}

void Client::Core::connect_path(const std::shared_ptr<Link>& link) {
  if (options_.unix_socket.size() > kUnixPathMaxBytes) {
    return lose(link, "cannot connect to " + server() + ": the path is longer than " +
                          std::to_string(kUnixPathMaxBytes) + " bytes");
  }
  const asio::local::stream_protocol::endpoint path(options_.unix_socket);
  link->stream.socket().async_connect(
      Stream::Socket::endpoint_type(path), [self = shared_from_this(), link](Code code) {
        if (!self->current(link)) return;
        if (code) return self->lose(link, "cannot connect to " + self->server() + ": " + code.message());
        self->say_hello(link);
      });
}

void Client::Core::connect_host(const std::shared_ptr<Link>& link) {
  link->resolver.async_resolve(
      options_.host, std::to_string(options_.port),
      [self = shared_from_this(), link](Code code, const tcp::resolver::results_type& found) {
        if (!self->current(link)) return;
        if (code)
          return self->lose(link,
                            "cannot resolve '" + protocol::printable(self->options_.host) + "': " + code.message());
        link->tcp_socket.emplace(self->strand_);
        asio::async_connect(*link->tcp_socket, found, [self, link](Code connect_code, const tcp::endpoint&) {
          if (!self->current(link)) return;
          if (connect_code)
            return self->lose(link, "cannot connect to " + self->server() + ": " + connect_code.message());
          Code ignored;
          link->tcp_socket->set_option(tcp::no_delay(true), ignored);
          link->stream.socket() = Stream::Socket(std::move(*link->tcp_socket));
          link->tcp_socket.reset();
          self->options_.tls ? self->shake_hands(link) : self->say_hello(link);
        });
      });
}

void Client::Core::shake_hands(const std::shared_ptr<Link>& link) {
  auto context = make_tls_context(options_);
  if (const auto* why = std::get_if<std::string>(&context)) return lose(link, *why);
  link->stream.secure(std::get<asio::ssl::context>(context));
  if (const std::string why = expect_server(link->stream.tls(), options_.host); !why.empty()) return lose(link, why);
  link->stream.async_handshake(
      asio::ssl::stream_base::client, {}, [self = shared_from_this(), link](Code code, std::size_t) {
        if (!self->current(link)) return;
        if (!code) return self->say_hello(link);
        self->lose(link, "no TLS with " + self->server() + ": " + tls_error_text(code, link->stream.tls()));
      });
}

void Client::Core::say_hello(const std::shared_ptr<Link>& link) {
  v1::ClientFrame frame;
  frame.set_id(kHelloId);
  v1::Hello& hello = *frame.mutable_hello();
  hello.set_magic(protocol::kMagic);
  hello.set_min_version(protocol::kProtocolVersion);
  hello.set_max_version(protocol::kProtocolVersion);
  hello.set_client_name(options_.client_name);
  hello.set_token(options_.token);
  protocol::append_frame(frame, &link->to_send);
  write(link);
  read(link);
}

void Client::Core::read(const std::shared_ptr<Link>& link) {
  link->stream.async_read_some(asio::buffer(link->buffer),
                               [self = shared_from_this(), link](Code code, std::size_t count) {
                                 if (!self->current(link)) return;
                                 if (code) return self->lose(link, why_read_failed(code));
                                 self->on_bytes(link, count);
                                 if (self->current(link)) self->read(link);
                               });
}

void Client::Core::on_bytes(const std::shared_ptr<Link>& link, std::size_t count) {
  link->last_heard = std::chrono::steady_clock::now();
  const std::string_view bytes_read(link->buffer.data(), count);
  if (!link->welcomed && is_tls_alert(bytes_read)) return lose(link, server() + " speaks TLS: connect with TLS");
  link->decoder.feed(bytes_read);
  while (current(link)) {
    const auto next = link->decoder.next();
    if (std::holds_alternative<protocol::NeedMore>(next)) return;
    if (const auto* failure = std::get_if<protocol::Failure>(&next))
      return lose(link, "unreadable: " + failure->message);
    const std::string_view bytes = std::get<protocol::Frame>(next).bytes;
    v1::ServerFrame frame;
    if (!frame.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
      return lose(link, "unreadable: a frame is no ServerFrame");
    on_frame(link, std::move(frame));
  }
}

void Client::Core::on_frame(const std::shared_ptr<Link>& link, v1::ServerFrame frame) {
  if (frame.has_goodbye()) {
    link->goodbye = frame.goodbye().error();  // the end follows, and carries this reason
    return;
  }
  if (frame.id() == 0) {
    if (frame.has_path_invalidated() && options_.on_path_invalidated)
      return options_.on_path_invalidated(frame.path_invalidated());
    if (!frame.has_ping()) return;  // an event that nobody listens to, or of a later version
    v1::ClientFrame ping;
    ping.set_id(next_id());
    ping.mutable_ping();
    in_flight_.emplace(ping.id(), [](const v1::ServerFrame&) {});
    protocol::append_frame(ping, &link->to_send);
    return write(link);
  }
  if (frame.has_welcome() && !link->welcomed) return on_welcome(link, frame.welcome());
  const auto found = in_flight_.find(frame.id());
  if (found == in_flight_.end()) return;
  if (frame.has_paths() && !whole(link, frame)) return;
  const FrameHandler handler = std::move(found->second);
  in_flight_.erase(found);
  send_waiting();
  handler(std::move(frame));
}

bool Client::Core::whole(const std::shared_ptr<Link>& link, v1::ServerFrame& frame) {
  const auto before = link->parts.find(frame.id());
  if (before == link->parts.end() && frame.paths().first() == 0) {
    if (!frame.paths().more()) return true;
    link->parts.emplace(frame.id(), std::move(*frame.mutable_paths()));
    return false;
  }
  if (before == link->parts.end() || !protocol::append_part(std::move(*frame.mutable_paths()), &before->second)) {
    lose(link, "unreadable: a part of an answer is missing");
    return false;
  }
  if (before->second.more()) return false;
  *frame.mutable_paths() = std::move(before->second);
  link->parts.erase(before);
  return true;
}

void Client::Core::on_welcome(const std::shared_ptr<Link>& link, const v1::Welcome& welcome) {
  link->welcomed = true;
  // One less than the server takes, so that it always reads a Cancel or a Ping.
  link->in_flight_max = std::max<std::size_t>(welcome.limits().in_flight_max(), 2) - 1;
  if (welcome.limits().idle_timeout_ms() > 0) link->idle_timeout = milliseconds(welcome.limits().idle_timeout_ms());
  pause_ms_ = options_.reconnect_first_ms;
  connect_timer_.cancel();
  keep_alive(link);
  if (options_.on_connected) options_.on_connected(welcome);
  send_waiting();
}

void Client::Core::send_waiting() {
  if (!link_ || !link_->welcomed) return;
  while (!waiting_.empty() && in_flight_.size() < link_->in_flight_max) {
    Waiting next = std::move(waiting_.front());
    waiting_.pop_front();
    protocol::append_frame(next.frame, &link_->to_send);
    in_flight_.emplace(next.frame.id(), std::move(next.handler));
  }
  write(link_);
}

void Client::Core::write(const std::shared_ptr<Link>& link) {
  if (!link->sending.empty() || link->to_send.empty()) return;
  link->sending.swap(link->to_send);
  write_rest(link, 0);
}

void Client::Core::write_rest(const std::shared_ptr<Link>& link, std::size_t sent) {
  link->stream.async_write_some(asio::buffer(link->sending) + sent,
                                [self = shared_from_this(), link, sent](Code code, std::size_t count) {
                                  if (!self->current(link)) return;
                                  if (!code && sent + count < link->sending.size())
                                    return self->write_rest(link, sent + count);
                                  link->sending.clear();
                                  // A server that says Goodbye and closes makes writes fail before its words are read;
                                  // the read ends the link, and knows them.
                                  if (!code) self->write(link);
                                });
}

void Client::Core::keep_alive(const std::shared_ptr<Link>& link) {
  alive_timer_.expires_after(link->idle_timeout / 2);
  alive_timer_.async_wait([self = shared_from_this(), link](Code code) {
    if (code || !self->current(link)) return;
    const auto silent = std::chrono::steady_clock::now() - link->last_heard;
    if (silent >= link->idle_timeout) return self->lose(link, "nothing was heard from the server");
    if (silent >= link->idle_timeout / 2) {
      v1::ServerFrame nudge;
      nudge.mutable_ping();
      self->on_frame(link, std::move(nudge));  // as if the server had asked: sends a Ping
    }
    self->keep_alive(link);
  });
}

// NOLINTNEXTLINE(performance-unnecessary-value-param)
void Client::Core::lose(std::shared_ptr<Link> link, const std::string& why) {  // by value: link_ itself may be given
  link->stream.close();
  link->tcp_socket.reset();
  link->resolver.cancel();
  connect_timer_.cancel();
  alive_timer_.cancel();
  link_.reset();
  v1::Error error = error_of(ErrorKind::connection_lost, why);
  if (link->goodbye) error = *link->goodbye;
  if (!closed_ && !options_.reconnect) closed_ = error;
  if (!closed_) {
    error.set_retry_after_ms(static_cast<std::uint32_t>(pause_ms_));
    reconnect_timer_.expires_after(milliseconds(pause_ms_));
    pause_ms_ = std::min(pause_ms_ * 2, options_.reconnect_max_ms);
    reconnect_timer_.async_wait([self = shared_from_this()](Code code) {
      if (!code && !self->closed_ && !self->link_) self->connect();
    });
  }
  fail_all(error);
  if (options_.on_disconnected) options_.on_disconnected(error);
}

void Client::Core::fail_all(const v1::Error& error) {
  // For whoever asked, the connection is what went, whatever the server's reason for ending it was.
  v1::Error unavailable = error;
  unavailable.set_code(v1::Error::UNAVAILABLE);
  const auto in_flight = std::exchange(in_flight_, {});
  const auto waiting = std::exchange(waiting_, {});
  for (const auto& [id, handler] : in_flight) handler(error_frame(id, unavailable));
  for (const Waiting& one : waiting) one.handler(error_frame(one.frame.id(), unavailable));
}

}  // namespace voxpath::client
