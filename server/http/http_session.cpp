#include "server/http/http_session.hpp"

#include "protocol/answer_parts.hpp"
#include "protocol/limits.hpp"
#include "server/http/bearer.hpp"
#include "server/http/json_message.hpp"
#include "server/http/method_table.hpp"
#include "server/http/openapi.hpp"
#include "server/http/origin.hpp"

#include <chrono>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/websocket/rfc6455.hpp>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace voxpath::server {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using protocol::ErrorKind;
using protocol::Failure;

namespace {

constexpr std::int64_t kLingerMs = 2'000;  // how long the last words may take to go out
constexpr std::string_view kSocketPath = "/v1/socket";
constexpr std::string_view kPages = "/livez, /readyz, /metrics, /statusz, /v1/openapi.json, /v1/socket";

std::string_view view(boost::beast::string_view text) { return {text.data(), text.size()}; }

Failure wrong_verb(std::string_view verb, std::string_view path, std::string_view allowed) {
  return {ErrorKind::verb_wrong, fmt::format("{} takes {}", path, allowed), "method", protocol::printable(verb),
          std::string(allowed)};
}

}  // namespace

HttpSession::HttpSession(Socket socket, const HttpServices& services, std::shared_ptr<HttpPages> pages, Events events)
    : socket_(std::move(socket)),
      timer_(socket_.get_executor()),
      services_(services),
      pages_(std::move(pages)),
      events_(std::move(events)) {}

void HttpSession::start() {
  Code code;
  socket_.set_option(asio::ip::tcp::no_delay(true), code);
  services_.router.metrics().of(Door::http).opened.add();
  watch_time();
  read();
}

void HttpSession::drain() {
  closing_ = true;
  if (!busy_) close();
}

void HttpSession::refuse(Failure why) {
  if (closed_) return;
  closing_ = true;
  if (client_ && waiting_for_ != 0) return client_->refuse(std::move(why));
  if (busy_) return;  // the answer is on its way
  busy_ = true;
  manner_ = {.version = 11, .keep_alive = false};
  fail(why);
}

void HttpSession::renew_access() {
  if (const auto client = client_)
    client->renew_access();  // refused, it is let go: the next request needs a good token
}

// ---------------------------------------------------------------------------------------------------------------- reading

void HttpSession::read() {
  const bool full = reader_.buffered() > protocol::kHttpReadAheadMaxBytes;
  if (read_pending_ || closed_ || upgrading_ || (full && !lingering_)) return;
  read_pending_ = true;
  socket_.async_read_some(asio::buffer(buffer_), [self = shared_from_this()](Code code, std::size_t count) {
    self->read_pending_ = false;
    self->on_read(code, count);
  });
}

void HttpSession::on_read(Code code, std::size_t count) {
  if (closed_) return;
  if (upgrading_) return code == asio::error::operation_aborted ? give_away() : close();
  if (code == asio::error::eof && answer_given_ && !lingering_) {  // it hears its last answer, and asks no more
    closing_ = asked_all_ = true;
    return;
  }
  if (code) return close();
  services_.router.metrics().of(Door::http).bytes_in.add(count);
  if (!lingering_) {
    reader_.feed({buffer_.data(), count});
    advance();
  }
  read();
}

void HttpSession::advance() {
  while (!busy_ && !closed_) {
    auto next = reader_.next();
    if (auto* request = std::get_if<HttpRequest>(&next)) {
      handle(std::move(*request));
    } else if (const auto* failure = std::get_if<Failure>(&next)) {
      busy_ = closing_ = true;
      manner_ = {.version = 11, .keep_alive = false};
      timer_.cancel();
      fail(*failure);
    } else if (std::holds_alternative<HttpReader::Expects>(next)) {
      send("HTTP/1.1 100 Continue\r\n\r\n");
    } else {
      return watch_time();
    }
  }
}

