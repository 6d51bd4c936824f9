#include "server/session.hpp"

#include <chrono>
#include <limits>
#include <utility>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <spdlog/spdlog.h>

namespace voxpath::server {

namespace asio = boost::asio;
using std::chrono::milliseconds;

namespace {

/// How long a closed connection's last words may take to go out.
constexpr std::int64_t kLingerMs = 2'000;

}  // namespace

Session::Session(Socket socket, std::uint64_t id, RequestRouter& router, v1::Welcome welcome,
                 std::vector<std::string> tokens, std::vector<Share> shares,
                 std::function<void(std::uint64_t)> on_closed)
    : socket_(std::move(socket)),
      strand_(asio::make_strand(socket_.get_executor())),
      timer_(strand_),
      router_(router),
      client_(id),
      connection_(std::move(welcome), std::move(tokens), {}, steady_now_ms()),
      shares_(std::move(shares)),
      on_closed_(std::move(on_closed)) {}

void Session::start() {
  client_.watches->push = [weak = weak_from_this(), strand = strand_](v1::ServerFrame event) {
    asio::post(strand, [weak, event = std::move(event)] {
      const auto self = weak.lock();
      if (!self) return;
      self->connection_.tell(event, steady_now_ms());
      self->carry_out();
    });
  };
  asio::post(strand_, [self = shared_from_this()] {
    self->router_.metrics().of(Door::tcp).opened.add();
    Code code;
    self->socket_.set_option(asio::ip::tcp::no_delay(true), code);
    const auto peer = self->socket_.remote_endpoint(code);
    spdlog::info("event=connected conn={} peer={}:{}", self->client_.id, peer.address().to_string(), peer.port());
    self->carry_out();
    self->read();
  });
}

void Session::drain() {
  asio::post(strand_, [self = shared_from_this()] {
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

void Session::carry_out() {
  for (protocol::Action& action : connection_.take_actions()) {
    if (auto* send = std::get_if<protocol::SendBytes>(&action)) {
      if (send->refused) router_.metrics().refused(*send->refused);
      to_send_ += send->bytes;
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
  if (connection_.token() < shares_.size()) client_.share = shares_[connection_.token()];
  spdlog::debug("event=request conn={} req={} kind={}", client_.id, id, static_cast<int>(frame->request_case()));
  Reply reply(id, [weak = weak_from_this(), strand = strand_](v1::ServerFrame answer) {
    asio::post(strand, [weak, answer = std::move(answer)] {
      const auto self = weak.lock();
      if (!self) return;
      self->client_.paths.erase(answer.id());
      if (answer.has_error()) {
        spdlog::debug("event=refused conn={} req={} reason={} field={}", self->client_.id, answer.id(),
                      answer.error().reason(), answer.error().field());
      }
      self->connection_.answer(answer, steady_now_ms());
      self->carry_out();
    });
  });
  router_.handle(client_, std::move(frame), std::move(reply));
}

void Session::read() {
  if (read_pending_ || (ended_ ? !lingering_ : !reading_)) return;
  read_pending_ = true;
  socket_.async_read_some(asio::buffer(buffer_),
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
  if (write_pending_) return;
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
  socket_.async_write_some(asio::buffer(sending_) + sent_,
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
  if (!flushing_) return close_socket();
  timer_.expires_after(milliseconds(kLingerMs));
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
  if (idle_at_the_end_ && socket_.available(ignored) == 0) return close_socket();
  socket_.shutdown(Socket::shutdown_send, ignored);
  read();
}

void Session::close_socket() {
  timer_.cancel();
  if (!socket_.is_open()) return;
  Code ignored;
  socket_.close(ignored);
  router_.metrics().of(Door::tcp).closed.add();
  on_closed_(client_.id);
}

}  // namespace voxpath::server
