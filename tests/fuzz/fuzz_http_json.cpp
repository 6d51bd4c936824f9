// Fuzz target: bytes from an HTTP client, cut in pieces. What comes out as a request has its body read as the JSON of its
// method, and what is a message then is validated, written as JSON and read again: the same message. The first byte says
// how the bytes are cut.
#include "protocol/limits.hpp"
#include "protocol/validate.hpp"
#include "protocol/voxpath.pb.h"
#include "server/http/http_answer.hpp"
#include "server/http/http_reader.hpp"
#include "server/http/json_message.hpp"
#include "server/http/method_table.hpp"
#include "server/http/origin.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace {

using namespace voxpath;

void must(bool condition) {
  if (!condition) std::abort();
}

void read_body(const std::string& body, const google::protobuf::FieldDescriptor& method) {
  v1::ClientFrame frame;
  frame.set_id(2);
  google::protobuf::Message& message = *frame.GetReflection()->MutableMessage(&frame, &method);
  if (const auto refused = server::read_json(body, method.name(), &message)) {
    must(!refused->message.empty());
    must(!server::error_answer(*refused).body.empty());
    return;
  }
  if (const auto refused = protocol::validate(frame)) {
    must(!server::error_answer(*refused).body.empty());
    return;
  }
  v1::ClientFrame again;
  again.set_id(2);
  must(!server::read_json(server::write_json(message), method.name(),
                          again.GetReflection()->MutableMessage(&again, &method)));
  must(again.SerializeAsString() == frame.SerializeAsString());
}

void serve(const server::HttpRequest& request) {
  static const server::HttpConfig config;
  static_cast<void>(server::origin_allowed(request, config));
  const std::string_view path = server::path_of(request);
  if (!path.starts_with("/v1/")) return;
  if (const auto* method = server::MethodTable::get().find(path.substr(4))) read_body(request.body(), *method);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t piece = 1 + data[0] * 5u;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  server::HttpReader reader;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    reader.feed(bytes.substr(at, std::min(piece, bytes.size() - at)));
    while (true) {
      auto next = reader.next();
      if (std::holds_alternative<server::HttpReader::NeedMore>(next)) break;
      if (const auto* failure = std::get_if<protocol::Failure>(&next)) {
        must(!failure->message.empty());
        return 0;
      }
      if (const auto* request = std::get_if<server::HttpRequest>(&next)) serve(*request);
    }
    must(reader.buffered() <= protocol::kHttpReadAheadMaxBytes + piece);
  }
  return 0;
}
