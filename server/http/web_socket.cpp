#include "server/http/web_socket.hpp"

#include "protocol/limits.hpp"
#include "server/http/bearer.hpp"
#include "server/http/json_message.hpp"

#include <chrono>
#include <limits>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <spdlog/spdlog.h>

namespace voxpath::server {

namespace asio = boost::asio;
namespace websocket = boost::beast::websocket;
using protocol::ErrorKind;
using protocol::Failure;
using std::chrono::milliseconds;

namespace {

constexpr std::int64_t kLingerMs = 2'000;  // how long the last words may take to go out

}  // namespace

WebSocket::WebSocket(Socket socket, const HttpServices& services, std::function<void()> on_closed)
    : stream_(std::move(socket)),
      timer_(stream_.get_executor()),
      services_(services),
      on_closed_(std::move(on_closed)) {
  stream_.read_message_max(protocol::kUploadSizeMaxBytes);
  stream_.auto_fragment(false);
  stream_.text(true);
  websocket::stream_base::timeout timeout{};
  timeout.handshake_timeout = milliseconds(protocol::kHandshakeTimeoutMs);
  timeout.idle_timeout = websocket::stream_base::none();  // silence is the connection's matter
  timeout.keep_alive_pings = false;
  stream_.set_option(timeout);
}

void WebSocket::start(const HttpRequest& request) {
  services_.router.metrics().of(Door::websocket).opened.add();
  token_ = bearer_token(request);
  JsonClient::Events events;
  events.frame = [weak = weak_from_this()](const v1::ServerFrame& frame, std::size_t bytes) {
    const auto self = weak.lock();
    if (!self) return;
    self->to_send_.push_back({write_json(frame), bytes});
    self->write();
  };
  events.closed = [weak = weak_from_this()](const Failure& why, bool flush) {
    if (const auto self = weak.lock()) self->end(why, flush);
  };
  events.reading = [weak = weak_from_this()](bool on) {
    const auto self = weak.lock();
    if (!self) return;
    self->reading_ = on;
    self->read();
  };
  client_ = std::make_shared<JsonClient>(services_, stream_.get_executor(), std::move(events));
  client_->start();
  watch_time();
  stream_.async_accept(request, [self = shared_from_this()](Code code) {
    if (code) return self->close();
    self->begin();
  });
}

void WebSocket::begin() {
  open_ = true;
  Code code;
  const auto peer = stream_.next_layer().remote_endpoint(code);
  spdlog::info("event=connected conn={} door=websocket peer={}:{}", client_->id(), peer.address().to_string(),
               peer.port());
  write();
  read();
}

void WebSocket::read() {
  if (read_pending_ || closed_ || !open_ || (!reading_ && !ended_)) return;
  read_pending_ = true;
  stream_.async_read(buffer_, [self = shared_from_this()](Code code, std::size_t count) {
    self->read_pending_ = false;
    if (code) {
      if (code == websocket::error::message_too_big) spdlog::debug("event=text_too_long conn={}", self->client_->id());
      return self->close();
    }
    self->services_.router.metrics().of(Door::websocket).bytes_in.add(count);
    if (!self->ended_) self->on_text({static_cast<const char*>(self->buffer_.cdata().data()), self->buffer_.size()});
    self->buffer_.consume(self->buffer_.size());
    self->watch_time();
    self->read();
  });
}

void WebSocket::on_text(std::string_view text) {
  if (!stream_.got_text()) {
    return client_->refuse({ErrorKind::json_malformed, "frames are texts here, and that one was binary", "frame"});
  }
  v1::ClientFrame frame;
  // Whom an error would be for is not known, or not for certain: the only honest answer is to end.
  if (auto refused = read_json(text, {}, &frame)) return client_->refuse(*std::move(refused));
  if (frame.has_hello() && frame.hello().token().empty()) frame.mutable_hello()->set_token(token_);
  client_->receive(frame);
}

void WebSocket::write() {
  if (write_pending_ || closed_ || !open_) return;
  if (to_send_.empty()) {
    if (ended_) say_goodbye();
    return;
  }
  write_pending_ = true;
  stream_.async_write(asio::buffer(to_send_.front().text), [self = shared_from_this()](Code code, std::size_t count) {
    self->write_pending_ = false;
    if (code) return self->close();
    self->services_.router.metrics().of(Door::websocket).bytes_out.add(count);
    const std::size_t bytes = self->to_send_.front().bytes;
    self->to_send_.pop_front();
    self->client_->sent(bytes);
    self->write();
    self->watch_time();
  });
}

void WebSocket::watch_time() {
  const std::int64_t due_ms = client_->next_tick_ms();
  // A later time is left to the tick that is set already, which will find that nothing is due and set the next one.
  if (ended_ || closed_ || due_ms == std::numeric_limits<std::int64_t>::max() ||
      (timer_set_for_ms_ >= 0 && timer_set_for_ms_ <= due_ms)) {
    return;
  }
  timer_set_for_ms_ = due_ms;
  timer_.expires_at(std::chrono::steady_clock::time_point(milliseconds(due_ms)));
  timer_.async_wait([self = shared_from_this()](Code code) {
    if (code || self->ended_) return;
    self->timer_set_for_ms_ = -1;
    self->client_->tick();
    self->watch_time();
  });
}

void WebSocket::end(const Failure& why, bool flush) {
  ended_ = true;
  spdlog::info("event=disconnected conn={} door=websocket client=\"{}\" reason={} why=\"{}\"", client_->id(),
               client_->name(), protocol::row_of(why.kind).label, protocol::printable(why.message, 200));
  if (!flush || !open_) return close();
  timer_.expires_after(milliseconds(kLingerMs));
  timer_.async_wait([self = shared_from_this()](Code code) {
    if (!code) self->close();
  });
  write();
}

void WebSocket::say_goodbye() {
  if (std::exchange(open_, false)) {
    stream_.async_close(websocket::close_code::normal, [self = shared_from_this()](Code) { self->close(); });
  }
}

void WebSocket::close() {
  if (std::exchange(closed_, true)) return;
  const bool silent = ended_;
  client_->gone();
  if (!silent) {
    spdlog::info("event=disconnected conn={} door=websocket client=\"{}\" reason=closed", client_->id(),
                 client_->name());
  }
  timer_.cancel();
  Code ignored;
  stream_.next_layer().close(ignored);
  services_.router.metrics().of(Door::websocket).closed.add();
  on_closed_();
}

}  // namespace voxpath::server