/// While a request is awaited or read: each of its stages has its time, which what drips in does not lengthen.
void HttpSession::watch_time() {
  const HttpReader::Stage stage = reader_.stage();
  if (timed_for_ == stage) return;
  timed_for_ = stage;
  const HttpConfig& config = services_.http;
  std::int64_t ms = first_ ? config.header_timeout_ms : config.idle_timeout_ms;
  if (stage == HttpReader::Stage::head) ms = config.header_timeout_ms;
  if (stage == HttpReader::Stage::body) ms = config.body_timeout_ms;
  timer_.expires_after(std::chrono::milliseconds(ms));
  timer_.async_wait([self = shared_from_this(), stage](Code code) {
    if (!code && self->timed_for_ == stage) self->on_time();
  });
}

void HttpSession::on_time() {
  if (busy_ || closed_) return;
  if (reader_.stage() == HttpReader::Stage::none) return close();
  const bool head = reader_.stage() == HttpReader::Stage::head;
  const std::int64_t ms = head ? services_.http.header_timeout_ms : services_.http.body_timeout_ms;
  busy_ = closing_ = true;
  manner_ = {.version = 11, .keep_alive = false};
  const char* what = head ? "head" : "body";
  fail({ErrorKind::request_timeout,
        fmt::format("the {} of the request did not come whole within {} ms", what, ms),
        what,
        {},
        fmt::format("{} ms", ms)});
}

// --------------------------------------------------------------------------------------------------------------- answering

void HttpSession::handle(HttpRequest request) {
  busy_ = true;
  first_ = false;
  timed_for_.reset();
  timer_.cancel();
  closing_ = closing_ || !request.keep_alive();
  manner_ = {.version = request.version(), .keep_alive = !closing_, .head_only = request.method() == http::verb::head};
  const std::string_view origin = view(request[http::field::origin]);
  if (!origin_allowed(request, services_.http)) {
    return fail({ErrorKind::origin_refused, fmt::format("pages of {} may not ask", protocol::printable(origin)),
                 "Origin", protocol::printable(origin), "http.origins of the configuration"});
  }
  if (origin_listed(origin, services_.http)) manner_.origin = std::string(origin);
  if (path_of(request) == kSocketPath && request.method() == http::verb::get) return upgrade(std::move(request));
  route(request);
}

void HttpSession::route(const HttpRequest& request) {
  const std::string_view path = path_of(request);
  if (request.method() == http::verb::options) {
    return answer({204,
                   {},
                   {},
                   {{"Allow", "GET, HEAD, POST, OPTIONS"},
                    {"Access-Control-Allow-Methods", "GET, POST"},
                    {"Access-Control-Allow-Headers", "Authorization, Content-Type"}}});
  }
  if (page(request, path)) return;
  constexpr std::string_view kBelow = "/v1/";
  const auto* method = path.starts_with(kBelow) ? MethodTable::get().find(path.substr(kBelow.size())) : nullptr;
  if (method == nullptr) {
    return fail({ErrorKind::url_unknown,
                 fmt::format("there is no {}; there are POST {}; and GET {}", protocol::printable(path),
                             MethodTable::get().list(), kPages),
                 "url", protocol::printable(path)});
  }
  if (request.method() != http::verb::post) return fail(wrong_verb(view(request.method_string()), path, "POST"));
  call(request, *method);
}

bool HttpSession::page(const HttpRequest& request, std::string_view path) {
  const bool open = path == "/livez" || path == "/readyz" || path == "/v1/openapi.json";
  if (!open && path != "/metrics" && path != "/statusz" && path != kSocketPath) return false;
  if (request.method() != http::verb::get && request.method() != http::verb::head) {
    fail(wrong_verb(view(request.method_string()), path, "GET"));
  } else if (path == "/livez") {
    pages_->livez([weak = weak_from_this()](const HttpAnswer& page) {
      if (const auto self = weak.lock()) self->answer(page);
    });
  } else if (path == "/readyz") {
    answer(pages_->readyz());
  } else if (path == "/v1/openapi.json") {
    answer({200, "application/json", std::string(openapi_document())});
  } else if (!admit(request)) {  // names of worlds are told to whom a token admits
    return true;
  } else if (path == "/metrics") {
    answer(pages_->metrics());
  } else if (path == "/statusz") {
    answer(pages_->statusz());
  } else {
    fail(wrong_verb(view(request.method_string()), path, "GET"));
  }
  return true;
}

