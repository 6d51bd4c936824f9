#include "server/http/http_server.hpp"

#include "server/http/http_session.hpp"
#include "server/http/web_socket.hpp"

#include <chrono>
#include <utility>

#include <boost/asio/post.hpp>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace voxpath::server {

namespace asio = boost::asio;
using protocol::ErrorKind;

namespace {

constexpr std::chrono::milliseconds kAcceptPause{
    100};  // after an accept failed, as it does without free file descriptors

protocol::Failure ending() { return {ErrorKind::shutting_down, "the server is ending", {}, {}, {}, 1'000}; }

}  // namespace

HttpServer::HttpServer() : work_(io_.get_executor()), acceptor_(io_), accept_pause_(io_) {}

HttpServer::~HttpServer() = default;

world::Status HttpServer::start(HttpServices services) {
  const HttpConfig& config = services.http;
  boost::system::error_code code;
  const tcp::endpoint endpoint(asio::ip::make_address(config.address, code), config.port.value_or(0));
  if (!code) acceptor_.open(endpoint.protocol(), code);
  if (!code) acceptor_.set_option(tcp::acceptor::reuse_address(true), code);
  if (!code) acceptor_.bind(endpoint, code);
  if (!code) acceptor_.listen(asio::socket_base::max_listen_connections, code);
  if (code) {
    return world::Error{
        world::ErrorCode::failed_precondition,
        fmt::format("cannot listen for HTTP on {}:{}: {}", config.address, config.port.value_or(0), code.message())};
  }
  port_ = acceptor_.local_endpoint(code).port();
  services_.emplace(std::move(services));
  pages_ = std::make_shared<HttpPages>(*services_, io_.get_executor());
  spdlog::info("event=listening door=http address={} port={}", config.address, port_);
  asio::post(io_, [this] { accept(); });
  return world::ok_status();
}

void HttpServer::accept() {
  acceptor_.async_accept([this](boost::system::error_code code, tcp::socket socket) {
    if (stopped_ || code == asio::error::operation_aborted) return;
    if (code) {
      spdlog::warn("event=accept_failed door=http why=\"{}\"", code.message());
      accept_pause_.expires_after(kAcceptPause);
      return accept_pause_.async_wait([this](boost::system::error_code waited) {
        if (!waited && !stopped_) accept();
      });
    }
    welcome(std::move(socket));
    accept();
  });
}

void HttpServer::welcome(tcp::socket socket) {
  const std::uint64_t id = ++last_peer_;
  HttpSession::Events events;
  events.closed = [this, id] { closed(id); };
  events.upgraded = [this, id](tcp::socket given, const HttpRequest& request) {
    const auto peer = std::make_shared<WebSocket>(std::move(given), *services_, [this, id] { closed(id); });
    peers_[id] = peer;
    peer->start(request);
    if (stopped_) peer->drain();
  };
  const auto session = std::make_shared<HttpSession>(std::move(socket), *services_, pages_, std::move(events));
  peers_.emplace(id, session);
  session->start();
  const std::size_t most = services_->http.connections_max;
  if (peers_.size() > most) {
    session->refuse({ErrorKind::connections_full,
                     fmt::format("{} connections are open", most),
                     {},
                     {},
                     fmt::format("{} connections", most),
                     1'000});
  }
}

void HttpServer::closed(std::uint64_t id) {
  peers_.erase(id);
  finish_if_idle();
}

void HttpServer::stop(std::function<void()> done) {
  asio::post(io_, [this, done = std::move(done)]() mutable {
    stopped_ = std::move(done);
    boost::system::error_code ignored;
    acceptor_.close(ignored);
    accept_pause_.cancel();
    const auto peers = peers_;  // those without anything in flight leave at once
    for (const auto& [id, peer] : peers) peer->drain();
    finish_if_idle();
  });
}

void HttpServer::renew_access() {
  asio::post(io_, [this] {
    const auto peers = peers_;
    for (const auto& [id, peer] : peers) peer->renew_access();
  });
}

void HttpServer::give_up_waiting() {
  asio::post(io_, [this] {
    const auto peers = peers_;
    for (const auto& [id, peer] : peers) peer->refuse(ending());
  });
}

void HttpServer::finish_if_idle() {
  if (!stopped_ || !peers_.empty()) return;
  pages_->stop();
  work_.reset();
  std::exchange(stopped_, [] {})();
}

}  // namespace voxpath::server
