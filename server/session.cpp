#include "server/session.hpp"

#include "server/access/tls.hpp"
#include "server/listener.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace voxpath::server {

namespace asio = boost::asio;
using std::chrono::milliseconds;

namespace {

/// How long a closed connection's last words may take to go out.
constexpr std::int64_t kLingerMs = 2'000;
/// How long the client may take to close after them when the server is ending, which waits for all its connections.
constexpr std::int64_t kEndLingerMs = 250;

/// Whether a client that sends this means TLS: a record with a handshake. No frame of ours begins so.
bool looks_like_tls(std::string_view bytes) {
  return bytes.starts_with('\x16') && (bytes.size() == 1 || bytes[1] == '\x03');
}

}  // namespace

Session::Session(Socket socket, TlsContext tls, std::uint64_t id, RequestRouter& router, AccessControl& access,
                 v1::Welcome welcome, protocol::ConnectionLimits limits, std::function<void(std::uint64_t)> on_closed)
    : stream_(std::move(socket)),
      tls_(std::move(tls)),
      strand_(asio::make_strand(stream_.socket().get_executor())),
      timer_(strand_),
      router_(router),
      access_(access),
      client_(id),
      connection_(
          std::move(welcome), [this](const v1::Hello& hello) { return admit(hello); }, limits, steady_now_ms()),
      on_closed_(std::move(on_closed)) {}

void Session::start() {
  outbox_ = std::make_shared<Outbox>([weak = weak_from_this(), strand = strand_] {
    asio::post(strand, [weak] {
      if (const auto self = weak.lock()) self->take_outbox();
    });
  });
  client_.watches->push = [outbox = outbox_](v1::ServerFrame event) { outbox->put(std::move(event)); };
  asio::post(strand_, [self = shared_from_this()] {
    self->router_.metrics().of(Door::tcp).opened.add();
    Code not_for_paths;
    self->stream_.socket().set_option(asio::ip::tcp::no_delay(true), not_for_paths);
    spdlog::info("event=connected conn={} peer={}", self->client_.id, peer_of(self->stream_.socket()));
    self->ready_ = !self->tls_;
    self->carry_out();
    if (!self->ready_) self->look_for_tls();
  });
}

void Session::drain() {
  asio::post(strand_, [self = shared_from_this()] {
    self->draining_ = true;
    if (self->lingering_) return self->close_after(kEndLingerMs);  // it ended before, and its client does not close
    self->idle_at_the_end_ = self->connection_.in_flight() == 0;
    self->connection_.drain(steady_now_ms());
    self->carry_out();
  });
}

void Session::refuse(protocol::Failure why) {
  asio::post(strand_, [self = shared_from_this(), why = std::move(why)]() mutable {
    self->connection_.refuse(std::move(why));
    self->carry_out();
  });
}

void Session::renew_access() {
  asio::post(strand_, [self = shared_from_this()] {
    if (!self->admission_ || self->ended_) return;
    if (self->access_.renew(*self->admission_)) return self->client_.take(self->admission_->grant());
    self->connection_.refuse({protocol::ErrorKind::token_wrong, "the token was taken back", "hello.token"});
    self->carry_out();
  });
}

void Session::look_for_tls() {
  // By the first bytes, so that a client that does not speak TLS is told so in words that it understands.
  stream_.async_read_some(
      asio::buffer(buffer_), asio::bind_executor(strand_, [self = shared_from_this()](Code code, std::size_t count) {
        if (self->ended_) return;
        if (code) {
          self->client_closed_ = code == asio::error::eof;
          self->connection_.peer_closed();
          return self->carry_out();
        }
        if (looks_like_tls({self->buffer_.data(), count})) return self->shake_hands(count);
        self->ready_ = true;
        self->connection_.refuse({protocol::ErrorKind::tls_failed, "TLS is spoken on this port, and what came is none",
                                  "", protocol::printable({self->buffer_.data(), std::min<std::size_t>(count, 16)}),
                                  "a TLS handshake"});
        self->carry_out();
      }));
}

