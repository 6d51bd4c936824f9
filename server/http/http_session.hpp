// HttpSession: one HTTP connection: reads requests one after the other, has each answered, and writes the answers in order.
// Thread-safety: everything runs on the door's thread. Lifetime: keeps itself alive until the socket is closed or given
// away for a WebSocket; one of the two events is then called once.
// Invariants: one request at a time is answered. Meanwhile no more than kHttpReadAheadMaxBytes and one reading are kept of
// what comes behind it; as long as less is there the socket is read, so that a client that has gone is seen, and its job
// cancelled. What a client asks for under one token and on one connection is one client to the router.
#pragma once

#include "server/http/http_answer.hpp"
#include "server/http/http_pages.hpp"
#include "server/http/http_peer.hpp"
#include "server/http/http_reader.hpp"
#include "server/http/json_client.hpp"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

namespace voxpath::server {

class HttpSession : public HttpPeer, public std::enable_shared_from_this<HttpSession> {
 public:
  using Socket = boost::asio::ip::tcp::socket;
  struct Events {
    std::function<void()> closed;
    std::function<void(Socket, HttpRequest)> upgraded;  // in place of closed
  };

  HttpSession(Socket socket, const HttpServices& services, std::shared_ptr<HttpPages> pages, Events events);

  void start();
  void drain() override;
  void refuse(protocol::Failure why) override;
  void renew_access() override;

 private:
  using Code = boost::system::error_code;

  void read();
  void on_read(Code code, std::size_t count);
  void advance();
  void watch_time();
  void on_time();

  void handle(HttpRequest request);
  void route(const HttpRequest& request);
  bool page(const HttpRequest& request, std::string_view path);
  void upgrade(HttpRequest request);
  void give_away();

  void call(const HttpRequest& request, const google::protobuf::FieldDescriptor& method);
  /// Whether there is a client with the request's token now; where not, the request was answered.
  bool admit(const HttpRequest& request);
  void begin_client(const v1::ClientFrame& hello);
  void on_frame(v1::ServerFrame frame);
  void on_client_closed(const protocol::Failure& why);
  void let_client_go();

  void answer(const HttpAnswer& answer);
  void fail(const protocol::Failure& why);
  void fail(const v1::Error& error);
  void send(std::string_view bytes);
  void write();
  void answered();
  void linger();
  void close();

  Socket socket_;
  boost::asio::steady_timer timer_;
  const HttpServices& services_;
  const std::shared_ptr<HttpPages> pages_;
  const Events events_;
  HttpReader reader_;
  std::array<char, 16'384> buffer_;
  bool read_pending_ = false, write_pending_ = false;

  bool first_ = true;                           // no request has come yet
  std::optional<HttpReader::Stage> timed_for_;  // what the timer runs for, while no request is answered
  bool busy_ = false;                           // a request is being answered
  bool answer_given_ = false;                   // to it; it may not have gone yet
  bool closing_ = false;                        // after this answer
  bool asked_all_ = false;                      // the client has closed its side
  bool lingering_ = false;                      // all is said; the client closes next
  bool closed_ = false;
  HttpManner manner_;  // of the request that is being answered
  std::optional<HttpRequest> upgrading_;
  std::string to_send_;
  std::size_t sent_ = 0;  // of to_send_

  std::shared_ptr<JsonClient> client_;
  std::string token_;                 // of client_
  std::uint32_t last_id_ = 1;         // of its requests
  std::uint32_t waiting_for_ = 0;     // the request of it that is being answered; 0: none
  v1::PathsAnswer parts_;             // of its answer, so far
  std::optional<v1::Error> goodbye_;  // why it was refused
};

}  // namespace voxpath::server
