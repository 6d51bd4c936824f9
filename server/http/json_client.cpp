#include "server/http/json_client.hpp"

#include <utility>

#include <boost/asio/post.hpp>
#include <spdlog/spdlog.h>

namespace voxpath::server {

namespace asio = boost::asio;

JsonClient::JsonClient(const HttpServices& services, asio::any_io_executor executor, Events events)
    : services_(services),
      executor_(std::move(executor)),
      events_(std::move(events)),
      client_(services.next_client()),
      connection_(
          [&] {
            v1::Welcome welcome;
            *welcome.mutable_server() = services.info();
            return welcome;
          }(),
          [this](const v1::Hello& hello) { return admit(hello); }, {}, steady_now_ms()) {}

std::optional<protocol::Failure> JsonClient::admit(const v1::Hello& hello) {
  auto let_in = services_.access.admit(hello.token());
  if (auto* refused = std::get_if<protocol::Failure>(&let_in)) return std::move(*refused);
  admission_.emplace(std::move(std::get<AccessControl::Admission>(let_in)));
  client_.take(admission_->grant());
  return std::nullopt;
}

void JsonClient::start() {
  client_.watches->push = [weak = weak_from_this(), executor = executor_](v1::ServerFrame event) {
    asio::post(executor, [weak, event = std::move(event)] {
      const auto self = weak.lock();
      if (!self) return;
      self->connection_.tell(event, steady_now_ms());
      self->carry_out();
    });
  };
}

void JsonClient::receive(const v1::ClientFrame& frame) {
  std::string bytes;
  protocol::append_frame(frame, &bytes);
  connection_.receive(bytes, steady_now_ms());
  carry_out();
}

void JsonClient::sent(std::size_t bytes) {
  connection_.sent(bytes, steady_now_ms());
  carry_out();
}

void JsonClient::tick() {
  connection_.tick(steady_now_ms());
  carry_out();
}

void JsonClient::drain() {
  connection_.drain(steady_now_ms());
  carry_out();
}

void JsonClient::refuse(protocol::Failure why) {
  connection_.refuse(std::move(why));
  carry_out();
}

void JsonClient::renew_access() {
  if (!admission_ || connection_.closed()) return;
  if (services_.access.renew(*admission_)) return client_.take(admission_->grant());
  refuse({protocol::ErrorKind::token_wrong, "the token was taken back", "hello.token"});
}

void JsonClient::gone() {
  if (std::exchange(gone_, true)) return;
  connection_.peer_closed();
  carry_out();
}

void JsonClient::carry_out() {
  const auto self = shared_from_this();  // an event may let go of it
  for (protocol::Action& action : connection_.take_actions()) {
    if (const auto* send = std::get_if<protocol::SendBytes>(&action)) {
      if (send->refused) services_.router.metrics().refused(*send->refused);
      give(send->bytes);
    } else if (auto* request = std::get_if<protocol::Submit>(&action)) {
      submit(std::move(request->frame));
    } else if (const auto* given_up = std::get_if<protocol::CancelRequest>(&action)) {
      services_.router.cancel(client_, given_up->id);
    } else if (const auto* reading = std::get_if<protocol::SetReading>(&action)) {
      if (!gone_) events_.reading(reading->on);
    } else if (const auto* working = std::get_if<protocol::SetWorking>(&action)) {
      services_.router.set_working(client_, working->on);
    } else {
      const auto& close = std::get<protocol::Close>(action);
      services_.router.metrics().ended(close.why.kind);
      services_.router.gone(client_);
      admission_.reset();
      if (!gone_) events_.closed(close.why, close.flush);
    }
  }
}

/// The connection writes frames for a wire: here they are taken off it again.
void JsonClient::give(const std::string& bytes) {
  if (gone_) return;
  protocol::FrameDecoder decoder(protocol::kUploadSizeMaxBytes);
  decoder.feed(bytes);
  const auto next = decoder.next();
  v1::ServerFrame frame;
  const auto* wire = std::get_if<protocol::Frame>(&next);
  if (wire == nullptr || !frame.ParseFromArray(wire->bytes.data(), static_cast<int>(wire->bytes.size()))) return;
  events_.frame(std::move(frame), bytes.size());
}

void JsonClient::submit(std::unique_ptr<v1::ClientFrame> frame) {
  const std::uint32_t id = frame->id();
  spdlog::debug("event=request conn={} req={} kind={}", client_.id, id, static_cast<int>(frame->request_case()));
  Reply reply(id, [weak = weak_from_this(), executor = executor_](v1::ServerFrame answer) {
    asio::post(executor, [weak, answer = std::move(answer)]() mutable {
      const auto self = weak.lock();
      if (!self) return;
      self->client_.paths.erase(answer.id());
      self->connection_.answer(std::move(answer), steady_now_ms());
      self->carry_out();
    });
  });
  client_.lone = connection_.in_flight() == 1;
  services_.router.handle(client_, std::move(frame), std::move(reply));
}

v1::ClientFrame hello_frame(std::string client_name, std::string token) {
  v1::ClientFrame frame;
  frame.set_id(1);
  v1::Hello& hello = *frame.mutable_hello();
  hello.set_magic(protocol::kMagic);
  hello.set_min_version(protocol::kProtocolVersion);
  hello.set_max_version(protocol::kProtocolVersion);
  hello.set_client_name(std::move(client_name));
  hello.set_token(std::move(token));
  return frame;
}

}  // namespace voxpath::server