void HttpSession::upgrade(HttpRequest request) {
  if (!boost::beast::websocket::is_upgrade(request)) {
    return fail({ErrorKind::http_malformed, "/v1/socket is for WebSockets, and the request asks for none", "Upgrade",
                 protocol::printable(view(request[http::field::upgrade])), "websocket"});
  }
  if (reader_.buffered() > 0) {
    return fail({ErrorKind::http_malformed, "more came before the WebSocket was accepted", "request"});
  }
  let_client_go();
  upgrading_ = std::move(request);
  if (!read_pending_) return give_away();
  Code ignored;
  socket_.cancel(ignored);
}

void HttpSession::give_away() {
  closed_ = true;
  timer_.cancel();
  services_.router.metrics().of(Door::http).closed.add();
  events_.upgraded(std::move(socket_), *std::move(upgrading_));
}

// ------------------------------------------------------------------------------------------------------------------- calls

void HttpSession::call(const HttpRequest& request, const google::protobuf::FieldDescriptor& method) {
  v1::ClientFrame frame;
  google::protobuf::Message& message = *frame.GetReflection()->MutableMessage(&frame, &method);
  if (!request.body().empty()) {
    if (const auto refused = read_json(request.body(), method.name(), &message)) return fail(*refused);
  }
  if (frame.find_path().watch()) {
    return fail({ErrorKind::field_invalid, "find_path.watch is for those who can be told: on /v1/socket",
                 "find_path.watch", "true", "false"});
  }
  if (frame.has_hello()) {
    let_client_go();
    frame.set_id(1);
    if (frame.hello().token().empty()) frame.mutable_hello()->set_token(bearer_token(request));
    token_ = frame.hello().token();
    waiting_for_ = 1;
    return begin_client(frame);
  }
  if (!admit(request)) return;
  frame.set_id(++last_id_);
  waiting_for_ = frame.id();
  parts_.Clear();
  client_->receive(frame);
}

bool HttpSession::admit(const HttpRequest& request) {
  std::string token = bearer_token(request);
  if (client_ && token == token_) return true;
  let_client_go();
  token_ = token;
  begin_client(
      hello_frame(protocol::printable(view(request[http::field::user_agent]), protocol::kClientNameMaxBytes / 2),
                  std::move(token)));
  if (client_) return true;
  fail(goodbye_.value_or(v1::Error()));
  return false;
}

void HttpSession::begin_client(const v1::ClientFrame& hello) {
  last_id_ = 1;
  goodbye_.reset();
  JsonClient::Events events;
  // What is given is for the answer that is being made, which is bounded by itself; the connection may count it as gone.
  events.frame = [weak = weak_from_this()](v1::ServerFrame frame, std::size_t bytes) {
    const auto self = weak.lock();
    if (!self) return;
    asio::post(self->socket_.get_executor(), [client = std::weak_ptr(self->client_), bytes] {
      if (const auto there = client.lock()) there->sent(bytes);
    });
    self->on_frame(std::move(frame));
  };
  events.closed = [weak = weak_from_this()](const Failure& why, bool) {
    if (const auto self = weak.lock()) self->on_client_closed(why);
  };
  events.reading = [](bool) {};  // one request at a time is given to it
  client_ = std::make_shared<JsonClient>(services_, socket_.get_executor(), std::move(events));
  const auto client = client_;
  client->start();
  client->receive(hello);
}