void Session::shake_hands(std::size_t read_already) {
  stream_.secure(*tls_);
  stream_.async_handshake(asio::ssl::stream_base::server, asio::buffer(buffer_.data(), read_already),
                          asio::bind_executor(strand_, [self = shared_from_this()](Code code, std::size_t) {
                            if (!self->ended_) self->on_handshake(code);
                          }));
}

void Session::on_handshake(Code code) {
  ready_ = true;
  if (code) {
    stream_.give_up_tls();
    mute_ = true;
    connection_.refuse(
        {protocol::ErrorKind::tls_failed, fmt::format("the TLS handshake failed: {}", tls_error_text(code))});
  } else {
    spdlog::info("event=secured conn={} tls={}", client_.id, describe_tls(stream_.tls().native_handle()));
  }
  carry_out();
}

std::optional<protocol::Failure> Session::admit(const v1::Hello& hello) {
  auto let_in = access_.admit(hello.token());
  if (auto* refused = std::get_if<protocol::Failure>(&let_in)) return std::move(*refused);
  admission_.emplace(std::move(std::get<AccessControl::Admission>(let_in)));
  client_.take(admission_->grant());
  spdlog::info("event=welcomed conn={} client=\"{}\" token={} role={}", client_.id,
               protocol::printable(hello.client_name(), protocol::kClientNameMaxBytes), client_.grant.name,
               name_of(client_.grant.role));
  return std::nullopt;
}

void Session::carry_out() {
  for (protocol::Action& action : connection_.take_actions()) {
    if (auto* send = std::get_if<protocol::SendBytes>(&action)) {
      if (send->refused) router_.metrics().refused(*send->refused);
      if (!mute_) to_send_ += send->bytes;
    } else if (auto* request = std::get_if<protocol::Submit>(&action)) {
      submit(std::move(request->frame));
    } else if (const auto* given_up = std::get_if<protocol::CancelRequest>(&action)) {
      spdlog::debug("event=cancel conn={} req={}", client_.id, given_up->id);
      router_.cancel(client_, given_up->id);
    } else if (const auto* reading = std::get_if<protocol::SetReading>(&action)) {
      reading_ = reading->on;
    } else if (const auto* working = std::get_if<protocol::SetWorking>(&action)) {
      router_.set_working(client_, working->on);
    } else {
      end(std::get<protocol::Close>(action));
    }
  }
  write();
  read();
  watch_time();
}

void Session::submit(std::unique_ptr<v1::ClientFrame> frame) {
  const std::uint32_t id = frame->id();
  spdlog::debug("event=request conn={} req={} kind={}", client_.id, id, static_cast<int>(frame->request_case()));
  client_.lone = connection_.in_flight() == 1;
  router_.handle(client_, std::move(frame),
                 Reply(id, [outbox = outbox_](v1::ServerFrame answer) { outbox->put(std::move(answer)); }));
}

void Session::take_outbox() {
  for (v1::ServerFrame& frame : outbox_->take()) {
    if (frame.id() == 0) {
      connection_.tell(frame, steady_now_ms());
      continue;
    }
    client_.paths.erase(frame.id());
    if (frame.has_error()) {
      spdlog::debug("event=refused conn={} req={} reason={} field={}", client_.id, frame.id(), frame.error().reason(),
                    frame.error().field());
    }
    connection_.answer(std::move(frame), steady_now_ms());
  }
  carry_out();
}

void Session::read() {
  if (!ready_ || read_pending_ || (ended_ ? !lingering_ : !reading_)) return;
  read_pending_ = true;
  stream_.async_read_some(asio::buffer(buffer_),
                          asio::bind_executor(strand_, [self = shared_from_this()](Code code, std::size_t count) {
                            self->read_pending_ = false;
                            if (self->ended_) {
                              if (code) return self->close_socket();
                              return self->read();
                            }
                            if (code) {
                              self->client_closed_ = code == asio::error::eof;
                              self->connection_.peer_closed();
                            } else {
                              self->router_.metrics().of(Door::tcp).bytes_in.add(count);
                              self->connection_.receive({self->buffer_.data(), count}, steady_now_ms());
                            }
                            self->carry_out();
                          }));
}

