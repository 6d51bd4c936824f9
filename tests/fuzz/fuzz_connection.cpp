// Fuzz target: bytes from a client, cut in pieces, into the server's side of a conversation. The first byte says how they are cut and
// whether Hello was said before. What is submitted is answered; what must hold always is checked after each piece.
#include "protocol/connection.hpp"
#include "protocol/validate.hpp"
#include "protocol/voxpath.pb.h"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace {

using namespace voxpath;

void must(bool condition) {
  if (!condition) std::abort();
}

std::string hello() {
  v1::ClientFrame frame;
  frame.set_id(1);
  frame.mutable_hello()->set_magic(protocol::kMagic);
  frame.mutable_hello()->set_min_version(1);
  frame.mutable_hello()->set_max_version(1);
  std::string bytes;
  protocol::append_frame(frame, &bytes);
  return bytes;
}

/// Carries the actions out; whether Close was among them.
bool carry_out(protocol::Connection& connection, std::int64_t now_ms) {
  bool closed = false;
  std::size_t sent = 0;
  for (protocol::Action& action : connection.take_actions()) {
    must(!closed);
    if (const auto* send = std::get_if<protocol::SendBytes>(&action)) {
      sent += send->bytes.size();
    } else if (const auto* submit = std::get_if<protocol::Submit>(&action)) {
      must(!protocol::validate(*submit->frame));
      if (submit->frame->id() % 2 == 0) {  // the odd ones stay in flight
        v1::ServerFrame answer;
        answer.set_id(submit->frame->id());
        for (int i = 0; i < submit->frame->find_paths().starts_size(); ++i) answer.mutable_paths()->add_paths();
        connection.answer(answer, now_ms);
      }
    } else if (std::holds_alternative<protocol::Close>(action)) {
      closed = true;
    }
  }
  must(connection.in_flight() <= protocol::kInFlightMax);
  if (sent > 0) connection.sent(sent, now_ms);
  return closed;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t piece = 1 + data[0] / 2u * 3u;
  std::int64_t now_ms = 0;
  protocol::Connection connection({}, {}, {}, now_ms);
  if (data[0] % 2 == 1) {
    connection.receive(hello(), now_ms);
    carry_out(connection, now_ms);
    must(connection.welcomed());
  }
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    connection.receive(bytes.substr(at, std::min(piece, bytes.size() - at)), ++now_ms);
    while (!carry_out(connection, now_ms) && connection.outbound_bytes() > 0) {
    }
    if (connection.closed()) break;
  }
  connection.peer_closed();
  must(connection.closed());
  return 0;
}