void HttpSession::on_frame(v1::ServerFrame frame) {
  if (frame.has_goodbye()) {
    goodbye_ = frame.goodbye().error();
    return;  // the client's end follows
  }
  if (waiting_for_ == 0 || frame.id() != waiting_for_) return;  // events are for those who can be told
  if (frame.has_paths()) {
    const bool more = frame.paths().more();
    if (!protocol::append_part(std::move(*frame.mutable_paths()), &parts_)) {
      waiting_for_ = 0;
      return fail({ErrorKind::internal, "the parts of the answer do not fit together"});
    }
    if (more) return;
    frame.mutable_paths()->Swap(&parts_);
  }
  waiting_for_ = 0;
  answer(frame_answer(frame));
}

void HttpSession::on_client_closed(const Failure& why) {
  client_.reset();
  if (std::exchange(waiting_for_, 0) == 0) return;
  if (goodbye_) return fail(*goodbye_);
  fail(why);
}

void HttpSession::let_client_go() {
  if (const auto client = std::exchange(client_, nullptr)) client->gone();
}

// ----------------------------------------------------------------------------------------------------------------- writing

void HttpSession::fail(const Failure& why) {
  services_.router.metrics().refused(why.kind);
  spdlog::debug("event=refused door=http reason={} field={}", protocol::row_of(why.kind).label, why.field);
  HttpAnswer refusal = error_answer(why);
  if (why.kind == ErrorKind::verb_wrong)
    refusal.headers.emplace_back("Allow", why.limit == "GET" ? "GET, HEAD" : why.limit);
  answer(refusal);
}

void HttpSession::fail(const v1::Error& error) {
  const protocol::ErrorRow* row = protocol::row_of(error.reason());
  services_.router.metrics().refused(row != nullptr ? row->kind : ErrorKind::internal);
  answer(error_answer(error));
}

void HttpSession::answer(const HttpAnswer& answer) {
  if (closed_ || answer_given_) return;
  answer_given_ = true;
  manner_.keep_alive = !closing_;
  send(to_bytes(answer, manner_));
}

void HttpSession::send(std::string_view bytes) {
  to_send_ += bytes;
  write();
}

void HttpSession::write() {
  if (write_pending_ || closed_) return;
  if (sent_ == to_send_.size()) return answered();
  write_pending_ = true;
  if (busy_) {
    timer_.expires_after(std::chrono::milliseconds(services_.http.unread_timeout_ms));
    timer_.async_wait([self = shared_from_this()](Code code) {
      if (!code && self->write_pending_) self->close();
    });
  }
  // Some and not all at once: what has gone shows that the client reads.
  socket_.async_write_some(asio::buffer(to_send_) + sent_, [self = shared_from_this()](Code code, std::size_t count) {
    self->write_pending_ = false;
    if (code) return self->close();
    self->services_.router.metrics().of(Door::http).bytes_out.add(count);
    self->sent_ += count;
    self->write();
  });
}

void HttpSession::answered() {
  to_send_.clear();
  sent_ = 0;
  if (!answer_given_ || lingering_) return;
  timer_.cancel();
  if (closing_) return linger();
  busy_ = answer_given_ = false;
  advance();
  read();
}

void HttpSession::linger() {
  // Closing with bytes unread would reset the connection, and the client might never read our last words.
  lingering_ = true;
  if (asked_all_) return close();
  let_client_go();
  Code ignored;
  socket_.shutdown(Socket::shutdown_send, ignored);
  timer_.expires_after(std::chrono::milliseconds(kLingerMs));
  timer_.async_wait([self = shared_from_this()](Code code) {
    if (!code) self->close();
  });
  read();
}

void HttpSession::close() {
  if (std::exchange(closed_, true)) return;
  let_client_go();
  timer_.cancel();
  Code ignored;
  socket_.close(ignored);
  services_.router.metrics().of(Door::http).closed.add();
  events_.closed();
}

}  // namespace voxpath::server