void Session::write() {
  if (!ready_ || write_pending_) return;
  if (sent_ == sending_.size()) {
    sending_.clear();
    sent_ = 0;
    sending_.swap(to_send_);
  }
  if (sending_.empty()) {
    if (flushing_ && !lingering_) linger();
    return;
  }
  write_pending_ = true;
  // Some and not all at once: what has gone shows that the client reads.
  stream_.async_write_some(asio::buffer(sending_) + sent_,
                           asio::bind_executor(strand_, [self = shared_from_this()](Code code, std::size_t count) {
                             self->write_pending_ = false;
                             if (code) {
                               self->sending_.clear();
                               self->sent_ = 0;
                               self->to_send_.clear();
                               if (self->ended_) return self->close_socket();
                               self->connection_.peer_closed();
                             } else {
                               self->router_.metrics().of(Door::tcp).bytes_out.add(count);
                               self->sent_ += count;
                               self->connection_.sent(count, steady_now_ms());
                             }
                             self->carry_out();
                           }));
}

void Session::watch_time() {
  const std::int64_t due_ms = connection_.next_tick_ms();
  // A later time is left to the tick that is set already, which will find that nothing is due and set the next one.
  if (ended_ || due_ms == std::numeric_limits<std::int64_t>::max() ||
      (timer_set_for_ms_ >= 0 && timer_set_for_ms_ <= due_ms))
    return;
  timer_set_for_ms_ = due_ms;
  timer_.expires_at(std::chrono::steady_clock::time_point(milliseconds(due_ms)));
  timer_.async_wait([self = shared_from_this()](Code code) {
    if (code || self->ended_) return;
    self->timer_set_for_ms_ = -1;
    self->connection_.tick(steady_now_ms());
    self->carry_out();
  });
}

void Session::end(const protocol::Close& close) {
  ended_ = true;
  flushing_ = close.flush;
  const bool usual =
      close.why.kind == protocol::ErrorKind::connection_lost || close.why.kind == protocol::ErrorKind::shutting_down;
  spdlog::log(usual ? spdlog::level::info : spdlog::level::warn,
              "event=disconnected conn={} client=\"{}\" reason={} why=\"{}\"", client_.id, connection_.client_name(),
              client_closed_ ? "closed" : protocol::row_of(close.why.kind).label,
              protocol::printable(close.why.message, 200));
  router_.metrics().ended(close.why.kind);
  router_.gone(client_);
  admission_.reset();
  if (!flushing_ || !ready_) return close_socket();
  close_after(kLingerMs);
}

void Session::close_after(std::int64_t ms) {
  timer_.expires_after(milliseconds(ms));
  timer_.async_wait([self = shared_from_this()](Code code) {
    if (!code) self->close_socket();
  });
}

void Session::linger() {
  // Closing with bytes unread would reset the connection, and the client might never read our last words: so we say
  // that nothing more comes, and read what it still sends until it closes too, or kLingerMs have passed.
  lingering_ = true;
  Code ignored;
  // Who has asked for nothing has nothing under way either, most likely, and is not worth waiting for.
  if (idle_at_the_end_ && !stream_.is_tls() && stream_.socket().available(ignored) == 0) return close_socket();
  if (draining_) close_after(kEndLingerMs);
  stream_.async_end(asio::bind_executor(strand_, [self = shared_from_this()](Code) {}));
  read();
}

void Session::close_socket() {
  timer_.cancel();
  if (!stream_.is_open()) return;
  stream_.close();
  router_.metrics().of(Door::tcp).closed.add();
  on_closed_(client_.id);
}

}  // namespace voxpath::server
