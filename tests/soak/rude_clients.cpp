#include "tests/soak/rude_clients.hpp"

#include "tests/end_to_end/daemon_fixture.hpp"

#include <chrono>
#include <exception>
#include <memory>

#include <fmt/format.h>

namespace voxpath::soak {

using test::RawSocket;

namespace {

constexpr std::chrono::milliseconds kBetweenVisits{100};
constexpr std::uint64_t kReadNothingTurns = 1'200;  // two minutes: longer than the server bears
constexpr std::uint32_t kUnreadRequests = 300;      // their answers are more than all buffers on the way hold
constexpr std::uint32_t kLeftInFlight = 40;

v1::ClientFrame long_path(std::uint32_t id) {
  v1::ClientFrame frame;
  frame.set_id(id + 2);  // behind Hello's
  v1::FindPath& request = *frame.mutable_find_path();
  request.set_world("land");
  for (v1::Position* at : {request.mutable_start()->mutable_position(), request.mutable_goal()->mutable_position()}) {
    at->set_x(-100);
    at->set_y(200);
    at->set_z(-100);
  }
  request.mutable_goal()->mutable_position()->set_x(100.0 - id % 16);
  request.mutable_goal()->mutable_position()->set_z(100);
  return frame;
}

v1::ClientFrame many_blocks(std::uint32_t id) {
  v1::ClientFrame frame;
  frame.set_id(id + 2);
  v1::QueryBlocks& request = *frame.mutable_query_blocks();
  request.set_world("land");
  request.mutable_box()->mutable_min()->set_y(50);
  for (auto set : {&v1::BlockPos::set_x, &v1::BlockPos::set_z}) (request.mutable_box()->mutable_max()->*set)(63);
  request.mutable_box()->mutable_max()->set_y(80);
  return frame;
}

void ask(RawSocket& socket, v1::ClientFrame (*request)(std::uint32_t id), std::uint32_t count) {
  socket.greet();
  std::string all;
  for (std::uint32_t id = 0; id < count; ++id) protocol::append_frame(request(id), &all);
  socket.send(all);
}

std::string http_post(std::uint16_t http_port, const std::string& body) {
  RawSocket socket(http_port);
  socket.send(fmt::format(
      "POST /v1/find_path HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n"
      "Content-Length: {}\r\n\r\n{}",
      body.size(), body));
  return socket.rest();
}

}  // namespace

std::string http_get(std::uint16_t http_port, const std::string& path) {
  RawSocket socket(http_port);
  socket.send(fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", path));
  return socket.rest();
}

RudeClients::RudeClients(std::uint16_t port, std::uint16_t http_port)
    : port_(port), http_port_(http_port), thread_([this](const std::stop_token& stop) { work(stop); }) {}

void RudeClients::work(const std::stop_token& stop) {
  std::unique_ptr<RawSocket> reads_nothing;
  for (std::uint64_t turn = 0; !stop.stop_requested(); ++turn) {
    try {
      if (turn % kReadNothingTurns == 0) {
        reads_nothing = std::make_unique<RawSocket>(port_);
        ask(*reads_nothing, many_blocks, kUnreadRequests);
      }
      visit(turn);
      ++visits_;
    } catch (const std::exception&) {
      ++visits_;  // the server closed first, as it may
    }
    std::this_thread::sleep_for(kBetweenVisits);
  }
}

void RudeClients::visit(std::uint64_t turn) {
  const auto expect_answer = [this](const std::string& answer) {
    if (!answer.starts_with("HTTP/1.1 200") && answer.find("Retry-After") == std::string::npos) ++refusals_;
  };
  switch (turn % 9) {
    case 0:
      RawSocket(port_).send("\x05what is this");
      return;
    case 1: {  // a frame that ends in its middle
      RawSocket socket(port_);
      socket.greet();
      socket.send(std::string("\x80\x02\x08\x01", 4));
      return;
    }
    case 2: {  // goes with its requests in flight
      RawSocket socket(port_);
      ask(socket, long_path, kLeftInFlight);
      return;
    }
    case 3: {
      const RawSocket says_nothing(port_);
      return;
    }
    case 4:
      RawSocket(port_).send("GET / HTTP/1.1\r\n\r\n");
      return;
    case 5:
      RawSocket(http_port_).send("POST /v1/find_path HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n{");
      return;
    case 6:
      (void)http_post(http_port_, R"({"world":"land","start":{)");
      return;
    case 7:
      return expect_answer(http_get(http_port_, "/metrics"));
    default:
      return expect_answer(http_post(
          http_port_,
          R"({"world":"land","start":{"position":{"x":0.5,"y":200,"z":0.5}},"goal":{"position":{"x":9.5,"y":200,"z":9.5}}})"));
  }
}

}  // namespace voxpath::soak
